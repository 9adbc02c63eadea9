"""Each row of the vocabulary does what it stands for: rivals exclude each other, opposites deny, spellings tag."""

from __future__ import annotations

from itertools import pairwise

import pytest

from limpet.text.inference import infer
from limpet.text.replacement import contradicts
from limpet.text.vocabulary import EXCLUSIVE, EXTENSIONS, NAMES, OPPOSITES, RIVALS, TECHNOLOGIES, UNITS

FAMILIES: dict[str, list[str]] = {}
for word, (family, value) in RIVALS.items():
    FAMILIES.setdefault(family, [])
    if value == word:
        FAMILIES[family].append(word)


@pytest.mark.parametrize("family", FAMILIES)
def test_two_values_of_one_family_contradict_and_a_value_does_not_contradict_itself(family: str) -> None:
    for first, second in pairwise(FAMILIES[family]):
        # "go" is the language only where it is written like a name.
        newer, older = (f"The gateway of the team is {'Go' if value == 'go' else value}." for value in (first, second))
        assert contradicts(newer, older), (first, second)
        assert contradicts(newer, newer) is None


def test_values_of_two_families_do_not_contradict() -> None:
    for first, second in pairwise(FAMILIES):
        newer, older = (f"We use {FAMILIES[family][0]}." for family in (first, second))
        assert contradicts(newer, older) is None, (newer, older)


def test_only_of_an_exclusive_family_there_is_one_in_use() -> None:
    for family, words in FAMILIES.items():
        if words[0] not in ("single", "space", "c"):
            reason = contradicts(f"We use {words[1]}.", f"We use {words[0]}.")
            assert (reason is not None) is (family in EXCLUSIVE), family


@pytest.mark.parametrize(("negative", "positive"), sorted(OPPOSITES.items()))
def test_opposites_contradict_and_a_denied_opposite_does_not(negative: str, positive: str) -> None:
    assert contradicts(f"The gateway is {negative}.", f"The gateway is {positive}.")
    assert contradicts(f"The gateway is not {negative}.", f"The gateway is {positive}.") is None


@pytest.mark.parametrize("unit", sorted(UNITS))
def test_amounts_are_compared_in_their_unit(unit: str) -> None:
    seven, again, five = (f"The limit of the gateway is {n} {unit}.".replace(" %", "%") for n in ("7", "7.0", "5"))
    assert contradicts(seven, five)
    assert contradicts(seven, again) is None


@pytest.mark.parametrize(("spelling", "tag"), sorted(TECHNOLOGIES.items()))
def test_a_spelling_names_its_tag(spelling: str, tag: str) -> None:
    assert tag in infer(f"The gateway is made with {spelling} here").tags
    assert infer(f"The gateway is made with q{spelling}q here").tags == ()


@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_name_that_is_also_a_word_is_a_tag_only_where_it_is_written_like_a_name(name: str) -> None:
    assert infer(f"The gateway is made with {name} here").tags == (name.lower(),)
    assert infer(f"The gateway is made with {name.lower()}s here").tags == ()


@pytest.mark.parametrize(("ending", "tag"), sorted(EXTENSIONS.items()))
def test_the_ending_of_a_file_name_names_its_tag(ending: str, tag: str) -> None:
    assert infer(f"See gateway.{ending} for it").tags == (tag,)
    assert infer(f"See gateway.{ending}q for it").tags == ()
