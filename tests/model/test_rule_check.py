"""Whether a call follows or breaks a rule, or cannot tell."""

from __future__ import annotations

import pytest

from limpet.model.rule_check import derive_check

CALLS = [
    ("Use uv in this repository, never pip.", "run: uv add x", "followed"),
    ("Use uv in this repository, never pip.", "run: pip install x", "broken"),
    ("Use uv in this repository, never pip.", "run: make", "unknown"),
    ("Always use pnpm instead of npm here, because CI has no npm.", "run: cd web && npm ci", "broken"),
    ("Always use pnpm instead of npm here, because CI has no npm.", "run: pnpm i", "followed"),
    ("Never use npm in this repository.", "run: npm ci", "broken"),
    ("Run the tests with pytest.", "run: uv run pytest -q", "followed"),
    ("Run the tests with pytest.", "run: tox", "broken"),
    ("Never run `git push --force` on main.", "run: git push --force origin main", "broken"),
    ("Never run `git push --force` on main.", "run: git push origin main", "followed"),
    ("Never edit src/generated, it is overwritten.", "edit: src/generated/api.ts", "broken"),
    ("Never edit src/generated, it is overwritten.", "edit: src/app.ts", "unknown"),
    ("Don't touch config/prod.yml.", "edit: config/prod.yml", "broken"),
    ("Never use WebSearch in this project.", "tool: WebSearch", "broken"),
    ("No Co-Authored-By line in commits.", "run: git commit -m 'x\nCo-Authored-By: y'", "broken"),
    ("No Co-Authored-By line in commits.", "run: git commit -m 'x'", "followed"),
    ("No force-pushes here: never git push -f.", "run: git push -f", "broken"),
    ("Always use just the pnpm of the repository.", "run: npm ci", "broken"),
]


@pytest.mark.parametrize(("rule", "call", "expected"), CALLS)
def test_a_call_shows_whether_a_rule_was_kept(rule: str, call: str, expected: str) -> None:
    kind, _, value = call.partition(": ")
    check = derive_check(rule)
    assert check is not None
    tool = {"run": "Bash", "edit": "Edit"}.get(kind, value)
    command, files = (value, ()) if kind == "run" else ("", (value,) if kind == "edit" else ())
    assert check.judge(tool=tool, command=command, files=files) == expected
    if expected == "broken":
        assert any(mark in f"{tool} {value}".lower() for mark in check.marks)


@pytest.mark.parametrize("rule", ["The API speaks JSON.", "Keep functions short.", "Prefer clear names."])
def test_a_rule_that_no_call_shows_cannot_be_checked(rule: str) -> None:
    assert derive_check(rule) is None


@pytest.mark.parametrize("rule", ["Never commit secrets.", "No comments in German, please.", "Never push on Fridays."])
def test_a_rule_that_names_no_program_marks_no_call(rule: str) -> None:
    check = derive_check(rule)
    assert check is None or not check.marks
