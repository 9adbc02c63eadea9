"""What is told with a call that breaks a rule."""

from __future__ import annotations

from typing import Any

import pytest

from limpet.learning.stages import TABLE, Bus, answering_handlers
from limpet.model.antigen import antigen_id
from limpet.model.call_pattern import CallPattern, PatternKind
from limpet.model.change import Change, ChangeKind
from limpet.model.event import ContextReady, ToolProposed
from tests.operations.sandbox import MODEL, Sandbox

RULE = "Use uv in this repository, never pip."
PIP = CallPattern(kind=PatternKind.COMMAND, words=("pip",))


def adopt(sandbox: Sandbox) -> str:
    memory: str = sandbox.ask("remember", text=RULE).memory.id
    with sandbox.open() as runtime:
        scope = runtime.scope()
        id = antigen_id(scope.agent, scope.project, PIP)
        about = {"agent": scope.agent, "project": scope.project, "pattern": PIP.encode()}
        payload = {**about, "decision": "adopted", "memory": memory}
        runtime.write([Change(kind=ChangeKind.ANTIGEN, subject=id, payload=payload)])
    return memory


def propose(sandbox: Sandbox, command: str = "pip install requests", *, session: str = "s1", **options: Any) -> str:
    sandbox.ms += 1000
    tool, files = ("Edit", (command.removeprefix("edit: "),)) if command.startswith("edit: ") else ("Bash", ())
    said = "" if files else command
    event = ToolProposed(session=session, at=sandbox.now, tool=tool, command=said, files=files)
    with sandbox.open(MODEL, session=session, **options) as runtime:
        caused = Bus(TABLE, answering_handlers(runtime.context()), log=runtime.log).publish(event)
    return next((each.text for each in caused if isinstance(each, ContextReady)), "")


def test_the_rule_is_told_once_a_session_at_a_matching_call(sandbox: Sandbox) -> None:
    adopt(sandbox)
    text = propose(sandbox)
    assert RULE in text and text.startswith("<memory-context>") and text.endswith("</memory-context>")
    assert propose(sandbox) == ""
    assert RULE in propose(sandbox, session="s2")


def test_other_calls_and_other_projects_are_told_nothing(sandbox: Sandbox) -> None:
    adopt(sandbox)
    assert propose(sandbox, "uv add requests") == ""
    other = sandbox.folder / "other"
    other.mkdir()
    assert propose(sandbox, cwd=other) == ""


def test_a_forgotten_rule_is_not_told(sandbox: Sandbox) -> None:
    sandbox.ask("forget", ids=[adopt(sandbox)])
    assert propose(sandbox) == ""


def test_what_was_told_has_a_receipt(sandbox: Sandbox) -> None:
    memory = adopt(sandbox)
    propose(sandbox)
    [receipt] = [each for each in sandbox.ask("why").receipts if each.way == "antigen"]
    assert receipt.ids == (memory,) and receipt.tokens > 0


@pytest.mark.parametrize(
    ("rule", "call", "breaks"),
    [
        ("Always use pnpm in this project", "npm install lodash", True),
        ("Always use pnpm in this project", "pnpm add lodash", False),
        ("We never npm install here", "cd web && npm install lodash", True),
        ("We never npm install here", "npm run build", False),
        ("Never edit src/generated, it comes from the compiler", "edit: src/generated/api.ts", True),
    ],
)
def test_a_kept_rule_is_told_once_a_session_with_the_call_that_breaks_it(
    sandbox: Sandbox, rule: str, call: str, breaks: bool
) -> None:
    sandbox.remember(rule, type="decision")
    assert (rule in propose(sandbox, call)) == breaks
    assert propose(sandbox, call) == ""
    assert (rule in propose(sandbox, call, session="s2")) == breaks


def test_a_note_or_a_fact_is_no_rule_that_a_call_breaks(sandbox: Sandbox) -> None:
    sandbox.remember("The old build did not use npm but pnpm", kind="LEARNINGS", type="discovery")
    assert propose(sandbox, "npm install lodash") == ""
