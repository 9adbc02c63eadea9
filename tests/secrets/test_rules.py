"""Every row of the secret tables hides the value in its own example and leaves the other text alone."""

from __future__ import annotations

import base64
import re
import string
from random import Random

import pytest

from limpet.secrets.redact import redact
from limpet.secrets.rules import (
    CODES,
    COMMANDS,
    EXACT,
    FOLDED,
    FOREIGN_LABELS,
    HEAD_RULES,
    HEADS,
    INSIDE,
    LABELS,
    SECTIONS,
    START_RULES,
    Rule,
    escape_marker,
)

ALPHABETS = {
    "alnum": string.ascii_letters + string.digits,
    "base64": string.ascii_letters + string.digits + "+/",
    "hex": "0123456789abcdef",
    "upper": string.ascii_uppercase + string.digits,
    "lower": string.ascii_lowercase + string.digits,
    "digits": string.digits,
}
PASSWORD = "Zk3-" + "wq9Rt"
LOGIN = base64.b64encode(f"deploy:{PASSWORD}".encode()).decode()
SHAPES = (*EXACT, *FOLDED)
TOKENS = (*START_RULES, *INSIDE)


def fill(example: str) -> tuple[str, list[str]]:
    """Return the example with random values in the place of their names, and the values."""
    rng = Random(example)
    values: list[str] = []

    def draw(found: re.Match[str]) -> str:
        alphabet = ALPHABETS.get(found[1])
        if alphabet is None:
            value = {"password": PASSWORD, "login": LOGIN}[found[1]]
        else:
            value = "".join(rng.choices(alphabet, k=int(found[2])))
        values.append(value)
        return value

    return re.sub(r"\{(alnum|base64|hex|upper|lower|digits|password|login)(?::(\d+))?\}", draw, example), values


def check(hides: str, leaves: str, *named: str) -> str:
    text, values = fill(hides)
    hidden, kinds = redact(text)
    assert kinds, text
    assert not any(value in hidden for value in values if len(value) > 8), hidden
    assert not set(named).isdisjoint(kinds), (kinds, text)
    plain, _ = fill(leaves)
    assert redact(plain) == (plain, ())
    return text


def label(row: Rule | tuple[str, str, str, str]) -> str:
    return f"{row[0]}: {row[-2]}"[:50]


@pytest.mark.parametrize("rule", SHAPES, ids=label)
def test_a_shape_hides_the_value_of_its_own_example_only(rule: Rule) -> None:
    kind, markers, rest, hides, leaves = rule
    text = check(hides, leaves, kind)
    place = text if rule in EXACT else text.lower()
    assert any(re.search(escape_marker(marker) + rest, place) for marker in markers)


@pytest.mark.parametrize("rule", COMMANDS, ids=label)
def test_an_option_of_a_command_is_hidden_in_its_own_example_only(rule: Rule) -> None:
    kind, markers, option, hides, leaves = rule
    # What the option is called may say more of the value than the command does.
    text = check(hides, leaves, kind, "api-key")
    assert any(marker in text for marker in markers) and re.search(option, text)


@pytest.mark.parametrize("rule", [*LABELS, *FOREIGN_LABELS], ids=label)
def test_a_label_hides_the_value_of_its_own_example_only(rule: Rule) -> None:
    kind, markers, rest, hides, leaves = rule
    text = check(hides, leaves, kind)
    assert any(re.search(marker + rest, text.lower()) for marker in markers)


@pytest.mark.parametrize("rule", [*CODES, *SECTIONS], ids=label)
def test_what_stands_below_a_heading_is_hidden_in_its_own_example_only(rule: Rule) -> None:
    kind, markers, rest, hides, leaves = rule
    text = check(hides, leaves, kind)
    assert any(re.search(escape_marker(marker) + rest, text.lower()) for marker in markers)


@pytest.mark.parametrize("rule", TOKENS, ids=label)
def test_a_token_of_a_vendor_is_named_by_its_shape(rule: Rule) -> None:
    kind, markers, source, hides, leaves = rule
    token = check(hides, leaves, kind)
    assert re.fullmatch(source, token)
    assert any(marker in token for marker in markers)


@pytest.mark.parametrize("row", HEAD_RULES, ids=label)
def test_a_token_of_a_vendor_is_named_by_its_first_part(row: tuple[str, str, str, str]) -> None:
    kind, heads, hides, leaves = row
    token = check(hides, leaves, kind)
    assert re.split(r"[_.-]", token)[0] in heads.split()


def test_every_first_part_names_its_vendor() -> None:
    rng = Random(3)
    for head, kind in HEADS.items():
        token = f"{head}_{''.join(rng.choices(ALPHABETS['alnum'], k=36))}"
        assert redact(f"use {token} here") == (f"use [REDACTED:{kind}] here", (kind,))
