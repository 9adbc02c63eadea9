"""Memories of other tools: each object is taken, changed, left out or refused, and a second run adds nothing."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import apsw
import pytest

from limpet.errors import Refused, UsageError
from limpet.exchange import foreign
from limpet.exchange.account import ObjectReport, Result
from limpet.imports.database import has_table
from limpet.model.change import Status
from limpet.model.memory import Impact, Kind, Origin, Region, Sensitivity
from limpet.operations.import_ import ImportAnswer
from tests.imports.samples import SAMPLES, database, write
from tests.inject.injecting import inject
from tests.operations.sandbox import MODEL, Sandbox


def by_name(answer: ImportAnswer) -> dict[str, ObjectReport]:
    return {report.name: report for report in answer.objects}


def results(answer: ImportAnswer) -> dict[str, int]:
    return {result: count for result, count in answer.counts().items() if count}


@pytest.mark.parametrize("name", SAMPLES)
def test_a_store_is_imported_once(sandbox: Sandbox, name: str) -> None:
    format, make, memories, facts = SAMPLES[name]
    path = make(sandbox.folder)
    dry: ImportAnswer = sandbox.ask("import", from_=format, file=str(path), dry_run=True)
    assert sandbox.ask("list", all=True, private=True, sensitivity=None).total == 0
    answer: ImportAnswer = sandbox.ask("import", from_=format, file=str(path))
    assert (answer.added, answer.facts) == (memories, facts) == (dry.added, dry.facts), answer.objects
    journal = sandbox.journal()
    again: ImportAnswer = sandbox.ask("import", from_=format, file=str(path))
    assert (again.added, again.facts) == (0, 0)
    assert sandbox.journal() == journal
    assert not {report.result for report in again.objects} & {Result.TAKEN, Result.CHANGED}
    assert len(again.objects) == len(answer.objects)


def test_what_is_beyond_the_limit_of_a_store_is_not_left_out_in_silence(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(foreign, "MOST_OBJECTS", 3)
    lines = [
        json.dumps({"type": "entity", "name": f"Ferry {number}", "entityType": "ship", "observations": [text]})
        for number, text in enumerate(
            ("It leaves at noon.", "It carries cars.", "It is blue.", "It is new.", "It sank.")
        )
    ]
    path = write(sandbox.folder / "graph.jsonl", "\n".join(lines))
    answer: ImportAnswer = sandbox.ask("import", from_="server-memory", file=str(path))
    assert answer.added == 3
    (refused,) = (report for report in answer.objects if report.result is Result.REFUSED)
    assert refused.name == "graph.jsonl" and "first 3 objects" in refused.why and "split" in refused.why
    rest = write(sandbox.folder / "rest.jsonl", "\n".join(lines[3:]))
    assert sandbox.ask("import", from_="server-memory", file=str(rest)).added == 2


@pytest.mark.parametrize("name", SAMPLES)
def test_a_store_is_recognised_without_its_name(sandbox: Sandbox, name: str) -> None:
    _, make, memories, _ = SAMPLES[name]
    answer = sandbox.ask("import", file=str(make(sandbox.folder)), dry_run=True)
    assert answer.added == memories


@pytest.mark.parametrize("name", SAMPLES)
def test_what_is_imported_is_not_trusted_more_than_its_origin(sandbox: Sandbox, name: str) -> None:
    format, make, _, _ = SAMPLES[name]
    sandbox.ask("import", from_=format, file=str(make(sandbox.folder)))
    for stored in sandbox.ask("list", all=True, private=True).items:
        assert stored.memory.origin in (Origin.IMPORT, Origin.FILE)
        assert stored.memory.impact.rank <= Impact.MEDIUM.rank


def test_an_observation_keeps_its_date_type_files_and_session(sandbox: Sandbox) -> None:
    sandbox.ask("import", from_="claude-mem", file=str(SAMPLES["claude-mem"][1](sandbox.folder)))
    found = {stored.memory.title: stored.memory for stored in sandbox.ask("list").items}
    memory = found["Basket survives a restart"]
    assert memory.created_at.isoformat() == "2026-01-02T03:04:05+00:00"
    assert (memory.type, memory.session, memory.files_modified) == ("bugfix", "s-1", ("src/basket.py",))
    assert memory.content.endswith("- The key is kept in Redis now")


def test_objects_of_another_project_are_left_out_unless_given_to_this_one(sandbox: Sandbox) -> None:
    path = str(SAMPLES["claude-mem"][1](sandbox.folder))
    report = by_name(sandbox.ask("import", from_="claude-mem", file=path))["observation 3"]
    assert report.result is Result.LEFT_OUT and "'boat'" in report.why and "--here" in report.why
    assert sandbox.ask("import", from_="claude-mem", file=path, here=True).added == 1


def test_an_unknown_type_is_reported_as_a_change(sandbox: Sandbox) -> None:
    answer = sandbox.ask("import", from_="claude-mem", file=str(SAMPLES["claude-mem"][1](sandbox.folder)))
    report = by_name(answer)["observation 2"]
    assert report.result is Result.CHANGED and "security_alert" in report.why
    assert by_name(answer)["1 prompts"].result is Result.LEFT_OUT


def test_a_memory_of_another_agent_needs_a_new_owner(sandbox: Sandbox) -> None:
    row = {"id": "x", "region": "AGENT", "kind": "LEARNINGS", "impact": "LOW", "content": "Ropes are coiled clockwise."}
    path = write(sandbox.folder / "a.json", json.dumps({"agent": {"id": "bosun"}, "memories": [row]}))
    report = sandbox.ask("import", from_="ltm", file=str(path)).objects[0]
    assert report.result is Result.LEFT_OUT and "--remap-agent anima" in report.why
    assert sandbox.ask("import", from_="ltm", file=str(path), remap_agent="anima").added == 1


def test_a_replaced_memory_is_imported_as_replaced(sandbox: Sandbox) -> None:
    sandbox.ask("import", from_="ltm", file=str(SAMPLES["ltm"][1](sandbox.folder)))
    found = {stored.memory.content: stored.status for stored in sandbox.ask("list", all=True).items}
    assert found["The basket lives in cookies"] is Status.SUPERSEDED
    assert found["The basket lives in Redis since spring"] is Status.LIVE
    assert "The rudder is on the left" not in found


FORGOTTEN = (
    "INSERT INTO memories VALUES('f-1','anima','PROJECT','shop','LEARNINGS','Deploy by copying files','Deploy by "
    "copying files','HIGH',1.0,'2026-01-01T00:00:00','2026-01-01T00:00:00',NULL,1,'f-2',NULL,NULL);"
    "INSERT INTO memories VALUES('f-2','anima','PROJECT','shop','LEARNINGS','Deploy by rsync','Deploy by rsync',"
    "'HIGH',1.0,'2026-01-02T00:00:00','2026-01-02T00:00:00',NULL,2,'f-3',NULL,NULL);"
    "INSERT INTO memories VALUES('f-3','anima','PROJECT','shop','LEARNINGS','[FORGOTTEN] Deploy by rsync...',"
    "'[FORGOTTEN] Deploy by rsync...','HIGH',0.0,'2026-01-03T00:00:00','2026-01-03T00:00:00',NULL,3,NULL,NULL,NULL);"
)


def test_what_ltm_had_forgotten_stays_forgotten_with_its_older_versions(sandbox: Sandbox) -> None:
    path = SAMPLES["ltm"][1](sandbox.folder)
    connection = apsw.Connection(str(path))
    connection.execute(FORGOTTEN)
    connection.close()
    row = {"region": "PROJECT", "kind": "LEARNINGS", "impact": "LOW", "content": "Deploy by rsync", "id": "f-2"}
    backup = write(sandbox.folder / "backup.json", json.dumps({"memories": [{**row, "project_id": "shop"}]}))
    preview = sandbox.ask("import", from_="ltm", file=str(path), dry_run=True)
    answer = sandbox.ask("import", from_="ltm", file=str(path))
    assert preview.counts() == answer.counts()
    assert [report.why for report in answer.objects if report.name.startswith("memory f-")] == [
        "it was forgotten there",
        "it was forgotten there",
        "it only says that another memory was forgotten",
    ]
    # An older file of the same tool does not bring it back either.
    (report,) = sandbox.ask("import", file=str(backup)).objects
    assert report.result is Result.REFUSED and "forgotten" in report.why
    assert not [text for text in sandbox.texts("list", all=True) if "Deploy" in text]


def test_what_was_imported_before_it_was_forgotten_there_is_proposed(sandbox: Sandbox) -> None:
    row = {"region": "PROJECT", "kind": "LEARNINGS", "impact": "LOW", "content": "Deploy by rsync", "id": "f-2"}
    backup = write(sandbox.folder / "backup.json", json.dumps({"memories": [{**row, "project_id": "shop"}]}))
    id = sandbox.ask("import", file=str(backup)).objects[0].memory
    path = SAMPLES["ltm"][1](sandbox.folder)
    connection = apsw.Connection(str(path))
    connection.execute(FORGOTTEN)
    connection.close()
    answer = sandbox.ask("import", from_="ltm", file=str(path))
    assert answer.proposed == [f"ltm:f-2 was forgotten there; if you agree: limpet forget {id}"]
    assert "Deploy by rsync" in sandbox.texts()


def test_a_memory_whose_replacement_is_not_in_the_store_is_not_current(sandbox: Sandbox) -> None:
    row = {"region": "PROJECT", "project_id": "shop", "kind": "LEARNINGS", "impact": "LOW"}
    data = {"memories": [{**row, "id": "1", "content": "The basket lives in a file", "superseded_by": "2"}]}
    sandbox.ask("import", file=str(write(sandbox.folder / "old.json", json.dumps(data))))
    assert sandbox.texts() == []
    assert sandbox.texts("list", all=True) == ["The basket lives in a file"]
    newer = {**row, "id": "2", "content": "The basket lives in Redis"}
    sandbox.ask("import", file=str(write(sandbox.folder / "new.json", json.dumps({"memories": [newer]}))))
    older = next(each for each in sandbox.ask("list", all=True).items if "a file" in each.memory.content)
    (live,) = sandbox.ask("list").items
    assert (live.memory.content, older.memory.superseded_by) == ("The basket lives in Redis", live.memory.id)


def test_what_an_answer_of_mem0_says_was_deleted_is_left_out(sandbox: Sandbox) -> None:
    rows = [
        {"id": "1", "memory": "Owns a dinghy", "event": "DELETE"},
        {"id": "2", "memory": "Likes coffee in the morning", "event": "ADD"},
    ]
    answer = sandbox.ask("import", file=str(write(sandbox.folder / "m.json", json.dumps({"results": rows}))))
    assert results(answer) == {"taken": 1, "left out": 1}
    assert sandbox.texts() == ["Likes coffee in the morning"]


def test_a_cycle_of_replacements_ends(sandbox: Sandbox) -> None:
    row = {"region": "AGENT", "kind": "LEARNINGS", "impact": "LOW"}
    rows = [
        {**row, "content": "One is two", "id": "1", "superseded_by": "2"},
        {**row, "content": "Two is one", "id": "2", "superseded_by": "1"},
    ]
    assert sandbox.ask("import", file=str(write(sandbox.folder / "a.json", json.dumps({"memories": rows})))).added == 2


def test_an_export_of_ltm_without_its_agent_is_recognised(sandbox: Sandbox) -> None:
    row = {"id": "x", "region": "AGENT", "kind": "LEARNINGS", "impact": "LOW", "content": "Ropes are coiled clockwise."}
    path = write(sandbox.folder / "a.json", json.dumps({"version": "1.0", "agent": None, "memories": [row]}))
    assert sandbox.ask("import", file=str(path)).added == 1
    path.write_text(json.dumps({"version": "1.0", "memories": [{**row, "id": "y", "content": "Sails are dried."}]}))
    assert sandbox.ask("import", file=str(path)).added == 1


def test_a_confirmed_import_gets_what_its_file_claims(sandbox: Sandbox) -> None:
    sandbox.ask("sign")
    answer = sandbox.ask("import", from_="ltm", file=str(SAMPLES["ltm"][1](sandbox.folder)))
    assert answer.unconfirmed == 3
    before = {each.memory.content: each.memory for each in sandbox.ask("list").items}
    assert {(each.kind, each.impact, each.region) for each in before.values()} == {
        (Kind.LEARNINGS, Impact.MEDIUM, Region.PROJECT),
        (Kind.LEARNINGS, Impact.LOW, Region.PROJECT),
    }
    confirmed = sandbox.ask("confirm", source="origin:import").memories
    found = {stored.memory.content: stored.memory for stored in confirmed}
    redis, humour = found["The basket lives in Redis since spring"], found["Likes dry humour"]
    assert (redis.kind, redis.impact, redis.region) == (Kind.ARCHITECTURAL, Impact.CRITICAL, Region.PROJECT)
    assert (humour.kind, humour.impact, humour.region) == (Kind.EMOTIONAL, Impact.LOW, Region.AGENT)
    assert (redis.importance, redis.confirmed, humour.project) == (0.9, True, None)
    assert len(found) == 2, "what was replaced there does not wait"
    assert sandbox.json("verify")["ok"]
    # It is told everywhere, and asking for a restore moves nothing.
    assert "dry humour" in inject(sandbox, cwd=sandbox.folder) and "Redis" in inject(sandbox, session="s2")
    assert sandbox.ask("restore", id=redis.id).how == "there was nothing to restore"
    with pytest.raises(Refused, match="waits"):
        sandbox.ask("confirm", source="origin:import")


def test_a_single_import_that_is_confirmed_gets_what_it_claims_too(sandbox: Sandbox) -> None:
    sandbox.ask("import", from_="letsgo", file=str(SAMPLES["letsgo"][1](sandbox.folder)))
    (stored, *_) = sandbox.ask("list").items
    sandbox.ask("confirm", ids=[stored.memory.id])
    path = SAMPLES["ltm"][1](sandbox.folder)
    sandbox.ask("import", from_="ltm", file=str(path))
    humour = next(each.memory for each in sandbox.ask("list").items if "humour" in each.memory.content)
    (confirmed,) = sandbox.ask("confirm", ids=[humour.id]).memories
    assert (confirmed.memory.kind, confirmed.memory.region) == (Kind.EMOTIONAL, Region.AGENT)


def test_no_model_confirms_an_import(sandbox: Sandbox) -> None:
    sandbox.ask("import", from_="ltm", file=str(SAMPLES["ltm"][1](sandbox.folder)))
    with pytest.raises(Refused, match="person"):
        sandbox.ask("confirm", source="origin:import", as_=MODEL)


def test_what_was_forgotten_here_does_not_come_back(sandbox: Sandbox) -> None:
    path = str(SAMPLES["server-memory"][1](sandbox.folder))
    sandbox.ask("import", file=path)
    gone = next(stored.memory for stored in sandbox.ask("list").items if "Lisbon" in stored.memory.content)
    sandbox.ask("forget", ids=[gone.id])
    answer = sandbox.ask("import", file=path)
    refused = [report for report in answer.objects if report.result is Result.REFUSED]
    assert answer.added == 0 and [report.memory for report in refused] == [gone.id]
    assert "limpet restore" in refused[0].why


@pytest.mark.parametrize("signs", [True, False])
def test_what_was_purged_here_does_not_come_back(sandbox: Sandbox, signs: bool) -> None:
    path = str(SAMPLES["server-memory"][1](sandbox.folder))
    if signs:
        sandbox.ask("sign")
    sandbox.ask("import", file=path)
    gone = next(stored.memory for stored in sandbox.ask("list").items if "Lisbon" in stored.memory.content)
    sandbox.ask("purge", ids=[gone.id])
    # Neither a first key nor a new one makes the home forget what was purged.
    sandbox.ask("sign", new_key=True)
    answer = sandbox.ask("import", file=path)
    assert answer.added == 0
    assert [report.why for report in answer.objects if report.result is Result.REFUSED] == [
        "it was purged here and does not come back"
    ]
    assert sandbox.files_with("Lisbon") == []


def test_what_was_corrected_here_is_known(sandbox: Sandbox) -> None:
    path = str(SAMPLES["server-memory"][1](sandbox.folder))
    sandbox.ask("import", file=path)
    old = next(stored.memory for stored in sandbox.ask("list").items if "Lisbon" in stored.memory.content)
    sandbox.ask("correct", id=old.id, text="Ada works from Porto on Fridays")
    answer = sandbox.ask("import", file=path)
    assert (answer.added, results(answer)) == (0, {"known": 6, "left out": 1})


def test_a_text_that_is_known_here_is_not_added_again(sandbox: Sandbox) -> None:
    sandbox.remember("Ada: Prefers short pull requests")
    answer = sandbox.ask("import", file=str(SAMPLES["server-memory"][1](sandbox.folder)))
    assert (answer.added, answer.duplicates) == (3, 1)


def test_a_secret_is_removed_and_said(sandbox: Sandbox) -> None:
    secret = "ghp" + "_" + "x7Kq9Zr2LmW4tB8vNcD3sF6hJ1pQ5yUaEoGi"
    line = {"type": "entity", "name": "ci", "entityType": "x", "observations": [f"The token of the runner is {secret}"]}
    path = write(sandbox.folder / "memory.jsonl", json.dumps(line))
    report = sandbox.ask("import", file=str(path)).objects[0]
    assert report.result is Result.CHANGED and "removed" in report.why and secret not in str(report)
    assert sandbox.files_with(secret) == [str(path)] or sandbox.files_with(secret) == []


def test_sensitivity_is_kept_and_an_unknown_level_becomes_secret(sandbox: Sandbox) -> None:
    sandbox.ask("import", from_="letsgo", file=str(SAMPLES["letsgo"][1](sandbox.folder)))
    found = {stored.memory.content: stored.memory.sensitivity for stored in sandbox.ask("list", private=True).items}
    assert found["The vault is opened with two keys."] is Sensitivity.SECRET
    assert found["The third level is unknown to everybody."] is Sensitivity.SECRET
    assert [stored.memory.content for stored in sandbox.ask("list").items] == [
        "The importer retries three times before it gives up."
    ]


def test_a_shortened_memory_comes_with_its_archived_text(sandbox: Sandbox) -> None:
    answer = sandbox.ask("import", from_="claude-ltm", file=str(SAMPLES["claude-ltm"][1](sandbox.folder)))
    found = {stored.memory.content: stored.memory for stored in sandbox.ask("list").items}
    assert "The whole text of the second memory." in found
    assert {memory.title for memory in found.values()} == {"2024"}
    assert by_name(answer)["own.md"].why == "Limpet wrote it"


def test_a_number_that_is_none_costs_no_memory(sandbox: Sandbox) -> None:
    folder = SAMPLES["claude-ltm"][1](sandbox.folder)
    for file in folder.glob("memories/*.md"):
        file.write_text(file.read_text().replace("difficulty: 0.85", "difficulty: ²"))
    assert sandbox.ask("import", from_="claude-ltm", file=str(folder)).added == 2


def test_the_memories_of_an_app_stay_with_the_app(sandbox: Sandbox) -> None:
    sandbox.ask("import", from_="ai-effort-regulation", file=str(SAMPLES["ai-effort-regulation"][1](sandbox.folder)))
    assert sandbox.ask("list").total == 0


def test_stores_are_found_where_the_tools_keep_them(sandbox: Sandbox) -> None:
    home = sandbox.folder / "nobody"
    database(home / ".claude-mem" / "claude-mem.db", "CREATE TABLE observations (id, memory_session_id, project)")
    write(sandbox.project / "AGENTS.md", "- Run the linter before you push\n")
    write(sandbox.project / ".serena" / "memories" / "a.md", "Serena knows this thing.\n")
    before = sandbox.journal()
    answer = sandbox.ask("import")
    assert [name for name, _ in answer.found] == ["claude-mem", "serena", "agents-md"]
    assert sandbox.journal() == before
    assert sandbox.ask("import", from_="serena").added == 1
    assert sandbox.ask("import", from_="rules").added == 1


def test_the_notes_of_claude_code_are_those_of_this_project(sandbox: Sandbox, user_home: Path) -> None:
    name = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in str(sandbox.project))
    folder = user_home / ".claude" / "projects" / name / "memory"
    write(folder / "MEMORY.md", "# Notes\n- [Port](port.md): which port\n- Always run the linter before a commit\n")
    note = write(folder / "port.md", "---\ndescription: Which port the API has\n---\nThe API has port 8080.\n")
    assert sandbox.ask("import", from_="claude-code").added == 2
    found = {stored.memory.content: stored.memory for stored in sandbox.ask("list").items}
    assert found["The API has port 8080."].title == "Which port the API has"
    assert {memory.origin for memory in found.values()} == {Origin.IMPORT}
    assert note.read_text().startswith("---")
    other = sandbox.folder / "other"
    other.mkdir()
    with pytest.raises(UsageError, match="found nothing of claude-code"):
        sandbox.ask("import", from_="claude-code", cwd=other)


def test_nothing_found_is_said_with_what_to_do(sandbox: Sandbox) -> None:
    assert sandbox.ask("import").found == []
    with pytest.raises(UsageError, match=r"found nothing of serena.*give its file or folder"):
        sandbox.ask("import", from_="serena")


def test_a_model_does_not_import(sandbox: Sandbox) -> None:
    path = str(SAMPLES["server-memory"][1](sandbox.folder))
    with pytest.raises(Refused, match="only a person"):
        sandbox.ask("import", file=path, as_=MODEL)


def test_an_import_of_many_leaves_what_was_here_in_full(sandbox: Sandbox) -> None:
    for number in range(12):
        sandbox.remember(f"Rule number {number} of the harbour is kept by everybody who sails there, whatever " * 6)
    texts = [
        f"Observation {number} about a different thing called thing{number}, told at length " * 6
        for number in range(60)
    ]
    line: dict[str, Any] = {"type": "entity", "name": "many", "entityType": "x", "observations": texts}
    path = write(sandbox.folder / "memory.jsonl", json.dumps(line))
    sandbox.ask("import", file=str(path), flags={"store.project_cap": 40})
    own = [stored for stored in sandbox.ask("list", limit=1000).items if stored.memory.origin is Origin.USER]
    assert len(own) == 12
    assert sum(stored.memory.phase == 0 for stored in own) >= 6


def test_a_link_to_a_store_is_refused(sandbox: Sandbox) -> None:
    link = sandbox.folder / "link.jsonl"
    link.symlink_to(SAMPLES["server-memory"][1](sandbox.folder))
    answer = sandbox.ask("import", from_="server-memory", file=str(link))
    assert [report.why for report in answer.objects] == ["it is a symlink, which is not followed"]


def test_the_foreign_store_is_not_touched(sandbox: Sandbox, tmp_path: Path) -> None:
    path = SAMPLES["claude-mem"][1](sandbox.folder)
    before = {each: (each.stat().st_mtime_ns, each.read_bytes()) for each in path.parent.glob("claude-mem*")}
    sandbox.ask("import", from_="claude-mem", file=str(path))
    assert {each: (each.stat().st_mtime_ns, each.read_bytes()) for each in path.parent.glob("claude-mem*")} == before


def test_what_the_memory_service_has_replaced_or_deleted_is_left_out(sandbox: Sandbox) -> None:
    answer = sandbox.ask("import", file=str(SAMPLES["mcp-memory-service, made by it"][1](sandbox.folder)))
    texts = sandbox.texts()
    assert "Deploys go out on Tuesday, after the weekly meeting." in texts and len(texts) == 3
    assert sorted(report.why for report in answer.objects if report.result is Result.LEFT_OUT) == [
        "it was deleted there",
        "it was replaced there",
    ]
    tags = {tag for stored in sandbox.ask("list", limit=9).items for tag in stored.memory.tags}
    assert "untagged" not in tags


def test_a_database_is_copied_once_to_look_and_once_to_read(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    path = SAMPLES["letsgo"][1](sandbox.folder)
    copied: list[str] = []
    copy = shutil.copyfile

    def note(source: str, target: str, **options: Any) -> object:
        copied.append(source)
        return copy(source, target, **options)

    monkeypatch.setattr(shutil, "copyfile", note)
    assert sandbox.ask("import", file=str(path)).added == 3
    assert copied == [str(path)] * 2
    database(path, "CREATE TABLE observations (memory_session_id, project)")
    assert has_table(str(path), "observations", "project"), "a file that was written to is looked at again"


def test_a_secret_that_only_its_name_tells_is_removed_from_an_imported_fact(sandbox: Sandbox) -> None:
    secret = "hunter2-Xk9"
    line = {"type": "relation", "from": "database", "relationType": "password", "to": secret}
    report = sandbox.ask("import", file=str(write(sandbox.folder / "memory.jsonl", json.dumps(line)))).objects[0]
    assert report.result is Result.CHANGED and "removed" in report.why
    assert sandbox.files_with(secret, home=sandbox.home) == []
