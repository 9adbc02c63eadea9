"""Sign memories, changes and high-water marks, and check their signatures.

The signature of a memory has two codes. The first covers what never changes (who said what, where, when, how much it
matters). The second covers what is shown (the active text, its phase, confirmation, pin). So altering the original,
altering the shown text, and removing the signature are each detected. Every field is preceded by its length, and an
absent field is written as a length that no field can have, so no two different memories have the same bytes. The
algorithm and the key id are part of them.

A change is signed by one code over its header, which names the header before it and the hash of its own payload
(`store.journal.line`). Such a code has a purpose too, so that no code can be taken for another one.

A seal covers a whole line of an export: what a signature of a memory leaves open, such as its status.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from limpet.lean.digest import hmac_sha256, sha256
from limpet.lean.record import field, record
from limpet.model.codec import format_time
from limpet.model.memory import Memory

ALGORITHM = "hmac-sha256"

_Parts = tuple[str | bytes | None, ...]
_ABSENT = b"\xff" * 8
_HALF = 32


class Verdict(StrEnum):
    """The result of checking a signature."""

    GOOD = "good"
    NOT_SIGNING = "not signing"
    MISSING = "signature missing"
    MALFORMED = "signature malformed"
    FOREIGN = "signed with a key that is not here"
    KEYLESS = "not signed: the signing key is not here"
    WRONG = "signature does not fit the memory"
    ALTERED = "shown text was altered"

    @property
    def is_warning(self) -> bool:
        return self not in (Verdict.GOOD, Verdict.NOT_SIGNING)

    @property
    def is_failure(self) -> bool:
        """Tell whether a key that is here has shown the signature to be missing or wrong."""
        return self.is_warning and self not in (Verdict.FOREIGN, Verdict.KEYLESS)


@record
class KeyRing:
    """The keys of a home; every key checks signatures, the newest one makes them."""

    keys: Mapping[str, bytes] = field(default_factory=dict)
    """The bytes of each key by its id."""
    newest: str = ""
    """The id of the key that signs; empty if there is none here."""
    is_promised: bool = False
    """Whether this home has had a key, even if it cannot be read now."""

    def code(self, purpose: str, data: bytes) -> str:
        """Return the code of 128 bits over some bytes by the newest key."""
        return _code(self.keys[self.newest], purpose, self.newest, (data,))[:_HALF]

    def fits(self, purpose: str, name: str, data: bytes, code: str) -> bool | None:
        """Tell whether a code is the one of these bytes; None if the key that it names is not here."""
        key = self.keys.get(name)
        return None if key is None else _is_equal(code, _code(key, purpose, name, (data,))[:_HALF])


NO_KEYS = KeyRing()


def key_id(key: bytes) -> str:
    """Return a name for a key that does not reveal it."""
    return sha256(b"limpet key\0" + key).hexdigest()[:16]


def sign(memory: Memory, key: bytes) -> str:
    """Return the signature of a memory."""
    name = key_id(key)
    first = _code(key, "memory", name, _immutable_parts(memory))
    return f"{ALGORITHM}:{name}:{first}:{_code(key, 'shown', name, _shown_parts(memory, first))}"


def seal(text: str, key: bytes) -> str:
    """Return the seal of a line of an export, which proves that the holder of the key wrote it."""
    name = key_id(key)
    return f"{ALGORITHM}:{name}:{_code(key, 'line', name, (text,))}"


def is_sealed(text: str, given: object, keys: Mapping[str, bytes]) -> bool:
    """Tell whether a seal was made for this text with one of the keys."""
    parts = given.split(":") if isinstance(given, str) else []
    key = keys.get(parts[1]) if len(parts) == 3 else None
    return key is not None and _is_equal(str(given), seal(text, key))


def check_signature(memory: Memory, keys: Mapping[str, bytes], *, signing: bool) -> Verdict:
    """Return the verdict; if the home is `signing`, a missing signature is a warning."""
    if not memory.signature:
        return Verdict.NOT_SIGNING if not signing else Verdict.MISSING if keys else Verdict.KEYLESS
    parts = memory.signature.split(":")
    if len(parts) != 4 or parts[0] != ALGORITHM:
        return Verdict.MALFORMED
    _, name, first, second = parts
    key = keys.get(name)
    if key is None:
        return Verdict.FOREIGN
    if not _is_equal(first, _code(key, "memory", name, _immutable_parts(memory))):
        return Verdict.WRONG
    if not _is_equal(second, _code(key, "shown", name, _shown_parts(memory, first))):
        return Verdict.ALTERED
    return Verdict.GOOD


def _is_equal(given: str, expected: str) -> bool:
    """Tell whether two codes are equal, in a time that does not depend on where they differ."""
    if len(given) != len(expected):
        return False
    different = 0
    for one, other in zip(given, expected, strict=True):
        different |= ord(one) ^ ord(other)
    return not different


def _immutable_parts(memory: Memory) -> _Parts:
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
        format_time(memory.created_at),
        format_time(memory.updated_at),
        format_time(memory.expires_at) if memory.expires_at else None,
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


def _shown_parts(memory: Memory, first: str) -> _Parts:
    return (
        first,
        memory.content,
        str(int(memory.phase)),
        str(memory.token_count),
        str(memory.confirmed),
        str(memory.pinned),
    )


def _code(key: bytes, purpose: str, name: str, parts: _Parts) -> str:
    pieces = []
    for part in (ALGORITHM, name, purpose, str(len(parts)), *parts):
        if part is None:
            pieces.append(_ABSENT)
            continue
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        pieces += (len(data).to_bytes(8, "big"), data)
    return hmac_sha256(key, b"".join(pieces))
