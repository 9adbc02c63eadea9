"""What is proposed of made-up conversations: every proposal is a true one, and at least four fifths are found."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

import pytest

from limpet.insight.antigens.observe import ObservedAntigen, incident_changes, observe_antigens
from limpet.insight.friction.calls import CallVerdict
from limpet.insight.friction.examine import Examiner
from limpet.insight.friction.measures import ConversationMeasures
from limpet.lean.record import replace
from limpet.learning.acts import ActFollower
from limpet.model.antigen import AntigenDecision, fold_antigen
from limpet.model.ids import new_id
from limpet.model.scope import Scope
from tests.insight.antigens.histories import THEMES, Theme, make_history
from tests.insight.friction.stories import START, own_words, play

HERE = Scope(agent="anima", project="prj_1")
HOT = 5


def measure(theme: Theme, numbers: Iterable[int] = range(6)) -> list[ConversationMeasures]:
    found = []
    for number in numbers:
        session = f"{theme.name}-{number}"
        examiner = Examiner(own_words=own_words, follower=ActFollower())
        for event in play(make_history(theme, number), at=START + timedelta(days=number), session=session):
            examiner.read(event, path=f"/t/{session}.jsonl", line=1)
        measures = examiner.finish(session=session, host="claude-code", project="shop")
        assert measures is not None
        found.append(measures)
    return found


def propose(conversations: list[ConversationMeasures]) -> list[ObservedAntigen]:
    observed = observe_antigens(conversations, {}, HERE)
    return [each for each in observed if each.antigen.conversations >= HOT and each.replay.is_proven]


PARTS = {"looked at": (False, 5, 6), "kept back": (True, 3, 4)}
"""How many of the antigens of each part are found."""


@pytest.mark.parametrize("part", PARTS)
def test_every_proposal_is_true_and_four_fifths_are_found(part: str) -> None:
    is_kept_back, found, total = PARTS[part]
    themes = [theme for theme in THEMES if theme.is_kept_back is is_kept_back]
    conversations = [each for theme in themes for each in measure(theme)]
    proposed = {each.antigen.pattern.describe() for each in propose(conversations)}
    wanted = {theme.about for theme in themes if theme.about is not None}
    assert proposed <= wanted
    assert (len(proposed), len(wanted)) == (found, total)


def test_four_fifths_of_all_antigens_are_found() -> None:
    assert sum(found for _, found, _ in PARTS.values()) >= 0.8 * sum(total for _, _, total in PARTS.values())


def test_a_pattern_hits_no_accepted_call_of_conversations_it_was_not_made_of() -> None:
    everything = [each for theme in THEMES for each in measure(theme)]
    for theme in THEMES:
        made_of = {f"{theme.name}-{number}" for number in range(6)}
        others = [call for each in everything if each.session not in made_of for call in each.calls]
        for found in propose(measure(theme)):
            wrong = [call for call in others if call.verdict is CallVerdict.ACCEPTED]
            assert [call for call in wrong if call.is_matched_by(found.replay.pattern)] == []


def test_what_was_observed_folds_into_the_same_antigen() -> None:
    observed = observe_antigens(measure(THEMES[0]), {}, HERE)
    folded = fold_antigen(
        replace(change, id=new_id("chg", number)) for number, change in enumerate(incident_changes(observed))
    )
    assert folded is not None
    assert (folded.id, folded.pattern) == (observed[0].antigen.id, observed[0].antigen.pattern)
    assert [each.conversation for each in folded.incidents] == [
        each.conversation for each in observed[0].antigen.incidents
    ]
    again = observe_antigens(measure(THEMES[0]), {folded.id: folded}, HERE)
    assert incident_changes(again) == []


@pytest.mark.parametrize("numbers", [range(6), range(0)], ids=["still recorded", "no longer recorded"])
def test_the_pattern_that_was_adopted_is_the_one_that_is_tested(numbers: range) -> None:
    theme = next(theme for theme in THEMES if theme.name == "force push")
    [found] = observe_antigens(measure(theme), {}, HERE)
    wider = replace(found.antigen.pattern, words=("git", "push"))
    adopted = replace(found.antigen, pattern=wider, decision=AntigenDecision.ADOPTED)
    others = [replace(each, evidence=()) for each in measure(theme)]
    [again] = observe_antigens(measure(theme, numbers) or others, {adopted.id: adopted}, HERE)
    assert again.antigen.pattern == again.replay.pattern == wider
    assert not again.replay.is_proven
