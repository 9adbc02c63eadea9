"""Whether a rule was followed, broken, or cannot be told."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from limpet.insight.friction.adherence import derive_check
from limpet.insight.friction.calls import Call

AT = datetime(2026, 11, 2, tzinfo=UTC)


def make_call(what: str) -> Call:
    kind, _, value = what.partition(": ")
    tool = {"run": "Bash", "edit": "Edit"}.get(kind, value)
    return Call(
        conversation="s",
        path="s.jsonl",
        line=1,
        at=AT,
        tool=tool,
        command=value if kind == "run" else "",
        files=(value,) if kind == "edit" else (),
    )


@pytest.mark.parametrize(
    ("rule", "call", "expected"),
    [
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
    ],
)
def test_a_call_shows_whether_a_rule_was_kept(rule: str, call: str, expected: str) -> None:
    check = derive_check(rule)
    assert check is not None
    assert check.judge(make_call(call)) == expected


@pytest.mark.parametrize("rule", ["The API speaks JSON.", "Keep functions short.", "Prefer clear names."])
def test_a_rule_that_no_call_shows_cannot_be_checked(rule: str) -> None:
    assert derive_check(rule) is None
