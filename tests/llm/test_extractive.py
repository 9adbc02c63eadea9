"""The default of every role only chooses among sentences, and invents nothing."""

from __future__ import annotations

from limpet.llm.extractive import ExtractiveRoles
from limpet.llm.protocol import DecisionKind, Roles
from limpet.model.memory import Phase
from tests.text.long_notes import NOTES

ROLES: Roles = ExtractiveRoles()


def test_short_texts_and_full_phases_stay_as_they_are() -> None:
    assert ROLES.summarise("Short.", Phase.ABSTRACT) == "Short."
    assert ROLES.summarise(NOTES[0].text, Phase.FULL) == NOTES[0].text


def test_each_phase_is_shorter_than_the_one_before() -> None:
    for note in NOTES:
        lengths = [len(ROLES.summarise(note.text, phase)) for phase in (Phase.FULL, Phase.HINT, Phase.ABSTRACT)]
        assert lengths == sorted(lengths, reverse=True)


def test_extracting_gives_the_most_telling_statements_in_their_order() -> None:
    text = "We met. The port is 9090 because 8080 is taken. Lunch was good. Never restart `db01` by hand."
    assert ROLES.extract(text, most=2) == (
        "The port is 9090 because 8080 is taken.",
        "Never restart `db01` by hand.",
    )


def test_merging_names_every_source() -> None:
    assert ROLES.merge([("a", "One thing."), ("b", "Another thing.")]).endswith("- a: One thing.\n- b: Another thing.")


def test_who_makes_room_is_the_oldest_and_never_the_newest() -> None:
    decision = ROLES.decide([("new", "x"), ("old", "y")], newest="new", most=200)
    assert (decision.kind, decision.id) == (DecisionKind.DELETE, "old")
