"""Verifying finds whatever was changed by hand, says so, and leaves the evidence as it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.operations.sandbox import Sandbox
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
