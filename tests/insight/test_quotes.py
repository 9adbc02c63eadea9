"""What is quoted in a report holds no secret and is one line."""

from __future__ import annotations

from limpet.insight.quotes import quote_error, quote_person

WORD = "Zk3-" + "wq9Rt"


def test_secrets_and_private_parts_are_left_out() -> None:
    quoted = quote_person(f"password={WORD}\n<private>my address</private> use uv")
    assert WORD not in quoted and "address" not in quoted
    assert quoted.endswith("use uv") and "\n" not in quoted


def test_the_line_that_names_the_error_is_chosen() -> None:
    assert quote_error("Exit code 1\ncollected 3 items\nKeyError: 'tide'\n1 failed") == "KeyError: 'tide'"
    assert quote_error("Exit code 1\nsomething odd\nmore") == "more"
    assert quote_error("") == ""
    assert WORD not in quote_error(f"error: password={WORD} refused")
