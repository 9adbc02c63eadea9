"""What was captured for every project goes back into its own, once, and a person can undo that."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet.doors import limits
from limpet.errors import Refused
from limpet.model.change import CAPTURE, Change, ChangeKind
from limpet.model.memory import Draft, Impact, Kind, Memory, Origin, Region
from limpet.model.signature import Verdict
from tests.operations.sandbox import MODEL
from tests.upkeep.sandbox import UpkeepSandbox

MERGER = "User wants the merger of the client kept quiet everywhere"


def capture(sandbox: UpkeepSandbox, text: str = MERGER, *, cwd: Path | None = None, **fields: object) -> Memory:
    """Capture a text as versions did that chose its region by its words."""
    fields = {"origin": Origin.USER, "session": "s9", **fields}
    with pytest.MonkeyPatch.context() as patch, sandbox.open(cwd=cwd, session="s9") as runtime:
        patch.setattr("limpet.doors.admit.limit_region", lambda *given, **more: Region.AGENT)
        patch.setattr("limpet.doors.admit.names_project", lambda *given, **more: False)
        patch.setattr("limpet.doors.admit.limit_by_origin", lambda memory: memory)
        door = runtime.admission(actor=f"{CAPTURE}:anima")
        outcome = door.admit(Draft(text=text, **fields))  # type: ignore[arg-type]
        payload = {"agent": runtime.agent_id, "project": runtime.where().project}
        session = Change(kind=ChangeKind.SESSION, subject="session:s9", actor=CAPTURE, payload=payload)
        runtime.write([*door.changes, session])
    memory: Memory = outcome.memory  # type: ignore[union-attr]
    assert memory.region is Region.AGENT
    return memory


@pytest.fixture
def other(sandbox: UpkeepSandbox) -> Path:
    folder = sandbox.folder / "other"
    folder.mkdir()
    return folder


def test_a_captured_memory_goes_back_into_the_project_of_its_session(sandbox: UpkeepSandbox, other: Path) -> None:
    capture(sandbox)
    assert sandbox.texts(cwd=other) == [MERGER]
    assert sandbox.upkeep().done == {"relocation": 1}
    assert sandbox.texts(cwd=other) == []
    assert sandbox.texts() == [MERGER]
    assert sandbox.upkeep().done == {}
    assert "1 captured memory, which every project saw, was put back" in str(sandbox.ask("doctor").notes)
    assert sandbox.tables() == sandbox.rebuilt_tables()


def test_a_session_that_changed_projects_has_left_it_where_it_was_then(sandbox: UpkeepSandbox, other: Path) -> None:
    capture(sandbox)
    capture(sandbox, "The other client wants a quiet merger everywhere", cwd=other)
    assert sandbox.upkeep().done == {"relocation": 2}
    assert sandbox.texts() == [MERGER]
    assert sandbox.texts(cwd=other) == ["The other client wants a quiet merger everywhere"]


def test_it_has_the_limits_of_its_origin_there(sandbox: UpkeepSandbox) -> None:
    planted = capture(sandbox, origin=Origin.TOOL, kind=Kind.ARCHITECTURAL, impact=Impact.HIGH)
    assert planted.impact is Impact.HIGH
    sandbox.upkeep()
    found = sandbox.get(planted).memory
    assert found == limits.limit_by_origin(found)
    assert (found.kind, found.impact) == (Kind.LEARNINGS, Impact.MEDIUM)


def test_what_somebody_stored_on_purpose_stays(sandbox: UpkeepSandbox) -> None:
    chosen = sandbox.remember("In all my repos, use uv", session="s9")
    (asked,) = sandbox.admit(
        Draft(text="In all my repos, squash", origin=Origin.USER, session="s9", on_purpose=True),
        actor=f"{CAPTURE}:anima",
    )
    capture(sandbox)
    sandbox.upkeep()
    assert {sandbox.get(each).memory.region for each in (chosen, asked)} == {Region.AGENT}


def test_a_person_can_undo_it_for_good_and_a_model_cannot(sandbox: UpkeepSandbox, other: Path) -> None:
    memory = capture(sandbox)
    sandbox.upkeep()
    with pytest.raises(Refused, match="only a person"):
        sandbox.ask("restore", id=memory.id, as_=MODEL)
    assert sandbox.ask("restore", id=memory.id).how == "every project sees it again"
    assert sandbox.texts(cwd=other) == [MERGER]
    assert sandbox.upkeep().done == {}
    assert sandbox.ask("restore", id=memory.id).how == "there was nothing to restore"


def test_a_forgotten_one_moves_too_and_stays_forgotten(sandbox: UpkeepSandbox, other: Path) -> None:
    memory = capture(sandbox)
    sandbox.ask("forget", ids=[memory.id])
    sandbox.remember("Something else in all my repos")
    sandbox.upkeep()
    assert sandbox.texts(cwd=other, forgotten=True) == []
    assert sandbox.texts(forgotten=True) == [MERGER]


def test_its_signature_stays_good(sandbox: UpkeepSandbox) -> None:
    sandbox.ask("sign", new_key=True)
    memory = capture(sandbox)
    sandbox.upkeep()
    assert sandbox.get(memory).verdict is Verdict.GOOD
    sandbox.ask("restore", id=memory.id)
    assert sandbox.get(memory).verdict is Verdict.GOOD


def test_one_text_of_two_projects_becomes_two_memories(sandbox: UpkeepSandbox, other: Path) -> None:
    """The second was hidden behind the first while both were seen everywhere."""
    first = capture(sandbox)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("limpet.doors.admit.Admission._find_known", lambda *given, **named: None)
        capture(sandbox, cwd=other)
    sandbox.upkeep("relocation")
    assert sandbox.texts() == sandbox.texts(cwd=other) == [MERGER]
    assert sandbox.get(first).memory.project != sandbox.get(first).memory.region
    assert sandbox.tables() == sandbox.rebuilt_tables()
