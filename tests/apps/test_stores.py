"""Memory stores: a store is an app, its memories are files, and a version can be erased alone."""

from __future__ import annotations

from itertools import permutations

import pytest

from limpet.apps.files import delete_files, move_files, write_text
from limpet.apps.registry import find_app
from limpet.apps.stores import (
    VERSION,
    StoreFiles,
    create_memory,
    find_version,
    list_versions_of,
    update_memory,
    update_store,
)
from limpet.errors import Conflict, InvalidId, Refused, UsageError
from limpet.lean.record import replace
from limpet.model.app import FILE_PREFIX
from limpet.model.change import Change, ChangeKind
from limpet.model.file import FileOperation, FileVersion, fold_file, fold_file_versions
from limpet.runtime import Runtime
from tests.apps.talking import AppSandbox
from tests.operations.sandbox import MODEL, PROGRAM, USER

PATH = "/memories/a.md"


def write(runtime: Runtime, *texts: str) -> str:
    """Write versions of one file, and return its id."""
    context = runtime.context()
    app = find_app(context.reading(), "calendar")
    id = create_memory(context, app, path="/a.md", text=texts[0], writer="apikey_1")
    for text in texts[1:]:
        update_memory(context, app, f"mem_{id[5:]}", path=None, text=text, expected=None, writer="apikey_1")
    return id


def versions_of(runtime: Runtime, file: str) -> list[FileVersion]:
    reading = runtime.context().reading()
    return [each.version for each in list_versions_of(reading, find_app(reading, "calendar"), file)]


def test_a_redacted_version_is_erased_alone_and_stays_so_when_the_index_is_rebuilt(sandbox: AppSandbox) -> None:
    with sandbox.open() as runtime:
        file = write(runtime, "the zeppelin flies", "the trombone plays", "the harbour sleeps")
        ids = [VERSION + each.id for each in versions_of(runtime, file)]
    for caller in (PROGRAM, MODEL):
        with pytest.raises(Refused, match="only a person"):
            sandbox.do("redact", "calendar", ids[1], yes=True, as_=caller)
    with pytest.raises(UsageError, match="--yes"):
        sandbox.do("redact", "calendar", ids[1], as_=USER)
    assert sandbox.files_with("trombone")
    (shown,) = sandbox.do("redact", "calendar", ids[1], yes=True, as_=USER).versions
    assert shown.redacted_at is not None and (shown.text, shown.path, shown.writer) == (None, None, "apikey_1")
    assert sandbox.files_with("trombone") == []
    assert sandbox.files_with("zeppelin") and sandbox.files_with("harbour")
    assert sandbox.ask("verify").problems == ()
    with sandbox.open() as runtime:
        before = versions_of(runtime, file)
    for each in sandbox.home.glob("*.db*"):
        each.unlink()
    with sandbox.open() as runtime:
        assert versions_of(runtime, file) == before
        assert [each.text for each in before] == ["the harbour sleeps", None, "the zeppelin flies"]


def test_the_text_that_a_memory_has_now_is_not_redacted_under_another_path_either(sandbox: AppSandbox) -> None:
    with sandbox.open() as runtime:
        file = write(runtime, "old", "new")
        move_files(runtime.context(), "calendar", {file: "/memories/b.md"})
        moved, newer, older = (VERSION + each.id for each in versions_of(runtime, file))
    for current in (moved, newer):
        with pytest.raises(Conflict, match="has this text now"):
            sandbox.do("redact", "calendar", current, yes=True, as_=USER)
    sandbox.do("redact", "calendar", older, yes=True, as_=USER)
    with sandbox.open() as runtime:
        (path,) = StoreFiles(runtime.reading(), find_app(runtime.reading(), "calendar")).by_path
        assert path == "/memories/b.md"


def test_a_purge_of_a_file_erases_every_version(sandbox: AppSandbox) -> None:
    with sandbox.open() as runtime:
        file = write(runtime, "the zeppelin flies", "the zeppelin lands")
        other = write_text(runtime.context(), "calendar", "the harbour", path="/memories/c.md")
        assert not other
    assert sandbox.files_with("zeppelin")
    sandbox.do("purge", "calendar", file, yes=True, as_=USER)
    assert sandbox.files_with("zeppelin") == [] and sandbox.files_with("harbour")
    with sandbox.open() as runtime:
        assert versions_of(runtime, file) == []
    assert sandbox.ask("verify").problems == ()


def test_a_version_of_an_older_journal_is_read_and_erased_with_its_file_only(sandbox: AppSandbox) -> None:
    with sandbox.open() as runtime:
        context = runtime.context()
        id = "file_01jz4000000000000000000000"
        old = Change(kind=ChangeKind.FILE, subject=FILE_PREFIX + id, actor="app:calendar", payload={"app": "calendar"})
        for payload in ({"path": PATH, "text": "one"}, {"text": "two"}):
            context.write([replace(old, payload={**old.payload, **payload})])
        assert [each.text for each in versions_of(runtime, id)] == ["two", "one"]
        first = VERSION + versions_of(runtime, id)[-1].id
    with pytest.raises(UsageError, match="erases the whole file"):
        sandbox.do("redact", "calendar", first, yes=True, as_=USER)


def test_the_versions_of_another_app_are_not_found(sandbox: AppSandbox) -> None:
    sandbox.do("register", "mail")
    with sandbox.open() as runtime:
        file = write(runtime, "one", "two")
        version = VERSION + versions_of(runtime, file)[-1].id
    with pytest.raises(InvalidId, match="no memory version"):
        sandbox.do("redact", "mail", version, yes=True, as_=USER)
    assert len(sandbox.do("files", "calendar", file, as_=USER).versions) == 2


def test_a_change_that_is_no_version_of_the_file_is_not_found(sandbox: AppSandbox) -> None:
    with sandbox.open() as runtime:
        file = write(runtime, "one")
        foreign = Change(kind=ChangeKind.FILE, subject=FILE_PREFIX + file, actor="app:mail", payload={"app": "mail"})
        runtime.write([foreign])
        reading = runtime.reading()
        (newest, _), *_ = reading.file_change_ids("calendar", before="~", limit=1)
        with pytest.raises(InvalidId, match="no memory version"):
            find_version(reading, find_app(reading, "calendar"), VERSION + newest)


def test_nothing_is_brought_back_of_a_file_whose_versions_are_all_redacted(sandbox: AppSandbox) -> None:
    with sandbox.open() as runtime:
        file = write(runtime, "one")
        delete_files(runtime.context(), "calendar", [file])
        version = VERSION + versions_of(runtime, file)[-1].id
    sandbox.do("redact", "calendar", version, yes=True, as_=USER)
    with pytest.raises(UsageError, match="nothing to bring back"):
        sandbox.do("restore", "calendar", file, as_=USER)


def test_any_order_of_arrival_gives_the_same_versions_after_a_redaction(sandbox: AppSandbox) -> None:
    with sandbox.open() as runtime:
        file = write(runtime, "one", "two", "three")
        version = VERSION + versions_of(runtime, file)[-1].id
    sandbox.do("redact", "calendar", version, yes=True, as_=USER)
    with sandbox.open() as runtime:
        changes = runtime.reading().file_changes(file)
    folded = {str((fold_file(each), fold_file_versions(each))) for each in permutations(changes)}
    assert len(changes) == 4 and len(folded) == 1
    first, *_ = fold_file_versions(changes)
    assert (first.operation, first.text) == (FileOperation.CREATED, None)


def test_archived_files_can_be_read_and_deleted_only(sandbox: AppSandbox) -> None:
    with sandbox.open() as runtime:
        write(runtime, "one")
    assert sandbox.do("archive").app is not None
    create = '{"command": "create", "path": "/memories/b", "file_text": "x"}'
    for command, refused in ((create, True), ('{"command": "view", "path": "/memories/a.md"}', False)):
        result = sandbox.do("memory", text=command).result
        assert result is not None and result.is_error is refused
    result = sandbox.do("memory", text='{"command": "delete", "path": "/memories/a.md"}').result
    assert result is not None and not result.is_error


def test_two_requests_that_looked_at_the_same_time_lose_no_key(sandbox: AppSandbox) -> None:
    with sandbox.open() as runtime:
        context = runtime.context()
        app = find_app(context.reading(), "calendar")
        update_store(context, app, metadata={"one": "1"})
        assert update_store(context, app, metadata={"two": "2"}).metadata == {"one": "1", "two": "2"}
