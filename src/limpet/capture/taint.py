"""Track what a session reads from outside, and lower the origin of memory candidates that repeat it.

The origin of a text limits how far it is trusted.
"""

from __future__ import annotations

from limpet.capture.candidate import Candidate
from limpet.capture.tools.commits import commit_message
from limpet.capture.tools.observe import Observation, find_pasted
from limpet.clock import to_ms
from limpet.hosts.outside import OutsideSource, find_outside
from limpet.lean.record import replace
from limpet.model.event import Action, PromptSubmitted, ToolFinished
from limpet.model.memory import Origin
from limpet.model.taint import Taint

_TYPED = 1_000
"""The maximum length of a prompt that counts as typed. A longer one may contain pasted text that is not marked."""


def track_source(taint: Taint, event: object, *, root: str | None) -> Taint:
    """Return the taint record with text from outside added.

    Such text comes from a tool call, or is pasted into a prompt. A prompt that a person may have typed begins a turn.
    """
    if isinstance(event, PromptSubmitted):
        taint = taint.start_turn() if event.is_typed else taint
        text, doubtful = find_pasted(event)
        if doubtful:
            name = "a text that may be pasted"
            taint = taint.add_outside(name, to_ms(event.at)).add_source(Origin.TOOL, name, doubtful)
        source = OutsideSource(origin=Origin.EXTERNAL, name="a pasted text")
    elif isinstance(event, ToolFinished) and (found := find_outside(event, root=root)) is not None:
        source, text = found, event.output
    else:
        return taint
    if not text and not event.left_out:
        return taint
    if source.origin is Origin.EXTERNAL:
        taint = taint.add_outside(source.name, to_ms(event.at))
    return taint.add_source(source.origin, source.name, text, event.left_out)


def track_own_words(taint: Taint, seen: Observation) -> Taint:
    """Return the taint record with words of the user or the agent added.

    Such words do not count as repeated if they are read from outside later.
    """
    if seen.origin is Origin.USER:
        return taint.add_own(seen.text) if len(seen.text) <= _TYPED else taint
    if seen.run is not None and seen.run.kind in ("commit", "share"):
        return taint.add_own(commit_message(seen.command))
    is_own = seen.action in (None, Action.EDIT) and seen.origin is not Origin.EXTERNAL
    return taint.add_own(seen.text) if is_own else taint


def lower_candidate(each: Candidate, taint: Taint) -> Candidate:
    """Return the candidate with its origin lowered to the least trusted of the outside sources that it repeats."""
    origin, names = taint.lower(each.origin, each.written or each.text)
    return each if origin is each.origin else replace(each, origin=origin, drawn_from=names)
