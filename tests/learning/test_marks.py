"""The marks by which a hook finds calls that may break a rule."""

from __future__ import annotations

from pathlib import Path

from limpet.lean.rule_marks import MARKS, may_concern
from limpet.learning.marks import write_marks
from limpet.model.antigen import antigen_id
from limpet.model.call_pattern import CallPattern, PatternKind
from limpet.model.change import Change, ChangeKind
from limpet.model.memory import Draft, Origin, Tier, Type
from limpet.model.outcome import Admitted
from tests.learning.test_worker import Worked, sandbox

__all__ = ["sandbox"]

PIP = CallPattern(kind=PatternKind.COMMAND, words=("pip",))


def adopt(sandbox: Worked, pattern: CallPattern = PIP) -> None:
    with sandbox.open() as runtime:
        scope = runtime.scope()
        about = {"agent": scope.agent, "project": scope.project, "pattern": pattern.encode()}
        payload = {**about, "decision": "adopted", "memory": "mem_x"}
        id = antigen_id(scope.agent, scope.project, pattern)
        runtime.write([Change(kind=ChangeKind.ANTIGEN, subject=id, payload=payload)])


def write(sandbox: Worked) -> str:
    with sandbox.open() as runtime:
        write_marks(runtime.context())
    return str(sandbox.home)


def test_the_marks_of_adopted_antigens_are_written(sandbox: Worked) -> None:
    home = write(sandbox)
    assert not Path(home, MARKS).exists() and not may_concern(home, "pip")
    adopt(sandbox)
    write(sandbox)
    assert may_concern(home, "Bash {'command': 'pip install x'}") and not may_concern(home, "Bash {'command': 'ls'}")


def test_the_marks_of_kept_rules_are_written_and_removed(sandbox: Worked) -> None:
    with sandbox.open() as runtime:
        door = runtime.admission(actor="test")
        outcome = door.admit(Draft(text="Use pnpm here.", type=Type.DECISION, origin=Origin.USER, tier=Tier.KEPT))
        door.admit(Draft(text="Never call curl here.", type=Type.DECISION, origin=Origin.AGENT, tier=Tier.NOTED))
        runtime.write(door.changes)
    assert isinstance(outcome, Admitted)
    home = write(sandbox)
    assert may_concern(home, "Bash {'command': 'npm install lodash'}") and not may_concern(home, "Bash curl x")
    with sandbox.open() as runtime:
        runtime.write([Change(kind=ChangeKind.FORGET, subject=outcome.memory.id)])
    write(sandbox)
    assert not Path(home, MARKS).exists()
