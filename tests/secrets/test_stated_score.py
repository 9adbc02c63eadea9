"""A value is described by its form and by how common its words are in technical text."""

from __future__ import annotations

import pytest

from limpet.secrets.stated_score import FORMS, NOTHING, describe, find_form, load_model, rate_odd_value


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ("Kork3nzieher!", "odd"),
        ("pelican-brick-9", "odd"),
        ("4482#", "number"),
        ("19-07-62", "number"),
        ("sunflower", "word"),
        ("moonlit-cabbage", "word"),
        ("DB_PASSWORD", ""),
        ("$DB_PASSWORD", ""),
        ("your-password-1", ""),
        ("call(x1)", ""),
        ("/etc/key2", ""),
    ],
)
def test_a_value_has_the_form_that_people_choose_or_none(value: str, form: str) -> None:
    assert find_form(value) == form


@pytest.mark.parametrize("value", ["worker-2", "build-server-3", "postgres16", "session-store"])
def test_the_name_of_a_thing_has_no_points(value: str) -> None:
    assert rate_odd_value(value) == NOTHING


@pytest.mark.parametrize("value", ["Hagelsturm2019", "tiger-lily-76", "worker!2"])
def test_a_chosen_password_has_points_of_its_own(value: str) -> None:
    assert rate_odd_value(value) > NOTHING


def test_each_form_has_weights_for_what_describes_it() -> None:
    weights, _ = load_model()
    values = {"odd": "tiger-76", "number": "4711", "word": "sunflower", "phrase": "tiger lily lamp"}
    assert set(weights) == set(FORMS)
    for form, value in values.items():
        assert not {*describe(value, form, [""])}.isdisjoint(weights[form])
