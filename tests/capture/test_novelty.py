"""What the user says again in another session is kept."""

from __future__ import annotations

import pytest

from limpet.capture.state import SegmentState
from limpet.learning.session import SessionLearner
from limpet.learning.stages import TABLE, Bus, learning_handlers
from limpet.model.event import PromptSubmitted
from limpet.model.receipt import Receipt
from tests.operations.sandbox import Sandbox

RULE = "From now on always use pnpm instead of npm in this repository."


def say(sandbox: Sandbox, text: str, *, session: str) -> None:
    """Let the user type a prompt in a session, and learn from it."""
    with sandbox.open() as runtime:
        learner = SessionLearner(runtime.context().open_session(str(sandbox.project), session), SegmentState())
        Bus(TABLE, learning_handlers(learner), log=pytest.fail).publish(
            PromptSubmitted(session=session, at=sandbox.now, text=text)
        )
        learner.finish({"source": 1})
    sandbox.ms += 60_000


def tiers(sandbox: Sandbox) -> list[tuple[str, str]]:
    return [(memory["tier"], memory["earned"]) for memory in sandbox.json("list")["memories"]]


def test_what_the_user_says_again_in_another_session_is_kept(sandbox: Sandbox) -> None:
    say(sandbox, RULE, session="s1")
    assert tiers(sandbox) == [("noted", "")]
    say(sandbox, RULE, session="s1")
    assert tiers(sandbox) == [("noted", "")], "the same session proves nothing"
    say(sandbox, "Please always use pnpm instead of npm in this repository from now on.", session="s2")
    assert tiers(sandbox) == [("kept", "stated again in another session")]


def test_what_the_user_repeats_after_having_been_told_proves_nothing(sandbox: Sandbox) -> None:
    say(sandbox, RULE, session="s1")
    [known] = sandbox.json("list")["memories"]
    with sandbox.open() as runtime:
        runtime.note(Receipt(id="", way="prompt", ids=(known["id"],), session="s2"))
    say(sandbox, RULE, session="s2")
    assert tiers(sandbox) == [("noted", "")]


def test_a_rule_that_is_repeated_by_the_way_in_a_long_request_is_not_kept(sandbox: Sandbox) -> None:
    say(sandbox, RULE, session="s1")
    rest = " The export page takes ages to load since we moved the orders, and the filter shows the wrong rows." * 6
    say(sandbox, f"{RULE}{rest}", session="s2")
    assert {tier for tier, _ in tiers(sandbox)} == {"noted"}


ASKED = "The importer is slow, could you never load all rows of `orders.csv`, because it takes 20 minutes"


def test_a_request_that_is_made_again_is_not_kept(sandbox: Sandbox) -> None:
    for session in ("s1", "s2", "s3"):
        say(sandbox, ASKED, session=session)
    assert {tier for tier, _ in tiers(sandbox)} == {"noted"}


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("comments in english only", "please write code comments in English"),
        ("ask me before installing new dependencies", "never add a dependency without asking me"),
        ("commit messages start with the ticket number", "put the ticket number in front of every commit message"),
        ("use uv, not pip", "install python packages with uv, never pip"),
    ],
)
def test_a_rule_that_is_stated_again_in_other_words_is_kept(sandbox: Sandbox, first: str, again: str) -> None:
    say(sandbox, first, session="s1")
    say(sandbox, again, session="s2")
    assert ("kept", "stated again in another session") in tiers(sandbox)


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("Don't write code.", "Don't write code."),
        ("Create a new branch and switch to it.", "Create a new branch and switch to it."),
        ("never commit to main", "never commit secrets"),
        ("the staging server has no swap", "the staging server is reset every night"),
        ("commit messages start with the ticket number", "commit messages in german"),
    ],
)
def test_repeated_steering_and_another_rule_keep_nothing(sandbox: Sandbox, first: str, again: str) -> None:
    say(sandbox, first, session="s1")
    say(sandbox, again, session="s2")
    assert {tier for tier, _ in tiers(sandbox)} <= {"noted"}
