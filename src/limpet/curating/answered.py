"""Find the message before a note in the recording of its session, because "yes, always" alone means nothing.

Nothing is stored: the recording is read when somebody decides about the note. If the host has deleted it, there is no
message.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from limpet.capture.tools.observe import observe
from limpet.clock import to_ms
from limpet.doors.governor import Passed, Way, govern
from limpet.hosts.sessions import find_own_file, host_of, read_session
from limpet.lean.record import record, replace
from limpet.model.change import Status
from limpet.model.event import PromptSubmitted, TurnEnded
from limpet.model.memory import Memory, Origin
from limpet.model.query import Stored, query_everything
from limpet.runtime import Runtime
from limpet.secrets.redact import redact
from limpet.text.assent import begins_with_answer
from limpet.text.excerpt import shorten
from limpet.text.questions import ends_with_question
from limpet.text.references import points_back

_LARGEST = 64 << 20
"""The size of a recording in bytes above which it is not read, because somebody is waiting."""
_LATE_MS = 60_000
"""How far the time of a prompt in the recording may be from the time at which its hook ran, in milliseconds."""
_SHORT = 60
"""The length in characters up to which a note is taken for an answer."""
_LONGEST_FOR_MODEL = 160
_BEGINNING = 20
"""The number of characters by which a request is recognised in a note. A shorter remark of the agent says nothing."""


@record
class Answered:
    """The message before a note: the agent's message that the user answered, or the user's request."""

    by: str
    """Who said it: user or agent."""
    text: str

    @property
    def is_request(self) -> bool:
        return self.by == "user"

    def shorten(self, limit: int) -> str:
        """Return the message on one line: the end of a question of the agent, otherwise the beginning."""
        text = " ".join(self.text.split())
        if self.is_request or len(text) <= limit or not ends_with_question(self.text):
            return shorten(text, limit)
        return f"…{text[-limit:].partition(' ')[2]}"


def find_answered(runtime: Runtime, notes: Iterable[Stored]) -> dict[str, Answered]:
    """Return the messages before notes, by the id of the note, as far as the recordings still exist."""
    found, read = {}, dict[str, list[PromptSubmitted | TurnEnded]]()
    for memory in (stored.memory for stored in notes):
        path = _find_recording(runtime, memory)
        if path is not None and path not in read:
            read[path] = _read_messages(path)
        before = _find_before(memory, read[path]) if path is not None else None
        if before is not None and not _is_forgotten(runtime, memory, before.text):
            found[memory.id] = before
    return found


def is_answer(memory: Memory) -> bool:
    """Tell whether a note is so short, begins or points back in such a way that a reader needs the message before."""
    return len(memory.content) <= _SHORT or begins_with_answer(memory.content) or points_back(memory.content)


def quote_for_model(stored: Stored, answered: Answered) -> str:
    """Return the message as a model may see it: who said it, and its words as a quotation; empty if it is withheld."""
    # Anybody's words may stand in a message, so it is trusted no more than the output of a tool.
    memory = replace(stored.memory, title="", content=answered.text, origin=Origin.TOOL, confirmed=False)
    passed = govern(replace(stored, memory=memory, signs=None), way=Way.ASKED)
    if not isinstance(passed, Passed):
        return ""
    said = replace(answered, text=passed.text).shorten(_LONGEST_FOR_MODEL)
    return f"{answered.by}: “{said}”"


def _find_recording(runtime: Runtime, memory: Memory) -> str | None:
    if memory.session is None:
        return None
    reading = runtime.reading()
    session = reading.session(memory.session)
    path = (memory.source and memory.source.transcript) or (session and session.transcript)
    # What was erased may be quoted in the recording, and nobody can tell where.
    if not path or memory.session in reading.purged_sessions():
        return None
    # The path may come from another machine, so it is only read in the folder of a host.
    found = find_own_file(path, host=host_of(path))
    return found if found is not None and os.path.getsize(found) <= _LARGEST else None


def _read_messages(path: str) -> list[PromptSubmitted | TurnEnded]:
    try:
        return [seen.event for seen in read_session(path) if isinstance(seen.event, PromptSubmitted | TurnEnded)]
    except (OSError, ValueError):
        return []


def _find_before(memory: Memory, messages: Sequence[PromptSubmitted | TurnEnded]) -> Answered | None:
    made, asks = to_ms(memory.created_at), memory.origin is not Origin.USER
    prompts = [at for at, each in enumerate(messages) if isinstance(each, PromptSubmitted)]
    if asks:
        place = max((at for at in prompts if to_ms(messages[at].at) <= made), default=-1)
    else:
        near = [at for at in prompts if abs(to_ms(messages[at].at) - made) <= _LATE_MS]
        place = min(near, key=lambda at: abs(to_ms(messages[at].at) - made), default=0) - 1
    if place < 0 or isinstance(messages[place], PromptSubmitted) is not asks:
        return None
    match messages[place]:
        case PromptSubmitted(text=text) as event:
            said = observe(replace(event, text=redact(text)[0]))
        case TurnEnded(said=text) as event:
            said = observe(replace(event, said=redact(text)[0]))
    # `observe` leaves out pasted, injected and private text. A note of a report may begin with the request itself.
    if said is None or memory.content.startswith(said.text[:_BEGINNING]):
        return None
    is_plain = len(said.text) < _BEGINNING and not ends_with_question(said.text)
    return None if is_plain and not asks else Answered(by="user" if asks else "agent", text=said.text)


def _is_forgotten(runtime: Runtime, memory: Memory, text: str) -> bool:
    """Tell whether a message contains what was forgotten of its session."""
    scope = replace(runtime.context().scope, every_project=True)
    query = replace(query_everything(scope, now=runtime.now()), session=memory.session, statuses=(Status.FORGOTTEN,))
    found = runtime.reading().browse(query).items
    plain = " ".join(text.split())
    return any(" ".join(each.memory.original_content.split()) in plain for each in found)
