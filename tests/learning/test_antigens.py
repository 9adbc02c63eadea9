"""The record of adopted antigens: which turns break them, and whether the user accepts it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from limpet.lean.marks import MARKS, may_concern
from limpet.learning.antigens import write_marks
from limpet.model.antigen import Antigen, antigen_id
from limpet.model.call_pattern import CallPattern, PatternKind
from limpet.model.change import Change, ChangeKind
from tests.learning.test_worker import Worked, sandbox

__all__ = ["sandbox"]

PIP = CallPattern(kind=PatternKind.COMMAND, words=("pip",))
SEARCH = CallPattern(kind=PatternKind.TOOL, words=("WebSearch",))
GENERATED = CallPattern(kind=PatternKind.FILE, words=("generated/",))


def adopt(sandbox: Worked, pattern: CallPattern = PIP) -> None:
    with sandbox.open() as runtime:
        scope = runtime.scope()
        about = {"agent": scope.agent, "project": scope.project, "pattern": pattern.encode()}
        payload = {**about, "decision": "adopted", "memory": "mem_x"}
        id = antigen_id(scope.agent, scope.project, pattern)
        runtime.write([Change(kind=ChangeKind.ANTIGEN, subject=id, payload=payload)])


def only(sandbox: Worked) -> Antigen:
    with sandbox.open() as runtime:
        [antigen] = runtime.reading().antigens(runtime.scope())
    return antigen


def hits(sandbox: Worked) -> list[tuple[str, bool]]:
    return [(each.session, each.is_objected) for each in only(sandbox).hits]


def turn(sandbox: Worked, session: str, call: dict[str, Any], *said: str) -> None:
    sandbox.report(session, "UserPromptSubmit", prompt="Add the package requests to the client.")
    sandbox.report(session, "PostToolUse", tool_response={"stdout": "ok"}, **call)
    for text in said:
        sandbox.report(session, "UserPromptSubmit", prompt=text)
    sandbox.learn()


INSTALL = {"tool_name": "Bash", "tool_input": {"command": "cd x && pip install requests"}}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (("Now write the test for it.",), [("s1", False)]),
        (("Now write the test for it.", "And the docs."), [("s1", False)]),
        (("no, don't use pip here",), [("s1", True)]),
        (("I still don't see the package anywhere, nothing has changed",), []),
        ((), []),
    ],
)
def test_what_the_user_says_after_a_matching_call_is_recorded(
    sandbox: Worked, said: tuple[str, ...], expected: list[tuple[str, bool]]
) -> None:
    adopt(sandbox)
    turn(sandbox, "s1", INSTALL, *said)
    assert hits(sandbox) == expected


def test_a_call_that_does_not_match_is_not_recorded(sandbox: Worked) -> None:
    adopt(sandbox)
    turn(sandbox, "s1", {"tool_name": "Bash", "tool_input": {"command": "uv add requests"}}, "Now the test.")
    assert hits(sandbox) == []


@pytest.mark.parametrize(
    ("pattern", "call"),
    [
        (SEARCH, {"tool_name": "WebSearch", "tool_input": {"query": "x"}}),
        (GENERATED, {"tool_name": "Edit", "tool_input": {"file_path": "generated/a.ts", "new_string": "x"}}),
    ],
)
def test_tools_and_edits_are_recorded_too(sandbox: Worked, pattern: CallPattern, call: dict[str, Any]) -> None:
    adopt(sandbox, pattern)
    turn(sandbox, "s1", call, "Now write the test for it.")
    assert hits(sandbox) == [("s1", False)]


def test_what_was_not_adopted_has_no_record(sandbox: Worked) -> None:
    turn(sandbox, "s1", INSTALL, "Now write the test for it.")
    with sandbox.open() as runtime:
        assert runtime.reading().antigens(None) == ()


def test_the_marks_of_adopted_antigens_are_written_and_removed(sandbox: Worked) -> None:
    adopt(sandbox)
    home = str(sandbox.home)
    write_marks(home, [only(sandbox)])
    assert may_concern(home, "Bash {'command': 'pip install x'}") and not may_concern(home, "Bash {'command': 'ls'}")
    write_marks(home, [])
    assert not Path(home, MARKS).exists() and not may_concern(home, "pip")
