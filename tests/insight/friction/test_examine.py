"""Which signals a conversation gives, each incident once."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from limpet.insight.friction.examine import Examiner
from limpet.insight.friction.signals import Quality
from limpet.learning.acts import ActFollower
from tests.insight.friction.stories import examine, own_words

Step = tuple[str, Any]

LOG = """the build fails:
```
$ make
error: what the fuck is this shit, no such file
no rule to make target
```"""
COMPLAINT = "I still don't see the retry anywhere, nothing has changed"
TASK: tuple[Step, ...] = (("user", "add a retry to the client"), ("edits", "client.py"), ("says", "I added it."))


class Story(NamedTuple):
    name: str
    steps: tuple[Step, ...]
    signals: str
    quality: Quality = Quality.OK


STORIES = (
    Story("a calm task", (*TASK, ("user", "thanks")), ""),
    Story(
        "it ends well after one error",
        (
            *TASK,
            ("user", "run the tests"),
            ("fails", "pytest"),
            ("edits", "a.py"),
            ("runs", "pytest"),
            ("says", "Green."),
        ),
        "exit_error",
    ),
    Story("a correction", (*TASK, ("user", "no, use the other file"), ("edits", "b.py")), "user_negation"),
    Story("a complaint in other words", (*TASK, ("user", COMPLAINT), ("edits", "b.py")), "user_negation"),
    Story("a complaint before anything was done", (("user", COMPLAINT), ("edits", "b.py")), ""),
    Story("a rule objects to nothing", (*TASK, ("user", "don't use pip in this repo"), ("edits", "b.py")), ""),
    Story("a rule about edits objects to none", (*TASK, ("user", "never touch the lock file"), ("edits", "b.py")), ""),
    Story(
        "a rule that names what was done objects",
        (*TASK, ("runs", "pip install requests"), ("user", "don't use pip in this repo"), ("runs", "uv add requests")),
        "user_negation",
    ),
    Story("an answer to a question", (("user", "go on"), ("says", "Shall I delete it?"), ("user", "no")), ""),
    Story("a no as the first word is no reaction", (("user", "no, use the other file"), ("edits", "a.py")), ""),
    Story("asking what /stash does", (*TASK, ("user", "what does /stash do?")), ""),
    Story("a stash is a checkpoint", (*TASK, ("command", "stash"), ("user", "next"), ("command", "limpet:stash")), ""),
    Story(
        "a stash after an objection",
        (*TASK, ("user", "no, that's wrong"), ("says", "Sorry."), ("command", "stash")),
        "user_negation user_intervention",
        Quality.BAD,
    ),
    Story("a pasted log is no curse", (*TASK, ("user", LOG), ("edits", "a.py")), ""),
    Story(
        "a curse with an objection is one incident",
        (*TASK, ("user", "no, damn it, the other file")),
        "user_negation user_curse",
        Quality.FRICTION,
    ),
    Story("friendly words", (*TASK, ("user", "no worries, go ahead"), ("edits", "b.py")), ""),
    Story(
        "success is claimed after a failure",
        (*TASK, ("user", "test it"), ("fails", "pytest"), ("says", "All done, everything works now.")),
        "exit_error false_success rapid_exit no_resolution",
        Quality.FRICTION,
    ),
    Story(
        "a failure is admitted",
        (
            *TASK,
            ("user", "test it"),
            ("fails", "pytest"),
            ("says", "Not done: two tests still fail."),
            ("user", "leave it"),
        ),
        "exit_error no_resolution",
    ),
    Story(
        "the same call three times",
        (*TASK, ("user", "test it"), ("fails", "make"), ("fails", "make"), ("fails", "make"), ("runs", "make all")),
        "exit_error exit_error exit_error tool_loop",
    ),
    Story(
        "a test run after each edit is no loop",
        (*TASK, *(("edits", "a.py"), ("runs", "pytest")) * 4),
        "",
    ),
    Story("a guard that refuses is no error", (*TASK, ("refused", "git push"), ("refused", "git push")), ""),
    Story(
        "an interruption, then a correction",
        (
            *TASK,
            ("user", "deploy it"),
            ("denied", "make deploy"),
            ("stop", None),
            ("user", "no, to staging"),
            ("runs", "x"),
        ),
        "request_interrupted user_negation",
    ),
    Story(
        "interruptions in a row",
        (*TASK, ("user", "clean up"), ("stop", None), ("user", "just look"), ("stop", None), ("user", "and read")),
        "request_interrupted request_interrupted interrupt_cascade",
        Quality.FRICTION,
    ),
    Story(
        "interruptions far apart",
        (*TASK, ("stop", None), ("wait", 2), ("user", "just look"), ("stop", None), ("user", "read it")),
        "request_interrupted request_interrupted",
    ),
    Story(
        "the same prompt again",
        (
            *TASK,
            ("user", "why does the build fail on CI?"),
            ("says", "Because."),
            ("user", "Why does the build fail on CI?"),
        ),
        "repeated_question",
    ),
    Story("a pause without an objection", (*TASK, ("wait", 30), ("user", "next")), ""),
    Story(
        "a pause after an objection",
        (*TASK, ("user", "no, the other file"), ("edits", "b.py"), ("wait", 30), ("user", "next")),
        "user_negation long_silence",
    ),
    Story("a compaction", (*TASK, ("compact", None), ("user", "go on")), "compaction"),
    Story(
        "it ends with an error at once",
        (("user", "deploy"), ("fails", "make deploy")),
        "exit_error rapid_exit",
    ),
    Story(
        "it is left in trouble",
        (
            *TASK,
            ("user", "test it"),
            ("fails", "pytest"),
            ("says", "All fixed."),
            ("user", "no, that's wrong, you broke it"),
            ("fails", "pytest -x"),
        ),
        "exit_error false_success user_negation exit_error no_resolution session_abandoned",
        Quality.BAD,
    ),
    Story(
        "trouble without an objection is not bad",
        (*TASK, ("user", "a"), ("fails", "b"), ("says", "Done."), ("user", "next step please"), ("fails", "c")),
        "exit_error false_success exit_error no_resolution",
        Quality.FRICTION,
    ),
    Story(
        "many errors",
        (*TASK, ("user", "try"), *(("fails", f"try {n}") for n in range(5)), ("runs", "try 6"), ("user", "good")),
        "exit_error exit_error exit_error exit_error exit_error",
        Quality.ROUGH,
    ),
)


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)
def test_a_conversation_gives_its_signals(story: Story) -> None:
    found = examine(*story.steps)
    assert [each.signal.value for each in found.signals] == story.signals.split()
    assert found.quality is story.quality


def test_an_incident_counts_once_however_many_signals_it_set_off() -> None:
    found = examine(*TASK, ("user", "x"), ("fails", "m"), ("fails", "m"), ("fails", "m"), ("says", "Done."))
    assert [each.signal.value for each in found.signals].count("exit_error") == 3
    assert found.incidents == 1
    assert found.score == 8  # of the false success, the heaviest


def test_different_failures_are_different_incidents() -> None:
    found = examine(*TASK, ("user", "x"), ("fails", "a"), ("fails", "b"), ("runs", "c"))
    assert found.incidents == 2 and found.score == 2


def test_turns_tools_and_errors_are_counted_exactly() -> None:
    found = examine(
        *TASK, ("user", "x"), ("fails", "a"), ("runs", "b"), ("refused", "c"), ("denied", "d"), ("user", "y")
    )
    counted = (found.turns, found.tools, found.errors, found.successes, found.refused)
    assert counted == (3, 5, 1, 2, 1)


def test_stashes_without_an_objection_are_counted_as_checkpoints() -> None:
    found = examine(*TASK, ("command", "stash"), ("user", "/stash before-lunch"))
    assert found.checkpoints == 2 and found.signals == ()


def test_only_a_reaction_leaves_evidence() -> None:
    quiet = examine(*TASK, ("user", "x"), ("fails", "a"), ("says", "Done."))
    assert quiet.evidence == ()
    found = examine(*TASK, ("user", "run the job"), ("fails", "make job"), ("user", "no, damn it, use make batch"))
    [evidence] = found.evidence
    assert evidence.event.signal == "user_curse"
    assert evidence.words == ("add a retry to the client", "run the job", "no, damn it, use make batch")
    assert evidence.tools == ("Edit:ok", "Bash:error")
    assert evidence.errors == ("error: it broke",)
    assert evidence.files == ("client.py",)


def test_what_is_quoted_holds_no_secret_and_nothing_private() -> None:
    token = "ghp_" + "a1B2c3D4e5" * 4
    found = examine(
        *TASK,
        ("fails", "x"),
        ("user", f"no, use {token} <private>the salary is 9000</private> as I said"),
        ("runs", "y"),
    )
    quoted = repr(found.signals) + repr(found.evidence)
    assert token not in quoted and "salary" not in quoted and "REDACTED" in quoted


def test_nothing_happened_in_an_empty_session() -> None:
    assert Examiner(own_words=own_words, follower=ActFollower()).finish(session="s", host="codex", project="p") is None
