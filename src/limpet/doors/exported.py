"""Clean a memory from an export: unless its signature holds, it becomes an unconfirmed import."""

from __future__ import annotations

from limpet.doors.cleaning import clean_text
from limpet.doors.fields import clean_memory
from limpet.doors.limits import limit_by_origin
from limpet.lean.record import replace
from limpet.model.memory import Memory, Origin, Sensitivity
from limpet.secrets.redact import redact
from limpet.settings import AdmitSettings
from limpet.text.similarity import content_hash
from limpet.text.tokens import count_tokens


def clean_exported(
    memory: Memory, *, settings: AdmitSettings, authentic: bool
) -> tuple[Memory, tuple[str, ...], tuple[str, ...]]:
    """Return an exported memory with cleaned texts and fields, the kinds of secrets removed, and remarks for the user.

    If it is not authentic or had to be changed, it becomes an unconfirmed import without a signature. `authentic` tells
    whether it is signed with a key of this machine. Raise Unfit if the memory cannot be stored.
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
    if not authentic or fresh != replace(memory, superseded_by=None):
        origin, count = Origin.lowest((fresh.origin, Origin.IMPORT)), count_tokens(shown)
        fresh = limit_by_origin(replace(fresh, origin=origin, confirmed=False, token_count=count, signature=None))
        if redacted and fresh.sensitivity is Sensitivity.PUBLIC:
            fresh = replace(fresh, sensitivity=Sensitivity.PRIVATE)
    return fresh, redacted, cleaned.notes
