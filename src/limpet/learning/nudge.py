"""Ask the session's model, in one line beside a prompt, to store what the prompt states if that lasts.

No sign in the words of a prompt tells a lasting rule from a wish of the moment, but the model that reads the prompt can
tell. So the prompt is judged as it will be when it is noted, and if it would be noted, the model is told that nothing
but `store_memory` keeps it. `docs/explanation/how-it-learns.md` shows what models store with and without this line.
"""

from __future__ import annotations

from limpet.capture.score import score_candidate
from limpet.capture.speech.prompts import prompt_candidates
from limpet.capture.tools.observe import observe
from limpet.hosts.servers import has_server
from limpet.inject.receipt import Injection
from limpet.model.memory import Origin
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


def find_nudge(event: PromptSubmitted, context: Context) -> Injection | None:
    """Return the line that goes with a prompt, and its receipt; None if the prompt states nothing, or was stored."""
    if not context.settings.inject.nudge or not _states_something(event, context):
        return None
    earlier = context.recent().receipts(session=context.session, limit=500)
    if sum(receipt.way == NUDGE for receipt in earlier) >= _MOST_IN_SESSION or not has_server(
        context.host, context.root
    ):
        return None
    receipt = Receipt(id="", way=NUDGE, session=context.session, tokens=count_tokens(LINE), counts=False)
    return Injection(text=LINE, receipt=receipt)


def _states_something(event: PromptSubmitted, context: Context) -> bool:
    """Tell whether a prompt would be noted, as the user's own words and not because it asks to be remembered."""
    seen = observe(event)
    gate = context.settings.capture.gate
    return seen is not None and any(
        candidate.origin is Origin.USER
        and not candidate.on_purpose
        and score_candidate(candidate).passes(gate)
        and not _is_stored(candidate.text, context)
        for candidate in prompt_candidates(seen.text)
    )


def _is_stored(text: str, context: Context) -> bool:
    hashed = simhash(text)
    found = (
        stored
        for token in context.scope.tokens() or ()
        for stored in context.recent().near_duplicates(token, hashed, limit=3)
    )
    return any(jaccard(text, stored.memory.original_content) >= NEAR for stored in found)
