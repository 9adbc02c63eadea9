"""Permission rules: one is added and taken out, and every other byte stays."""

from __future__ import annotations

import json

import pytest

from limpet.errors import NotWirable, Refused
from limpet.hosts.claude_code.deny_rules import add_rule, make_rule, remove_rule
from limpet.model.call_pattern import CallPattern, PatternKind

RULE = "Bash(pip:*)"


@pytest.mark.parametrize(
    ("kind", "words", "expected"),
    [
        ("command", ("git", "push", "--force"), "Bash(git push --force:*)"),
        ("file", ("generated/",), "Edit(**/generated/**)"),
        ("file", ("src/app.py",), "Edit(/src/app.py)"),
        ("tool", ("WebSearch",), "WebSearch"),
        ("tool", ("mcp__browser",), "mcp__browser"),
    ],
)
def test_a_pattern_becomes_a_rule(kind: str, words: tuple[str, ...], expected: str) -> None:
    assert make_rule(CallPattern(kind=PatternKind(kind), words=words)) == expected


@pytest.mark.parametrize(
    "pattern",
    [
        CallPattern(kind=PatternKind.COMMAND, words=("git", "commit"), text="co-authored-by"),
        CallPattern(kind=PatternKind.COMMAND, words=("x)", "Bash(y")),
        CallPattern(kind=PatternKind.FILE, words=("a\nb",)),
    ],
)
def test_what_no_rule_can_say_is_refused(pattern: CallPattern) -> None:
    with pytest.raises(Refused):
        make_rule(pattern)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        '{\n  // mine\n  "permissions": {\n    "deny": [\n      "WebFetch"\n    ]\n  },\n  "model": "x"\n}\n',
        '{"permissions": {"allow": ["Bash(ls)"]}}',
    ],
)
def test_a_rule_is_added_once_and_taken_out_again(text: str) -> None:
    made = add_rule(text, RULE)
    assert made.count(RULE) == 1 and add_rule(made, RULE) == made
    assert remove_rule(made, RULE).split() == (text or "{}").split()
    assert remove_rule(text, RULE) == text


@pytest.mark.parametrize("text", ["[", '{"permissions": 3}', '{"permissions": {"deny": "x"}}'])
def test_a_file_of_another_form_is_left_alone(text: str) -> None:
    with pytest.raises(NotWirable):
        add_rule(text, RULE)


def test_what_is_written_is_json() -> None:
    assert json.loads(add_rule("", RULE)) == {"permissions": {"deny": [RULE]}}
