"""Clean a memory from an export: unless its signature holds, it becomes an unconfirmed import."""

from __future__ import annotations

from limpet.doors.cleaning import clean_text
from limpet.doors.fields import clean_memory
from limpet.doors.limits import limit_by_origin
from limpet.lean.record import record, replace
from limpet.model.memory import Memory, Origin, Sensitivity
from limpet.secrets.redact import redact
from limpet.settings import AdmitSettings
from limpet.text.similarity import content_hash
from limpet.text.tokens import count_tokens


@record
class ExportedMemory:
    """A cleaned memory from an export, the kinds of secrets that were removed, and remarks for the user."""

    memory: Memory
    is_unchanged: bool
    """Whether nothing was changed, so that the signature of the memory is still valid."""
    redacted: tuple[str, ...]
    notes: tuple[str, ...]


def clean_exported(memory: Memory, *, settings: AdmitSettings, authentic: bool) -> ExportedMemory:
    """Return an exported memory after cleaning its texts and fields.

    If it is not authentic or had to be changed, it becomes an unconfirmed import. `authentic` tells whether it is
    signed with a key of this machine. Raise Unfit if the memory cannot be stored.
    """
    cleaned = clean_text(memory.original_content, limit=settings.max_bytes)
    shown = clean_text(memory.content, limit=settings.max_bytes).text
    fresh, redacted = clean_memory(memory, redacting=settings.redact)
    original = cleaned.text
    if settings.redact:
        original, kinds = redact(original)
        shown, _ = redact(shown)
        redacted = (*kinds, *redacted)
    fresh = replace(
        fresh, original_content=original, content=shown, content_hash=content_hash(original), superseded_by=None
    )
    is_unchanged = authentic and fresh == replace(memory, superseded_by=None)
    if not is_unchanged:
        fresh = limit_by_origin(
            replace(
                fresh,
                origin=Origin.lowest((fresh.origin, Origin.IMPORT)),
                confirmed=False,
                token_count=count_tokens(shown),
                signature=None,
            )
        )
        if redacted and fresh.sensitivity is Sensitivity.PUBLIC:
            fresh = replace(fresh, sensitivity=Sensitivity.PRIVATE)
    return ExportedMemory(memory=fresh, is_unchanged=is_unchanged, redacted=redacted, notes=cleaned.notes)
