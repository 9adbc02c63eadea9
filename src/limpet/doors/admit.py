"""Admit drafts: every new memory is validated, cleaned, classified, compared with others, and signed here.

Nothing is written here. Admitting a draft returns an outcome and adds the required changes to `changes`. The caller
writes these to the journal together.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from limpet.clock import to_ms
from limpet.doors.cleaning import clean_text
from limpet.doors.effects import DOUBTED, find_effects
from limpet.doors.exported import clean_exported
from limpet.doors.fields import (
    choose_importance,
    choose_subtitle,
    clean_draft,
    complete_correction,
    describe_ignored,
    describe_stated,
    find_new_values,
    find_stated_values,
    first_given,
    gives_more,
)
from limpet.doors.governor import encode_signs
from limpet.doors.limits import describe_limits, find_claims, limit_by_origin, limit_region, names_project
from limpet.doors.origin import describe_origin, lower_origin, lower_to_repeated, refuse_correction
from limpet.doors.similar import SimilarMemory, explain_forgotten, find_same, find_similar, is_public, outranks
from limpet.errors import Unfit
from limpet.lean.record import replace
from limpet.model.change import Change, ChangeKind, change_memory, is_capture
from limpet.model.codec import encode_memory
from limpet.model.ids import new_id
from limpet.model.memory import (
    ON_PURPOSE,
    Citation,
    Concept,
    Draft,
    Impact,
    Kind,
    Memory,
    Origin,
    Region,
    Sensitivity,
    Tier,
    Type,
)
from limpet.model.outcome import Admitted, Duplicate, Outcome, Rejected
from limpet.model.query import Stored
from limpet.model.scope import Where, token_of
from limpet.model.taint import Taint
from limpet.secrets.personal import is_personal
from limpet.secrets.redact import redact_named
from limpet.settings import AdmitSettings
from limpet.store.protocol import Reading
from limpet.text.inference import Inference, infer
from limpet.text.similarity import content_hash, simhash
from limpet.text.tokens import count_tokens
from limpet.workspace import cite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

Signer = Callable[[Memory], str | None]


class Admission:
    """Admits the drafts of one request, and compares them with the stored memories and with each other.

    `sees_private` is False if the outcome is shown to a model. Then drafts are compared only with public memories,
    because the outcome would otherwise reveal what private ones say.
    """

    def __init__(
        self,
        *,
        reading: Reading,
        where: Where,
        settings: AdmitSettings,
        now: datetime,
        actor: str,
        sign: Signer,
        sign_again: Callable[[Stored, Memory], dict[str, object]],
        taint: Callable[[], Taint] = Taint,
        sees_private: bool = True,
    ) -> None:
        self.changes: list[Change] = []
        self._reading = reading
        self._where = where
        self._settings = settings
        self._now = now
        self._actor = actor
        self._is_capturing = is_capture(actor)
        self._sign = sign
        self._sign_again = sign_again
        self._taint = taint
        self._sees_private = sees_private
        self._fresh: dict[tuple[str, str], Memory] = {}
        self._written: set[str] = set()
        self._latest: dict[tuple[str, Kind], str] = {}

    def admit(self, draft: Draft, *, correcting: Stored | None = None, returning: bool = False) -> Outcome:
        """Decide whether a draft becomes a memory, add the changes to `changes`, and return the outcome.

        `correcting` is the memory to replace. If `returning` is true, the draft is an earlier version of it.
        """
        try:
            lowered = lower_origin(draft, taint=self._taint, correcting=correcting, returning=returning)
            return self._admit_draft(lowered, correcting, draft.origin)
        except Unfit as unfit:
            return Rejected(reason=str(unfit))

    def _admit_draft(self, draft: Draft, correcting: Stored | None, speaker: Origin) -> Outcome:
        cleaned = clean_text(draft.text, limit=self._settings.max_bytes)
        text, redacted = cleaned.text, tuple[str, ...]()
        if self._settings.redact:
            text, redacted = redact_named(" ".join((draft.title or "").split()), cleaned.text)
        notes = list(cleaned.notes)
        draft, more = clean_draft(draft, cleaned.text if redacted else "", redacting=self._settings.redact)
        redacted += more
        old, inferred = correcting.memory if correcting else None, infer(text, named=draft.title or "")
        memory = self._compose_memory(draft, text, redacted, inferred, old)
        token = token_of(memory)
        known = self._find_known(memory, token, is_captured=self._is_capturing and not draft.on_purpose)
        if isinstance(known, Rejected):
            return known
        outranked = known if known is not None and correcting is None and outranks(memory, known) else None
        if known is not None and not outranked and (correcting is None or _is_same(draft, known, correcting)):
            stated = {} if self._is_capturing and not draft.on_purpose else find_stated_values(known, memory, draft)
            known = self._refresh_known(known, memory, stated)
            notes += [*describe_limits(draft, memory), *describe_stated(stated), *describe_ignored(draft, known)]
            return Duplicate(memory=known, redacted=redacted, notes=tuple(notes), origin=draft.origin)
        if outranked is not None and draft.sensitivity is None:
            # What was stored as private does not become public by being stored again.
            memory = replace(memory, sensitivity=Sensitivity.strictest((memory.sensitivity, outranked.sensitivity)))
        similar = self._find_similar(memory, token, besides=draft.replaces)
        repeated = lower_to_repeated(draft, memory, [each.memory for each in similar if each.is_near])
        if repeated is not draft:
            draft, memory = repeated, self._compose_memory(repeated, text, redacted, inferred, old)
        if old is not None and speaker is Origin.USER and old.confirmed:
            # The user has confirmed the older text, so the user's own correction counts as confirmed too.
            memory = replace(memory, confirmed=True)
        refused = refuse_correction(memory, draft, correcting)
        if refused is not None:
            return Rejected(reason=refused, redacted=redacted)
        notes += [*describe_limits(draft, memory), *describe_origin(memory, draft, speaker, correcting)]
        effects = find_effects(
            memory,
            similar,
            token=token,
            reading=self._reading,
            actor=self._actor,
            sees_private=self._sees_private,
        )
        notes += effects.notes
        self.changes += effects.changes
        if effects.is_outranked:
            memory = replace(memory, confidence=min(memory.confidence, DOUBTED))
        memory = replace(memory, signature=self._sign(memory))
        claims = {} if self._is_capturing and not draft.on_purpose else find_claims(memory, draft)
        self._add_memory(memory, effects.links, correcting, draft.drawn_from, claims)
        links = list(effects.links)
        if outranked is not None:
            self._add_change(ChangeKind.SUPERSEDE, outranked, {"by": memory.id})
            notes.append(f"it takes the place of {outranked.id}, which was not the user's")
            links.append(("replaces", outranked.id))
        self._fresh[token, memory.content_hash] = memory
        self._latest[token, memory.kind] = memory.id
        return Admitted(memory=memory, redacted=redacted, notes=tuple(notes), links=tuple(links), older=effects.older)

    def start_batch(self, reading: Reading) -> None:
        """Start a new batch after the caller has written the changes. `reading` is the new state of the store."""
        # The memories of earlier batches are remembered, so that later drafts are not linked to them as similar.
        self.changes = []
        self._written.update(memory.id for memory in self._fresh.values())
        self._fresh.clear()
        self._reading = reading

    def withdraw(self, outcome: Admitted | Duplicate, *, start: int) -> None:
        """Undo the last call to `admit`, whose first change is `changes[start]`."""
        del self.changes[start:]
        if isinstance(outcome, Admitted):
            memory = outcome.memory
            token = token_of(memory)
            del self._fresh[token, memory.content_hash]
            if memory.previous_memory_id is None:
                del self._latest[token, memory.kind]
            else:
                self._latest[token, memory.kind] = memory.previous_memory_id

    def readmit(self, memory: Memory, *, authentic: bool, is_live: bool = True) -> Outcome:
        """Admit an exported memory under its own id. It keeps its origin only if its signature is authentic.

        If it is not live, the same text may follow as a live memory.
        """
        try:
            fresh, redacted, notes = clean_exported(memory, settings=self._settings, authentic=authentic)
        except Unfit as unfit:
            return Rejected(reason=str(unfit))
        is_unchanged = fresh.signature is not None
        if not is_unchanged:
            fresh = replace(fresh, signature=self._sign(fresh))
        token = token_of(fresh)
        known = self._find_known(fresh, token)
        if isinstance(known, Rejected):
            return known
        if known is not None and not fresh.corrects:
            if is_unchanged and fresh.sensitivity.level > known.sensitivity.level:
                known = self._refresh_known(known, fresh, {"sensitivity": fresh.sensitivity})
            return Duplicate(memory=known, redacted=redacted)
        payload = {
            "memory": encode_memory(fresh, sparse=True),
            "simhash": simhash(fresh.original_content),
            "signs": encode_signs(fresh),
        }
        if claims := find_claims(fresh, memory):
            payload["claims"] = claims
        self._add_change(ChangeKind.IMPORT, fresh, payload)
        if is_live:
            self._fresh[token, fresh.content_hash] = fresh
        return Admitted(memory=fresh, redacted=redacted, notes=notes)

    def _compose_memory(
        self, draft: Draft, text: str, redacted: tuple[str, ...], inferred: Inference, old: Memory | None
    ) -> Memory:
        where = self._where
        impact = draft.impact or (old.impact if old else Impact(inferred.impact))
        origin = Origin.lowest((draft.origin, *(source.origin for source in draft.sources)))
        sources = draft.sources
        tier, earned = self._choose_tier(draft)
        draft = complete_correction(draft, old) if old else draft
        # The times differ by a millisecond, so that the memories of a batch are listed in their order.
        moment = self._now + timedelta(milliseconds=len(self._written) + len(self._fresh))
        made = moment if draft.created_at is None else min(draft.created_at, moment)
        memory = Memory(
            id=draft.id or new_id("mem", to_ms(moment)),
            agent=old.agent if old else where.agent,
            region=old.region if old and draft.region is None else self._choose_region(draft, text, inferred),
            project=old.project if old and draft.region is None else where.project,
            app=old.app if old else draft.app,
            kind=draft.kind or (old.kind if old else Kind(inferred.kind)),
            type=draft.type or (old.type if old else Type(inferred.type)),
            concepts=first_given(draft.concepts, old.concepts if old else tuple(map(Concept, inferred.concepts))),
            tags=first_given(draft.tags, old.tags if old else inferred.tags),
            cues=(old.cues if old else "") if draft.cues is None else draft.cues,
            title=inferred.title if draft.title is None else draft.title,
            subtitle=choose_subtitle(draft, inferred),
            content=text,
            original_content=text,
            impact=impact,
            importance=choose_importance(draft, impact, old),
            difficulty=(old.difficulty if old else 0.5) if draft.difficulty is None else draft.difficulty,
            confidence=min(
                (1.0 if draft.confidence is None else draft.confidence, *(source.confidence for source in sources))
            ),
            sensitivity=self._choose_sensitivity(draft, text, redacted, old),
            origin=origin,
            tier=tier,
            earned=earned,
            scale=draft.scale,
            pinned=draft.pinned or bool(old and old.pinned),
            created_at=made,
            updated_at=made,
            expires_at=self._choose_expiry(draft, old),
            session=draft.session or where.session,
            conversation=draft.conversation,
            source=draft.source,
            branch=where.branch,
            commit=where.commit,
            files_read=draft.files_read,
            files_modified=draft.files_modified,
            citations=self._find_citations(draft, text),
            version=old.version + 1 if old else 1,
            corrects=old.id if old else None,
            lineage=(old.id, *old.lineage) if old else tuple(source.id for source in sources),
            content_hash=content_hash(text),
            token_count=count_tokens(text),
        )
        if memory.region is Region.AGENT:
            memory = replace(memory, project=None)
        memory = limit_by_origin(memory)
        token = token_of(memory)
        newest = self._latest.get((token, memory.kind)) or self._reading.newest(token, memory.kind)
        stored = None if newest is None or self._sees_private else self._reading.get(newest)
        return replace(memory, previous_memory_id=newest if stored is None or is_public(stored.memory) else None)

    def _choose_expiry(self, draft: Draft, old: Memory | None) -> datetime | None:
        if draft.ttl_days is not None:
            return self._now + timedelta(days=draft.ttl_days)
        return draft.expires_at or (old.expires_at if old and not old.is_expired(self._now) else None)

    def _choose_region(self, draft: Draft, text: str, inferred: Inference) -> Region:
        on_purpose = not draft.sources and (draft.on_purpose or not self._is_capturing)
        words = Region(inferred.region) if on_purpose else Region.PROJECT
        region = limit_region(draft, words, where=self._where)
        if region is Region.AGENT and draft.region is None and self._where.project is not None:
            cited = self._find_citations(draft, text)
            return Region.PROJECT if names_project(text, cited, root=self._where.root) else region
        return region

    def _choose_tier(self, draft: Draft) -> tuple[Tier, str]:
        """Return the tier of a draft, and the reason for it as the text for the field `earned`."""
        if draft.tier is not None:
            return draft.tier, draft.earned
        if draft.sources:
            all_kept = all(source.tier is Tier.KEPT for source in draft.sources)
            return (Tier.KEPT, "made of what is kept") if all_kept else (Tier.NOTED, "")
        captured = self._is_capturing and not draft.on_purpose
        return (Tier.NOTED, "") if captured else (Tier.KEPT, ON_PURPOSE)

    def _choose_sensitivity(
        self, draft: Draft, text: str, redacted: tuple[str, ...], old: Memory | None
    ) -> Sensitivity:
        given = [source.sensitivity for source in draft.sources]
        if draft.sensitivity is not None:
            given.append(draft.sensitivity)
        elif not self._settings.classify:
            given.append(Sensitivity.UNKNOWN)
        elif redacted or is_personal(text):
            given.append(Sensitivity.PRIVATE)
        else:
            given.append(old.sensitivity if old else Sensitivity.PUBLIC)
        return Sensitivity.strictest(given)

    def _find_citations(self, draft: Draft, text: str) -> tuple[Citation, ...]:
        if not self._settings.cite or self._where.root is None:
            return ()
        files = (*draft.files_read, *draft.files_modified)
        return tuple(cite(text, files, self._where.root, commit=self._where.commit))

    def _find_known(self, memory: Memory, token: str, *, is_captured: bool = False) -> Memory | Rejected | None:
        fresh = self._fresh.get((token, memory.content_hash))
        if fresh is not None:
            return fresh
        known = find_same(memory, token, reading=self._reading, now=self._now, sees_private=self._sees_private)
        # The user may store a forgotten text again, but a text that the user has dropped is not captured again.
        if known is not None or (memory.origin is Origin.USER and not is_captured):
            return known
        project = memory.project or self._where.project
        reason = explain_forgotten(memory, project, reading=self._reading, sees_private=self._sees_private)
        return Rejected(reason=reason) if reason else None

    def _refresh_known(self, known: Memory, again: Memory, stated: dict[str, Any]) -> Memory:
        """Return the older memory with the duplicate's tags, concepts and files, and the higher of the two tiers.

        It also gets the values in `stated`, which the duplicate states and may change.
        """
        new = find_new_values(known, again)
        if new or stated:
            fuller: dict[str, Any] = {name: (*getattr(known, name), *more) for name, more in new.items()}
            fresh = replace(known, **fuller, **stated)
            signed = {}
            if stated:
                stored = self._reading.get(known.id)
                # A memory of the same batch is signed already, and is not stored yet.
                signed = self._sign_again(stored or Stored(memory=known), fresh)
            self._add_change(ChangeKind.REFRESH, known, {**new, **stated, **signed})
            known = fresh
        if known.tier is Tier.NOTED and again.tier is Tier.KEPT:
            self._add_change(ChangeKind.KEEP, known, {"earned": again.earned})
            known = replace(known, tier=Tier.KEPT, earned=again.earned)
        return known

    def _find_similar(self, memory: Memory, token: str, *, besides: tuple[str, ...]) -> list[SimilarMemory]:
        found = find_similar(memory, token, reading=self._reading, now=self._now, sees_private=self._sees_private)
        return [each for each in found if each.memory.id not in self._written and each.memory.id not in besides]

    def _add_memory(
        self,
        memory: Memory,
        links: list[tuple[str, str]],
        correcting: Stored | None,
        drawn_from: tuple[str, ...],
        claims: dict[str, object],
    ) -> None:
        payload: dict[str, Any] = {"memory": encode_memory(memory, sparse=True), "simhash": simhash(memory.content)}
        payload["signs"] = encode_signs(memory)
        if drawn_from:
            payload["drawn_from"] = list(drawn_from)
        if claims:
            payload["claims"] = claims
        if links:
            payload["links"] = [list(link) for link in links]
        self._add_change(ChangeKind.CORRECT if correcting else ChangeKind.ADMIT, memory, payload)

    def _add_change(self, kind: ChangeKind, memory: Memory, payload: dict[str, Any]) -> None:
        self.changes.append(change_memory(kind, memory, payload, actor=self._actor))


def _is_same(draft: Draft, known: Memory, correcting: Stored) -> bool:
    return known.id == correcting.memory.id and not gives_more(draft)
