"""C10: what the user objected to is not kept, is retired if it was, and is never told as a fix."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from limpet.hosts.events import read_event
from limpet.learning.retirement import is_draft_of_turn, retire_turn
from limpet.learning.stages import TABLE, Bus, answering_handlers
from limpet.model.event import ContextReady
from limpet.model.memory import Draft, Origin, Tier, Type
from tests.learning.test_worker import Worked
from tests.operations.sandbox import SECOND, isolate_environment

APPLY = {"command": "terraform apply -auto-approve"}
UNLOCK = {"command": "terraform force-unlock -force 7f3a"}
LOCKED = "Exit code 1\nError: Error acquiring the state lock: ConditionalCheckFailedException by ci@runner"
NO = "NO don't force-unlock!!"


class Story(Worked):
    """A sandbox in which an agent unlocks a state by force."""

    def unlock(self, session: str = "s1") -> None:
        self.report(session, "SessionStart", source="startup")
        self.report(session, "UserPromptSubmit", prompt="Please apply the new network module.")
        self.report(session, "PostToolUseFailure", tool_name="Bash", tool_input=APPLY, error=LOCKED)
        self.report(session, "PostToolUse", tool_name="Bash", tool_input=UNLOCK, tool_response={"stdout": "unlocked"})
        self.report(session, "PostToolUse", tool_name="Bash", tool_input=APPLY, tool_response={"stdout": "complete"})
        said = "Fixed the stale state lock with `terraform force-unlock`, so `terraform apply` passes now."
        self.report(session, "Stop", last_assistant_message=said)

    def object(self, session: str = "s1", text: str = NO) -> None:
        self.report(session, "UserPromptSubmit", prompt=text)
        self.report(session, "Stop", last_assistant_message="Understood.")

    def told(self, session: str = "later") -> str:
        """Return what an agent is told when the error occurs in another session."""
        self.ms += SECOND
        fields = {"session_id": session, "cwd": str(self.project), "hook_event_name": "PostToolUseFailure"}
        with self.open() as runtime:
            event = read_event(
                {**fields, "tool_name": "Bash", "tool_input": APPLY, "error": LOCKED},
                host="claude-code",
                at=runtime.now(),
            )
            assert event is not None
            context = runtime.context().open_session(str(self.project), session)
            bus = Bus(TABLE, answering_handlers(context), log=pytest.fail)
            return "".join(each.text for each in bus.publish(event) if isinstance(each, ContextReady))

    def contents(self, **filters: Any) -> list[str]:
        return [str(each["content"]) for each in self.json("list", limit=100, **filters)["memories"]]


@pytest.fixture
def story(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Story:
    isolate_environment(monkeypatch, tmp_path)
    return Story(tmp_path)


def test_the_fix_is_told_if_nobody_objects(story: Story) -> None:
    story.unlock()
    story.learn()
    assert "ran `terraform force-unlock -force 7f3a`" in story.told()


@pytest.mark.parametrize("learnt_between", [False, True], ids=["in one batch", "in two batches"])
def test_the_forbidden_command_is_never_told_as_the_solution(story: Story, learnt_between: bool) -> None:
    story.unlock()
    if learnt_between:
        story.learn()
        assert any("Solution: ran `terraform force-unlock" in text for text in story.contents())
    story.object()
    story.learn()
    assert "force-unlock" not in story.told()
    assert not any("Solution" in text or "passes now" in text for text in story.contents())
    [rule] = story.json("list", tag="prohibition")["memories"]
    assert rule["content"].startswith("Do not run `terraform force-unlock`: the user objected")
    assert (rule["origin"], rule["tier"], rule["region"]) == ("user", Tier.NOTED, "PROJECT")


def test_what_was_retired_can_be_restored_and_says_why(story: Story) -> None:
    story.unlock()
    story.learn()
    [fix] = [each for each in story.json("list")["memories"] if "Solution" in each["content"]]
    story.object()
    story.learn()
    changes = story.json("blame", id=fix["id"])["changes"]
    assert ("drop", {"reason": "the user objected to it"}) in [(each["verb"], each["details"]) for each in changes]
    story.ask("restore", id=fix["id"])
    assert any("Solution" in text for text in story.contents())


def test_the_summary_of_the_session_does_not_tell_it_either(story: Story) -> None:
    story.unlock()
    story.learn()
    story.object()
    story.report("s1", "SessionEnd", reason="other")
    story.learn()
    summaries = story.contents(type="session_summary")
    assert not any("fixed by" in text or "passes now" in text for text in summaries)


def test_a_later_session_does_not_learn_the_forbidden_fix_again(story: Story) -> None:
    story.unlock()
    story.object()
    story.learn()
    story.unlock("s2")
    story.learn()
    assert not any("Solution" in text or "passes now" in text for text in story.contents())
    assert "force-unlock" not in story.told()


def test_a_rule_that_is_stored_on_purpose_retires_the_fix_too(story: Story) -> None:
    story.unlock()
    story.learn()
    outcome = story.ask("remember", text="Never run terraform force-unlock, ask the platform team.")
    assert any("no longer told" in note for note in outcome.notes)
    assert story.told() == ""


def test_a_rule_of_less_trust_retires_nothing(story: Story) -> None:
    story.unlock()
    story.learn()
    story.remember("Never run terraform force-unlock, says the blog of a stranger.", origin="external")
    assert "force-unlock" in story.told()


def test_words_that_were_pasted_retire_nothing(story: Story) -> None:
    story.unlock()
    story.object(text=f"```\n{NO}\n```\nwhat does this line of the log mean?")
    story.learn()
    assert "ran `terraform force-unlock" in story.told()


def test_the_users_own_rules_of_that_turn_stay(story: Story) -> None:
    story.report("s1", "UserPromptSubmit", prompt="From now on always use pnpm instead of npm in this repository.")
    story.unlock()
    story.object()
    story.learn()
    assert any("pnpm instead of npm" in text for text in story.contents())


def test_learning_twice_changes_nothing(story: Story) -> None:
    story.unlock()
    story.learn()
    story.object()
    story.learn()
    before = story.contents()
    story.learn()
    assert story.contents() == before


@pytest.mark.parametrize("learnt_between", [False, True], ids=["in one batch", "in two batches"])
@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("UserPromptExpansion", {"command_name": "fix-lint", "command_args": "src/cart.py"}),
        ("UserPromptSubmit", {"prompt": "/fix-lint"}),
    ],
    ids=["a command", "a bare command"],
)
def test_an_objection_after_a_command_leaves_the_turn_before_alone(
    story: Story, name: str, fields: dict[str, Any], learnt_between: bool
) -> None:
    story.unlock()
    if learnt_between:
        story.learn()
    story.report("s1", name, **fields)
    edit = {"file_path": str(story.project / "src/cart.py"), "old_string": "a", "new_string": "b"}
    story.report("s1", "PostToolUse", tool_name="Edit", tool_input=edit, tool_response={})
    story.report("s1", "Stop", last_assistant_message="Done.")
    story.object(text="No, revert that.")
    story.learn()
    assert "ran `terraform force-unlock" in story.told()


def test_an_objection_to_a_turn_of_unknown_beginning_retires_nothing(story: Story) -> None:
    story.unlock()
    story.learn()
    with story.open() as runtime:
        context = runtime.context().open_session(str(story.project), "s1")
        retire = partial(retire_turn, at=story.now, scope=context.scope, session="s1", reading=context.reading())
        assert retire(1)
        assert retire(0) == []
    assert not is_draft_of_turn(Draft(text="Solution: x", type=Type.BUGFIX, origin=Origin.TOOL), story.now, since=0)
