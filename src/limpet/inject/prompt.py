"""What is brought up beside a prompt, and at an error that was met before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from limpet.doors.governor import Way
from limpet.inject.budget import Budget
from limpet.inject.candidate import Candidate, Judge, candidate
from limpet.inject.injection import Injection, held, injection, shown_in
from limpet.inject.overrides import settled
from limpet.inject.render import context, element
from limpet.inject.start import Setting
from limpet.lean.record import replace
from limpet.model.memory import Scale
from limpet.model.query import Hit, Query
from limpet.recall.search import is_answer, search
from limpet.settings import InjectSettings, RecallSettings
from limpet.store.protocol import Reading
from limpet.text.lexicon import terms

_READ = 2000
_FOUND = 8
_PLACES = (Scale.IMMEDIATE, Scale.TASK, Scale.TASK, Scale.SESSION, Scale.PROJECT)


def at_prompt(
    text: str,
    setting: Setting,
    *,
    reading: Reading,
    settings: InjectSettings,
    recall: RecallSettings,
    judge: Judge,
    now: datetime,
) -> Injection | None:
    """At most a few memories that this very prompt is about; nothing if there are none."""
    asked = _asked(text)
    if len(terms(asked, even_common=False)) < 2:
        return None
    shown, spent = shown_in(reading, setting.session)
    tokens = min(settings.prompt_tokens, settings.session_tokens - spent)
    if tokens <= 0 or not settings.prompt_memories:
        return None
    query = Query(scope=setting.scope, text=asked, now=now, limit=_FOUND)
    last = reading.last_session(setting.scope.project, besides=setting.session)
    page = search(query, reading=reading, settings=recall, judge=judge, last_session=last)
    hits = [hit for hit in page.items if hit.memory.id not in shown and is_answer(hit, recall)]
    fit = settled(_fit(_by_scale(hits, now), setting, Way.PROMPT, settings))
    given, kept = held(fit, settings)
    return _made(given, setting, way="prompt", tokens=tokens, held_back=kept, settings=settings, now=now)


def at_failure(
    signatures: Sequence[str],
    setting: Setting,
    *,
    reading: Reading,
    settings: InjectSettings,
    judge: Judge,
    now: datetime,
) -> Injection | None:
    """The fix that worked when this error was met before; once a session."""
    # What stood among many at the start is worth saying again at the very moment it is needed.
    receipts = reading.receipts(session=setting.session, limit=500) if setting.session else ()
    shown = {name for receipt in receipts if receipt.way in ("fix", "prompt") for name in receipt.ids}
    query = Query(scope=setting.scope, now=now, limit=3)
    found = [
        judge(stored) for signature in signatures for stored in reading.browse(replace(query, tag=signature)).items
    ]
    hits = [Hit(stored=stored, score=1.0) for stored in found if stored.memory.id not in shown]
    fit = _fit(hits, setting, Way.FIX, settings)
    return _made(fit[:2], setting, way="fix", tokens=settings.prompt_tokens // 2, settings=settings, now=now)


def _asked(text: str) -> str:
    """The part of a prompt that asks: of a long one, which is mostly pasted, how it begins and how it ends."""
    return text if len(text) <= _READ else f"{text[: _READ * 3 // 4]}\n{text[-_READ // 4 :]}"


def _fit(hits: Iterable[Hit], setting: Setting, way: Way, settings: InjectSettings) -> list[Candidate]:
    made = (candidate(hit.stored, way=way, root=setting.root, settings=settings, parts=_parts(hit)) for hit in hits)
    return [each for each in made if each is not None]


def _parts(hit: Hit) -> dict[str, float]:
    return {"score": hit.score, **hit.parts}


def _made(
    given: Sequence[Candidate],
    setting: Setting,
    *,
    way: str,
    tokens: int,
    settings: InjectSettings,
    now: datetime,
    held_back: Sequence[Candidate] = (),
) -> Injection | None:
    budget = Budget.of(settings, items=settings.prompt_memories, tokens=tokens, frame=context(()))
    chosen = []
    for each in given:
        if not budget.items:
            break
        for most in (budget.characters, 800, 240):
            text = element(each, now, most)
            if budget.takes(text):
                chosen.append((each, text))
                break
    if not chosen and not held_back:
        return None
    text = context([text for _, text in chosen]) if chosen else ""
    return injection(
        text,
        [each for each, _ in chosen],
        way=way,
        session=setting.session,
        tokens=budget.spent if chosen else 0,
        left_out=len(given) - len(chosen),
        held_back=held_back,
    )


def _by_scale(hits: Sequence[Hit], now: datetime) -> list[Hit]:
    """Best first, but so that the first few serve every time scale that has something to say."""
    left = list(hits)
    chosen = []
    for place in _PLACES:
        found = next((hit for hit in left if Scale.at(now - hit.memory.created_at) is place), None)
        if found is not None:
            chosen.append(found)
            left.remove(found)
    chosen.sort(key=lambda hit: -hit.score)
    return chosen + left
