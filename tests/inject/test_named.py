"""A rule is told with the prompt that names what it is about, once a session."""

from __future__ import annotations

from typing import Any

import pytest

from limpet.model.memory import Draft, Origin, Tier, Type
from tests.inject.injecting import inject
from tests.operations.sandbox import Sandbox

OTHERS = (
    "Never force push to main",
    "Commit messages are written in German",
    "Tests must run without network",
    "For money we use decimal, never float",
)


def rules(sandbox: Sandbox, *texts: str) -> None:
    for text in (*texts, *OTHERS):
        sandbox.remember(text, type="decision")


def told(sandbox: Sandbox, prompt: str, *, session: str = "s1") -> str:
    return inject(sandbox, "prompt", text=prompt, session=session)


@pytest.mark.parametrize(
    ("rule", "prompt"),
    [
        ("Always use pnpm here, never npm", "npm install lodash please"),
        ("Always use pnpm here", "yarn add lodash please"),
        ("Logging goes through log.py, never print", "add a log call in checkout.py"),
        ("Don't touch legacy/, it is going to be deleted in March", "clean up legacy/cart.js so that it compiles"),
        ("Migrations are append only", "edit the migration from last week to add the column"),
    ],
)
def test_a_prompt_that_names_the_handle_gets_the_rule(sandbox: Sandbox, rule: str, prompt: str) -> None:
    rules(sandbox, rule)
    assert rule in told(sandbox, prompt)


@pytest.mark.parametrize(
    "prompt",
    ["fix the failing assertion in cart_spec", "make the sidebar collapsible", "never mind, use a set instead"],
)
def test_a_prompt_that_names_nothing_of_it_gets_none(sandbox: Sandbox, prompt: str) -> None:
    rules(sandbox, "Always use pnpm here, never npm")
    assert told(sandbox, prompt) == ""


@pytest.mark.parametrize(
    ("rule", "prompt"),
    [
        ("Every endpoint gets an entry in openapi.yaml in the same pull request", "how many endpoints are left there?"),
        (
            "There is no staging for the payroll, so ask before you run it",
            "theres a gap between the two cards, close it",
        ),
        ("Every test gets a docstring that says what it protects", "fix the tests please"),
    ],
    ids=["only asks", "no name", "too bare"],
)
def test_a_prompt_that_shares_only_a_word_with_a_rule_gets_none(sandbox: Sandbox, rule: str, prompt: str) -> None:
    rules(sandbox, rule)
    assert rule not in told(sandbox, prompt)


def test_a_rule_is_told_once_a_session(sandbox: Sandbox) -> None:
    rules(sandbox, "Always use pnpm here, never npm")
    assert "pnpm" in told(sandbox, "npm install lodash please")
    assert told(sandbox, "npm install left-pad too") == ""
    assert "pnpm" in told(sandbox, "npm install lodash please", session="s2")


def test_what_the_start_told_is_not_told_again(sandbox: Sandbox) -> None:
    rules(sandbox, "Always use pnpm here, never npm")
    inject(sandbox, session="s1")
    assert told(sandbox, "npm install lodash please") == ""


def test_at_most_two_rules_come_with_a_prompt(sandbox: Sandbox) -> None:
    rules(sandbox, *(f"Package number {word} comes from npm" for word in ("alpha", "beta", "gamma", "delta")))
    assert told(sandbox, "npm install lodash please").count("<memory id") == 2


def note(sandbox: Sandbox, text: str, **fields: Any) -> None:
    given = {"origin": Origin.USER, "type": Type.DECISION, "session": "s0", "importance": 0.6, "tier": Tier.NOTED}
    with sandbox.open() as runtime:
        door = runtime.admission(actor="capture:anima")
        door.admit(Draft(text=text, **{**given, **fields}))
        runtime.write(door.changes)


def test_a_note_that_nobody_has_decided_about_is_no_rule(sandbox: Sandbox) -> None:
    note(sandbox, "Always use pnpm here, never npm")
    assert "pnpm" not in told(sandbox, "npm install lodash please")
    note(sandbox, "Always use yarn here, never npm", tier=Tier.KEPT)
    assert "yarn" in told(sandbox, "npm install lodash please")


def test_a_word_that_many_memories_hold_names_none_of_them(sandbox: Sandbox) -> None:
    for number in range(14):
        sandbox.remember(f"Part {number} of the build is described in chapter {number * 3}", type="decision")
    assert told(sandbox, "what happens in the build when it rains") == ""


@pytest.mark.parametrize("origin", ["file", "tool"])
def test_others_cannot_make_the_word_of_a_rule_of_the_user_common(sandbox: Sandbox, origin: str) -> None:
    rules(sandbox, "Before touching frobnicator-9 always ask Dana for the ceremony")
    for number in range(40):
        sandbox.remember(f"Chapter {number * 7} tells how part {number} uses frobnicator-9", origin=origin)
    assert "always ask Dana" in told(sandbox, "please bump frobnicator-9 now")
