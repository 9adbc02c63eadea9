"""Limpet inside the real Gemini CLI: its tool is called, and what was stored is given to the next session's model."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from limpet.hosts.gemini.transcript import find_compactions
from tests.clients.gemini_cli import GeminiCli
from tests.clients.installed import needs
from tests.clients.model import Model
from tests.clients.reading import at_start, changed_blocks
from tests.clients.wire.turn import Call, Say

pytestmark = needs("gemini-cli")

STORE = "mcp_limpet_store_memory"
DECISION = "We release on Tuesdays because the harbour office is closed on Mondays"


@pytest.fixture
def wired(gemini: GeminiCli) -> Iterator[GeminiCli]:
    done = gemini.limpet("setup", "gemini")
    assert done.code == 0, done
    yield gemini
    assert gemini.logged_errors() == []


def test_a_memory_stored_in_one_session_is_in_the_first_request_of_the_next(wired: GeminiCli, model: Model) -> None:
    model.when("settle", Call(STORE, {"content": DECISION, "impact": "HIGH"}), Say("Noted."))
    wired.session("Let us settle when to release.")
    _, answered = model.requests("settle")
    assert "mem_" in answered.text
    wired.session("What is new?")
    assert DECISION in at_start(model.requests("What is new?")[0])


def test_a_session_in_another_folder_is_given_nothing_of_it(wired: GeminiCli, model: Model) -> None:
    wired.remember(DECISION)
    wired.session("What is new?")
    wired.session("What is new?", cwd=wired.make_project("boat"))
    here, there = model.requests("What is new?")
    assert "harbour office" in here.text
    assert "harbour office" not in there.text


def test_nothing_that_is_told_changes_what_was_sent_before(wired: GeminiCli, model: Model) -> None:
    wired.remember(DECISION)
    run = Call("run_shell_command", {"command": "true"})
    model.when("tide", run, run, Say("Low."))
    wired.session("How is the tide?")
    assert DECISION in at_start(model.asked[0])
    assert (len(model.asked), changed_blocks(model.asked)) == (3, [])


def test_only_what_was_really_compressed_counts(wired: GeminiCli, model: Model) -> None:
    wired.write_settings({"model": {"compressionThreshold": 0.01}})
    summary = Say(
        "<scratchpad>x</scratchpad>\n<state_snapshot>\n<overall_goal>The tide</overall_goal>\n</state_snapshot>"
    )
    model.when("<state_snapshot>", summary)
    model.when("tide", Call("run_shell_command", {"command": "true"}), Say("Low."))
    wired.session("How is the tide? " + "The water goes out and comes back. " * 3000)
    [chat] = wired.config.rglob("chats/session-*.jsonl")
    assert find_compactions(str(chat)) == [], "PreCompress has fired, and nothing was compressed"
    wired.session("And the ebb?", resume=True)
    assert "Critically evaluate" in model.asked[-2].turn.prompt
    assert len(find_compactions(str(chat))) == 1
    report = json.loads(wired.limpet("friction", "--json").out)
    assert report["summary"]["signals"] == {"compaction": 1}


def test_the_line_for_the_person_does_not_reach_the_model(wired: GeminiCli, model: Model) -> None:
    wired.remember(DECISION)
    wired.session("What is new?")
    (first,) = model.requests("What is new?")
    assert DECISION in at_start(first)
    assert "memory told" not in first.text
