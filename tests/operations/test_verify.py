"""Verifying finds whatever was changed by hand, says so, and leaves the evidence as it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.operations.sandbox import MODEL, Sandbox
from tests.store.forging import Record, body_of, forge, index_of, unsigned, with_unsigned
from tests.store.homes import rewrite, rows

TEXT = "Migrations run with alembic"


def segment(sandbox: Sandbox) -> Path:
    return next((sandbox.home / "journal").rglob("0*.jsonl"))


def edit(path: Path) -> None:
    rewrite(path, path.read_bytes().replace(b"alembic", b"mayhem!"))


def cut_the_end(path: Path) -> None:
    rewrite(path, b"".join(rows(path)[:-1]))


def remove_a_change(path: Path) -> None:
    found = rows(path)
    rewrite(path, b"".join(found[:1] + found[2:]))


def test_an_untouched_store_passes(sandbox: Sandbox) -> None:
    first = sandbox.remember(TEXT)
    sandbox.ask("correct", id=first.id, text=f"{TEXT} 1.13")
    answer = sandbox.ask("verify")
    assert (answer.problems, answer.memories, answer.signed) == ((), 2, 0)


@pytest.mark.parametrize("tamper", [edit, cut_the_end, remove_a_change, Path.unlink])
@pytest.mark.parametrize("name", ["verify", "doctor"])
def test_tampering_is_said_before_it_is_mended(sandbox: Sandbox, name: str, tamper: Callable[[Path], None]) -> None:
    sandbox.remember(TEXT)
    sandbox.remember("Deploys go through the job")
    path = segment(sandbox)
    whole = path.read_bytes()
    tamper(path)
    left = path.read_bytes() if path.exists() else None
    for _ in range(2):
        found = sandbox.json(name)
        assert not found["ok"]
        assert any(path.name in problem["where"] and problem["fixable"] for problem in found["problems"])
        # Nothing was mended, so whoever asks again is told the same.
        assert (path.read_bytes() if path.exists() else None) == left
    assert not sandbox.ask("doctor", fix=True).problems
    assert path.read_bytes() == whole
    assert sandbox.json("verify")["ok"]
    assert sorted(sandbox.texts()) == ["Deploys go through the job", TEXT]


def scribble(path: Path) -> None:
    for log in path.parent.glob("index.db-*"):
        # SQLite would put everything back from its log.
        log.unlink()
    rewrite(path, b"x" * 9000)


@pytest.mark.parametrize("damage", [Path.unlink, lambda path: rewrite(path, b""), scribble])
def test_a_lost_index_is_said_before_it_is_mended(sandbox: Sandbox, damage: Callable[[Path], None]) -> None:
    sandbox.remember(TEXT)
    path = sandbox.home / "index.db"
    damage(path)
    found = sandbox.json("verify")
    assert [problem["where"] for problem in found["problems"]] == ["index.db"]
    assert (found["ok"], found["memories"]) == (False, 1)
    sandbox.ask("list")
    assert sandbox.json("verify")["ok"]


def test_a_cut_journal_without_an_index_is_behind_its_high_water_mark(sandbox: Sandbox) -> None:
    sandbox.remember(TEXT)
    sandbox.remember("Deploys go through the job")
    path = segment(sandbox)
    cut_the_end(path)
    (sandbox.home / "index.db").unlink()
    whats = [problem["what"] for problem in sandbox.json("verify")["problems"] if path.name in problem["where"]]
    assert whats == ["the journal segment has lost 1 of 4 changes"]


def test_an_empty_home_passes(sandbox: Sandbox) -> None:
    assert sandbox.json("verify")["ok"]


# Somebody without the key, who recomputes every hash


def without(verb: str) -> Callable[[list[Record]], list[Record]]:
    def remove(records: list[Record]) -> list[Record]:
        place = index_of(records, verb)
        return records[:place] + records[place + 1 :]

    return remove


def stripped(records: list[Record]) -> list[Record]:
    return [unsigned(record) for record in records]


def edited(records: list[Record]) -> list[Record]:
    place = index_of(records, "admit")
    return [*records[:place], body_of(records[place], content="Obey", original_content="Obey"), *records[place + 1 :]]


def edited_and_stripped(records: list[Record]) -> list[Record]:
    place = index_of(records, "admit")
    return [*records[:place], unsigned(edited(records)[place]), *records[place + 1 :]]


def reordered(records: list[Record]) -> list[Record]:
    return [*records[:-2], records[-1], records[-2]]


def replayed(records: list[Record]) -> list[Record]:
    return [*records, records[index_of(records, "admit")]]


def cut(records: list[Record]) -> list[Record]:
    return records[:-1]


def fill_signed(sandbox: Sandbox) -> str:
    """Leave a home with a key in which a memory is stored, corrected, confirmed, forgotten and restored."""
    sandbox.ask("sign")
    memory = sandbox.remember(TEXT, as_=MODEL)
    sandbox.ask("confirm", ids=[memory.id])
    other = sandbox.remember("Deploys go through the job")
    sandbox.ask("correct", id=other.id, text="Deploys go through the new job")
    sandbox.ask("forget", ids=[memory.id])
    sandbox.ask("restore", id=memory.id)
    assert sandbox.json("verify")["ok"]
    return memory.id


@pytest.mark.parametrize(
    "trick",
    [
        *(without(verb) for verb in ("admit", "confirm", "correct", "forget", "restore", "agent", "device")),
        *(with_unsigned(verb) for verb in ("forget", "confirm", "supersede", "restore", "purge", "pin")),
        *(stripped, edited, edited_and_stripped, reordered, replayed, cut),
    ],
)
def test_nothing_can_be_forged_or_removed_without_the_key(
    sandbox: Sandbox, trick: Callable[[list[Record]], list[Record]]
) -> None:
    fill_signed(sandbox)
    forge(sandbox.home, trick)
    found = sandbox.json("verify")
    assert not found["ok"]
    assert any(problem["where"] != "index.db" for problem in found["problems"])


def test_cutting_the_end_together_with_all_that_remembers_it_is_seen(sandbox: Sandbox) -> None:
    fill_signed(sandbox)
    forge(sandbox.home, cut, marks=False)
    (sandbox.home / "marks.json").unlink()
    assert [problem["where"] for problem in sandbox.json("verify")["problems"]] == ["marks.json"]
