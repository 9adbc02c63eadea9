"""Compute SHA-256 and HMAC-SHA256 without `hashlib` and `hmac`, because those modules load OpenSSL."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import sha256
else:
    try:
        from _sha2 import sha256
    except ImportError:
        try:
            from _sha256 import sha256
        except ImportError:
            from hashlib import sha256

__all__ = ["hmac_sha256", "sha256"]

_INNER = bytes(each ^ 0x36 for each in range(256))
_OUTER = bytes(each ^ 0x5C for each in range(256))


def hmac_sha256(key: bytes, data: bytes) -> str:
    """Return the HMAC-SHA256 (RFC 2104) of `data` in hexadecimal."""
    if len(key) > 64:
        key = sha256(key).digest()
    block = key.ljust(64, b"\0")
    inner = sha256(block.translate(_INNER) + data).digest()
    return sha256(block.translate(_OUTER) + inner).hexdigest()
