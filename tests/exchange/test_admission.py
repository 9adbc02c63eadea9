"""A huge import is written in batches: it holds a batch at a time and gives the same result as in one piece."""

from __future__ import annotations

import gc
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from limpet.curating.writing import write_admitted
from limpet.errors import StoreFull
from limpet.exchange import admission
from limpet.exchange.account import Result
from limpet.model.change import Change
from limpet.model.memory import Memory
from limpet.operations.import_ import ImportAnswer
from limpet.runtime import Runtime
from tests.imports.samples import SAMPLES
from tests.operations.exports import export_to_file, home_named, second_home, state_of, write_rows
from tests.operations.sandbox import Sandbox


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Make batches small, and note at each write how many changes it has and how many memories are held."""
    monkeypatch.setattr(admission, "BATCH", 5)
    found: list[tuple[int, int]] = []
    write = Runtime.write

    def count(self: Runtime, changes: Sequence[Change]) -> tuple[Change, ...]:
        if changes:
            found.append((len(changes), sum(type(each) is Memory for each in gc.get_objects())))
        return write(self, changes)

    monkeypatch.setattr(Runtime, "write", count)
    return found


def make_export(sandbox: Sandbox, count: int) -> Path:
    """Return an export of some memories without signatures, as another home makes it."""
    sandbox.remember("The port of the service is 8000", region="PROJECT")
    header, row = (json.loads(line) for line in export_to_file(sandbox).read_text().splitlines())
    del row["memory"]["signature"]
    rows = [header]
    for number in range(count):
        text = f"The port of service {number} is {8000 + number}"
        id = f"mem_{number:026d}"
        rows.append({"memory": {**row["memory"], "id": id, "content": text, "original_content": text, "title": text}})
    return write_rows(sandbox.folder / "many.jsonl", rows)


def make_store(sandbox: Sandbox, count: int) -> Path:
    rows = [
        {
            "type": "entity",
            "name": f"service {number}",
            "entityType": "x",
            "observations": [f"Its port is {number % 17}."],
        }
        for number in range(count)
    ]
    return write_rows(sandbox.folder / "memory.jsonl", rows)


def test_an_export_is_read_a_batch_at_a_time(sandbox: Sandbox, written: list[tuple[int, int]]) -> None:
    path, home = make_export(sandbox, 40), second_home(sandbox, with_keys=False)
    written.clear()
    answer: ImportAnswer = sandbox.ask("import", file=str(path), home=home, here=True)
    assert (answer.added, answer.problems) == (40, [])
    assert len(sandbox.texts(home=home, limit=100)) == 40
    assert len(written) == 8 and all(changes <= 8 for changes, _ in written), "a batch, and what introduces the project"
    assert written[-1][1] < written[0][1] + 5, "memories of earlier batches are not held"


def test_a_foreign_store_is_read_a_batch_at_a_time(sandbox: Sandbox, written: list[tuple[int, int]]) -> None:
    path = make_store(sandbox, 40)
    answer: ImportAnswer = sandbox.ask("import", file=str(path))
    assert answer.counts() == {**dict.fromkeys(map(str, Result), 0), "taken": 40}
    assert len(written) == 8 and all(changes <= 8 for changes, _ in written)
    assert written[-1][1] < written[0][1] + 5


@pytest.mark.parametrize("name", SAMPLES)
def test_a_store_gives_the_same_in_batches(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    format, make, _, _ = SAMPLES[name]
    store, start = make(sandbox.folder), sandbox.ms

    def take(size: int) -> tuple[Any, ...]:
        monkeypatch.setattr(admission, "BATCH", size)
        home, sandbox.ms = sandbox.folder / f"home-{size}", start
        answer = sandbox.ask("import", from_=format, file=str(store), home=home, here=True)
        again = sandbox.ask("import", from_=format, file=str(store), home=home, here=True)
        state = state_of(sandbox, home)
        texts = sorted((each["content"], each["status"], each["created_at"]) for each in state["memories"])
        return answer.counts(), answer.added, answer.facts, again.counts(), texts, len(state["facts"])

    assert take(1) == take(1_000_000)


def test_an_export_gives_the_same_in_batches(full: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    path, start = export_to_file(full, all=True, private=True, all_projects=True), full.ms

    def take(size: int) -> dict[str, Any]:
        monkeypatch.setattr(admission, "BATCH", size)
        home, full.ms = home_named(full, str(size)), start
        full.ask("import", file=str(path), home=home)
        return state_of(full, home)

    assert take(1) == take(1_000_000)


def test_a_dry_run_in_batches_writes_nothing(sandbox: Sandbox, written: list[tuple[int, int]]) -> None:
    path = make_store(sandbox, 40)
    answer: ImportAnswer = sandbox.ask("import", file=str(path), dry_run=True)
    assert (answer.added, written, sandbox.texts()) == (40, [], [])


def test_an_import_that_stops_half_way_says_how_to_go_on(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    path, home = make_export(sandbox, 12), second_home(sandbox, with_keys=False)
    monkeypatch.setattr(admission, "BATCH", 5)
    calls: list[int] = []

    def fail_later(*values: Any, **more: Any) -> None:
        calls.append(1)
        if len(calls) == 2:
            raise StoreFull("no space left on the disk")
        write_admitted(*values, **more)

    monkeypatch.setattr("limpet.exchange.admission.write_admitted", fail_later)
    with pytest.raises(StoreFull, match="stopped half way, import again with --merge for the rest: no space left"):
        sandbox.ask("import", file=str(path), home=home, here=True)
    assert len(sandbox.texts(home=home)) == 5
    answer = sandbox.ask("import", file=str(path), home=home, here=True, merge=True)
    assert (answer.added, answer.present) == (7, 5)
    assert len(sandbox.texts(home=home)) == 12
