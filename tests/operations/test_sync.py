"""Files and memories follow each other, whoever changes them, and nothing is lost."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from limpet.errors import Refused
from limpet.model.memory import Impact, Kind, Memory, Origin
from limpet.model.query import Query
from limpet.runtime import Caller
from tests.operations.sandbox import MODEL, USER, Sandbox
from tests.operations.sharing import edit, names, share

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def live(sandbox: Sandbox, **values: object) -> set[str]:
    return set(sandbox.texts("list", limit=100, **values))


def one(sandbox: Sandbox, text: str) -> Memory:
    """Return the live memory with this text."""
    with sandbox.open() as runtime:
        page = runtime.reading().browse(Query(scope=runtime.scope(), now=sandbox.now, limit=1000))
        found = [each.memory for each in page.items if each.memory.content == text]
    assert len(found) == 1, found
    return found[0]


def test_a_new_memory_is_written_at_the_next_sync(sandbox: Sandbox) -> None:
    share(sandbox)
    memory = sandbox.remember("The queue is drained by the worker")
    assert sandbox.ask("sync").written == [memory.id]
    assert names(sandbox.project) == {memory.id}
    assert sandbox.ask("sync").written == []


def test_without_a_folder_there_is_nothing_to_sync(sandbox: Sandbox) -> None:
    with pytest.raises(Refused, match="limpet share"):
        sandbox.ask("sync")


def test_a_new_file_comes_in_as_a_file_and_is_not_told_unasked(sandbox: Sandbox) -> None:
    folder = share(sandbox)
    (folder / "ports.md").write_text("The service listens on port 7070.\n")
    answer = sandbox.ask("sync")
    assert len(answer.taken) == 1 and answer.waiting == 1
    memory = one(sandbox, "The service listens on port 7070.")
    assert (memory.origin, memory.confirmed) == (Origin.FILE, False)
    assert sandbox.ask("sync").taken == []


def test_an_edit_comes_back_as_a_new_version(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The default port is 8080", as_=MODEL)
    folder = share(sandbox)
    edit(folder / f"{memory.id}.md", "8080", "9090")
    answer = sandbox.ask("sync")
    assert len(answer.edited) == 1
    assert live(sandbox) == {"The default port is 9090"}
    newest = one(sandbox, "The default port is 9090")
    assert (newest.corrects, newest.version, newest.origin) == (memory.id, 2, Origin.FILE)
    assert newest.title == "The default port is 9090"
    assert names(sandbox.project) == {memory.id}
    assert sandbox.ask("sync").edited == []


def test_an_edited_tag_comes_back_too(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The default port is 8080", tags=["net"], as_=MODEL)
    path = share(sandbox) / f"{memory.id}.md"
    path.write_text(path.read_text().replace("- net\n", "- net\n- tcp\n"))
    sandbox.ask("sync")
    assert one(sandbox, "The default port is 8080").tags == ("net", "tcp")


def test_a_correction_is_written_to_the_same_file(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The default port is 8080")
    folder = share(sandbox)
    sandbox.correct(memory, "The default port is 9090")
    sandbox.ask("sync")
    assert names(sandbox.project) == {memory.id}
    assert "9090" in (folder / f"{memory.id}.md").read_text()


def test_a_deleted_file_forgets_its_memory_and_a_returned_file_brings_it_back(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The default port is 8080", as_=MODEL)
    sandbox.remember("Tests run with pytest")
    path = share(sandbox) / f"{memory.id}.md"
    text = path.read_text()
    path.unlink()
    assert sandbox.ask("sync").forgotten == [memory.id]
    assert live(sandbox) == {"Tests run with pytest"}
    assert not path.exists()
    path.write_text(text)
    assert sandbox.ask("sync").restored == [memory.id]
    assert live(sandbox) == {"Tests run with pytest", "The default port is 8080"}


def test_a_forgotten_memory_loses_its_file_and_git_cannot_bring_it_back(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The default port is 8080")
    path = share(sandbox) / f"{memory.id}.md"
    text = path.read_text()
    sandbox.ask("forget", ids=[memory.id])
    assert sandbox.ask("sync").removed == [memory.id]
    assert not path.exists()
    path.write_text(text)
    assert "forgotten" in sandbox.ask("sync").refused[path.name]
    assert live(sandbox) == set()
    assert path.exists()


def test_a_restored_memory_gets_its_file_again(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The default port is 8080")
    share(sandbox)
    sandbox.ask("forget", ids=[memory.id])
    sandbox.ask("sync")
    sandbox.ask("restore", id=memory.id)
    sandbox.ask("sync")
    assert names(sandbox.project) == {memory.id}


def test_a_renamed_file_stays_the_file_of_its_memory(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The default port is 8080", as_=MODEL)
    sandbox.remember("Tests run with pytest")
    folder = share(sandbox)
    (folder / "sub").mkdir()
    os.rename(folder / f"{memory.id}.md", folder / "sub" / "port.md")
    answer = sandbox.ask("sync")
    assert (answer.taken, answer.forgotten, answer.written) == ([], [], [])
    edit(folder / "sub" / "port.md", "8080", "9090")
    sandbox.ask("sync")
    assert one(sandbox, "The default port is 9090").corrects == memory.id


def test_a_change_on_both_sides_keeps_both_linked(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The default port is 8080")
    folder = share(sandbox)
    sandbox.correct(memory, "The default port is 9090")
    edit(folder / f"{memory.id}.md", "8080", "7070")
    answer = sandbox.ask("sync")
    assert len(answer.both) == 1
    assert live(sandbox) == {"The default port is 9090", "The default port is 7070"}
    other = one(sandbox, "The default port is 9090")
    with sandbox.open() as runtime:
        links = runtime.reading().links(runtime.scope())
    assert (answer.both[0], "concurrent", other.id) in links or (other.id, "concurrent", answer.both[0]) in links
    assert names(sandbox.project) == {memory.id, other.id}
    assert "7070" in (folder / f"{memory.id}.md").read_text()
    again = sandbox.ask("sync")
    assert not (again.edited or again.both or again.written or again.taken)


def test_linked_memories_are_linked_in_their_files_until_one_is_gone(sandbox: Sandbox) -> None:
    first = sandbox.remember(
        "The nightly import job of the shop reads the orders from the queue at two in the morning", as_=MODEL
    )
    second = sandbox.remember("The nightly import job of the shop reads the orders from the queue at 2 in the morning")
    other = sandbox.remember("Tests run with pytest")
    folder = share(sandbox)
    assert f"- '[[{first.id}]]'" in (folder / f"{second.id}.md").read_text()
    (folder / f"{first.id}.md").unlink()
    sandbox.ask("sync")
    assert first.id not in (folder / f"{second.id}.md").read_text()
    assert not sandbox.ask("doctor").problems
    assert names(sandbox.project) == {second.id, other.id}


def test_conflict_markers_are_said_and_the_file_is_left_alone(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The default port is 8080")
    path = share(sandbox) / f"{memory.id}.md"
    path.write_text(f"{path.read_text()}<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main\n")
    sandbox.correct(memory, "The default port is 9090")
    before = path.read_bytes()
    for _ in range(2):
        assert "conflict" in sandbox.ask("sync").refused[path.name]
    assert path.read_bytes() == before
    assert live(sandbox) == {"The default port is 9090"}


def test_most_files_gone_changes_nothing_until_a_person_says_so(sandbox: Sandbox) -> None:
    for number in range(4):
        sandbox.remember(f"Service {number} has a queue of its own, number {number * 17}")
    folder = share(sandbox)
    for path in folder.glob("mem_*.md"):
        path.unlink()
    answer = sandbox.ask("sync")
    assert "4 of 4 files are gone" in answer.notes[0] and not answer.forgotten
    assert len(live(sandbox)) == 4
    with pytest.raises(Refused, match="person"):
        sandbox.ask("sync", deleted=True, as_=MODEL)
    assert len(sandbox.ask("sync", deleted=True).forgotten) == 4


def test_files_that_are_doubted_stay_so_when_others_are_added(sandbox: Sandbox) -> None:
    """Otherwise the files that a sync writes itself would make those that are gone a small part."""
    kept = [sandbox.remember(f"Service {number} has a queue of its own, number {number * 17}") for number in range(3)]
    folder = share(sandbox)
    for memory in kept[:2]:
        (folder / f"{memory.id}.md").unlink()
    for colour in ("amber", "cobalt", "jasper"):
        sandbox.remember(f"The {colour} lamp of the printer means a jam")
        answer = sandbox.ask("sync")
        assert not answer.forgotten and "2 of " in answer.notes[0]
    assert len(live(sandbox)) == 6
    assert len(sandbox.ask("sync", deleted=True).forgotten) == 2
    assert sandbox.ask("sync").notes == []


def test_a_folder_that_cannot_be_listed_changes_nothing(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox.remember("The default port is 8080")
    share(sandbox)

    scan = os.scandir

    def fail(path: str) -> object:
        if "ltm" in str(path):
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", fail)
    answer = sandbox.ask("sync")
    assert "nothing was changed" in answer.notes[0]
    monkeypatch.undo()
    assert live(sandbox) == {"The default port is 8080"}


def test_a_file_cannot_touch_a_private_memory_or_one_of_another_project(sandbox: Sandbox) -> None:
    private = sandbox.remember("The gate code is kept in the safe", sensitivity="private")
    other = sandbox.folder / "other"
    other.mkdir()
    foreign = sandbox.remember("Elsewhere the port is 1", cwd=other)
    folder = share(sandbox)
    for memory in (private, foreign):
        (folder / f"{memory.id}.md").write_text("I replace what you know.\n")
    sandbox.ask("sync")
    with sandbox.open() as runtime:
        for memory in (private, foreign):
            stored = runtime.reading().get(memory.id)
            assert stored is not None and stored.status == "live"


def test_the_ledger_can_be_lost_at_any_time(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The default port is 8080")
    folder = share(sandbox)
    (folder / "ports.md").write_text("---\nkind: ARCHITECTURAL\nimpact: HIGH\n---\nThe admin port is 7070.\n")
    sandbox.ask("sync")
    edit(folder / f"{memory.id}.md", "8080", "9090")
    sandbox.ask("sync")
    before = live(sandbox)
    for path in (sandbox.home / "mirror").iterdir():
        path.unlink()
    answer = sandbox.ask("sync")
    assert not (answer.taken or answer.edited or answer.both or answer.forgotten)
    assert live(sandbox) == before


def test_a_confirmed_file_has_the_kind_and_impact_that_it_claims(sandbox: Sandbox) -> None:
    folder = share(sandbox)
    (folder / "ports.md").write_text("---\nkind: ARCHITECTURAL\nimpact: HIGH\n---\nThe admin port is 7070.\n")
    sandbox.ask("sync")
    memory = one(sandbox, "The admin port is 7070.")
    assert (memory.kind, memory.impact) == (Kind.LEARNINGS, Impact.MEDIUM)
    assert [each.memory.id for each in sandbox.ask("confirm", project=True).memories] == [memory.id]
    memory = one(sandbox, "The admin port is 7070.")
    assert (memory.kind, memory.impact, memory.confirmed) == (Kind.ARCHITECTURAL, Impact.HIGH, True)
    assert sandbox.ask("sync").waiting == 0
    assert not sandbox.ask("verify").problems


def test_what_waits_from_files_is_named_in_the_inbox(sandbox: Sandbox) -> None:
    folder = share(sandbox)
    (folder / "ports.md").write_text("The admin port is 7070.\n")
    sandbox.ask("sync")
    assert any("limpet confirm --project" in line for line in sandbox.ask("inbox").confirmable)


def test_a_secret_in_a_file_is_not_stored(sandbox: Sandbox) -> None:
    folder = share(sandbox)
    (folder / "token.md").write_text(f"The token is {SECRET} for the deploy.\n")
    sandbox.ask("sync")
    assert sandbox.files_with(SECRET) == []


def test_more_files_than_the_threshold_go_to_the_archive(sandbox: Sandbox) -> None:

    folder = share(sandbox)
    state = folder.parent / "state.json"
    found = json.loads(state.read_text())
    found["config"] |= {"max_memories": 5, "eviction_batch_size": 2}
    state.write_text(json.dumps(found))
    for number in range(6):
        sandbox.remember(f"Service {number} has a queue of its own, number {number * 17}")
    answer = sandbox.ask("sync")
    assert len(answer.archived) == 2
    assert len(names(sandbox.project)) == 4
    assert len(list((folder.parent / "archives").glob("*.md"))) == 2
    assert len(live(sandbox)) == 6
    assert sandbox.ask("sync").forgotten == []
    sandbox.ask("sync")
    assert len(live(sandbox)) == 6
    phases = {entry["phase"] for entry in json.loads((folder.parent / "index.json").read_text())["memories"].values()}
    assert phases == {0, 3}


def test_a_faded_memory_keeps_its_whole_text_in_the_file(sandbox: Sandbox) -> None:
    long = " ".join(f"Point {number} of the plan is about the queue and the worker." for number in range(30))
    memory = sandbox.remember(long, impact="LOW")
    path = share(sandbox) / f"{memory.id}.md"
    before = path.read_bytes()
    with sandbox.open() as runtime:
        from limpet.model.memory import Phase
        from limpet.upkeep.condense import condense_memory

        stored = runtime.reading().get(memory.id)
        assert stored is not None
        change = condense_memory(runtime.reading(), stored, Phase.HINT, sign_again=runtime.signer.sign_again)
        assert change is not None
        runtime.write([change])
    assert sandbox.ask("sync").written == []
    assert path.read_bytes() == before


def test_a_file_that_is_edited_while_it_is_written_keeps_the_edit(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    from limpet import system

    memory = sandbox.remember("The default port is 8080")
    path = share(sandbox) / f"{memory.id}.md"
    sandbox.correct(memory, "The default port is 9090")
    exchange = system.exchange
    calls: list[str] = []

    def edit_first(one: str, other: str) -> bool:
        if not calls:
            edit(path, "8080", "7070")
        calls.append(one)
        return exchange(one, other)

    monkeypatch.setattr(system, "exchange", edit_first)
    sandbox.ask("sync")
    assert "7070" in path.read_text()
    monkeypatch.undo()
    sandbox.ask("sync")
    assert live(sandbox) == {"The default port is 9090", "The default port is 7070"}


def test_an_edit_that_a_killed_process_had_set_aside_comes_back(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The default port is 8080", as_=MODEL)
    path = share(sandbox) / f"{memory.id}.md"
    edit(path, "8080", "7070")
    os.rename(path, f"{path}.0a1b2c3d.aside.tmp")
    (Path(f"{path}.0a1b2c3d.tmp")).write_text("half a fi")
    sandbox.ask("sync")
    assert live(sandbox) == {"The default port is 7070"}
    assert [each.name for each in path.parent.glob("*.tmp")] == []


def make_hostile(folder: Path, victim: Path) -> set[str]:
    """Write two hundred files that must be refused, and return their names."""
    bomb = "".join(f"{chr(97 + at)}: &{chr(97 + at)} [{','.join(['*' + chr(96 + at)] * 9)}]\n" for at in range(1, 20))
    kinds: dict[str, bytes] = {
        "binary": b"\x7fELF\0\0\0\0" * 64,
        "latin": "Grüße aus Köln, der Käse ist alle.".encode("latin-1"),
        "utf16": "A note in another encoding".encode("utf-16"),
        "utf8-cut": "Ein Käse".encode()[:-3] + b"\xe4",
        "surrogate": b"---\ntitle: \xed\xa0\x80\n---\nx\n",
        "zeros": b"\0" * 1000,
        "large": b"x" * 10_000_000,
        "bomb": f"---\na: &a [x,x]\n{bomb}---\nx\n".encode(),
        "deep": b"---\na: " + b"[" * 20_000 + b"]" * 20_000 + b"\n---\nx\n",
        "python": b"---\n- !!python/object/apply:os.system ['touch PWNED']\n---\nx\n",
        "alias": b"---\na: &x 1\nb: *x\n---\nx\n",
        "unclosed": b"---\ntitle: never closed\n\ntext\n",
        "list": b"---\n- one\n- two\n---\ntext\n",
        "broken": b"---\ntitle: 'open\n---\ntext\n",
        "tab": b"---\n\ttitle: x\n---\ntext\n",
        "conflict": b"<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> branch\n",
        "empty": b"",
        "blank": b"\n \n\t\n",
        "nothing": b"---\ntitle: x\n---\n",
        "escape": b"The colour is \x1b[31mred\x1b[0m here.\n",
        "bell": b"Ring \x07 the bell.\n",
    }
    made = set()
    for number in range(150):
        kind = list(kinds)[number % len(kinds)]
        if kind == "large" and number >= len(kinds):
            kind = "zeros"
        made.add(name := f"{kind}-{number:03}.md")
        (folder / name).write_bytes(kinds[kind])
    for number in range(30):
        made.add(name := f"link-{number:02}.md")
        target = (victim, "/etc/passwd", "/dev/zero", "../../../../secret.md", folder / "nowhere")[number % 5]
        os.symlink(target, folder / name)
    for number in range(10):
        made.add(name := f"pipe-{number}.md")
        os.mkfifo(folder / name)
    for number in range(10):
        made.add(name := f"{'n' * (190 + number)}.md")
        (folder / name).write_text("a name that is too long\n")
    return made


def identify(path: Path) -> tuple[int, int, int]:
    info = os.lstat(path)
    return info.st_ino, info.st_size, info.st_mtime_ns


def test_two_hundred_hostile_files_are_refused_one_by_one_and_the_rest_is_taken(sandbox: Sandbox) -> None:
    victim = sandbox.folder / "victim.md"
    victim.write_text("mine\n")
    folder = share(sandbox)
    hostile = make_hostile(folder, victim)
    assert len(hostile) == 200
    good = {f"Service {number} listens on port {7000 + number}." for number in range(5)}
    for number, text in enumerate(sorted(good)):
        (folder / f"good-{number}.md").write_text(f"{text}\n")
    before = {name: identify(folder / name) for name in hostile}
    for _ in range(2):
        answer = sandbox.ask("sync")
        assert set(answer.refused) == hostile
        assert all(answer.refused.values())
    assert live(sandbox) == good
    assert victim.read_text() == "mine\n"
    assert not list(sandbox.folder.rglob("PWNED"))
    assert {name: identify(folder / name) for name in hostile} == before, "no file was touched"


def dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


TRAVERSAL = (
    "../../../../x",
    "/etc/passwd",
    "..",
    "a/../../b",
    "con",
    "mem_../../x",
    "%2e%2e/x",
    "a\nb",
    "x" * 4000,
    "🦪",
)


@pytest.mark.parametrize("id", TRAVERSAL)
def test_an_id_in_a_file_leads_nowhere(sandbox: Sandbox, id: str) -> None:
    folder = share(sandbox)
    outside = set(sandbox.folder.rglob("*"))
    (folder / "note.md").write_text(f"---\nid: {dump(id)}\nrelated: [{dump(f'[[{id}]]')}]\n---\nA note.\n")
    sandbox.ask("sync")
    sandbox.ask("confirm", project=True)
    one_more = one(sandbox, "A note.")
    sandbox.correct(one_more, "A better note.")
    sandbox.ask("sync")
    assert "A better note." in (folder / "note.md").read_text()
    new = {path for path in set(sandbox.folder.rglob("*")) - outside if sandbox.home not in path.parents}
    assert {path.parent.name for path in new} <= {"memories", "ltm"}


@pytest.mark.parametrize("sensitivity", ["private", "secret", "unknown"])
@pytest.mark.parametrize("caller", [USER, MODEL])
def test_the_file_of_a_memory_that_is_stored_again_as_private_is_removed(
    sandbox: Sandbox, caller: Caller, sensitivity: str
) -> None:
    memory = sandbox.remember("The default port is 8080", as_=caller)
    path = share(sandbox) / f"{memory.id}.md"
    assert path.exists() and memory.id in (path.parents[1] / "index.json").read_text()
    sandbox.ask("remember", text="The default port is 8080", sensitivity=sensitivity, as_=caller)
    assert sandbox.ask("sync").removed == [memory.id]
    assert not path.exists() and memory.id not in (path.parents[1] / "index.json").read_text()
    for ledger in (sandbox.home / "mirror").iterdir():
        assert json.loads(ledger.read_text())["is_shared"]
    assert sandbox.ask("sync").written == []
