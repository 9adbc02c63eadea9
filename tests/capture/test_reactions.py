"""C10: whether the user objects to what the agent did, and which command or edit is meant."""

from __future__ import annotations

from typing import Any

import pytest

from limpet.capture.judge import Judgement, judge
from limpet.capture.state import SegmentState
from limpet.clock import to_ms
from limpet.lean.record import replace
from limpet.model.event import Event, Interrupted, ToolFinished
from limpet.model.memory import Origin, Type
from limpet.text.reactions import ReactionKind
from tests.capture.marked import START, judge_session, make_event

LOCKED = "Error: Error acquiring the state lock: ConditionalCheckFailedException, lock 7f3a by ci@runner"
UNLOCK: list[dict[str, Any]] = [
    {"prompt": "Please apply the new network module."},
    {"run": "terraform apply -auto-approve", "out": f"Exit code 1\n{LOCKED}", "failed": True},
    {"run": "terraform force-unlock -force 7f3a", "out": "Terraform state has been successfully unlocked!"},
    {"run": "terraform apply -auto-approve", "out": "Apply complete! Resources: 2 added."},
    {"said": "Fixed the stale state lock with `terraform force-unlock`, so the apply of the module passes now."},
]
EDITED: list[dict[str, Any]] = [
    {"prompt": "The total is wrong for guests."},
    {"edit": "/p/src/cart.py", "old": "d = x['discount']", "new": "d = x.get('discount', 0)"},
    {"said": "Done."},
]


def last(*shorts: dict[str, Any]) -> Judgement:
    return judge_session(list(shorts), through_json=True)[-1]


def texts(judged: Judgement) -> list[str]:
    return [each.draft.text for each in judged.kept]


def test_the_forbidden_command_is_kept_as_a_prohibition_in_a_whole_sentence() -> None:
    judged = last(*UNLOCK, {"prompt": "NO don't force-unlock!!"})
    assert judged.objection is not None
    assert judged.objection.kind is ReactionKind.PROHIBITION
    [draft] = [each.draft for each in judged.kept]
    assert draft.text == ("Do not run `terraform force-unlock`: the user objected to it (“NO don't force-unlock!!”).")
    assert (draft.type, draft.origin, draft.tags) == (Type.DECISION, Origin.USER, ("prohibition",))
    assert not draft.on_purpose


def test_no_fix_of_the_turn_is_in_the_summary_after_an_objection() -> None:
    before = judge_session(UNLOCK)
    assert any("force-unlock" in text for judged in before for text in texts(judged))
    judged = last(*UNLOCK, {"prompt": "NO don't force-unlock!!"})
    summary = judged.checkpoint
    assert summary is None or "Problems and fixes" not in summary.text
    assert summary is None or "passes now" not in summary.text


@pytest.mark.parametrize(
    ("said", "kind", "text"),
    [
        ("never run force-unlock, ops owns the lock", ReactionKind.PROHIBITION, "Do not run `terraform force-unlock`"),
        ("wtf, why did you force-unlock it?", ReactionKind.CORRECTION, "Do not run `terraform force-unlock`"),
        ("stop, we don't do that here", ReactionKind.PROHIBITION, "Do not run `terraform force-unlock -force 7f3a`"),
    ],
)
def test_the_words_tell_which_command_is_meant(said: str, kind: ReactionKind, text: str) -> None:
    judged = last(*UNLOCK, {"prompt": said})
    assert judged.objection is not None and judged.objection.kind is kind
    assert any(each.startswith(text) for each in texts(judged))


def test_a_word_that_may_point_at_several_acts_forbids_none_of_them() -> None:
    judged = last(*UNLOCK, {"run": "terraform output", "out": "x = 1"}, {"prompt": "stop, we don't do that here"})
    assert judged.objection is not None and judged.objection.means is None
    assert not any("Do not" in text for text in texts(judged))


def test_a_flag_that_was_named_is_part_of_the_prohibition() -> None:
    pushed = [{"prompt": "publish it"}, {"run": "git add -A && git push --force origin main", "out": "ok"}]
    [text] = texts(last(*pushed, {"prompt": "no, don't force push!"}))
    assert text.startswith("Do not run `git push --force`:")


@pytest.mark.parametrize("said", ["undo that", "revert it please", "! git checkout -- src/cart.py"])
def test_what_was_taken_back_is_kept_with_the_edit_it_meant(said: str) -> None:
    judged = last(*EDITED, {"prompt": said})
    assert judged.objection is not None and judged.objection.kind is ReactionKind.REVERT
    [text] = texts(judged)
    assert text.startswith("Do not repeat the edit of p/src/cart.py (`d = x['discount']` became")
    assert judged.kept[0].draft.origin is Origin.TOOL


@pytest.mark.parametrize("said", ["no, use the other file", "that's not what I asked for", "still broken"])
def test_a_correction_forbids_nothing_but_takes_the_fix_back(said: str) -> None:
    judged = last(*UNLOCK, {"prompt": said})
    assert judged.objection is not None and judged.objection.kind is ReactionKind.CORRECTION
    assert not any("Do not" in text for text in texts(judged))


@pytest.mark.parametrize(
    "said",
    [
        "no, terraform apply needs the prod workspace",
        "no, don't apply the discount to guests",
        "No, don't add the export page",
    ],
)
def test_words_that_do_not_forbid_the_command_take_the_fix_back_and_forbid_nothing(said: str) -> None:
    judged = last(*UNLOCK, {"prompt": said})
    assert judged.objection is not None
    assert not any("Do not" in text for text in texts(judged))


@pytest.mark.parametrize("said", ["No, don't add the export page", "No, don't put the discount into the header"])
def test_the_only_edit_is_not_forbidden_by_a_prohibition_of_something_else(said: str) -> None:
    judged = last(*EDITED, {"prompt": said})
    assert judged.objection is not None and judged.objection.means is None
    assert not any("Do not repeat" in text for text in texts(judged))


@pytest.mark.parametrize("said", ["no, don't touch cart.py", "don't do that", "stop!", "never edit cart.py"])
def test_an_edit_is_forbidden_by_its_file_or_by_words_that_point_at_it(said: str) -> None:
    [text] = texts(last(*EDITED, {"prompt": said}))
    assert text.startswith("Do not repeat the edit of p/src/cart.py")


@pytest.mark.parametrize(
    "said",
    [
        "no problem",
        "don't change a thing, it's perfect",
        "Undo button: make it blue on the settings page",
        "Do not disturb mode: add a toggle",
        "Don't apply the discount to guests.",
        "Stop logging the request body in the payment service",
        "no worries, go ahead",
        "Don't add new dependencies to the web module.",
        "thanks, now the database module",
        "```\nNO don't force-unlock!!\n```\nwhat does this line of the log mean?",
        "> NO don't force-unlock!!\n\nMarie wrote this yesterday, is it still true?",
        "<task-notification>no, don't force-unlock</task-notification>",
        "/compact",
    ],
)
def test_what_is_no_objection_of_the_user_takes_nothing_back(said: str) -> None:
    assert last(*UNLOCK, {"prompt": said}).objection is None


def test_an_answer_to_a_question_is_no_objection() -> None:
    asked = {"said": "The apply passes now. Shall I also update the docs?"}
    assert last(*UNLOCK[:-1], asked, {"prompt": "no, that can wait"}).objection is None
    assert last(*UNLOCK[:-1], asked, {"prompt": "no! don't force-unlock"}).objection is not None


def test_a_second_objection_means_the_same_turn() -> None:
    judged = last(*UNLOCK, {"prompt": "no!"}, {"prompt": "never force-unlock"})
    assert judged.objection is not None
    assert texts(judged)[0].startswith("Do not run `terraform force-unlock`")


def test_a_turn_without_a_prompt_begins_with_its_first_act() -> None:
    judged = last(*UNLOCK[1:], {"prompt": "NO don't force-unlock!!"})
    assert judged.objection is not None
    assert judged.objection.since == to_ms(START)


def test_the_first_prompt_objects_to_nothing() -> None:
    assert last({"prompt": "No, don't force-unlock!"}).objection is None


def after_interruption(said: str) -> Judgement:
    state = SegmentState()
    events: list[Event] = [make_event(short, minute=minute) for minute, short in enumerate(UNLOCK[:-1])]
    events += [Interrupted(session="s1", at=START), make_event({"prompt": said}, minute=9)]
    for event in events:
        judged = judge(state, event)
        state = judged.state
    return judged


def test_an_interruption_counts_unless_the_user_says_go_on() -> None:
    found = after_interruption("the module has another name, see modules/")
    assert found.objection is not None and found.objection.kind is ReactionKind.INTERRUPT
    assert not any("Do not" in text for text in texts(found))
    assert after_interruption("continue").objection is None
    assert after_interruption("ok, go on please").objection is None
    assert after_interruption("looks great, ship it").objection is None
    assert after_interruption("continue where?").objection is not None


def test_a_command_that_the_user_refused_can_be_named_afterwards() -> None:
    state = judge(SegmentState(), make_event(UNLOCK[0])).state
    refused = make_event(UNLOCK[2] | {"out": "The user doesn't want to proceed with this tool use."}, minute=1)
    assert isinstance(refused, ToolFinished)
    state = judge(state, replace(refused, interrupted=True, failed=True)).state
    judged = judge(state, make_event({"prompt": "no, never force-unlock"}, minute=2))
    assert texts(judged)[0].startswith("Do not run `terraform force-unlock`")


def test_the_same_fix_is_not_kept_again_in_the_session() -> None:
    judged = last(*UNLOCK, {"prompt": "NO don't force-unlock!!"}, *UNLOCK[1:4])
    assert not any("force-unlock" in text for text in texts(judged))


def test_what_the_agent_did_and_what_was_forbidden_stays_small() -> None:
    many = [{"run": f"make target{number} {'x' * 900}", "out": "ok"} for number in range(60)]
    assert len(last(*many).state.last.acts) == 12
    assert all(len(act[1]) <= 301 for act in last(*many).state.last.acts)
