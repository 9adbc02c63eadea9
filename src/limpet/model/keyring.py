"""The keys of a home (Limpet's data folder), and the authentication codes (HMAC-SHA256) computed with them.

Each code covers the algorithm, the id of the key and a purpose, so that a code for one purpose is never valid for
another. Two such codes sign a memory (`model.signature`), one signs the header of a change (`store.journal.line`), and
one signs the counts of the high-water marks (`store.context`). Hooks load this module, so it imports little.
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
    """The signing keys of a home, Limpet's data folder. Every key can check codes; the newest key makes them."""

    keys: Mapping[str, bytes] = field(default_factory=dict)
    """The bytes of each key, by key id."""
    newest: str = ""
    """The id of the newest key, which is used for signing; an empty string if there is no key."""
    is_promised: bool = False
    """Whether this home has ever had a key, even if the key cannot be read now."""

    def code(self, purpose: str, data: bytes) -> str:
        """Return a 128-bit authentication code for `data`, computed with the newest key."""
        return compute_code(self.keys[self.newest], purpose, self.newest, (data,))[:_HALF]

    def fits(self, purpose: str, name: str, data: bytes, code: str) -> bool | None:
        """Tell whether an authentication code is valid for `data`.

        Return None if there is no key with the id `name`.
        """
        key = self.keys.get(name)
        return None if key is None else is_equal(code, compute_code(key, purpose, name, (data,))[:_HALF])


NO_KEYS = KeyRing()


def key_id(key: bytes) -> str:
    """Return the id of a key: a hash that does not reveal the key."""
    return sha256(b"limpet key\0" + key).hexdigest()[:16]


def is_equal(given: str, expected: str) -> bool:
    """Tell whether two codes are equal. The comparison takes constant time."""
    if len(given) != len(expected):
        return False
    different = 0
    for one, other in zip(given, expected, strict=True):
        different |= ord(one) ^ ord(other)
    return not different


def compute_code(key: bytes, purpose: str, name: str, parts: Parts) -> str:
    """Return the authentication code for a sequence of parts.

    Each part is preceded by its length, and None is encoded as a length that no part can have, so that different
    sequences never give the same bytes.
    """
    pieces = []
    for part in (ALGORITHM, name, purpose, str(len(parts)), *parts):
        if part is None:
            pieces.append(_ABSENT)
            continue
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        pieces += (len(data).to_bytes(8, "big"), data)
    return hmac_sha256(key, b"".join(pieces))
