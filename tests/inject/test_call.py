"""What an adopted antigen tells at a call."""

from __future__ import annotations

from typing import Any

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
    event = ToolProposed(session=session, at=sandbox.now, tool="Bash", command=command)
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
