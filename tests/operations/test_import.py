"""An import gives back everything as it was, and names every line that it cannot read."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from limpet.errors import Refused, UsageError
from limpet.exchange.lines import MAX_LINE
from limpet.model.change import Status
from limpet.model.ids import new_id
from limpet.model.memory import Origin, Phase, Sensitivity
from limpet.model.signature import Verdict
from limpet.operations.import_ import ImportAnswer
from tests.operations.exports import export_to_file, home_named, second_home, state_of, write_rows
from tests.operations.sandbox import Sandbox

SECRET = "ghp" + "_" + "x7Kq9Zr2LmW4tB8vNcD3sF6hJ1pQ5yUaEoGi"


def test_a_round_trip_gives_back_everything_as_it_was(full: Sandbox) -> None:
    path = export_to_file(full, all=True, private=True, all_projects=True)
    home = second_home(full)
    answer: ImportAnswer = full.ask("import", file=str(path), home=home)
    assert answer.problems == []
    assert (answer.added, answer.facts) == (6, 2)
    before, after = state_of(full, full.home), state_of(full, home)
    # Nobody has signed a fact, so what is imported is trusted as an import.
    assert {fact.pop("origin") for fact in after["facts"]} == {Origin.IMPORT}
    assert {fact.pop("origin") for fact in before["facts"]} == {Origin.USER}
    assert after == before
    assert {each.verdict for each in full.ask("list", all=True, private=True, home=home).items} == {Verdict.GOOD}
    assert full.ask("verify", home=home).problems == ()


def test_importing_twice_changes_nothing(full: Sandbox) -> None:
    path = export_to_file(full, all=True, private=True)
    home = second_home(full)
    full.ask("import", file=str(path), home=home)
    before = state_of(full, home)
    answer = full.ask("import", file=str(path), home=home, merge=True)
    assert (answer.added, answer.facts, answer.present) == (0, 0, 8)
    assert state_of(full, home) == before


def test_what_is_here_already_is_refused_unless_merging(full: Sandbox) -> None:
    path = export_to_file(full)
    before = full.journal()
    with pytest.raises(Refused, match=r"\d of \d memories are here already.*nothing was changed, add --merge"):
        full.ask("import", file=str(path))
    assert full.journal() == before
    answer = full.ask("import", file=str(path), merge=True)
    assert answer.added == 0


def test_merging_adds_only_what_is_new(full: Sandbox) -> None:
    path = export_to_file(full, all=True)
    home = second_home(full)
    full.ask("import", file=str(path), home=home)
    full.remember("Learnt after the first export")
    again = export_to_file(full, "again.jsonl", all=True)
    assert full.ask("import", file=str(again), home=home, merge=True).added == 1


def test_a_text_that_is_known_here_is_not_added_again(full: Sandbox) -> None:
    home = second_home(full)
    full.remember("Read on a page", home=home)
    answer = full.ask("import", file=str(export_to_file(full)), home=home)
    assert answer.duplicates == 1


def test_a_dry_run_changes_nothing_and_says_what_would_happen(full: Sandbox) -> None:
    path = export_to_file(full, all=True, private=True)
    home = second_home(full)
    full.remember("Something of its own", home=home)
    before = {path: path.read_bytes() for path in sorted((home / "journal").rglob("*.jsonl"))}
    answer = full.ask("import", file=str(path), home=home, dry_run=True)
    assert (answer.added, answer.facts, answer.dry_run) == (6, 2, True)
    assert {path: path.read_bytes() for path in sorted((home / "journal").rglob("*.jsonl"))} == before


def test_without_its_corrections_an_old_version_does_not_come_back_to_life(sandbox: Sandbox) -> None:
    first = sandbox.remember("The gate is open")
    sandbox.ask("correct", id=first.id, text="Ann keeps the gate key at home", sensitivity="private")
    home = sandbox.folder / "second"
    sandbox.ask("import", file=str(export_to_file(sandbox, all=True)), home=home)
    assert sandbox.texts(home=home) == []
    assert sandbox.texts(home=home, all=True) == ["The gate is open"]
    assert sandbox.ask("doctor", home=home).problems == []


def test_what_was_forgotten_is_forgotten_elsewhere_too(full: Sandbox) -> None:
    home = second_home(full)
    full.ask("import", file=str(export_to_file(full, all=True)), home=home)
    assert full.texts(home=home, forgotten=True) == ["The office plant needs water"]


def test_the_state_of_a_condensed_memory_survives(sandbox: Sandbox) -> None:
    sandbox.ask("sign")
    text = "First sentence of many. " * 40
    memory = sandbox.remember(text.strip(), flags={"store.project_cap": 1})
    sandbox.remember("Another one", flags={"store.project_cap": 1})
    home = second_home(sandbox)
    sandbox.ask("import", file=str(export_to_file(sandbox)), home=home)
    stored = sandbox.ask("show", id=memory.id, home=home).stored
    assert (stored.memory.phase, stored.verdict) == (Phase.HINT, Verdict.GOOD)
    assert sandbox.ask("restore", id=memory.id, home=home).stored.memory.content == text.strip()


def test_without_the_key_everything_is_an_import(full: Sandbox) -> None:
    home = second_home(full, with_keys=False)
    full.ask("import", file=str(export_to_file(full)), home=home)
    found = [stored.memory for stored in full.ask("list", home=home).items]
    assert {memory.origin for memory in found} == {Origin.IMPORT, Origin.EXTERNAL}
    assert not any(memory.confirmed or memory.signature for memory in found)


def test_a_memory_of_another_agent_is_refused_and_told_how_to_read_it(full: Sandbox) -> None:
    home = second_home(full, with_keys=False)
    answer = full.ask("import", file=str(export_to_file(full)), home=home, by="Other")
    assert answer.added == answer.facts == 0
    assert all(problem.startswith("line ") and "--remap-agent other" in problem for problem in answer.problems)
    assert full.ask("import", file=str(export_to_file(full, "two.jsonl")), home=home).added == 3


def test_memories_can_be_given_to_another_agent(full: Sandbox) -> None:
    answer = full.ask("import", file=str(export_to_file(full)), remap_agent="Sea Urchin", home=second_home(full))
    assert (answer.added, answer.problems) == (3, [])
    home = full.folder / "second"
    assert full.texts(home=home) == []
    assert len(full.texts(home=home, by="Sea Urchin")) == 3
    found = full.ask("list", home=home, by="Sea Urchin").items
    assert {stored.memory.origin for stored in found} == {Origin.IMPORT, Origin.EXTERNAL}


def test_memories_can_be_given_to_the_project_of_this_folder(full: Sandbox) -> None:
    other = full.folder / "other"
    other.mkdir()
    home = second_home(full)
    path = export_to_file(full)
    plain = full.ask("import", file=str(path), home=home, cwd=other, dry_run=True)
    assert plain.elsewhere == 2
    answer = full.ask("import", file=str(path), home=home, cwd=other, here=True)
    assert (answer.added, answer.problems, answer.elsewhere) == (3, [], 0)
    assert len(full.texts(home=home, cwd=other)) == 3
    assert [fact.object for fact in full.ask("facts", home=home, cwd=other).facts] == ["9090"]
    assert full.ask("verify", home=home, cwd=other).problems == ()


def test_a_project_known_here_is_not_taken_over(full: Sandbox) -> None:
    path = export_to_file(full)
    rows = [json.loads(row) for row in path.read_text().splitlines()]
    home = second_home(full)
    known = full.remember("Known here first", home=home, region="PROJECT")
    rows[0]["projects"][0]["id"] = "prj_0000000000000000000000ff"
    write_rows(path, rows)
    full.ask("import", file=str(path), home=home)
    assert full.remember("Known here second", home=home, region="PROJECT").project == known.project


@pytest.mark.parametrize("name", ["session", "conversation", "app", "branch", "commit"])
def test_an_empty_name_is_no_name(sandbox: Sandbox, name: str) -> None:
    sandbox.remember("The pelican crossing is white")
    path = export_to_file(sandbox)
    rows = [json.loads(row) for row in path.read_text().splitlines()]
    rows[1]["memory"][name] = " "
    write_rows(path, rows)
    home = sandbox.folder / "second"
    sandbox.ask("import", file=str(path), home=home)
    [hit] = sandbox.ask("recall", query="pelican", home=home).items
    assert getattr(hit.stored.memory, name) is None


def test_importing_keeps_to_the_cap(sandbox: Sandbox) -> None:
    for number in range(6):
        sandbox.remember(f"Thing number {number}")
    home = sandbox.folder / "second"
    sandbox.ask("import", file=str(export_to_file(sandbox)), home=home, flags={"store.project_cap": 3})
    assert len(sandbox.texts(home=home, phase=0)) <= 3
    assert len(sandbox.texts(home=home)) == 6


def test_a_purged_memory_stays_away(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The pelican crossing is white")
    path = export_to_file(sandbox)
    sandbox.ask("purge", ids=[memory.id])
    answer = sandbox.ask("import", file=str(path), merge=True)
    assert answer.added == 0
    assert answer.problems == [f"line 2: {memory.id} was purged here; it is not imported again"]
    assert sandbox.files_with("pelican") == []


HEADER = {"format": "limpet-export", "version": 1, "agent": {"id": "anima"}, "projects": []}


def file_with(sandbox: Sandbox, data: bytes) -> Path:
    path = sandbox.folder / "bad.jsonl"
    path.write_bytes(data)
    return path


BROKEN_FILES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "is empty"),
    "blank": (b"\n\n", "is not an export of Limpet"),
    "binary": (bytes(range(256)) * 10, "is not an export of Limpet"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + b"\0" * 100, "is not an export of Limpet"),
    "deep nesting": (b"[" * 200_000, "is not an export of Limpet"),
    "a list": (b"[1, 2]\n", "is not an export of Limpet"),
    "another format": (b'{"format": "claude-mem", "version": 1}\n', "is not an export of Limpet"),
    "no version": (b'{"format": "limpet-export"}\n', "newer Limpet"),
    "a newer version": (b'{"format": "limpet-export", "version": 2}\n', "newer Limpet .format 2.; upgrade"),
    "a version that is text": (b'{"format": "limpet-export", "version": "1"}\n', "newer Limpet"),
    "a huge version": (b'{"format": "limpet-export", "version": "%s"}\n' % (b"x" * 1000), "newer Limpet"),
    "UTF-16": ('{"format": "nothing"}\n'.encode("utf-16"), "is not an export of Limpet"),
    "half a header": (b'{"format": "limpet-ex', "is not an export of Limpet"),
    "one endless line": (b"x" * (MAX_LINE + 10), "is not an export of Limpet"),
}


@pytest.mark.parametrize("name", BROKEN_FILES)
def test_a_file_that_is_no_export_is_refused(sandbox: Sandbox, name: str) -> None:
    data, said = BROKEN_FILES[name]
    sandbox.remember("Mine")
    before = sandbox.journal()
    with pytest.raises(UsageError, match=said) as caught:
        sandbox.ask("import", file=str(file_with(sandbox, data)))
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 300
    assert sandbox.journal() == before


@pytest.mark.parametrize("make", ["missing", "folder", "dangling", "loop", "pipe", "device", "nul", "unreadable"])
def test_a_path_that_is_no_plain_file_is_refused(sandbox: Sandbox, make: str) -> None:
    path = sandbox.folder / "odd"
    name = str(path)
    if make == "folder":
        path.mkdir()
    elif make == "dangling":
        path.symlink_to(sandbox.folder / "nowhere")
    elif make == "loop":
        path.symlink_to(path)
    elif make == "pipe":
        os.mkfifo(path)
    elif make == "device":
        name = "/dev/zero"
    elif make == "nul":
        name = f"{path}\0x"
    elif make == "unreadable":
        path.write_bytes(b"")
        path.chmod(0)
    with pytest.raises(
        UsageError, match=r"cannot read|is not (a plain file|the name of a file|an export)|is empty"
    ) as caught:
        sandbox.ask("import", file=name)
    assert "\n" not in str(caught.value)


def test_an_export_may_be_read_through_a_symlink(full: Sandbox) -> None:
    path = export_to_file(full)
    link = full.folder / "link.jsonl"
    link.symlink_to(path)
    assert full.ask("import", file=str(link), home=second_home(full)).added == 3


Damage = Callable[[dict[str, Any]], Any]


def changed(**fields: Any) -> Damage:
    return lambda record: {**record, "memory": {**record["memory"], **fields}}


def without(name: str) -> Damage:
    return lambda record: {
        **record,
        "memory": {key: value for key, value in record["memory"].items() if key != name},
    }


CITATION = {"path": "src/app.py", "start": 1, "end": 2, "span_hash": "x"}

BROKEN_LINES: dict[str, tuple[Damage | bytes, str]] = {
    "not JSON": (b"{not json}", "not JSON"),
    "half a line": (b'{"memory": {"id": "mem_', "not JSON"),
    "binary": (b"\xff\xfe\x00\x01", "not JSON"),
    "deep nesting": (b"[" * 200_000, "not JSON"),
    "deep objects": (b'{"a":' * 100_000, "not JSON"),
    "a huge number": (b'{"memory": ' + b"9" * 10_000 + b"}", "not JSON"),
    "a list": (lambda record: [record], "not an object"),
    "a number": (lambda record: 5, "not an object"),
    "nothing known": (lambda record: {"something": 1}, "neither a memory nor a fact"),
    "a memory that is text": (lambda record: {"memory": "text"}, "not an object"),
    "no id": (without("id"), "id is missing"),
    "no text": (lambda record: without("original_content")(without("content")(record)), "content is missing"),
    "a path for an id": (changed(id="../../etc/passwd"), "id is not a memory id"),
    "a long id": (changed(id="mem_" + "0" * 5000), "id is not a memory id"),
    "an id with capitals": (changed(id="mem_01JZ4000000000000000000000"), "id is not a memory id"),
    "a number for an id": (changed(id=5), "id: must be text"),
    "SQL for a link": (changed(previous_memory_id="' OR 1=1"), "previous_memory_id is not a memory id"),
    "a path in the lineage": (changed(lineage=["../x"]), "lineage holds"),
    "a correction of a stranger": (changed(corrects=new_id("mem", 5)), "not in its lineage"),
    "an unknown kind": (changed(kind="WHATEVER"), "kind: "),
    "an unknown region": (changed(region=["PROJECT"]), "region: "),
    "an unknown type": (changed(type={}), "type: "),
    "an unknown phase": (changed(phase=9), "phase: "),
    "an unknown origin": (changed(origin="god"), "origin: "),
    "an unknown status": (lambda record: {**record, "status": "risen"}, "'risen'"),
    "a purged status": (lambda record: {**record, "status": "purged"}, "purged memory cannot be imported"),
    "text that is a list": (changed(content=["x"]), "content: must be text"),
    "tags that are text": (changed(tags="net"), "tags: must be a list of texts"),
    "tags that are numbers": (changed(tags=[1, 2]), "tags: must be text"),
    "too many tags": (changed(tags=[f"t{number}" for number in range(40)]), "too many"),
    "a tag with an escape": (changed(tags=["\x1b[2J"]), "control character"),
    "a date that is none": (changed(created_at="yesterday"), "created_at: "),
    "a date out of range": (changed(created_at="0001-01-01T00:00:00+23:00"), "created_at: "),
    "a number for a date": (changed(created_at=5), "created_at: "),
    "a share that is too much": (changed(confidence=7), "confidence: "),
    "a share that is none": (changed(importance="very"), "importance: "),
    "a flag that is text": (changed(pinned="yes"), "pinned: must be true or false"),
    "citations of another kind": (changed(citations=[{"path": 5, "start": "a", "end": [], "x": {}}]), "citations: "),
    "too many citations": (changed(citations=[CITATION] * 201), "citations: 201 are too many; give at most 200"),
    "a source of another kind": (changed(source={"line": "x"}), "source: "),
    "another agent": (changed(agent="stranger"), "it belongs to the agent 'stranger'"),
    "no agent's id": (changed(agent="../anima"), "agent is not an agent's id"),
    "a project that is none": (changed(project="../x"), "a memory of a project must name it"),
    "no project": (changed(project=None), "a memory of a project must name it"),
    "an empty text": (changed(content="", original_content=""), "the text is empty"),
    "a NUL": (changed(content="a\0b", original_content="a\0b"), "control character (U+0000"),
    "a terminal escape": (changed(content="\x1b[2J", original_content="\x1b[2J"), "control character (U+001B"),
    "half a character": (
        lambda record: {**record, "memory": {**record["memory"], "content": "\ud800", "original_content": "\ud800"}},
        "half a character",
    ),
    "a text that is too long": (changed(content="x" * 1_000_001, original_content="x" * 1_000_001), "1,000,000"),
    "a long title": (changed(title="t" * 500), "title has 500 characters"),
    "the same id again": (changed(id="first"), "is in line 2 already"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN_LINES)
def test_a_broken_line_is_named_and_the_others_come_in(sandbox: Sandbox, name: str) -> None:
    for text in ("Read before the broken line", "Broken", "Read after the broken line"):
        sandbox.remember(text, region="PROJECT")
    path = export_to_file(sandbox)
    rows = path.read_bytes().splitlines()
    damage, said = BROKEN_LINES[name]
    record = json.loads(rows[2])
    if callable(damage):
        broken = damage(record)
        if name == "the same id again":
            broken["memory"]["id"] = json.loads(rows[1])["memory"]["id"]
        rows[2] = json.dumps(broken).encode()
    else:
        rows[2] = damage
    path.write_bytes(b"\n".join(rows) + b"\n")
    home = sandbox.folder / "second"
    answer = sandbox.ask("import", file=str(path), home=home)
    assert len(answer.problems) == 1
    problem = answer.problems[0]
    assert problem.startswith("line 3: ") and said in problem
    assert "\n" not in problem and len(problem) < 300
    assert sorted(sandbox.texts(home=home)) == ["Read after the broken line", "Read before the broken line"]
    assert sandbox.ask("verify", home=home).problems == ()
    assert sandbox.ask("doctor", home=home).problems == []


def test_a_line_of_a_hundred_megabytes_is_passed_over_without_being_held(sandbox: Sandbox) -> None:
    sandbox.remember("Read before the long line", region="PROJECT")
    path = export_to_file(sandbox)
    with path.open("ab") as file:
        for _ in range(100):
            file.write(b"x" * 1_000_000)
        file.write(b"\n{}\n")
    answer = sandbox.ask("import", file=str(path), home=sandbox.folder / "second")
    assert answer.problems == [
        f"line 3: longer than {MAX_LINE:,} bytes",
        "line 4: neither a memory nor a fact",
    ]
    assert answer.added == 1


BROKEN_FACTS: dict[str, tuple[dict[str, Any], str]] = {
    "no subject": ({"subject": None}, "subject is missing"),
    "an empty object": ({"object": " "}, "needs a subject"),
    "an escape": ({"object": "\x1b[2J"}, "control character"),
    "a path for an id": ({"id": "../x"}, "is malformed"),
    "a source that is none": ({"sources": ["../x"]}, "is malformed"),
    "a project that is a list": ({"project": ["x"]}, "project"),
    "a project that is none": ({"project": "../x"}, "is malformed"),
    "a date that is none": ({"valid_from": "soon"}, ""),
    "a share that is too much": ({"confidence": 2}, "between 0 and 1"),
    "closed by a stranger": ({"closed_by": "x"}, "closed_by"),
    "another agent": ({"agent": "stranger"}, "belongs to the agent"),
}


@pytest.mark.parametrize("name", BROKEN_FACTS)
def test_a_broken_fact_is_named_and_the_others_come_in(sandbox: Sandbox, name: str) -> None:
    sandbox.ask("facts", action="add", words=["api", "port", "8080"])
    sandbox.ask("facts", action="add", words=["api", "host", "db"])
    path = export_to_file(sandbox)
    rows = [json.loads(row) for row in path.read_text().splitlines()]
    fields, said = BROKEN_FACTS[name]
    rows[1]["fact"].update(fields)
    home = sandbox.folder / "second"
    answer = sandbox.ask("import", file=str(write_rows(path, rows)), home=home)
    assert answer.facts == 1
    assert len(answer.problems) == 1 and answer.problems[0].startswith("line 2: ") and said in answer.problems[0]
    assert len(sandbox.ask("facts", home=home).facts) == 1


def test_a_tampered_signed_memory_is_not_imported(full: Sandbox) -> None:
    path = export_to_file(full)
    for field, value in (("content", "Something else"), ("original_content", "Something else"), ("impact", "CRITICAL")):
        rows = [json.loads(row) for row in path.read_text().splitlines()]
        rows[1]["memory"][field] = value
        answer = full.ask(
            "import", file=str(write_rows(full.folder / f"{field}.jsonl", rows)), home=home_named(full, field)
        )
        assert answer.added == 2
        assert answer.problems[0].startswith("line 2: ") and "it was not imported" in answer.problems[0]


def test_a_stripped_signature_makes_an_import_of_it(full: Sandbox) -> None:
    path = export_to_file(full)
    rows = [json.loads(row) for row in path.read_text().splitlines()]
    for row in rows[1:]:
        if "memory" in row:
            row["memory"]["signature"] = None
            row["memory"]["origin"] = "user"
    home = second_home(full)
    full.ask("import", file=str(write_rows(path, rows)), home=home)
    assert {stored.memory.origin for stored in full.ask("list", home=home).items} == {Origin.IMPORT}


def test_secrets_in_an_export_are_taken_out(sandbox: Sandbox) -> None:
    sandbox.remember("About the deploy job", region="PROJECT", files=["a.py"], tags=["x"], session="s")
    path = export_to_file(sandbox)
    rows = [json.loads(row) for row in path.read_text().splitlines()]
    memory = rows[1]["memory"]
    for name in ("content", "original_content", "title", "subtitle", "session", "branch", "conversation"):
        memory[name] = f"uses {SECRET} there"
    memory.update(tags=[SECRET], files_read=[SECRET], files_modified=[SECRET])
    memory["source"] = {"transcript": SECRET, "file": SECRET, "commit": SECRET}
    memory["citations"] = [{"path": SECRET, "start": 1, "end": 1, "span_hash": "x"}]
    home = sandbox.folder / "second"
    answer = sandbox.ask("import", file=str(write_rows(path, rows)), home=home)
    assert answer.added == 1
    assert sandbox.files_with(SECRET, home=home) == sandbox.files_with(SECRET.lower(), home=home) == []
    assert sandbox.ask("list", home=home, private=True).items[0].memory.sensitivity is Sensitivity.PRIVATE


@pytest.mark.parametrize(
    "projects",
    [None, 5, "x", [5], [{}], [{"id": 5}], [{"id": "../x", "keys": ["path:/"]}], [{"id": "prj_x", "keys": 5}],
     [{"id": "prj_x", "keys": [1, "a\x1b[2Jkey", "path:/nowhere"], "name": {"x": 1}}]],
)  # fmt: skip
def test_a_header_with_odd_projects_does_no_harm(sandbox: Sandbox, projects: Any) -> None:
    sandbox.remember("Still read", region="PROJECT")
    path = export_to_file(sandbox)
    rows = [json.loads(row) for row in path.read_text().splitlines()]
    rows[0]["projects"] = projects
    home = sandbox.folder / "second"
    assert sandbox.ask("import", file=str(write_rows(path, rows)), home=home).added == 1
    assert sandbox.texts(home=home) == ["Still read"]
    assert sandbox.files_with("\x1b[2Jkey", home=home) == []


def test_statuses_are_those_of_the_export(full: Sandbox) -> None:
    rows = [json.loads(row) for row in export_to_file(full, all=True).read_text().splitlines()]
    assert {row["status"] for row in rows if "memory" in row} == {each.value for each in Status} - {"purged"}


def test_only_the_header_of_ones_own_export_claims_keys(full: Sandbox) -> None:
    path = export_to_file(full, all_projects=True)
    home = second_home(full)
    answer: ImportAnswer = full.ask("import", file=str(path), home=home)
    assert answer.proposed == []
    rows = [json.loads(row) for row in path.read_text().splitlines()]
    rows[0]["projects"][0]["keys"] = ["path:/somewhere/else"]
    forged = full.ask("import", file=str(write_rows(path, rows)), home=home_named(full, "forged"))
    assert [each.partition(":")[0] for each in forged.proposed] == ["line 1"]


def test_an_export_of_an_older_version_is_known_as_ones_own(full: Sandbox) -> None:
    path = export_to_file(full, all=True, all_projects=True)
    rows = [json.loads(row) for row in path.read_text().splitlines()]
    older = [{"seal" if name == "line_signature" else name: each for name, each in row.items()} for row in rows]
    home = second_home(full)
    answer = full.ask("import", file=str(write_rows(path, older)), home=home)
    assert answer.proposed == []
    assert full.texts(home=home, forgotten=True) == ["The office plant needs water"]
    older[1]["status"] = "live" if older[1]["status"] == "forgotten" else "forgotten"
    altered = full.ask("import", file=str(write_rows(path, older)), home=home_named(full, "altered"))
    assert altered.proposed != []


def test_a_status_that_was_altered_in_ones_own_export_does_not_count(full: Sandbox) -> None:
    path = export_to_file(full)
    rows = [json.loads(row) for row in path.read_text().splitlines()]
    rows[1]["status"] = "forgotten"
    answer = full.ask("import", file=str(write_rows(path, rows)), home=second_home(full))
    assert answer.added == 2
    assert answer.proposed == ["line 2: was forgotten where it was exported, so it was not taken"]


def test_what_was_forgotten_here_does_not_come_back_under_another_id(sandbox: Sandbox) -> None:
    sandbox.ask("sign")
    other = second_home(sandbox)
    here, there = sandbox.remember("The queue is Redis"), sandbox.remember("The queue is Redis", home=other)
    sandbox.ask("forget", ids=[here.id])
    path = str(sandbox.folder / "export.jsonl")
    sandbox.ask("export", file=path, home=other)
    answer = sandbox.ask("import", file=path, merge=True, here=True)
    assert answer.added == 0 and f"limpet restore {here.id}" in answer.problems[0]
    assert sandbox.texts() == [] and there.id != here.id


def test_a_text_that_was_forgotten_and_stored_again_comes_back_live(sandbox: Sandbox) -> None:
    sandbox.ask("sign")
    first = sandbox.remember("The queue is Redis")
    sandbox.ask("forget", ids=[first.id])
    second = sandbox.remember("The queue is Redis")
    path = str(sandbox.folder / "export.jsonl")
    sandbox.ask("export", file=path, all=True)
    other = second_home(sandbox)
    answer = sandbox.ask("import", file=path, home=other)
    assert (answer.added, answer.problems) == (2, [])
    (live,) = sandbox.ask("list", home=other).items
    assert live.memory.id == second.id


def test_a_confirmed_line_of_a_stranger_gets_what_it_claims(full: Sandbox) -> None:
    path = str(full.folder / "export.jsonl")
    full.ask("export", file=path)
    stranger = full.folder / "stranger"
    answer = full.ask("import", file=path, home=stranger, here=True)
    assert answer.unconfirmed > 0
    wanted = {each.memory.content: each.memory for each in full.ask("list", limit=100).items}
    confirmed = full.ask("confirm", source="origin:import", home=stranger).memories
    assert len(confirmed) == answer.unconfirmed
    for memory in (stored.memory for stored in confirmed):
        old = wanted[memory.content]
        assert (memory.kind, memory.impact, memory.importance) == (old.kind, old.impact, old.importance)
        assert memory.confirmed and memory.region is old.region
