"""Read the messages of a recorded session: typed prompts and the agent's last message of each turn."""

from __future__ import annotations

from collections.abc import Sequence

from limpet.capture.reactions import AgentTurn, find_objection, note_interruption, note_prompt, track_act
from limpet.capture.taint import track_own_words, track_source
from limpet.capture.tools.observe import observe
from limpet.hosts.sessions import RecordedSession, Replay
from limpet.lean.record import record, replace
from limpet.llm.curation import SessionMessage
from limpet.model.event import CommandExpanded, Interrupted, PromptSubmitted, ToolFinished, TurnEnded
from limpet.model.memory import Origin, Source
from limpet.model.taint import Taint
from limpet.secrets.redact import redact
from limpet.text.questions import ends_with_question

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

MOST_MESSAGES = 400
_MOST_OBJECTIONS = 12


@record
class ReadMessage:
    """A message from a session, with its time and its position in the transcript."""

    message: SessionMessage
    at: datetime
    source: Source


@record
class ReadSession:
    """The latest messages of a session, the user's objections, and the taint: a record of what was read outside."""

    messages: tuple[ReadMessage, ...]
    objections: tuple[str, ...]
    taint: Taint


def read_messages(recorded: RecordedSession, noted: Sequence[str], *, root: str | None) -> ReadSession:
    """Read the messages of a session, without secrets and pasted text.

    `noted` contains the beginnings of the memories that were captured in the session. Messages that contain one of them
    are marked. `root` is the folder of the project.
    """
    replay = Replay(recorded, {})
    found: list[tuple[bool, str, datetime, Source]] = []
    objected: set[int] = set()
    objections: list[str] = []
    turn, has_asked, taint = AgentTurn(), False, Taint()
    try:
        for seen in replay:
            taint = track_source(taint, seen.event, root=root)
            source = Source(transcript=seen.path, line=seen.line)
            match seen.event:
                case PromptSubmitted(text=text) as event:
                    said = observe(replace(event, text=redact(text)[0]))
                case TurnEnded(said=text) as event:
                    said = observe(replace(event, said=redact(text)[0]))
                case Interrupted():
                    turn = note_interruption(turn)
                    continue
                case ToolFinished() as event:
                    done = observe(event)
                    turn = track_act(turn, done) if done is not None else turn
                    taint = track_own_words(taint, done) if done is not None else taint
                    continue
                case CommandExpanded() as event:
                    turn = note_prompt(turn, event.at)
                    continue
                case _:
                    continue
            # `observe` leaves out pasted, injected and private text, which no model is shown.
            if said is None or not said.text:
                turn = note_prompt(turn, seen.event.at) if isinstance(seen.event, PromptSubmitted) else turn
                continue
            taint = track_own_words(taint, said)
            by_user = said.origin is Origin.USER
            objection = find_objection(turn, said.text, is_answer=has_asked) if by_user else None
            if objection is not None:
                objections.append(redact(objection.describe())[0])
                last_typed = max((at for at, each in enumerate(found) if each[0]), default=-1)
                objected.update(range(last_typed + 1, len(found)))
            turn, has_asked = track_act(turn, said), not by_user and ends_with_question(said.text)
            found.append((by_user, said.text, said.at, source))
    finally:
        replay.close()
    counts = {True: 0, False: 0}
    messages = []
    first = max(0, len(found) - MOST_MESSAGES)
    for number, (by_user, text, at, source) in enumerate(found[first:], first):
        counts[by_user] += 1
        message = SessionMessage(
            id=f"{'u' if by_user else 'a'}{counts[by_user]}",
            text=text,
            by_user=by_user,
            is_noted=any(each in text for each in noted),
            is_objected=number in objected,
        )
        messages.append(ReadMessage(message=message, at=at, source=source))
    return ReadSession(messages=tuple(messages), objections=tuple(objections[-_MOST_OBJECTIONS:]), taint=taint)
