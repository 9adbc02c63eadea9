"""Each cue decides what its table stands for, and a plain sentence without it does not."""

from __future__ import annotations

import pytest

from limpet.text import inference_words as cues
from limpet.text.inference import infer

PLAIN = "Ports above 9000 stay open on the gateway"


def test_a_sentence_without_cues_gets_the_defaults() -> None:
    plain = infer(PLAIN)
    assert (plain.kind, plain.impact, plain.region, plain.concepts) == ("LEARNINGS", "MEDIUM", "PROJECT", ())


@pytest.mark.parametrize("cue", cues.MANNERS)
def test_a_word_about_manners_makes_it_personal(cue: str) -> None:
    assert infer(f"{PLAIN} {cue}").kind == "EMOTIONAL"


@pytest.mark.parametrize("word", sorted(cues.WANT))
def test_what_the_user_wants_is_personal(word: str) -> None:
    assert infer(f"The user {word}s quiet mornings").kind == "EMOTIONAL"
    assert infer(f"The parser {word}s quiet mornings").kind != "EMOTIONAL"


@pytest.mark.parametrize("word", sorted(cues.ROLES))
def test_what_the_user_is_is_personal(word: str) -> None:
    assert infer(f"The user is a {word}").kind == "EMOTIONAL"
    assert infer(f"A {word} opened the gateway").kind != "EMOTIONAL"


@pytest.mark.parametrize("word", sorted(cues.FEELINGS))
def test_what_the_user_feels_is_personal(word: str) -> None:
    assert infer(f"The user was {word} about the gateway").kind == "EMOTIONAL"
    assert infer(f"The {word} path is tested").kind != "EMOTIONAL"


@pytest.mark.parametrize("cue", cues.DECIDED)
def test_a_decision_is_architectural(cue: str) -> None:
    assert infer(f"{PLAIN} {cue}".replace(" :", ":")).kind == "ARCHITECTURAL"


@pytest.mark.parametrize("cue", cues.LEARNT)
def test_what_was_learnt_is_a_lesson(cue: str) -> None:
    decided = f"The api of every module and service {cue}"
    assert infer(decided).kind == "LEARNINGS"
    assert infer("The api of every module and service").kind == "ARCHITECTURAL"


@pytest.mark.parametrize(("word", "type"), sorted(cues.COMPLETED.items()))
def test_finished_work_is_an_achievement_of_its_type(word: str, type: str) -> None:
    reported = infer(f"We have {word} the gateway")
    assert (reported.kind, reported.type) == ("ACHIEVEMENTS", type)
    assert infer(f"We have not {word} the gateway").kind != "ACHIEVEMENTS"


@pytest.mark.parametrize("cue", cues.INCAPABLE)
def test_what_does_not_work_is_a_lesson(cue: str) -> None:
    assert infer(f"The api module {cue}").kind == "LEARNINGS"
    assert infer("The api module").kind == "ARCHITECTURAL"


@pytest.mark.parametrize("cue", cues.EVERYWHERE)
def test_what_holds_everywhere_belongs_to_the_agent_unless_a_place_is_named(cue: str) -> None:
    assert infer(f"I write short commit messages {cue}").region == "AGENT"
    assert infer(f"I write short commit messages {cue}, {cues.HERE[0]} too").region == "PROJECT"


@pytest.mark.parametrize("cue", cues.HERE)
def test_what_is_said_of_this_project_belongs_to_it(cue: str) -> None:
    assert infer(f"{PLAIN} as a rule for {cue}").region == "PROJECT"


@pytest.mark.parametrize(
    ("concept", "cue"),
    [(concept, cue) for concept in cues.CONCEPTS for cue in cues.CONCEPTS[concept]],
)
def test_a_cue_names_its_concept(concept: str, cue: str) -> None:
    assert concept in infer(f"{PLAIN} {cue}").concepts


@pytest.mark.parametrize("word", sorted(cues.STRONG))
def test_a_strong_word_is_critical_unless_it_is_denied_or_part_of_a_term(word: str) -> None:
    assert infer(f"The gateway is {word} here").impact == "CRITICAL"
    assert infer(f"The gateway is not {word} here").impact == "LOW"
    assert infer(f"The {word} section is short").impact == "MEDIUM"


@pytest.mark.parametrize("word", sorted(cues.WEAK))
def test_a_weak_word_lowers_the_impact_unless_it_is_part_of_a_term(word: str) -> None:
    assert infer(f"The gateway is {word} here").impact == "LOW"
    assert infer(f"The {word} version is short").impact == "MEDIUM"


@pytest.mark.parametrize(("word", "impact"), sorted(cues.IMPACT_LABELS.items()))
def test_a_label_in_front_says_the_impact(word: str, impact: str) -> None:
    assert infer(f"{word.capitalize()}: {PLAIN}").impact == impact


@pytest.mark.parametrize("noun", sorted(cues.KEY_NOUNS))
def test_a_key_point_is_of_high_impact(noun: str) -> None:
    assert infer(f"The key {noun} of it all").impact == "HIGH"
    assert infer("The key file of it all").impact == "MEDIUM"


@pytest.mark.parametrize("verb", sorted(cues.IMPERATIVES))
def test_an_imperative_is_an_order(verb: str) -> None:
    order = infer(f"{verb.capitalize()} gloves")
    assert (order.kind, order.type) == ("ARCHITECTURAL", "decision")


@pytest.mark.parametrize("verb", sorted(cues.COMMANDS - cues.IMPERATIVES - cues.COMPLETED.keys()))
def test_a_verb_that_is_a_noun_too_orders_only_before_an_object(verb: str) -> None:
    assert infer(f"{verb.capitalize()} the gloves").type == "decision"
    assert infer(f"{verb.capitalize()} gloves").type == "discovery"
