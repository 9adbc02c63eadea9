"""Sign memories and the lines of an export, and check their signatures.

The signature of a memory consists of two codes. The first covers what never changes: who said what, where and when. The
second covers what is shown, such as the active text and whether the memory is pinned. So a changed original, a changed
shown text and a missing signature can be told apart. Every field is preceded by its length, and an absent field is
written as a length that no field can have, so that two different memories never have the same bytes. The algorithm and
the key id are part of the signed bytes.

The signature of a line covers a whole line of an export, including fields that the signature of the memory does not
cover, such as the status.
"""

from __future__ import annotations

from collections.abc import Mapping

from limpet.lean.enumeration import StrEnum
from limpet.model.codec import format_time
from limpet.model.keyring import ALGORITHM, Parts, compute_code, is_equal, key_id
from limpet.model.memory import Memory


class Verdict(StrEnum):
    """The result of checking a signature."""

    is_warning: bool
    is_failure: bool
    """Whether the signature is missing or wrong. It is no failure if the key to check the signature is not here."""

    GOOD = "good", False, False
    NOT_SIGNING = "not signing", False, False
    ACCEPTED = "written by a device that was accepted", False, False
    MISSING = "signature missing", True, True
    MALFORMED = "signature malformed", True, True
    FOREIGN = "signed with a key that is not here", True, False
    KEYLESS = "not signed: the signing key is not here", True, False
    WRONG = "signature does not fit the memory", True, True
    ALTERED = "shown text was altered", True, True

    def __new__(cls, value: str, is_warning: bool = False, is_failure: bool = False) -> Verdict:
        made = str.__new__(cls, value)
        made._value_, made.is_warning, made.is_failure = value, is_warning, is_failure
        return made


def sign(memory: Memory, key: bytes) -> str:
    """Return the signature of a memory."""
    name = key_id(key)
    first = compute_code(key, "memory", name, _immutable_parts(memory))
    return f"{ALGORITHM}:{name}:{first}:{compute_code(key, 'shown', name, _shown_parts(memory, first))}"


def sign_line(text: str, key: bytes) -> str:
    """Return the signature of a line of an export. It proves that the holder of the key wrote the line."""
    name = key_id(key)
    return f"{ALGORITHM}:{name}:{compute_code(key, 'line', name, (text,))}"


def is_signed_line(text: str, given: object, keys: Mapping[str, bytes]) -> bool:
    """Tell whether `given` is the signature of this export line, made with one of the keys."""
    parts = given.split(":") if isinstance(given, str) else []
    key = keys.get(parts[1]) if len(parts) == 3 else None
    return key is not None and is_equal(str(given), sign_line(text, key))


def check_signature(memory: Memory, keys: Mapping[str, bytes], *, signing: bool) -> Verdict:
    """Return the result of checking the signature of a memory.

    A missing signature is a warning only if `signing` is true, that is, if the home signs its memories.
    """
    if not memory.signature:
        return Verdict.NOT_SIGNING if not signing else Verdict.MISSING if keys else Verdict.KEYLESS
    parts = memory.signature.split(":")
    if len(parts) != 4 or parts[0] != ALGORITHM:
        return Verdict.MALFORMED
    _, name, first, second = parts
    key = keys.get(name)
    if key is None:
        return Verdict.FOREIGN
    if not is_equal(first, compute_code(key, "memory", name, _immutable_parts(memory))):
        return Verdict.WRONG
    if not is_equal(second, compute_code(key, "shown", name, _shown_parts(memory, first))):
        return Verdict.ALTERED
    return Verdict.GOOD


def _immutable_parts(memory: Memory) -> Parts:
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


def _shown_parts(memory: Memory, first: str) -> Parts:
    return (
        first,
        memory.content,
        str(int(memory.phase)),
        str(memory.token_count),
        str(memory.confirmed),
        str(memory.pinned),
        # A memory without cues has the signature that it had before there were cues.
        *((memory.cues,) if memory.cues else ()),
    )
