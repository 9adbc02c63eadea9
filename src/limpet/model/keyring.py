"""The keys of a home, and the codes computed with them: HMAC-SHA256 over length-prefixed parts.

The algorithm, the id of the key and a purpose are part of each code, so that a code for one purpose is never valid for
another. A memory is signed by two such codes (`model.signature`), a change by one over its header
(`store.journal.line`), and the high-water marks by one over their counts (`store.context`). A hook that writes loads
this module, so it imports little.
"""

from __future__ import annotations

from limpet.lean.digest import hmac_sha256, sha256
from limpet.lean.record import field, record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

ALGORITHM = "hmac-sha256"

Parts = tuple[str | bytes | None, ...]
_ABSENT = b"\xff" * 8
_HALF = 32


@record
class KeyRing:
    """The keys of a home; every key can check signatures, and the newest key makes them."""

    keys: Mapping[str, bytes] = field(default_factory=dict)
    """The bytes of each key by its id."""
    newest: str = ""
    """The id of the key that signs; empty if this home has no key."""
    is_promised: bool = False
    """Whether this home has had a key, even if it cannot be read now."""

    def code(self, purpose: str, data: bytes) -> str:
        """Return a code of 128 bits over some bytes, computed with the newest key."""
        return compute_code(self.keys[self.newest], purpose, self.newest, (data,))[:_HALF]

    def fits(self, purpose: str, name: str, data: bytes, code: str) -> bool | None:
        """Tell whether a code belongs to these bytes; None if the key that it names is not in this home."""
        key = self.keys.get(name)
        return None if key is None else is_equal(code, compute_code(key, purpose, name, (data,))[:_HALF])


NO_KEYS = KeyRing()


def key_id(key: bytes) -> str:
    """Return a name for a key that does not reveal the key."""
    return sha256(b"limpet key\0" + key).hexdigest()[:16]


def is_equal(given: str, expected: str) -> bool:
    """Tell whether two codes are equal, in a time that does not depend on where they differ."""
    if len(given) != len(expected):
        return False
    different = 0
    for one, other in zip(given, expected, strict=True):
        different |= ord(one) ^ ord(other)
    return not different


def compute_code(key: bytes, purpose: str, name: str, parts: Parts) -> str:
    """Return the code over some parts.

    Each part is preceded by its length, and an absent part is written as a length that no part can have.
    """
    pieces = []
    for part in (ALGORITHM, name, purpose, str(len(parts)), *parts):
        if part is None:
            pieces.append(_ABSENT)
            continue
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        pieces += (len(data).to_bytes(8, "big"), data)
    return hmac_sha256(key, b"".join(pieces))
