"""The marks by which a hook finds calls that an adopted antigen may apply to."""

from __future__ import annotations

from pathlib import Path

from limpet.lean.marks import MARKS, may_concern
from limpet.learning.antigens import write_marks
from limpet.model.antigen import Antigen, antigen_id
from limpet.model.call_pattern import CallPattern, PatternKind
from limpet.model.change import Change, ChangeKind
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


def only(sandbox: Worked) -> Antigen:
    with sandbox.open() as runtime:
        [antigen] = runtime.reading().antigens(runtime.scope())
    return antigen


def test_the_marks_of_adopted_antigens_are_written_and_removed(sandbox: Worked) -> None:
    adopt(sandbox)
    home = str(sandbox.home)
    write_marks(home, [only(sandbox)])
    assert may_concern(home, "Bash {'command': 'pip install x'}") and not may_concern(home, "Bash {'command': 'ls'}")
    write_marks(home, [])
    assert not Path(home, MARKS).exists() and not may_concern(home, "pip")
