"""Two processes and a person change the shared files at once, and are killed at random: no update is lost."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from limpet.care.diagnosis import DoctorAnswer
from limpet.errors import LimpetError, Refused
from limpet.model.query import query_everything
from limpet.operations import confirm, correct, doctor, remember, share, sync
from limpet.runtime import Runtime, open_runtime
from limpet.sharing.state import FilesAnswer
from tests.faults import scale
from tests.faults.writer import sentence
from tests.operations.sandbox import USER

MEMORIES = 4


def with_runtime(home: str, act: Callable[[Runtime], object]) -> object:
    runtime = open_runtime(home=home, caller=USER)
    try:
        return act(runtime)
    finally:
        runtime.close()


def all_texts(home: str) -> set[str]:
    """Return every text that any version of a memory has."""

    def read(runtime: Runtime) -> set[str]:
        query = query_everything(runtime.scope(), now=runtime.now())
        return {stored.memory.original_content for stored in runtime.reading().browse(query).items}

    found = with_runtime(home, read)
    assert isinstance(found, set)
    return found


def save(path: Path, text: str, *, is_atomic: bool) -> bool:
    """Put a text into a file as an editor does; return False if the file is not there."""
    try:
        head = path.read_text().partition("## Content\n")[0]
    except FileNotFoundError:
        return False
    if not head:
        return False
    whole = f"{head}## Content\n\n{text}\n"
    if is_atomic:
        beside = path.with_name(f".{path.name}.swp")
        beside.write_text(whole)
        os.replace(beside, path)
    else:
        path.write_text(whole)
    return True


def fork(act: Callable[[], object]) -> int:
    """Run something in another process, which may be killed; return its number."""
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        act()
        status = 0
    except LimpetError:
        # A store or a ledger that another process holds.
        status = 3
    finally:
        os._exit(status)


def test_no_update_is_lost_between_two_processes_and_a_person(home: str, measured: Callable[[str], None]) -> None:
    chance = random.Random("two processes and a person")
    folder = Path.cwd() / ".claude" / "ltm" / "memories"
    for number in range(MEMORIES):
        with_runtime(home, partial(remember.run, text=f"{number} {sentence(chance)}"))
    with_runtime(home, lambda runtime: share.run(runtime, yes=True))
    ids = sorted(path.stem for path in folder.glob("mem_*.md"))
    assert len(ids) == MEMORIES
    said: set[str] = set()
    """What another process has acknowledged."""
    last: dict[Path, str] = {}
    """What the person has put into each file last."""
    edits = kills = written = 0
    while edits < scale.EDITS_OF_FILES:
        text, id = f"process {edits} {sentence(chance)}", chance.choice(ids)
        working = {fork(partial(with_runtime, home, sync.run)): ""}
        if chance.random() < 0.7:
            working[fork(partial(with_runtime, home, partial(correct.run, id=id, text=text)))] = text
        for _ in range(chance.randrange(1, 6)):
            path = chance.choice(sorted(folder.glob("mem_*.md")))
            edit = f"edit {edits} {sentence(chance)}"
            if save(path, edit, is_atomic=chance.random() < 0.5):
                last[path] = edit
                edits += 1
            time.sleep(chance.random() * 0.03)
        for pid, acknowledged in working.items():
            if chance.random() < 0.3:
                time.sleep(chance.random() * 0.1)
                os.kill(pid, signal.SIGKILL)
                kills += 1
            status = os.waitpid(pid, 0)[1]
            assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) in (0, 3)
            if status == 0 and acknowledged:
                said.add(acknowledged)
        found = all_texts(home)
        for path, edit in last.items():
            # Limpet may write the file only after it has taken in what the person wrote.
            assert edit in path.read_text() or edit in found, f"{path.name} lost {edit!r}"
        # The person approves all, so that Limpet goes on writing these files.
        with contextlib.suppress(Refused):
            with_runtime(home, lambda runtime: confirm.VERB.run(runtime, project=True))
        done = with_runtime(home, sync.run)
        assert isinstance(done, FilesAnswer)
        written += len(done.written)
    for _ in range(3):
        with_runtime(home, sync.run)
    found = all_texts(home)
    assert said <= found
    assert set(last.values()) <= found
    diagnosis = with_runtime(home, doctor.VERB.run)
    assert isinstance(diagnosis, DoctorAnswer)
    assert diagnosis.problems == []
    assert [path.name for path in folder.iterdir() if path.name.endswith(".tmp")] == []
    measured(
        f"{edits} edits of shared files by a person, {len(said)} by processes, {written} files written meanwhile, "
        f"{kills} kills: no update was lost"
    )
