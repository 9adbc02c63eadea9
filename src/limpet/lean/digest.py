"""SHA-256 from the interpreter itself: `hashlib` would load OpenSSL."""

from __future__ import annotations

try:
    from _sha2 import sha256 as _sha256  # type: ignore[import-not-found,unused-ignore]
except ImportError:
    try:
        from _sha256 import sha256 as _sha256  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        from hashlib import sha256 as _sha256


def sha256(data: bytes) -> str:
    """Return the digest in hexadecimal."""
    return str(_sha256(data).hexdigest())
