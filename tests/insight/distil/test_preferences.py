"""Preferences come from what the user said, and are counted by conversation."""

from __future__ import annotations

import pytest

from limpet.insight.distil.document import Preference
from limpet.insight.distil.preferences import SourcedObjection, collect_evidence, find_rule, say_same


def objections(*said: tuple[str, str]) -> list[SourcedObjection]:
    return [
        SourcedObjection(id=f"friction:{at}", text=text, conversation=where) for at, (where, text) in enumerate(said)
    ]


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("No, don't add docstrings unless asked", "Don't add docstrings unless asked"),
        ("stop! use the existing helper instead of a new one", "Use the existing helper instead of a new one"),
        ("stop using pip", "Stop using pip"),
        ("no", None),
        ("that's wrong", None),
        ("no, fix src/app.py line 3", None),
        ("no, it should follow this", None),
    ],
)
def test_an_objection_is_a_rule_only_if_it_asks_for_something(said: str, rule: str | None) -> None:
    assert find_rule(said) == rule


def test_similar_objections_are_one_preference() -> None:
    found = collect_evidence(
        objections(("a", "don't add docstrings unless asked"), ("b", "No, please don't add docstrings")), [], {}
    )
    assert found == {"Don't add docstrings unless asked": (frozenset("ab"), frozenset())}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Always run the unit tests first", "Never run the unit tests first"),
        ("Use port 8080 for the gateway", "Use port 8081 for the gateway"),
        ("Keep commit messages short", "Use tabs in makefiles"),
    ],
)
def test_other_values_and_denials_are_other_preferences(first: str, second: str) -> None:
    assert not say_same(first, second)


def about(call: str, *said: str) -> list[SourcedObjection]:
    return [
        SourcedObjection(id=f"friction:{at}", text=text, conversation=f"c{at}", call=call)
        for at, text in enumerate(said)
    ]


WORDINGS = ("Stop using pip", "dont use pip", "no, use uv instead of pip", "NO don't use pip!!", "stop, never run pip")


def test_objections_to_one_command_are_one_preference_in_any_wording() -> None:
    found = collect_evidence(about("`pip`", *WORDINGS), [], {})
    assert found == {"Stop using pip": (frozenset(f"c{at}" for at in range(5)), frozenset())}
    assert len(collect_evidence(about("", *WORDINGS), [], {})) > 1


def test_a_known_preference_is_found_by_its_command_in_another_wording() -> None:
    known = [Preference(text="Don't use pip", count=1)]
    found = collect_evidence(about("`pip`", "stop using pip", "don't use pip"), known, {})
    assert found == {"Don't use pip": (frozenset({"c0", "c1"}), frozenset())}


def test_other_demands_on_the_same_command_stay_apart() -> None:
    said = ("Don't commit to main", "Never commit without tests", "Always commit with a body")
    assert list(collect_evidence(about("`git commit`", *said), [], {})) == list(said)


def test_evidence_of_earlier_runs_is_counted_once() -> None:
    known = [Preference(text="Don't add docstrings unless asked", count=2)]
    earlier = {known[0].text: (frozenset("ab"), frozenset[str]())}
    found = collect_evidence(objections(("b", "don't add docstrings unless asked")), known, earlier)
    assert found == earlier
