"""Doctor and config: what is wrong is found and mended, and every setting says where it comes from."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from limpet.errors import SettingsError, UsageError
from limpet.lean.record import replace
from limpet.model.change import Status
from limpet.model.outcome import Admitted
from limpet.operations import doctor
from limpet.operations.remember import draft_from
from tests.operations.desk import Desk

TEXT = "Migrations run with alembic"


def modes(home: Path) -> set[int]:
    return {stat.S_IMODE(path.stat().st_mode) & 0o077 for path in (home, *home.rglob("*"))}


def test_a_healthy_store_is_well(desk: Desk) -> None:
    desk.remember(TEXT)
    found = desk.json("doctor")
    assert (found["ok"], found["problems"], found["mended"], found["notes"]) == (True, [], [], [])
    assert found["home"] == str(desk.home)
    assert found["agent"] == "Anima (anima)"
    assert found["project"].startswith("shop (prj_")


def test_a_store_that_does_not_exist_yet_is_well(desk: Desk) -> None:
    assert desk.json("doctor")["ok"]


def test_files_that_others_may_read_are_found_and_tightened(desk: Desk) -> None:
    desk.remember(TEXT)
    journal = next((desk.home / "journal").rglob("*.jsonl"))
    (desk.home / "notes.txt").write_text("mine")
    for path in (desk.home / "notes.txt", journal.parent):
        path.chmod(0o755)
    found = desk.ask("doctor")
    assert {problem.where for problem in found.problems} >= {str(desk.home / "notes.txt")}
    assert all(problem.fixable for problem in found.problems)
    fixed = desk.ask("doctor", fix=True)
    assert fixed.problems == []
    assert any("only you may read" in text for text in fixed.mended)
    assert modes(desk.home) == {0}


def test_a_link_in_the_home_is_left_alone(desk: Desk) -> None:
    desk.remember(TEXT)
    outside = desk.folder / "outside"
    outside.write_text("theirs")
    outside.chmod(0o644)
    (desk.home / "link").symlink_to(outside)
    desk.ask("doctor", fix=True)
    assert stat.S_IMODE(outside.stat().st_mode) == 0o644


def stored_twice(desk: Desk) -> tuple[str, str]:
    """Two processes admit the same text at once: neither sees the other's."""
    with desk.open() as one, desk.open() as two:
        first = one.admission()
        desk.ms += 5
        second = two.admission()
        outcomes = first.admit(draft_from(one, text=TEXT)), second.admit(draft_from(two, text=TEXT))
        one.write(first.changes)
        two.write(second.changes)
    assert isinstance(outcomes[0], Admitted) and isinstance(outcomes[1], Admitted)
    return outcomes[0].memory.id, outcomes[1].memory.id


def test_twins_are_shown_once_found_and_superseded(desk: Desk) -> None:
    _, later = stored_twice(desk)
    assert desk.texts() == [TEXT]
    problems = desk.ask("doctor").problems
    assert [(problem.what, problem.fixable) for problem in problems] == [
        ("an earlier memory says exactly the same", True)
    ]
    fixed = desk.ask("doctor", fix=True)
    assert fixed.problems == []
    assert problems[0].subject == later
    assert any(later in text and "stored twice" in text for text in fixed.mended)
    assert desk.ask("show", id=later).stored.status is Status.SUPERSEDED
    assert desk.texts() == [TEXT]


def test_a_lost_index_is_rebuilt_and_said(desk: Desk) -> None:
    desk.remember(TEXT)
    os.unlink(desk.home / "index.db")
    with desk.open() as runtime:
        found = doctor.run(runtime)
        assert found.problems == []
        assert any("rebuilt it from the journal" in notice for notice in runtime.store.notices)
    assert desk.texts() == [TEXT]


def test_what_both_copies_have_lost_comes_back_from_the_backup(desk: Desk) -> None:
    desk.remember(TEXT)
    with desk.open() as runtime:
        runtime.store.backup()
    for path in (*(desk.home / "journal").rglob("0*.jsonl"), *desk.home.glob("index.db*")):
        path.unlink()
    answer = desk.ask("doctor", fix=True, from_backup=True)
    assert answer.problems == []
    assert any("came back from the backup" in text for text in answer.mended)
    assert desk.texts() == [TEXT]


def test_a_link_to_nowhere_is_found(desk: Desk) -> None:
    with desk.open() as runtime:
        door = runtime.admission()
        outcome = door.admit(draft_from(runtime, text=TEXT))
        assert isinstance(outcome, Admitted)
        change = door.changes[0]
        record = dict(change.payload["memory"], previous_memory_id="mem_01jz4000000000000000000000")
        runtime.write([replace(change, payload={**change.payload, "memory": record})])
    problems = desk.ask("doctor").problems
    assert [problem.subject for problem in problems] == [outcome.memory.id]
    assert "mem_01jz4000000000000000000000, which is not here" in problems[0].what


def test_a_link_to_something_purged_is_fine(desk: Desk) -> None:
    first = desk.remember("Learnt first", kind="LEARNINGS")
    desk.remember("Learnt second", kind="LEARNINGS")
    desk.ask("purge", ids=[first.id])
    assert desk.ask("doctor").problems == []


def test_a_bad_signature_is_a_problem(desk: Desk) -> None:
    desk.ask("sign")
    memory = desk.remember(TEXT)
    for key in (desk.home / "keys").iterdir():
        key.unlink()
    problems = desk.ask("doctor").problems
    assert [(problem.subject, problem.what) for problem in problems] == [
        (memory.id, "signed with a key that is not here")
    ]


def test_settings_that_are_ignored_are_noted(desk: Desk) -> None:
    (desk.project / ".limpet.toml").write_text("[admit]\nredact = false\n")
    notes = desk.ask("doctor").notes
    assert any("admit.redact" in note and "a project may not set it" in note for note in notes)


# Settings


def setting(desk: Desk, key: str, **values: Any) -> tuple[object, str]:
    found = desk.ask("config", key=key, **values).settings[0]
    return found.value, found.origin


def test_every_setting_says_where_its_value_comes_from(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    assert setting(desk, "recall.limit") == (5, "default")
    desk.ask("config", key="recall.limit", value="7")
    assert setting(desk, "recall.limit") == (7, f"user file {desk.home}/config.toml")
    (desk.project / ".limpet.toml").write_text("[recall]\nlimit = 8\n")
    assert setting(desk, "recall.limit") == (8, f"project file {desk.project}/.limpet.toml")
    monkeypatch.setenv("LIMPET_RECALL__LIMIT", "9")
    assert setting(desk, "recall.limit") == (9, "environment LIMPET_RECALL__LIMIT")
    assert setting(desk, "recall.limit", flags={"recall.limit": 3}) == (3, "flag")


def test_a_setting_can_be_taken_back(desk: Desk) -> None:
    desk.ask("config", key="recall.limit", value="7")
    desk.ask("config", key="recall.limit", unset=True)
    assert setting(desk, "recall.limit") == (5, "default")


def test_a_section_lists_its_settings(desk: Desk) -> None:
    keys = [each.key for each in desk.ask("config", key="recall").settings]
    assert len(keys) > 3 and all(key.startswith("recall.") for key in keys)
    assert len(desk.ask("config").settings) > len(keys)
    assert all(each.help.endswith(".") for each in desk.ask("config").settings)


@pytest.mark.parametrize(
    "values",
    [
        {"key": "recall.nothing"},
        {"key": "nothing"},
        {"key": "recall.nothing", "value": "1"},
        {"key": "recall", "value": "1"},
        {"key": "recall.limit", "value": "many"},
        {"key": "recall.limit", "value": "-1"},
        {"key": "recall.limit", "value": ""},
        {"unset": True},
        {"key": "recall.limit", "value": "1", "unset": True},
    ],
)
def test_a_wrong_setting_changes_nothing(desk: Desk, values: dict[str, Any]) -> None:
    desk.ask("config", key="agent.name", value="Crab")
    before = (desk.home / "config.toml").read_bytes()
    with pytest.raises((UsageError, SettingsError)):
        desk.ask("config", **values)
    assert (desk.home / "config.toml").read_bytes() == before


def test_settings_are_obeyed(desk: Desk) -> None:
    for number in range(4):
        desk.remember(f"The walrus number {number} swims")
    desk.ask("config", key="recall.limit", value="2")
    assert len(desk.texts("recall", query="walrus swims")) == 2
    desk.ask("config", key="admit.max_bytes", value="10")
    assert "10 are allowed" in desk.ask("remember", text="more than ten bytes").reason
