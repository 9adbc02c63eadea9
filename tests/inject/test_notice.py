"""At a start the person is shown in one line what was told and what waits."""

from __future__ import annotations

import json
from typing import Any

import pytest

from limpet.hooks.answer import answer_with
from limpet.inject.notice import describe_start
from limpet.model.memory import Draft, Origin, Type
from tests.operations.sandbox import MODEL, Sandbox

RULE = "Always use pnpm here, never npm."


def note(sandbox: Sandbox, text: str, **fields: object) -> None:
    with sandbox.open() as runtime:
        door = runtime.admission(actor="capture:anima")
        door.admit(Draft(text=text, session="s0", importance=0.6, **fields))  # type: ignore[arg-type]
        runtime.write(door.changes)


def start(sandbox: Sandbox, *, source: str = "startup", **options: Any) -> dict[str, object]:
    payload = {"hook_event_name": "SessionStart", "session_id": "s1", "cwd": str(sandbox.project), "source": source}
    with sandbox.open(MODEL, session="s1", **options) as runtime:
        said = answer_with(runtime, payload, "SessionStart", "claude-code")
    found: dict[str, object] = json.loads(said) if said else {}
    return found


@pytest.mark.parametrize(
    ("counts", "line"),
    [
        ((6, 3, 4), "Limpet: 6 memories told, 3 on trial · 4 notes wait: limpet inbox"),
        ((1, 0, 1), "Limpet: 1 memory told · 1 note waits: limpet inbox"),
        ((0, 2, 2), "Limpet: 2 on trial · 2 notes wait: limpet inbox"),
        ((0, 0, 1), "Limpet: 1 note waits: limpet inbox"),
        ((2, 0, 0), "Limpet: 2 memories told"),
        ((0, 0, 0), ""),
    ],
)
def test_a_line_names_what_there_is(counts: tuple[int, int, int], line: str) -> None:
    assert describe_start(*counts) == line


def test_a_start_counts_what_was_told_and_what_waits(sandbox: Sandbox) -> None:
    sandbox.remember("The API speaks JSON")
    note(sandbox, RULE, origin=Origin.USER, type=Type.DECISION)
    note(sandbox, "The exporter needs a lock", origin=Origin.TOOL)
    told = start(sandbox)
    assert told["systemMessage"] == "Limpet: 1 memory told, 1 on trial · 2 notes wait: limpet inbox"


def test_the_line_is_for_the_person_and_not_for_the_model(sandbox: Sandbox) -> None:
    sandbox.remember("The API speaks JSON")
    told = start(sandbox)
    assert "memory told" in str(told["systemMessage"])
    assert "memory told" not in str(told["hookSpecificOutput"])


def test_notes_that_wait_are_shown_though_the_model_is_told_nothing(sandbox: Sandbox) -> None:
    note(sandbox, "The exporter needs a lock", origin=Origin.TOOL)
    assert start(sandbox) == {"systemMessage": "Limpet: 1 note waits: limpet inbox"}


def test_nothing_is_said_where_there_is_nothing(sandbox: Sandbox) -> None:
    assert start(sandbox) == {}


def test_a_session_that_goes_on_is_not_counted_again(sandbox: Sandbox) -> None:
    sandbox.remember("The API speaks JSON")
    assert "systemMessage" not in start(sandbox, source="compact")


def test_a_setting_switches_it_off(sandbox: Sandbox) -> None:
    sandbox.remember("The API speaks JSON")
    assert "systemMessage" not in start(sandbox, flags={"inject.seen": False})


@pytest.mark.parametrize("verb", ["forget", "correct", "remember"])
def test_a_rule_that_an_agent_takes_back_is_said_once_to_the_person(sandbox: Sandbox, verb: str) -> None:
    rule = sandbox.remember(RULE)
    other = sandbox.remember("The API speaks JSON", as_=MODEL)
    given: dict[str, dict[str, Any]] = {
        "forget": {"ids": [rule.id, other.id]},
        "correct": {"id": rule.id, "text": "Use npm here now."},
        "remember": {"text": "Use npm here now.", "replaces": [rule.id, other.id]},
    }
    sandbox.ms += 60_000
    sandbox.ask(verb, as_=MODEL, session="s0", **given[verb])
    line = f"an agent took back 1 memory of yours: limpet show {rule.id}"
    assert line in str(start(sandbox)["systemMessage"])
    sandbox.ms += 60_000
    sandbox.remember("The exporter needs a lock", as_=MODEL, session="later")
    assert line not in str(start(sandbox))


def test_a_rule_that_an_agent_makes_private_is_said_too(sandbox: Sandbox) -> None:
    rule = sandbox.remember(RULE)
    sandbox.ms += 60_000
    sandbox.ask("remember", text=RULE, tags=["more"], as_=MODEL, session="s0")
    assert "took back" not in str(start(sandbox))
    sandbox.ask("remember", text=RULE, sensitivity="private", as_=MODEL, session="s0")
    assert f"limpet show {rule.id}" in str(start(sandbox)["systemMessage"])


def test_what_the_person_forgets_or_gets_back_is_not_said(sandbox: Sandbox) -> None:
    rule = sandbox.remember(RULE)
    mine = sandbox.remember("Never deploy on Fridays")
    sandbox.ms += 60_000
    sandbox.ask("forget", as_=MODEL, session="s0", ids=[rule.id])
    sandbox.ask("restore", id=rule.id)
    sandbox.ask("forget", ids=[mine.id])
    assert "took back" not in str(start(sandbox))
