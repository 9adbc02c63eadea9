"""SHA-256 without OpenSSL, which takes longer to load than a hook may run."""

from __future__ import annotations

try:
    from _sha2 import sha256 as _sha256  # type: ignore[import-not-found,unused-ignore]
except ImportError:
    try:
        from _sha256 import sha256 as _sha256  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        from hashlib import sha256 as _sha256


def sha256(data: bytes) -> str:
    """The digest in hexadecimal."""
    return str(_sha256(data).hexdigest())
