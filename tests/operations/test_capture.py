"""What capture would do with a text can be asked, and nothing is stored."""

from __future__ import annotations

import pytest

from tests.operations.sandbox import Sandbox

RULE = "From now on use uv here, never pip."


def test_what_would_be_noted_is_said_with_its_tier_and_its_reasons(sandbox: Sandbox) -> None:
    (found,) = sandbox.json("capture", text=RULE)["found"]
    assert (found["tier"], found["why"], found["text"]) == ("noted", "a standing rule", RULE)
    assert found["score"] >= found["gate"] == 0.30
    assert set(found["parts"]) == {"substance", "salience", "distinctiveness", "type", "bias"}
    assert found["reasons"]["mostly rules"] > 0
    assert sandbox.json("stats")["status"] == {}


@pytest.mark.parametrize(
    ("said_by", "text", "why"),
    [
        ("user", "add a dark mode toggle to the settings page", "a wish, below the gate"),
        ("agent", "I think the cache might be the problem.", "it states nothing"),
        ("agent", "The test failed because the clock was wrong.", "it says too little on its own"),
        ("command", "14 passed in 0.38s", "routine"),
    ],
)
def test_what_would_be_dropped_has_no_tier_and_says_why(sandbox: Sandbox, said_by: str, text: str, why: str) -> None:
    answer = sandbox.json("capture", text=text, said_by=said_by, command="pytest" if said_by == "command" else "")
    assert [(each["tier"], each["why"]) for each in answer["found"]] == [(None, why)]


@pytest.mark.parametrize("command", ["pytest", ""])
def test_a_failure_waits_for_its_fix_and_a_pass_does_not(sandbox: Sandbox, command: str) -> None:
    given = {"text": "E   KeyError: 'exp'", "said_by": "command", "command": command}
    (failed,) = sandbox.json("capture", failed=True, **given)["found"]
    assert (failed["tier"], failed["why"]) == (None, "a failure alone, noted with its fix if one follows")
    (listed,) = sandbox.json("capture", text="x", said_by="command", command="ls", failed=True)["found"]
    assert listed["why"] == "routine"


def test_a_duplicate_is_said_to_be_known(sandbox: Sandbox) -> None:
    sandbox.remember(RULE)
    (found,) = sandbox.json("capture", text=RULE)["found"]
    assert (found["tier"], found["why"]) == (None, "a standing rule, already known")


def test_the_message_before_decides_what_an_answer_is(sandbox: Sandbox) -> None:
    text = "the carriage gives us 9 ms per row so 1 MHz is enough for `spi0`"
    assert sandbox.json("capture", text=text)["found"][0]["type"] == "discovery"
    after = "How fast should the bus be?"
    assert sandbox.json("capture", text=text, after=after)["found"][0]["type"] == "decision"
    short = sandbox.json("capture", text="tabs, as everywhere", after="Shall I use tabs or spaces?")["found"]
    assert [(each["tier"], each["why"]) for each in short] == [(None, "an answer, below the gate")]
    chosen = sandbox.json("capture", text="2", after="Which one?\n1. Redis\n2. SQLite in a file")["found"]
    assert [each["text"] for each in chosen] == ["Chosen: SQLite in a file"]
