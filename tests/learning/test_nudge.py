"""Beside a prompt that states something, the model is asked in one line to store what lasts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from limpet.learning.nudge import LINE
from limpet.model.change import CAPTURE
from limpet.model.memory import Draft, Origin, Tier
from limpet.model.outcome import Admitted
from limpet.text.tokens import count_tokens
from tests.inject.injecting import inject
from tests.operations.sandbox import MODEL, Sandbox

RULE = "We always use pnpm in this repository, never npm."


@pytest.fixture(autouse=True)
def plugin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run as the hooks of the plugin do, which has a server."""
    monkeypatch.setenv("CLAUDE_PLUGIN_ROOT", "/plugin")


def ask(sandbox: Sandbox, text: str, *, session: str = "s1", **options: Any) -> str:
    return inject(sandbox, "prompt", text=text, session=session, **options)


def test_the_line_is_short(sandbox: Sandbox) -> None:
    assert count_tokens(LINE) <= 80


@pytest.mark.parametrize(
    "text",
    [RULE, "From now on every release is announced in the channel #ships.", "Nutze hier immer pnpm, niemals npm."],
)
def test_a_statement_gets_the_line(sandbox: Sandbox, text: str) -> None:
    assert ask(sandbox, text) == LINE


@pytest.mark.parametrize(
    "text",
    [
        "fix the failing test in checkout.py",
        "Should we always use pnpm?",
        "yes, go on",
        "Explain this paragraph to me:\n\nAlways use pnpm in this repository, never npm.",
        "Please remember: we always use pnpm in this repository, never npm.",
    ],
    ids=["a task", "a question", "a nod", "pasted", "kept on purpose anyway"],
)
def test_other_prompts_get_nothing(sandbox: Sandbox, text: str) -> None:
    assert ask(sandbox, text) == ""


def test_what_is_stored_already_gets_no_line(sandbox: Sandbox) -> None:
    sandbox.json("remember", as_=MODEL, session="s0", text=RULE)
    assert LINE not in ask(sandbox, RULE)


@pytest.mark.parametrize(("session", "minutes", "is_asked"), [("s1", 0, True), ("s1", 5, False), ("s0", 0, False)])
def test_the_note_of_the_same_prompt_does_not_count_as_stored(
    sandbox: Sandbox, session: str, minutes: int, is_asked: bool
) -> None:
    """A process that still learns from the turn before may also learn from the prompt, before it is answered."""
    with sandbox.open(session=session) as runtime:
        door = runtime.admission(actor=CAPTURE)
        outcome = door.admit(Draft(text=RULE, origin=Origin.USER))
        runtime.write(door.changes)
    assert isinstance(outcome, Admitted) and outcome.memory.tier is Tier.NOTED
    sandbox.ms += minutes * 60_000
    assert (LINE in ask(sandbox, RULE)) is is_asked


def test_a_session_gets_it_twelve_times_at_most(sandbox: Sandbox) -> None:
    said = [ask(sandbox, f"We always write part {number} with tool number {number * 7}.") for number in range(14)]
    assert [LINE in each for each in said] == [True] * 12 + [False] * 2
    assert LINE in ask(sandbox, RULE, session="s2")


def test_later_lines_of_a_session_are_for_clearer_statements(sandbox: Sandbox) -> None:
    vague = "the totals are rounded to cents at the end"
    assert LINE in ask(sandbox, vague, session="s2")
    for number in range(6):
        ask(sandbox, f"We always write part {number} with tool number {number * 7}.")
    assert LINE not in ask(sandbox, vague)
    assert LINE in ask(sandbox, RULE)


def test_it_is_counted_in_a_receipt(sandbox: Sandbox) -> None:
    ask(sandbox, RULE)
    with sandbox.open() as runtime:
        [receipt] = runtime.reading().receipts(session="s1")
    assert (receipt.way, receipt.ids, receipt.tokens) == ("nudge", (), count_tokens(LINE))


def test_a_setting_switches_it_off(sandbox: Sandbox) -> None:
    assert ask(sandbox, RULE, flags={"inject.nudge": False}) == ""


def test_without_a_server_there_is_nothing_to_call(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLAUDE_PLUGIN_ROOT")
    monkeypatch.setenv("HOME", str(sandbox.folder))
    assert ask(sandbox, RULE) == ""
    servers = {"mcpServers": {"limpet": {"command": "python"}}}
    (sandbox.folder / ".claude.json").write_text(json.dumps(servers))
    assert ask(sandbox, RULE, session="s2") == LINE
