"""Canonical bytes of a memory, its signature, and what a check of it says.

A signature has two codes. The first covers what never changes (who said what, where, when, how much it matters);
the second covers what is shown and how it came to be (the active text, its phase, confirmation, pin). So altering
the original, altering the shown text, or taking the signature away is each seen. Every field is preceded by its
length, and one that is not there has a length of its own, so no two different memories have the same bytes; the
algorithm and the key id are part of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from limpet.lean.digest import sha256
from limpet.model.codec import iso
from limpet.model.memory import Memory

ALGORITHM = "hmac-sha256"

_Parts = tuple[str | None, ...]
_ABSENT = b"\xff" * 8


class Verdict(StrEnum):
    GOOD = "good"
    NOT_SIGNING = "not signing"
    MISSING = "signature missing"
    MALFORMED = "signature malformed"
    FOREIGN = "signed with a key that is not here"
    WRONG = "signature does not fit the memory"
    ALTERED = "shown text was altered"

    @property
    def is_warning(self) -> bool:
        return self not in (Verdict.GOOD, Verdict.NOT_SIGNING)


def key_id(key: bytes) -> str:
    return sha256(b"limpet key\0" + key)[:16]


def sign(memory: Memory, key: bytes) -> str:
    name = key_id(key)
    first = _code(key, "memory", name, _immutable(memory))
    return f"{ALGORITHM}:{name}:{first}:{_code(key, 'shown', name, _shown(memory, first))}"


def check(memory: Memory, keys: Mapping[str, bytes], *, signs: bool) -> Verdict:
    """`signs` says whether the memory's agent has a key at all: then a missing signature is a warning."""
    if not memory.signature:
        return Verdict.MISSING if signs else Verdict.NOT_SIGNING
    parts = memory.signature.split(":")
    if len(parts) != 4 or parts[0] != ALGORITHM:
        return Verdict.MALFORMED
    _, name, first, second = parts
    key = keys.get(name)
    if key is None:
        return Verdict.FOREIGN
    if not _same(first, _code(key, "memory", name, _immutable(memory))):
        return Verdict.WRONG
    if not _same(second, _code(key, "shown", name, _shown(memory, first))):
        return Verdict.ALTERED
    return Verdict.GOOD


def _same(given: str, expected: str) -> bool:
    # As bytes: given text that is not ASCII would make the comparison raise.
    # Loaded where it is needed: with OpenSSL it takes as long as all the rest of a hook.
    import hmac

    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), expected.encode())


def _immutable(memory: Memory) -> _Parts:
    source = memory.source
    return (
        memory.id,
        memory.agent,
        memory.region,
        memory.project,
        memory.app,
        memory.kind,
        memory.type,
        memory.title,
        memory.subtitle,
        memory.original_content,
        memory.content_hash,
        memory.impact,
        repr(float(memory.importance)),
        repr(float(memory.difficulty)),
        memory.sensitivity,
        memory.origin,
        iso(memory.created_at),
        iso(memory.updated_at),
        iso(memory.expires_at) if memory.expires_at else None,
        memory.session,
        memory.conversation,
        repr((source.transcript, source.line, source.commit, source.file)) if source else None,
        memory.branch,
        memory.commit,
        str(len(memory.citations)),
        *(repr((each.path, each.start, each.end, each.span_hash, each.commit)) for each in memory.citations),
        str(memory.version),
        memory.corrects,
        memory.previous_memory_id,
        *memory.lineage,
    )


def _shown(memory: Memory, first: str) -> _Parts:
    return (
        first,
        memory.content,
        str(int(memory.phase)),
        str(memory.token_count),
        str(memory.confirmed),
        str(memory.pinned),
    )


def _code(key: bytes, purpose: str, name: str, parts: _Parts) -> str:
    import hmac

    code = hmac.new(key, digestmod="sha256")
    for part in (ALGORITHM, name, purpose, str(len(parts)), *parts):
        if part is None:
            code.update(_ABSENT)
            continue
        data = part.encode("utf-8", "surrogatepass")
        code.update(len(data).to_bytes(8, "big"))
        code.update(data)
    return code.hexdigest()
