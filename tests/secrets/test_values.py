"""A value is judged by itself: a secret, a placeholder, a name, a digest or a word."""

from __future__ import annotations

import pytest

from limpet.secrets.values import (
    has_unknown_part,
    is_code,
    is_hex,
    is_login,
    is_placeholder,
    is_random,
    is_strong,
    is_wordy,
    name_vendor,
)

RANDOM = "q8Zr3" + "vKx91" + "LmTq4" + "WbNs7" + "Yd0Ch"


@pytest.mark.parametrize(
    "value",
    ["${DB_PASSWORD}", "<your key>", "%(token)s", "xxxxxxxx", "vault:db/main", "your-api-key", "changeme"],
)
def test_a_placeholder_only_stands_for_a_secret(value: str) -> None:
    assert is_placeholder(value)


@pytest.mark.parametrize("value", [RANDOM, "hunter2-Xq9", "correct horse"])
def test_a_secret_is_no_placeholder(value: str) -> None:
    assert not is_placeholder(value)


def test_random_letters_are_neither_words_nor_names() -> None:
    assert is_random(RANDOM) and has_unknown_part(RANDOM) and not is_wordy("qzxkvwjq")
    for name in ("connection_pool_timeout_seconds2", "src/limpet/secrets/values.py", "HTTPSConnectionPool2Factory"):
        assert not is_random(name), name
        assert is_wordy(name), name


def test_a_digest_is_not_random() -> None:
    digest = "0123456789abcdef" * 4
    assert is_hex(digest) and not is_random(digest)


@pytest.mark.parametrize("value", ["Tide-7!pool", "hunter2-Xq9"])
def test_a_password_mixes_letters_with_digits_or_marks(value: str) -> None:
    assert is_strong(value)


@pytest.mark.parametrize("value", ["sha256", "utf8", "v1.2.3", "password", "12345678", "python-3.11"])
def test_a_technical_term_is_no_password(value: str) -> None:
    assert not is_strong(value)


def test_recovery_codes_have_groups_of_one_length() -> None:
    assert is_code("4821 9930") and is_code("a8f3k-99xwq")
    assert not is_code("4821 99") and not is_code("restore")


def test_a_login_is_base64_of_user_and_password() -> None:
    assert is_login("ZGVwbG95OnRpZGU3") and not is_login("bm8gY29sb24")


def test_a_token_is_named_by_its_vendor() -> None:
    assert name_vendor("gh" + "p_" + (RANDOM + RANDOM)[:36]) == "github-token"
    assert name_vendor("a-plain-identifier") is None
