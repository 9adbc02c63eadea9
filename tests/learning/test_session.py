"""One session's events are judged once each, and what they left behind is written together."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from limpet.capture.novelty import measure_novelty
from limpet.capture.state import SegmentState
from limpet.learning import session as sessions
from limpet.learning.session import SessionLearner
from limpet.learning.stages import TABLE, Bus, learning_handlers
from limpet.model.event import Action, PromptSubmitted, ToolFinished
from tests.operations.sandbox import Sandbox

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
RULE = "From now on always use pnpm instead of npm in this repository."


def test_an_event_that_cannot_be_judged_leaves_nothing(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the event before it left behind is not drafted a second time."""
    logged: list[str] = []
    with sandbox.open() as runtime:
        learner = SessionLearner(runtime.context().open_session(str(sandbox.project), "s1"), SegmentState())
        bus = Bus(TABLE, learning_handlers(learner), log=logged.append)
        bus.publish(PromptSubmitted(session="s1", at=NOW, text=RULE))

        def broken(*_: object, **__: object) -> None:
            raise RuntimeError("broken")

        with monkeypatch.context() as patch:
            patch.setattr(sessions, "judge", broken)
            bus.publish(PromptSubmitted(session="s1", at=NOW + timedelta(seconds=1), text="Thanks"))
        batch = learner.finish({"source": 1})
    assert logged == ["boundaries failed at PromptSubmitted: RuntimeError: broken"]
    assert (batch.seen, len(batch.admitted), batch.known) == (2, 1, 0)


def test_what_a_batch_says_twice_is_stored_once(sandbox: Sandbox) -> None:
    with sandbox.open() as runtime:
        learner = SessionLearner(runtime.context().open_session(str(sandbox.project), "s1"), SegmentState())
        bus = Bus(TABLE, learning_handlers(learner), log=pytest.fail)
        for seconds in range(2):
            bus.publish(PromptSubmitted(session="s1", at=NOW + timedelta(seconds=seconds), text=RULE))
        batch = learner.finish({"source": 1})
    assert (len(batch.admitted), batch.known) == (1, 1)


def test_what_a_batch_replaces_is_superseded(sandbox: Sandbox) -> None:
    said = ("From now on the request timeout is 30 seconds.", "From now on the request timeout is 60 seconds.")
    with sandbox.open() as runtime:
        learner = SessionLearner(runtime.context().open_session(str(sandbox.project), "s1"), SegmentState())
        bus = Bus(TABLE, learning_handlers(learner), log=pytest.fail)
        for seconds, text in enumerate(said):
            bus.publish(PromptSubmitted(session="s1", at=NOW + timedelta(seconds=seconds), text=text))
        batch = learner.finish({"source": 1})
    assert len(batch.admitted) == 2
    assert [each["content"] for each in sandbox.json("list")["memories"]] == [said[1]]


def test_the_session_says_how_far_its_source_was_used(sandbox: Sandbox) -> None:
    with sandbox.open() as runtime:
        learner = SessionLearner(runtime.context().open_session(str(sandbox.project), "s1"), SegmentState())
        bus = Bus(TABLE, learning_handlers(learner), log=pytest.fail)
        ran = {"session": "s1", "tool": "Bash", "action": Action.RUN, "command": "ls"}
        for seconds, failed in enumerate((True, False, False)):
            bus.publish(ToolFinished(at=NOW + timedelta(seconds=seconds), failed=failed, **ran))  # type: ignore[arg-type]
        learner.finish({"one": 7, "other": 9})
        known = runtime.reading().session("s1")
    assert known is not None
    assert (known.taken, known.successes, known.failures, known.seen) == ({"one": 7, "other": 9}, 2, 1, 3)


TEXT = "The staging database is called heron-7 and resets every night at two"


def novelty(sandbox: Sandbox, text: str, *, typed: bool = False) -> float:
    with sandbox.open() as runtime:
        return measure_novelty(text, reading=runtime.reading(), scope=runtime.scope(), now=runtime.now(), typed=typed)


def test_everything_is_new_to_an_empty_store(sandbox: Sandbox) -> None:
    assert novelty(sandbox, TEXT) == 1.0


def test_a_text_that_is_stored_is_not_new_and_another_one_is(sandbox: Sandbox) -> None:
    sandbox.remember(TEXT)
    assert novelty(sandbox, TEXT) < 0.05
    assert novelty(sandbox, "Invoices are rounded once per order, never per line") > 0.5


def test_what_others_have_said_does_not_make_the_users_words_known(sandbox: Sandbox) -> None:
    sandbox.remember(TEXT, origin="external")
    assert novelty(sandbox, TEXT) < 0.05
    assert novelty(sandbox, TEXT, typed=True) == 1.0
