"""What the user states and what the model stores of it are one memory, in the model's words."""

from __future__ import annotations

from datetime import timedelta

import pytest

from limpet.capture.state import SegmentState
from limpet.learning.nudge import LINE
from limpet.learning.session import SessionLearner
from limpet.learning.stages import TABLE, Bus, learning_handlers
from limpet.model.event import PromptSubmitted
from tests.inject.injecting import inject
from tests.operations.sandbox import MODEL, SECOND, Sandbox

STATED = "We always use pnpm in this repository, never npm."
STORED = "This repository uses pnpm; npm must not be used."


def learn(sandbox: Sandbox, *said: str, session: str = "s1") -> None:
    """Learn prompts that were typed one second after the other, the last one now."""
    with sandbox.open() as runtime:
        learner = SessionLearner(runtime.context().open_session(str(sandbox.project), session), SegmentState())
        bus = Bus(TABLE, learning_handlers(learner), log=pytest.fail)
        for number, text in enumerate(reversed(said)):
            bus.publish(PromptSubmitted(session=session, at=sandbox.now - timedelta(seconds=number), text=text))
        learner.finish({"source": len(said)})


def store(sandbox: Sandbox, text: str = STORED, *, session: str = "s1", later: int = 5) -> str:
    sandbox.ms += later * SECOND
    return str(sandbox.json("remember", as_=MODEL, session=session, text=text)["memory"]["id"])


def live(sandbox: Sandbox) -> list[str]:
    return [each["content"] for each in sandbox.json("list")["memories"]]


def test_a_note_that_the_model_stored_in_its_words_gives_way(sandbox: Sandbox) -> None:
    learn(sandbox, STATED)
    assert live(sandbox) == [STATED]
    id = store(sandbox)
    learn(sandbox, "thanks")
    assert live(sandbox) == [STORED]
    [link] = [each for each in sandbox.json("show", id=id)["links"] if each["relation"] == "evidence"]
    assert sandbox.json("show", id=link["id"])["memory"]["content"] == STATED


def test_it_does_not_matter_which_is_learnt_first(sandbox: Sandbox) -> None:
    began = sandbox.ms
    store(sandbox)
    sandbox.ms, now = began, sandbox.ms
    learn(sandbox, STATED)
    sandbox.ms = now
    assert live(sandbox) == [STORED]


@pytest.mark.parametrize(
    ("text", "session", "later"),
    [
        ("The release notes are written by hand.", "s1", 5),
        (STORED, "s2", 5),
        (STORED, "s1", 3600),
    ],
    ids=["another subject", "another session", "an hour later"],
)
def test_a_note_stays_beside_what_was_not_made_from_it(sandbox: Sandbox, text: str, session: str, later: int) -> None:
    learn(sandbox, STATED)
    store(sandbox, text, session=session, later=later)
    learn(sandbox, "thanks")
    assert sorted(live(sandbox)) == sorted([STATED, text])


def ask(sandbox: Sandbox, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the model be asked beside a prompt to store what lasts."""
    monkeypatch.setenv("CLAUDE_PLUGIN_ROOT", "/plugin")
    assert LINE in inject(sandbox, "prompt", text=text)
    learn(sandbox, text)


@pytest.mark.parametrize(
    "text",
    ["The release notes are written by hand.", "Use npm in this repository, never pnpm, through the mirror npm.test."],
    ids=["something else", "the contrary"],
)
def test_the_one_thing_that_the_model_stored_hides_no_other_statement(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    ask(sandbox, STATED, monkeypatch)
    store(sandbox, text)
    learn(sandbox, "thanks")
    assert sorted(live(sandbox)) == sorted([STATED, text])


def test_the_one_thing_that_the_model_stored_may_be_in_another_language(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(sandbox, "Nutze hier immer pnpm, niemals npm.", monkeypatch)
    store(sandbox, "Packages are installed by one tool in this repository.")
    learn(sandbox, "thanks")
    assert live(sandbox) == [
        "The user said: “Nutze hier immer pnpm, niemals npm.”\n\nPackages are installed by one tool in this repository."
    ]


REWORDED = "Packages come from pnpm in this repository, because npm breaks the lock file."


def test_what_the_model_stored_in_other_words_is_told_behind_those_of_the_user(sandbox: Sandbox) -> None:
    learn(sandbox, STATED)
    first = store(sandbox, REWORDED)
    learn(sandbox, "thanks")
    [memory] = sandbox.json("list")["memories"]
    assert memory["content"] == f"The user said: “{STATED}”\n\n{REWORDED}"
    assert (memory["origin"], memory["tier"], memory["earned"]) == ("agent", "kept", "stored on purpose")
    shown = sandbox.json("show", id=memory["id"])
    assert [each["relation"] for each in shown["links"]] == ["evidence"]
    assert first in str(shown)
    learn(sandbox, "thanks again")
    assert len(live(sandbox)) == 1


def test_a_note_does_not_come_back_when_the_memory_made_from_it_is_forgotten(sandbox: Sandbox) -> None:
    learn(sandbox, STATED)
    id = store(sandbox)
    learn(sandbox, "thanks")
    sandbox.json("forget", ids=[id])
    assert live(sandbox) == []
