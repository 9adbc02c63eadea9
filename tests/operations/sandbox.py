"""A temporary home with a frozen clock, and the callers who may use it.

Operations run in the test process through `open_runtime`, with text values, as a surface would run them.
"""

from __future__ import annotations

import hashlib
import os
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import apsw
import pytest

from limpet.clock import from_ms, now_ms, to_ms
from limpet.forms.json import encode_answer
from limpet.model.memory import Memory, Origin
from limpet.model.outcome import Admitted
from limpet.model.signature import Verdict
from limpet.operations.catalogue import load_verb
from limpet.runtime import Caller, Runtime, open_runtime
from limpet.runtime.codes import show_code
from limpet.runtime.identity import TERMINAL
from limpet.store.view.packed import pack_body
from limpet.store.view.rows import FROM, TEXT, decode_text
from tests.store.forensics import encode_needle, readable_bytes

USER = Caller(origin=Origin.USER, proof=TERMINAL)
PROGRAM = Caller(origin=Origin.AGENT)
"""A script: neither a person at a terminal nor a model."""
MODEL = Caller(origin=Origin.AGENT, is_agent=True)

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
SECOND = 1_000
DAY = 86_400_000

ID = re.compile(r"mem_[0-9a-hjkmnp-tv-z]{26}")


class Sandbox:
    """One home and one project folder; the clock advances by a second with every call."""

    def __init__(self, folder: Path) -> None:
        self.folder = Path(os.path.realpath(folder))
        self.home = self.folder / "home"
        self.project = self.folder / "shop"
        self.project.mkdir()
        self.ms = to_ms(START)

    @property
    def now(self) -> datetime:
        return from_ms(self.ms)

    @contextmanager
    def open(self, caller: Caller = USER, *, cwd: Path | None = None, **options: Any) -> Iterator[Runtime]:
        runtime = open_runtime(
            home=str(options.pop("home", self.home)),
            cwd=str(cwd or self.project),
            caller=caller,
            now_ms=lambda: self.ms,
            **options,
        )
        try:
            yield runtime
        finally:
            runtime.close()

    def ask(self, name: str, **values: Any) -> Any:
        """Return the answer of a verb.

        Besides the verb's parameters: `as_` is the caller, `cwd` and `home` are folders, `by` is the agent, `within`
        the project, `session` the current session (`of_session` the one to look for), and `flags` are settings.
        """
        self.ms += SECOND
        chosen = load_verb(name)
        opening: dict[str, Any] = {"agent": values.pop("by", None), "project": values.pop("within", None)}
        opening |= {key: values.pop(key) for key in ("cwd", "home", "session", "flags") if key in values}
        if "of_session" in values:
            values["session"] = values.pop("of_session")
        caller: Caller = values.pop("as_", USER)
        accepted = chosen.accept(values)
        with self.open(caller, **opening) as runtime:
            return chosen.run(runtime, **accepted)

    def json(self, name: str, **values: Any) -> dict[str, Any]:
        """Return the answer of a verb as JSON."""
        answer = self.ask(name, **values)
        return encode_answer(load_verb(name), answer, self.now)

    def remember(self, text: str, **values: Any) -> Memory:
        """Store a text that must be admitted, and return its memory."""
        outcome = self.ask("remember", text=text, **values)
        assert isinstance(outcome, Admitted), outcome
        return outcome.memory

    def correct(self, memory: Memory, text: str, **values: Any) -> Memory:
        """Correct a memory, which must be admitted, and return the new version."""
        outcome = self.ask("correct", id=memory.id, text=text, **values)
        assert isinstance(outcome, Admitted), outcome
        return outcome.memory

    def verdict(self, memory: Memory) -> Verdict:
        """Return what is wrong with the signature of a memory."""
        found: Verdict = self.ask("show", id=memory.id).stored.verdict
        return found

    def tamper(self, memory: Memory, change: Callable[[dict[str, Any]], None]) -> None:
        """Alter what the index shows of a memory, as a person with access to the disk could."""
        connection = apsw.Connection(str(self.home / "index.db"))
        row = connection.execute(f"SELECT {TEXT} {FROM} WHERE m.id = ?", (memory.id,)).fetchone()
        assert row is not None
        body = decode_text(row)
        change(body)
        connection.execute("UPDATE memory SET birth = NULL, body = ? WHERE id = ?", (pack_body(body), memory.id))
        connection.close()

    def texts(self, name: str = "list", **values: Any) -> list[str]:
        """Return the texts that a listing verb shows."""
        found = self.json(name, **values)
        if "hits" in found:
            return [hit["memory"]["content"] for hit in found["hits"]]
        return [memory["content"] for memory in found["memories"]]

    def journal(self) -> dict[str, bytes]:
        """Return every journal file that holds memories; the receipts are left out."""
        root = self.home / "journal"
        return {
            str(path.relative_to(root)): path.read_bytes()
            for path in sorted(root.rglob("*.jsonl"))
            if not path.name.startswith("r")
        }

    def files_with(self, needle: str | bytes, *, home: Path | None = None) -> list[str]:
        return files_with(needle, home or self.home)


def without_ids(text: str) -> str:
    """Return a text without the ids of memories, whose random letters may spell anything."""
    return ID.sub("", text)


def give_code(home: Path | str, verb: str) -> str:
    """Return a code for a verb, as a person would have been shown it on a terminal."""
    return show_code(str(home), verb, now_ms=now_ms())


def files_with(needle: str | bytes, folder: Path) -> list[str]:
    """Return the files below a folder that have some bytes in their content or name."""
    sought = encode_needle(needle)
    return [
        str(path.relative_to(folder))
        for path in sorted(folder.rglob("*"))
        if sought in os.fsencode(path.name) or (path.is_file() and sought in readable_bytes(path))
    ]


def git_folder(
    folder: Path, *, origin: str | None = None, born: str = "", branch: str = "main", history: Sequence[str] = ()
) -> Path:
    """Write the files of a git repository without running git; `born` makes its first log line and its commit.

    `history` names the commits of other repositories that are among its objects.
    """
    dot = folder / ".git"
    for name in ("objects", "refs/heads", "logs"):
        (dot / name).mkdir(parents=True, exist_ok=True)
    commit = [_write_commit(dot / "objects", name) for name in (*history, born)][-1]
    (dot / "HEAD").write_text(f"ref: refs/heads/{branch}\n")
    (dot / "refs" / "heads" / branch).write_text(f"{commit}\n")
    section = f'[remote "origin"]\n\turl = {origin}\n' if origin else ""
    (dot / "config").write_text(f"[core]\n\tbare = false\n{section}")
    if born:
        (dot / "logs" / "HEAD").write_text(f"{'0' * 40} {commit} Ann <ann@example.org> 1 +0000\tcommit: {born}\n")
    return folder


def _write_commit(objects: Path, message: str) -> str:
    """Write a commit as a loose object and return its id."""
    body = f"tree {'0' * 40}\nauthor Ann <ann@example.org> 1 +0000\n\n{message}\n".encode()
    data = b"commit %d\0%b" % (len(body), body)
    id = hashlib.sha1(data).hexdigest()
    (objects / id[:2]).mkdir(exist_ok=True)
    (objects / id[:2] / id[2:]).write_bytes(zlib.compress(data))
    return id


def worktree(folder: Path, main: Path, *, branch: str) -> Path:
    """Write the files of a second work tree of a repository."""
    own = main / ".git" / "worktrees" / folder.name
    own.mkdir(parents=True)
    (own / "HEAD").write_text(f"ref: refs/heads/{branch}\n")
    (own / "commondir").write_text("../..\n")
    (own / "gitdir").write_text(f"{folder}/.git\n")
    folder.mkdir(parents=True)
    (folder / ".git").write_text(f"gitdir: {own}\n")
    return folder


HOST_VARIABLES = (
    *("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID", "CLAUDE_PROJECT_DIR", "CODEX_SANDBOX"),
    *("CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID", "CURSOR_AGENT", "GEMINI_CLI", "NO_COLOR"),
)


def isolate_environment(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Hide the tester's own environment: the tests may be run inside an agent, or with settings."""
    for name in [*HOST_VARIABLES, *(each for each in os.environ if each.startswith("LIMPET_"))]:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(folder / "nobody"))
    monkeypatch.setenv("TZ", "UTC")
