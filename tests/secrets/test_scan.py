"""A hostile text is read in linear time; what is too dense to judge is withheld."""

from __future__ import annotations

import sys
from random import Random
from types import FrameType
from typing import Any

import pytest

from limpet.secrets.personal import is_personal
from limpet.secrets.redact import redact, strip_private
from limpet.secrets.scan import Scan
from tests.growth import assert_growth


def test_a_scan_ends_where_too_much_effort_was_spent() -> None:
    scan = Scan("password=x " * 5_000)
    found = list(scan.find_matches("password", scan.low, 1))
    assert 2_000 < len(found) < 5_000
    assert scan.end == found[-1].start() + len("password=x ")
    assert len(list(scan.find_matches("x", scan.low, 1))) < len(found), "the effort of all rules counts together"


def _worst_cases() -> dict[str, str]:
    rng = Random(7)
    base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    size = 100_000
    repeated = [
        "a", "password=", "password= ", "=", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----\n", "eyJ.", "eyJ", "://:",
        "://a:b@ ", "key= a1 ", "token is ", "password for ", "sk-", "mysql -p ", "curl -u a:", "cookie: a=b; ",
        "authorization: bearer ", 'password="', 'password=\\"', "\\", " ", "\n", "@", "a@a.", "1 ", "<private>",
        "<private ",
        "密码", "[REDACTED:", "login a password\n", "born ", "+1 ", "seed: ", "sig=", "-----BEGIN X-----\n",
    ]  # fmt: skip
    cases = {unit: unit * (size // len(unit)) for unit in repeated}
    cases["base64"] = "".join(rng.choices(base64, k=size))
    cases["hex"] = rng.randbytes(size // 2).hex()
    cases["lines of base64"] = "\n".join("".join(rng.choices(base64, k=76)) for _ in range(size // 77))
    cases["passwords"] = " ".join("pwd=" + "".join(rng.choices(base64[:62], k=8)) for _ in range(size // 13))
    return cases


WORST = _worst_cases()


@pytest.mark.parametrize("name", WORST)
def test_four_times_the_text_takes_less_than_eight_times_as_long(name: str) -> None:
    def scan(text: str) -> None:
        redact(text)
        is_personal(text)
        strip_private(text)

    assert_growth(scan, WORST[name], WORST[name] * 4, below=8)


def test_a_text_too_dense_to_judge_is_withheld_and_never_let_through() -> None:
    rng = Random(8)
    values = ["".join(rng.choices("abcdefghjkmnpqrstuvwxyz23456789", k=10)) for _ in range(20_000)]
    text, kinds = redact("\n".join(f"password={value}" for value in values))
    assert kinds[-1] == "unread"
    assert [value for value in values if value in text and not value.isalpha()] == []


@pytest.mark.parametrize(
    "unit",
    ["password:\n", "password: |\n a\n", 'password": {"a": "b", ', "recovery codes:\n", "kind: secret\ndata:\n a: b\n"],
)
def test_names_without_end_cost_no_more_than_their_length(unit: str) -> None:
    """The work is counted in lines of Python that are run, which no busy machine can change."""
    short, long = (count_lines(unit * (size // len(unit))) for size in (40_000, 160_000))
    assert long < 6 * short


def count_lines(text: str) -> int:
    lines = 0

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal lines
        lines += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        redact(text)
    finally:
        sys.settrace(before)
    return lines
