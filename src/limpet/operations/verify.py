"""Check the journal, the index and the signatures for damage and tampering."""

from __future__ import annotations

from limpet.care.signing import verify
from limpet.lean.record import pick
from limpet.operations.catalogue import Verb

VERB = Verb(
    run=verify,
    shape=lambda answer: {"ok": not answer.problems, **pick(answer)},
    is_failure=lambda answer: bool(answer.problems),
    examples=("limpet verify", "limpet verify --json"),
)
