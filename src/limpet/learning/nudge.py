"""Ask the session's model, in one line beside a prompt, to store what the prompt states if that lasts.

No sign in the words of a prompt tells a lasting rule from a wish of the moment, but the model that reads the prompt can
tell. So the prompt is judged as it will be when it is noted, and if it would be noted, the model is told that nothing
but `store_memory` keeps it. `docs/explanation/how-it-learns.md` shows what models store with and without this line.
"""

from __future__ import annotations

from datetime import timedelta

from limpet.capture.score import score_candidate
from limpet.capture.speech.prompts import prompt_candidates
from limpet.capture.tools.observe import observe
from limpet.hosts.servers import has_server
from limpet.inject.receipt import Injection
from limpet.model.memory import Memory, Origin, Tier
from limpet.model.receipt import NUDGE, Receipt
from limpet.text.similarity import NEAR, jaccard, simhash
from limpet.text.tokens import count_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.doors.context import Context
    from limpet.model.event import PromptSubmitted

LINE = (
    "[Limpet] This message may state something that lasts: a rule, a preference, a decision, or a fact that the code "
    "does not show. If a colleague would still want to know it weeks from now, it is worth one store_memory now, in "
    "words that stand alone. If it only steers the work at hand, this line means nothing."
)
"""The line for the model. It states facts, because a host may show orders from a hook to the person as suspicious."""
_MOST_IN_SESSION = 12
_OWN = timedelta(minutes=1)
_RISE = 0.04
"""What each line adds to the score that the next one in the session needs, so that they are not used up early."""


def find_nudge(event: PromptSubmitted, context: Context) -> Injection | None:
    """Return the line that goes with a prompt, and its receipt; None if the prompt states nothing, or was stored."""
    if not context.settings.inject.nudge:
        return None
    score = _score_statement(event, context)
    if score < context.settings.capture.gate:
        return None
    earlier = sum(each.way == NUDGE for each in context.recent().receipts(session=context.session, limit=500))
    if earlier >= _MOST_IN_SESSION or score < context.settings.capture.gate + earlier * _RISE:
        return None
    if not has_server(context.host, context.root):
        return None
    receipt = Receipt(id="", way=NUDGE, session=context.session, tokens=count_tokens(LINE), counts=False)
    return Injection(text=LINE, receipt=receipt)


def _score_statement(event: PromptSubmitted, context: Context) -> float:
    """Return the best score of what a prompt states, of what would be noted, is not stored, and asks for no note."""
    seen = observe(event)
    scored = (
        (score_candidate(candidate), candidate)
        for candidate in (prompt_candidates(seen.text) if seen is not None else ())
        if candidate.origin is Origin.USER and not candidate.on_purpose
    )
    gate = context.settings.capture.gate
    return max(
        (found.total for found, each in scored if found.passes(gate) and not _is_stored(each.text, event, context)),
        default=0.0,
    )


def _is_stored(text: str, event: PromptSubmitted, context: Context) -> bool:
    hashed = simhash(text)
    found = (
        stored.memory
        for token in context.scope.tokens() or ()
        for stored in context.recent().near_duplicates(token, hashed, limit=3)
    )
    return any(jaccard(text, each.original_content) >= NEAR and not _is_of_prompt(each, event) for each in found)


def _is_of_prompt(memory: Memory, event: PromptSubmitted) -> bool:
    """Tell whether a memory is the note of this very prompt, which another process has learnt from meanwhile."""
    is_new = event.at - memory.created_at < _OWN
    return is_new and memory.tier is Tier.NOTED and memory.session == event.session
