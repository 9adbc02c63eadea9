"""The hook program: queue the event that a host reports, and print an answer if the event needs one.

With the argument `statusline` it prints a line about a session instead.

A host starts the program for every event, by path and with `-I -S`, and waits for it. So it loads only the standard
library and a few small modules until it has to answer. It always ends with status 0 within its time limit and prints
one answer or nothing, because a failure must not disturb the host. Failures go to `hook.log`, which `limpet doctor`
reads.
"""

from __future__ import annotations

import _thread
import gc
import os
import sys

from limpet import clock, system
from limpet.environment import QUIET, environment, home_path, project_from_environment
from limpet.errors import LimpetError
from limpet.hooks.handover import END, MOST_INPUT, read_input
from limpet.hooks.incoming import (
    ANSWERED,
    QUEUED,
    may_ask_to_remember,
    may_be_set,
    names_session,
    queue_event,
    translate_event_name,
    wants_answer,
)
from limpet.lean import quickjson
from limpet.lean.time_limits import LIMITS, limit_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from limpet.hooks.handover import Handover

UPKEEP_MS = 60_000
STATUS = "statusline"
"""The argument with which the program prints a line for the host's status line, instead of taking an event."""
_STATUS_MS = 1_000
_TELL_MS = 100
_BEGINNING = 1 << 19
"""The number of bytes that are read from the beginning of a payload that is too large."""
_NEAR = 200
"""The number of positions that are searched for a place to cut a text."""
_MOST_ERRORS = 50
"""The number of fields named `error` that are tried, from the end of a payload."""


def main(arguments: Sequence[str] = (), given: Handover | None = None) -> int:
    """Handle one event. Always return 0, because any other status makes the host report an error or block the agent.

    `given` contains the input if it was already read, because a server was asked first.
    """
    started = clock.monotonic_ms()
    doing = "start"
    if environment().get(QUIET):
        # Limpet itself started this client to ask its model, so there is nothing to learn from it.
        return 0
    try:
        # The event, and so its limit, is unknown until the payload is read.
        watch = _Watch(started, UPKEEP_MS if "upkeep" in arguments else max(LIMITS.values()))
        data = read_input(os.read) if given is None or given.data is None else given.data
        host = arguments[arguments.index("--host") + 1] if "--host" in arguments[:-1] else "claude-code"
        payload, is_valid = _parse(data)
        doing = str(payload.get("hook_event_name", ""))[:40]
        event = translate_event_name(doing, host)
        answer = ""
        limit = 0
        if "upkeep" in arguments:
            _tend(payload)
        elif STATUS in arguments:
            watch.limit(STATUS, _STATUS_MS)
            from limpet.hooks.statusline import describe_status

            answer = describe_status(payload)
        elif (event in QUEUED or event in ANSWERED) and names_session(payload, home_path()):
            limit = limit_for(event)
            watch.limit(doing, limit)
            is_queued = True
            try:
                _write_down(payload, event, host, id=given.id if given else "")
            except OSError as error:
                # A full or read-only disk is no reason to keep silent about what is known.
                is_queued = False
                log_failure(doing, clock.monotonic_ms() - started, error=f"not queued: {error}"[:300])
            if wants_answer(event, payload, home_path()):
                from limpet.hooks.answer import answer as answer_event

                answer = answer_event(payload, doing, host, is_queued=is_queued)
            if event == "SessionEnd" and host == "claude-code":
                # This host does not wait at the end, so the session's memories exist before the next session starts.
                limit = 0
                watch.limit(doing, UPKEEP_MS)
                _tend(payload)
        watch.stop()
        if answer:
            os.write(1, answer.encode("utf-8", "replace"))
        spent = clock.monotonic_ms() - started
        if not is_valid:
            log_failure(doing, spent, error="the event is not valid JSON; only some of its fields were read")
        elif limit and spent > limit // 2:
            log_failure(doing, spent)
    except BaseException as error:  # noqa: BLE001
        # The last-resort handler: a failure of Limpet must never disturb the host.
        log_failure(doing, clock.monotonic_ms() - started, error=f"{type(error).__name__}: {error}"[:300])
    return 0


def limit_for(event: str) -> int:
    """Return the time limit of an event in milliseconds."""
    name = limit_name(event)
    if may_be_set("hooks"):
        from limpet.settings import load

        try:
            limit: int = getattr(load().hooks, name)
            return limit
        except LimpetError:
            # Every command reports what is wrong with the settings; here the event must not be lost because of it.
            pass
    return LIMITS[name]


class _Watch:
    """A watchdog that ends the program when its time limit is reached, even if a system call hangs."""

    def __init__(self, started: int, milliseconds: int) -> None:
        self._lock = _thread.allocate_lock()
        self._lock.acquire()
        self._main = _thread.get_ident()
        self._started = started
        self._limit = milliseconds
        self._event = ""
        _thread.start_new_thread(self._wait, ())

    def limit(self, event: str, milliseconds: int) -> None:
        self._event, self._limit = event, milliseconds

    def stop(self) -> None:
        self._lock.release()

    def _wait(self) -> None:
        while (left := self._started + self._limit - clock.monotonic_ms()) > 0:
            if self._lock.acquire(timeout=min(left, 50) / 1000):
                return
        # Writing the log may hang too.
        told = _thread.allocate_lock()
        told.acquire()
        _thread.start_new_thread(self._give_up, (told,))
        told.acquire(timeout=_TELL_MS / 1000)
        os._exit(0)

    def _give_up(self, told: _thread.LockType) -> None:
        log_failure(self._event, self._limit, late=_name_running_function(self._main))
        told.release()


def _name_running_function(thread: int) -> str:
    """Return the name of the Limpet function that a thread is running, to be logged if a hook is late."""
    frame = sys._current_frames().get(thread)
    while frame is not None:
        module = str(frame.f_globals.get("__name__"))
        if module.startswith("limpet."):
            return f"{module}.{frame.f_code.co_name}"
        frame = frame.f_back
    return "limpet"


def _parse(data: bytes) -> tuple[dict[str, Any], bool]:
    """Parse a payload. If it is too large or not valid, parse only the fields at its beginning and its end.

    Also return whether it is valid, as far as it was parsed.
    """
    if len(data) > MOST_INPUT:
        return _parse_ends(data), True
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    try:
        found = quickjson.loads(text) if text.strip() else {}
    except ValueError:
        # It may be cut off, nested too deeply, or have a number that Python does not read.
        found = _read_first_fields(text[:_BEGINNING]) | _read_last_fields(text[-END:])
        if not found:
            raise
        return found, False
    return found if isinstance(found, dict) else {}, True


def _parse_ends(data: bytes) -> dict[str, Any]:
    """Parse the beginning and the end of a payload that is too large.

    If everything between them is part of one text, the joined ends are parsed. Otherwise, only complete fields are
    read: from the beginning those that name the session and the folder, for example, and from the end the error.
    """
    beginning, end = data[:_BEGINNING].decode("utf-8", "replace"), data[-END:].decode("utf-8", "replace")
    first, last = _find_gap(beginning, range(len(beginning), 0, -1)), _find_gap(end, range(len(end)))
    # The joined ends are valid JSON even if they come from two texts, so it matters that no text ends between them.
    left = beginning[first:].encode() + data[_BEGINNING:-END] + end[:last].encode()
    # Without the escaped backslashes, each backslash escapes the character that follows it.
    left = left.replace(rb"\\", b"")
    # Of a longer payload, a part may not have been read.
    is_one_text = len(data) <= MOST_INPUT + END and left.count(b'"') == left.count(rb"\"")
    if left.endswith(b"\\"):
        last += 1
    try:
        found = quickjson.loads(f"{beginning[:first]} […] {end[last:]}") if is_one_text else None
    except ValueError:
        found = None
    return found if isinstance(found, dict) else _read_first_fields(beginning) | _read_last_fields(end)


def _find_gap(text: str, places: range) -> int:
    """Return the first of `places` to cut a text: after a space if one is near, and not inside an escape sequence.

    If all places that are near may be inside one, return the first place.
    """
    for at in places[:_NEAR]:
        if text[at - 1 : at] == " ":
            return at
    return next((at for at in places[:_NEAR] if not _is_in_escape(text, at)), places.start)


def _is_in_escape(text: str, at: int) -> bool:
    """Tell whether a position in a JSON text is inside an escape sequence, such as a backslash and a quotation mark."""
    return _is_escaped(text, at) or any(
        text[each] == "u" and _is_escaped(text, each) for each in range(max(0, at - 4), at)
    )


def _is_escaped(text: str, at: int) -> bool:
    first = len(text[:at].rstrip("\\"))
    # If the backslashes reach the beginning of the text, it is unknown whether more came before.
    return (at - first) % 2 == 1 or first == 0


def _read_first_fields(text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in ("session_id", "cwd", "hook_event_name", "transcript_path", "tool_name"):
        _, mark, rest = text.partition(f'"{name}"')
        value = rest.lstrip(" :")
        if mark and value.startswith('"'):
            try:
                found[name] = quickjson.load_first(value)
            except ValueError:
                continue
    return found


def _read_last_fields(text: str) -> dict[str, Any]:
    """Return the field `error` from the end of a payload, or an empty dictionary if it is not among the last fields."""
    start = len(text)
    for _ in range(_MOST_ERRORS):
        start = text.rfind('"error"', 0, start)
        if start < 0:
            break
        try:
            found = quickjson.loads("{" + text[start:])
        except ValueError:
            continue
        return {"error": found.get("error")} if isinstance(found, dict) else {}
    return {}


def _write_down(payload: Mapping[str, Any], event: str, host: str, *, id: str = "") -> None:
    nested = False
    if may_ask_to_remember(payload, event):
        # Loaded here, because only a request to remember is worth examining the processes.
        from limpet.hosts.client_processes import is_nested_agent

        nested = is_nested_agent()
    queue_event(payload, event, host, home=home_path(), folder=project_from_environment(), is_nested=nested, id=id)


def _tend(payload: Mapping[str, Any]) -> None:
    from limpet.hooks.tend import tend_store

    gc.enable()
    # Learning and upkeep get a third each and may end a little late: a worker that is cut off looks like a failure.
    tend_store(payload, budget_ms=UPKEEP_MS // 3, model_ms=UPKEEP_MS // 2)


def log_failure(event: str, spent: int, *, error: str = "", late: str = "") -> None:
    """Log a failure, a slow answer, or a late answer with the function that was running, for `limpet doctor`."""
    try:
        path = os.path.join(home_path(), "hook.log")
        row = {"at": clock.now_ms(), "event": event, "ms": spent, "error": error, "late": late}
        system.append_line(path, quickjson.dumps(row))
    except (OSError, ValueError, LimpetError):
        # A failure to write the log cannot be reported anywhere.
        return
