"""Handle hook events that arrive over HTTP, with the same code as the hook program.

A host can post an event itself, or the hook program hands it over (`hooks/handover.py`). Only a prompt that the hook
program hands over through the socket file may have been typed by a person: there the system names the process that
sends it. A prompt from any other sender counts as the agent's, because an agent can read the token. The hook program
handles a prompt that may ask to remember something itself.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from typing import Any

from limpet import clock, system
from limpet.errors import LimpetError, Refused, UsageError
from limpet.hooks.answer import LEARN_MS, answer_with, learn_from_other_sessions
from limpet.hooks.incoming import (
    ANSWERED,
    QUEUED,
    may_ask_to_remember,
    names_session,
    queue_event,
    translate_event_name,
    wants_answer,
)
from limpet.hooks.tend import tend_store
from limpet.hosts import HOSTS, names_of
from limpet.hosts.client_processes import is_hook_program
from limpet.http.verbs import AGENT
from limpet.lean import quickjson
from limpet.lean.record import record
from limpet.model.change import Change
from limpet.runtime.exclusive import ExclusiveRuntime
from limpet.runtime.serving import RequestPlace

UPKEEP = "upkeep"
_LOG = "hook.log"
_LEARNING_MS, _MODEL_MS = 20_000, 30_000
"""The time limits for learning from a session that has ended, and for the calls of a language model in it."""
_NAMES = {"".join(f"_{c.lower()}" if c.isupper() else c for c in name)[1:]: name for name in (*QUEUED, *ANSWERED)}
"""The events, by their names in a URL: `session_start` for SessionStart."""


def event_names() -> list[str]:
    """Return the event names that are valid in the path `/hook/{event}`."""
    return sorted((*_NAMES, "event", UPKEEP))


@record
class HookAnswer:
    """The answer to a hook event, and the receipts to write once the answer has arrived.

    `text` is empty if the host gets no answer.
    """

    text: str = ""
    receipts: Sequence[Change] = ()


class HookHandler:
    """The handler of all hook events that one server receives."""

    def __init__(
        self,
        hurried: ExclusiveRuntime,
        careful: ExclusiveRuntime,
        learning: ExclusiveRuntime,
        *,
        home: str,
        folder: str,
    ) -> None:
        self._hurried = hurried
        self._careful = careful
        self._learning = learning
        self._home = home
        self._folder = folder
        self._unnamed = f"http-{clock.now_ms()}"
        self._tending = threading.Lock()

    def take(
        self,
        name: str,
        payload: Any,
        *,
        host: str,
        folder: str,
        id: str = "",
        sender: int = 0,
        is_gone: Callable[[], bool] = lambda: False,
    ) -> HookAnswer:
        """Queue an event and return the answer for the host.

        `folder` is the folder in which the host was started, if the sender names it. `id` is the id of an event that
        the hook program has handed over, and `sender` the id of the process that sent it, or 0 if that is unknown. Once
        `is_gone` returns True, the hook program has given up and handles the event itself, so this method does nothing
        more.
        """
        if not isinstance(payload, dict):
            raise UsageError("a hook event is a JSON object")
        if host not in HOSTS:
            raise UsageError(f"there is no host {host[:60]!r}; choose from {', '.join(HOSTS)}")
        if name == UPKEEP:
            self.tend(payload, folder)
            return HookAnswer()
        said = str(payload.get("hook_event_name") or _NAMES.get(name, ""))[:40]
        event = translate_event_name(said, host)
        if event not in QUEUED and event not in ANSWERED:
            known = ", ".join(sorted((*_NAMES, *names_of(host).EVENTS)))
            raise UsageError(f"{said[:60]!r} is not an event of this host; choose from {known}")
        payload = {**payload, "hook_event_name": said}
        nested = may_ask_to_remember(payload, event)
        if event == "UserPromptSubmit" and not is_hook_program(sender):
            if id:
                raise Refused("the sender of this prompt is unknown, so the hook program has to write it down itself")
            nested = True
        return self._take(payload, event, host=host, folder=folder, id=id, nested=nested, is_gone=is_gone)

    def _take(
        self,
        payload: dict[str, Any],
        event: str,
        *,
        host: str,
        folder: str,
        id: str,
        nested: bool,
        is_gone: Callable[[], bool],
    ) -> HookAnswer:
        if is_gone():
            return HookAnswer()
        is_named = is_queued = names_session(payload, self._home)
        if is_named:
            try:
                queue_event(payload, event, host, home=self._home, folder=folder or None, is_nested=nested, id=id)
            except OSError as error:
                is_queued = False
                self.log(event, 0, f"not queued: {error}")
        elif payload.get("session_id") is not None:
            # The session has no name, or Limpet itself has started it: there is nothing to learn from it.
            return HookAnswer()
        taken = HookAnswer()
        if wants_answer(event, payload, self._home):
            # An event without a session, as simple scripts send it, is answered, but nothing is learnt from it.
            named = payload if is_named else {**payload, "session_id": self._unnamed}
            place = RequestPlace(folder=self._find_folder(payload, folder), session=named["session_id"].strip())
            shared = self._careful if event == "UserPromptExpansion" else self._hurried
            is_start = event == "SessionStart"
            if is_start:
                # Learn from what other sessions have left in the queue in a separate store, so that no prompt waits.
                # Another session that starts meanwhile waits, and then finds no events left.
                with self._learning.use_within(LEARN_MS / 1000, place, AGENT) as learner:
                    if learner is not None:
                        learn_from_other_sessions(learner)
            with shared.use_at(place, AGENT) as runtime:
                if is_gone():
                    return HookAnswer()
                receipts = runtime.hold_receipts()
                said = payload["hook_event_name"]
                text = answer_with(runtime, named, said, host, has_learnt=is_start, is_queued=is_queued)
                taken = HookAnswer(text=text, receipts=receipts)
        if event == "SessionEnd":
            self.tend(payload, folder)
        return taken

    def note_delivery(self, taken: HookAnswer) -> None:
        """Write the receipts of an answer that has reached the host.

        If an answer does not arrive, the hook program makes one itself. A receipt would then make the hook program
        leave the same memories out.
        """
        if taken.receipts:
            with self._hurried.use() as runtime:
                runtime.write_receipts(taken.receipts)

    def _find_folder(self, payload: dict[str, Any], folder: str) -> str:
        """Return the folder of an event: `folder` or the payload's `cwd`, the first of them that exists.

        If neither exists, return the server's folder if the payload has no `cwd`, otherwise the root folder, which
        belongs to no project.
        """
        for each in (folder, payload.get("cwd")):
            if isinstance(each, str) and each and "\0" not in each and os.path.isdir(each):
                return each
        return self._folder if payload.get("cwd") is None else os.path.abspath(os.sep)

    def tend(self, payload: dict[str, Any], folder: str) -> None:
        """Learn from the queue and do upkeep in a background thread; do nothing if such a thread already runs."""
        if self._tending.acquire(blocking=False):
            place = {"cwd": self._find_folder(payload, folder)}
            threading.Thread(target=self._tend, args=(place,), name="tend", daemon=True).start()

    def _tend(self, payload: dict[str, Any]) -> None:
        try:
            tend_store(payload, home=self._home, budget_ms=_LEARNING_MS, model_ms=_MODEL_MS)
        except (LimpetError, OSError) as error:
            self.log(UPKEEP, 0, f"{type(error).__name__}: {error}")
        finally:
            self._tending.release()

    def log(self, event: str, spent: int, error: str) -> None:
        """Append a line to the log of hooks, which `limpet doctor` reads."""
        row = {"at": clock.now_ms(), "event": event[:40], "ms": spent, "error": error[:300], "late": ""}
        try:
            system.append_line(os.path.join(self._home, _LOG), quickjson.dumps(row))
        except (OSError, ValueError):
            return
