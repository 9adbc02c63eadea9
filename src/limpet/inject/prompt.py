"""Choose the memories that are shown to a model with a prompt, and the known fixes that are shown with an error."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from limpet.doors.forbidden import is_forbidden
from limpet.doors.governor import Way
from limpet.inject.budget import Budget
from limpet.inject.named import find_named_rules
from limpet.inject.receipt import Injection, find_shown, make_injection
from limpet.inject.recipient import Recipient
from limpet.inject.render import render_context, render_element
from limpet.inject.select import (
    Judge,
    SelectedMemory,
    drop_overridden,
    hold_back,
    is_rule,
    select_item,
)
from limpet.lean.record import replace
from limpet.model.memory import LEAST_ON_TRIAL, Memory, Scale, Tier, Type
from limpet.model.query import Hit, Query
from limpet.model.scope import Scope
from limpet.recall.search import search
from limpet.settings import InjectSettings, RecallSettings
from limpet.store.protocol import Reading
from limpet.text.assent import only_assents
from limpet.text.lexicon import parse_terms

_READ = 2000
_FOUND = 8
_NEAR = 0.35
"""The least cosine to the prompt of a memory of the tier NOTED that is shown."""
_MOSTLY = 0.5
"""The share of the prompt that it covers, which is enough however common the words are."""
_COVERING = 0.2
"""The least share of the prompt that it covers."""
_WEIGHT = 10.0
"""The least weight of the words that it then shares with the prompt: about two rare ones, or five common ones."""
_PLACES = (Scale.IMMEDIATE, Scale.TASK, Scale.TASK, Scale.SESSION, Scale.PROJECT)


def inject_at_prompt(
    text: str,
    recipient: Recipient,
    *,
    reading: Reading,
    settings: InjectSettings,
    recall: RecallSettings,
    judge: Judge,
    now: datetime,
) -> Injection | None:
    """Format the few memories that help to answer a prompt, and create the receipt; return None if there are none."""
    question = _cut_to_question(text)
    if not _says_enough(question):
        return None
    shown, spent = find_shown(reading, recipient.session)
    tokens = min(settings.prompt_tokens, settings.session_tokens - spent)
    if tokens <= 0 or not settings.prompt_memories:
        return None
    query = Query(scope=recipient.scope, text=question, now=now, limit=_FOUND)
    last = reading.last_session(recipient.scope.project, besides=recipient.session)
    page = search(query, reading=reading, settings=recall, judge=judge, last_session=last)
    hits = [hit for hit in page.items if _may_be_shown(hit, recipient, shown)]
    named = find_named_rules(question, recipient, reading=reading, judge=judge, shown=shown, now=now)
    scored = {hit.memory.id: hit for hit in page.items}
    first = {
        each.memory.id: replace(each, parts={**scored[each.memory.id].parts, **each.parts})
        if each.memory.id in scored
        else each
        for each in named
    }
    others = [hit for hit in _spread_by_scale(hits, now) if hit.memory.id not in first]
    items = drop_overridden(_select_hits([*first.values(), *others], recipient, Way.PROMPT, settings))
    if any(each.stored.memory.type is Type.SESSION_SUMMARY for each in items):
        items = _shorten_summaries(items, shown, reading, most=settings.prompt_memories)
    given, held_back = hold_back(items, settings)
    return _inject_fitting(
        given, recipient, way="prompt", tokens=tokens, held_back=held_back, settings=settings, now=now
    )


def _shorten_summaries(
    items: Sequence[SelectedMemory], shown: Iterable[str], reading: Reading, *, most: int
) -> list[SelectedMemory]:
    """Leave out of the summaries what the first `most` other memories say, and those shown earlier in the session."""
    # Loaded here, because few prompts find a summary.
    from limpet.inject.repeats import Told, shorten_summary

    earlier = (stored.memory for stored in map(reading.get, shown) if stored is not None)
    told = Told(f"{memory.title}. {memory.content}" for memory in earlier)
    others = [each for each in items if each.stored.memory.type is not Type.SESSION_SUMMARY]
    for each in others[:most]:
        told.add(f"{each.passed.title}. {each.passed.text}")
    left = (each if each in others else shorten_summary(each, told) for each in items)
    return [each for each in left if each is not None]


def _says_enough(question: str) -> bool:
    """Tell whether a prompt has at least two meaningful words and does not only express agreement."""
    return not only_assents(question) and len({term.text for term in parse_terms(question, even_common=False)}) > 1


def _may_be_shown(hit: Hit, recipient: Recipient, shown: frozenset[str]) -> bool:
    """Tell whether a found memory may be shown: it has not been shown before and is not from the same session.

    A memory of the tier NOTED must also cover much of the prompt, or share much with it, and be near to it in meaning.
    These measures are absolute: some memory is always the best match. A note that says how to work must be one that a
    start might tell. The summary of a session has so many words that some are in any prompt, so it is only shown if
    the prompt names its time.
    """
    memory = hit.memory
    if memory.id in shown or (recipient.session and memory.session == recipient.session):
        return False
    if memory.tier is Tier.KEPT:
        return True
    if memory.type is Type.SESSION_SUMMARY:
        # A date in a pasted error names a time too, but covers little else.
        return bool(hit.parts.get("when")) and hit.parts["coverage"] >= _COVERING
    if is_rule(hit.stored) and memory.importance < LEAST_ON_TRIAL:
        return False
    covered = hit.parts["coverage"]
    shares_enough = covered >= _MOSTLY or (covered >= _COVERING and hit.parts["weight"] >= _WEIGHT)
    return shares_enough and hit.parts["cosine"] >= _NEAR


def inject_at_failure(
    signatures: Sequence[str],
    recipient: Recipient,
    *,
    reading: Reading,
    settings: InjectSettings,
    judge: Judge,
    now: datetime,
) -> Injection | None:
    """Format the fixes that worked when an error occurred before, at most two, and create the receipt.

    `signatures` are the tags of memories about this error. Fixes that have already been shown in the session with an
    error or a prompt are left out. Return None if there is no fix to show.
    """
    # A fix that was shown at the start of the session is shown again, because it is needed now.
    receipts = reading.receipts(session=recipient.session, limit=500) if recipient.session else ()
    shown = {name for receipt in receipts if receipt.way in ("fix", "prompt") for name in receipt.ids}
    query = Query(scope=recipient.scope, now=now, limit=3)
    found = [
        judge(stored) for signature in signatures for stored in reading.browse(replace(query, tag=signature)).items
    ]
    hits = [
        Hit(stored=stored, score=1.0)
        for stored in found
        if stored.memory.id not in shown and not _is_forbidden(stored.memory, recipient.scope, reading, now)
    ]
    items = _select_hits(hits, recipient, Way.FIX, settings)
    return _inject_fitting(
        items[:2], recipient, way="fix", tokens=settings.prompt_tokens // 2, settings=settings, now=now
    )


def _is_forbidden(memory: Memory, scope: Scope, reading: Reading, now: datetime) -> bool:
    return is_forbidden(memory.content, memory.effective_origin.ceiling, scope=scope, reading=reading, now=now)


def _cut_to_question(text: str) -> str:
    """Return a prompt, without its middle if it is long, because the middle is usually pasted text."""
    return text if len(text) <= _READ else f"{text[: _READ * 3 // 4]}\n{text[-_READ // 4 :]}"


def _select_hits(hits: Iterable[Hit], recipient: Recipient, way: Way, settings: InjectSettings) -> list[SelectedMemory]:
    found = (
        select_item(
            hit.stored, way=way, root=recipient.root, settings=settings, parts={"score": hit.score, **hit.parts}
        )
        for hit in hits
    )
    return [each for each in found if each is not None]


def _inject_fitting(
    given: Sequence[SelectedMemory],
    recipient: Recipient,
    *,
    way: str,
    tokens: int,
    settings: InjectSettings,
    now: datetime,
    held_back: Sequence[SelectedMemory] = (),
) -> Injection | None:
    """Format the memories that fit into the budget, shortened if necessary, and create the receipt.

    Return None if no memory fits and none is held back.
    """
    budget = Budget.of(settings, items=settings.prompt_memories, tokens=tokens, frame=render_context(()))
    chosen = []
    for each in given:
        if not budget.items:
            break
        for limit in (budget.characters, 800, 240):
            text = render_element(each, now, limit)
            if budget.take(text):
                chosen.append((each, text))
                break
    if not chosen and not held_back:
        return None
    return make_injection(
        render_context([text for _, text in chosen]) if chosen else "",
        [each for each, _ in chosen],
        way=way,
        session=recipient.session,
        tokens=budget.spent if chosen else 0,
        left_out=len(given) - len(chosen),
        held_back=held_back,
    )


def _spread_by_scale(hits: Sequence[Hit], now: datetime) -> list[Hit]:
    """Reorder hits, which are sorted best first, so that the first ones are from different time scales if possible."""
    left = list(hits)
    chosen = []
    for place in _PLACES:
        found = next((hit for hit in left if Scale.at(now - hit.memory.created_at) is place), None)
        if found is not None:
            chosen.append(found)
            left.remove(found)
    chosen.sort(key=lambda hit: -hit.score)
    return chosen + left
