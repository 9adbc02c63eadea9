"""The digest is that of `hashlib`."""

from __future__ import annotations

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from limpet.lean.digest import sha256


@given(st.binary(max_size=300))
def test_the_digest_is_that_of_hashlib(data: bytes) -> None:
    assert sha256(data).hexdigest() == hashlib.sha256(data).hexdigest()
