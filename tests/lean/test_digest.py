"""The digests of the interpreter are those of the standard library."""

from __future__ import annotations

import hashlib
import hmac

from hypothesis import given
from hypothesis import strategies as st

from limpet.lean.digest import hmac_sha256, sha256


@given(st.binary(max_size=300))
def test_the_digest_is_that_of_hashlib(data: bytes) -> None:
    assert sha256(data).hexdigest() == hashlib.sha256(data).hexdigest()


@given(st.binary(max_size=200), st.binary(max_size=300))
def test_a_code_is_that_of_hmac_for_keys_of_any_length(key: bytes, data: bytes) -> None:
    assert hmac_sha256(key, data) == hmac.new(key, data, "sha256").hexdigest()
