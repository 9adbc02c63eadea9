"""Limpet inside the real Codex: its tool is called, and what was stored is given to the next session's model."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.clients.codex import Codex
from tests.clients.installed import needs
from tests.clients.model import Model
from tests.clients.reading import at_start, changed_blocks
from tests.clients.wire.turn import Call, Say

pytestmark = needs("codex")

STORE = "mcp__limpet/store_memory"
DECISION = "We release on Tuesdays because the harbour office is closed on Mondays"


@pytest.fixture
def wired(codex: Codex) -> Iterator[Codex]:
    done = codex.limpet("setup", "codex")
    assert done.code == 0, done
    codex.wait_for_server("limpet")
    yield codex
    assert codex.logged_errors() == []


def test_a_memory_stored_in_one_session_is_in_the_first_request_of_the_next(wired: Codex, model: Model) -> None:
    model.when("settle", Call(STORE, {"content": DECISION, "impact": "HIGH"}), Say("Noted."))
    wired.session("Let us settle when to release.")
    _, answered = model.requests("settle")
    assert "mem_" in answered.text
    wired.session("What is new?")
    assert DECISION in at_start(model.requests("What is new?")[0])


def test_a_session_in_another_folder_is_given_nothing_of_it(wired: Codex, model: Model) -> None:
    wired.remember(DECISION)
    wired.session("What is new?")
    wired.session("What is new?", cwd=wired.make_project("boat"))
    here, there = model.requests("What is new?")
    assert "harbour office" in here.text
    assert "harbour office" not in there.text


def test_nothing_that_is_told_changes_what_was_sent_before(wired: Codex, model: Model) -> None:
    wired.remember(DECISION)
    run = Call("exec_command", {"cmd": "true"})
    model.when("tide", run, run, Say("Low."))
    wired.session("How is the tide?")
    wired.session("When do we release?", resume=True)
    assert DECISION in at_start(model.asked[0])
    assert (len(model.asked), changed_blocks(model.asked)) == (4, [])


def test_the_line_for_the_person_does_not_reach_the_model(wired: Codex, model: Model) -> None:
    wired.remember(DECISION)
    wired.session("What is new?")
    (first,) = model.requests("What is new?")
    assert DECISION in at_start(first)
    assert "memory told" not in first.text
