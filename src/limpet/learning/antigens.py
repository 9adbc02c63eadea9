"""Record when the agent breaks the rule of an adopted antigen, and whether the user objects.

An antigen is a recurring failure together with a rule against it. It is adopted when a person accepts the rule.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Sequence

from limpet import system
from limpet.capture.reactions import EDIT, Act, AgentTurn, find_objection, list_acts
from limpet.capture.state import SegmentState
from limpet.capture.tools.observe import observe
from limpet.lean.marks import MARKS
from limpet.model.antigen import Antigen, AntigenDecision, AntigenHit, encode_hit, session_change
from limpet.model.call_pattern import CallPattern, PatternKind
from limpet.model.change import CAPTURE, Change
from limpet.model.event import PromptSubmitted, Reported
from limpet.workspace.files import read_file


def find_hits(event: Reported, state: SegmentState, antigens: Callable[[], Sequence[Antigen]]) -> list[Change]:
    """Return a change for each adopted antigen whose rule the agent broke in its last turn, with the user's reaction.

    Return an empty list unless `event` is a prompt, because only a prompt shows the reaction. `antigens` loads the
    antigens and is called only if they are needed.
    """
    turn = state.last
    if not isinstance(event, PromptSubmitted) or turn.asked or not (turn.acts or turn.tools):
        # The agent has done nothing since the last prompt.
        return []
    broken = [
        each
        for each in antigens()
        if each.decision is AntigenDecision.ADOPTED
        and each.decided_at is not None
        and each.decided_at < event.at
        and _is_broken(each.pattern, turn)
    ]
    seen = observe(event) if broken else None
    if seen is None or not seen.text:
        return []
    # Loaded here, because most stores have no adopted antigen.
    from limpet.text.objections import score_objection

    objection = find_objection(turn, seen.text, is_answer=state.turn.agent_asked)
    if objection is None and score_objection(seen.text, is_answer=state.turn.agent_asked) > 0:
        # The user complains without naming a call, so no call was accepted.
        return []
    changes = []
    for each in broken:
        if objection is not None and objection.means is not None and not _matches(each.pattern, objection.means):
            # The user objects to another call.
            continue
        hit = AntigenHit(session=event.session, at=event.at, is_objected=objection is not None)
        changes.append(session_change(each.id, event.session, {"hits": [encode_hit(hit)]}, actor=CAPTURE))
    return changes


def _is_broken(pattern: CallPattern, turn: AgentTurn) -> bool:
    if pattern.kind is PatternKind.TOOL:
        return any(pattern.matches(tool=tool) for tool in turn.tools)
    return any(_matches(pattern, act) for act in list_acts(turn))


def _matches(pattern: CallPattern, act: Act) -> bool:
    if act.kind == EDIT:
        return pattern.matches(tool="", files=(act.what,))
    return pattern.matches(tool="", command=act.what)


def write_marks(home: str, antigens: Iterable[Antigen]) -> None:
    """Write the marks of the adopted antigens to a file.

    Marks are strings by which a hook finds calls that an antigen may apply to. The file is written only if it has
    changed. If writing fails, hooks use the old file until the next attempt.
    """
    marks = sorted({each.pattern.mark for each in antigens if each.decision is AntigenDecision.ADOPTED})
    text, path = "".join(f"{mark}\n" for mark in marks), os.path.join(home, MARKS)
    with contextlib.suppress(OSError):
        if not text:
            if os.path.lexists(path):
                os.unlink(path)
        elif (read_file(path, len(text.encode()) + 1) or b"") != text.encode():
            system.write_atomically(path, text.encode(), durable=False)
