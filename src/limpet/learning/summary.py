"""Ask a language model for a paragraph that is added to the summary of an ended session.

The paragraph consists of sentences from the session. It is put in front of the summary made by rules, as a correction
of the same memory. So the summary is found as before, and stays unchanged if the model fails.
"""

from __future__ import annotations

from collections.abc import Sequence

from limpet.doors.governor import Passed, Way, govern
from limpet.doors.token_budget import SUMMARISE, ask_model
from limpet.errors import ModelFailed
from limpet.learning.messages import ReadSession
from limpet.llm.curation import SessionMessage
from limpet.llm.session import FEWEST_CHARACTERS, MOST_TOKENS, find_sentences, read_paragraph, write_session_request
from limpet.model.change import Change
from limpet.model.memory import Draft, Origin, Type
from limpet.model.outcome import Admitted
from limpet.model.query import Query, Stored
from limpet.secrets.redact import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.doors.context import Context
    from limpet.llm.protocol import Model


def summarise_session(context: Context, model: Model, read: ReadSession) -> list[Change]:
    """Return the changes that add a paragraph by the model to the session's summary.

    Return an empty list if the session has no summary or is too short. Raise ModelFailed if the model's reply cannot be
    used.
    """
    messages = [each.message for each in read.messages]
    recorded = _find_summary(context)
    if recorded is None or not is_long_enough(messages):
        return []
    tokens = min(MOST_TOKENS, context.settings.llm.session_tokens)
    found = find_sentences(messages, recorded.memory.original_content, tokens=tokens)
    # Sentences that repeat what the agent has read outside are left out.
    sentences = [each for each in found if read.taint.lower(Origin.TOOL, each.text)[0] is Origin.TOOL]
    reply = ask_model(context, model, write_session_request(sentences, read.objections), role=SUMMARISE)
    return _prepend_paragraph(context, recorded, read_paragraph(reply, sentences))


def is_long_enough(messages: Sequence[SessionMessage]) -> bool:
    """Tell whether a session's messages are long enough to ask a model for a summary."""
    return sum(len(each.text) for each in messages) >= FEWEST_CHARACTERS


def _find_summary(context: Context) -> Stored | None:
    """Return the session's summary, or None if it has none or no model may see it."""
    query = Query(scope=context.scope, session=context.session, type=Type.SESSION_SUMMARY, now=context.now(), limit=1)
    found = next(iter(context.reading().browse(query).items), None)
    return found if found is not None and isinstance(govern(found, way=Way.LAST), Passed) else None


def _prepend_paragraph(context: Context, recorded: Stored, paragraph: str) -> list[Change]:
    if redact(paragraph)[1]:
        raise ModelFailed("the summary holds a secret")
    memory = recorded.memory
    door = context.admission(reading=context.reading(), now=context.now())
    # The time of the session is kept, because the summary of the newest session is shown in the next one.
    draft = Draft(
        text=f"{paragraph}\n\n{memory.original_content}",
        title=memory.title,
        subtitle=memory.subtitle,
        origin=memory.origin,
        confidence=memory.confidence,
        tier=memory.tier,
        earned=memory.earned,
        created_at=memory.created_at,
        session=memory.session,
        source=memory.source,
    )
    outcome = door.admit(draft, correcting=recorded)
    if not isinstance(outcome, Admitted) or outcome.memory.origin is not memory.origin:
        raise ModelFailed("the summary repeats what was read outside, or is not fit to be kept")
    return list(door.changes)
