"""Find problems in the store, its files and the hosts' settings, and repair them."""

from __future__ import annotations

import contextlib
import os
import platform
import stat
import sys
from collections.abc import Iterable, Sequence

import apsw

from limpet import __version__, system
from limpet.care.signing import check_signatures, find_all_memories
from limpet.curating.history import describe_decision, find_decisions
from limpet.errors import LimpetError
from limpet.lean.record import field, mutable
from limpet.learning.stages import capabilities
from limpet.model.change import ChangeKind
from limpet.model.query import Stored
from limpet.runtime import UNPROVEN, Runtime
from limpet.runtime.serving import find_server, is_running
from limpet.sharing.folder import find_shared_folder, sync_folder
from limpet.sharing.inspection import examine_shared_files
from limpet.store.protocol import CheckReport, Problem
from limpet.text.plural import plural
from limpet.upkeep.consent import load_stops
from limpet.upkeep.deduplication import supersede_twins
from limpet.upkeep.relocation import was_relocated
from limpet.wiring.inspection import WiringReport, clear_leftovers, inspect_wiring
from limpet.workspace import read_agent_definition


@mutable
class DoctorAnswer:
    """The result of a diagnosis: facts about this installation, notes, problems, repairs, and checks that passed."""

    facts: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    """Reasons why Limpet may not work as the user expects, although the store is not damaged."""
    problems: list[Problem] = field(default_factory=list)
    mended: list[str] = field(default_factory=list)
    proved: list[str] = field(default_factory=list)


def diagnose(runtime: Runtime, *, fix: bool = False, from_backup: bool = False, prove: bool = False) -> DoctorAnswer:
    diagnosis = DoctorAnswer()
    if fix or from_backup:
        _repair(runtime, diagnosis, from_backup=from_backup)
    # The inspection repairs nothing, because a problem may be evidence of tampering.
    with runtime.store.inspection():
        wiring = _examine(runtime, diagnosis)
    if prove:
        _add_proofs(diagnosis, wiring, runtime)
    return diagnosis


def _repair(runtime: Runtime, diagnosis: DoctorAnswer, *, from_backup: bool) -> None:
    diagnosis.mended += _restrict_modes(runtime.store.home)
    diagnosis.mended += clear_leftovers(runtime.store.home)
    diagnosis.mended += runtime.store.mend(from_backup=from_backup, progress=runtime.progress).mended
    changes = supersede_twins(runtime.reading())
    runtime.write(changes)
    diagnosis.mended += [f"{change.subject} was stored twice; {change.payload['by']} stays" for change in changes]
    diagnosis.mended += _sync_files(runtime)
    runtime.store.backup()


def _examine(runtime: Runtime, diagnosis: DoctorAnswer) -> WiringReport:
    home, report = runtime.store.home, runtime.store.verify(runtime.progress)
    memories = find_all_memories(runtime)
    wiring = inspect_wiring(home, now_ms=runtime.now_ms())
    diagnosis.problems += report.problems
    diagnosis.problems += _find_wide_modes(home)
    diagnosis.problems += check_signatures(memories)
    diagnosis.problems += _find_dangling_links(runtime, memories)
    diagnosis.problems += [
        Problem(what="an earlier memory says exactly the same", subject=stored.memory.id, fixable=True)
        for stored in runtime.reading().twins()
    ]
    folder = find_shared_folder(runtime)
    if folder is not None and folder.exists():
        diagnosis.problems += examine_shared_files(runtime, folder)
    diagnosis.problems += wiring.problems
    diagnosis.notes += [*_collect_notes(runtime), *wiring.notes]
    if os.path.isdir(home) and not os.access(home, os.W_OK):
        diagnosis.warnings.append(
            f"{home} cannot be written: memories can be read but not stored; check its owner and mode"
        )
    share = runtime.settings.store.retire_share
    diagnosis.warnings += [stop.describe(share, runtime.reading()) for stop in load_stops(home)]
    diagnosis.warnings += wiring.warnings
    diagnosis.facts = {
        **_describe_installation(runtime, report),
        **_describe_confirmed(runtime, memories),
        **wiring.facts,
    }
    return wiring


def _add_proofs(diagnosis: DoctorAnswer, wiring: WiringReport, runtime: Runtime) -> None:
    # Imported here, because only `--prove` starts other programs.
    from limpet.wiring.proof import SkippedCheck, prove

    for each in prove(wiring, home=runtime.store.home, root=runtime.place.root):
        match each:
            case Problem():
                diagnosis.problems.append(each)
            case SkippedCheck(why=why):
                diagnosis.notes.append(why)
            case sentence:
                diagnosis.proved.append(sentence)


def _describe_confirmed(runtime: Runtime, memories: Sequence[Stored]) -> dict[str, str]:
    """Return a fact with the number of confirmed memories, and when and how the last one was confirmed.

    Return an empty dictionary if no memory is confirmed.
    """
    confirmed = [stored.memory.id for stored in memories if stored.memory.confirmed]
    reading = runtime.reading()
    decisions = [change for id in confirmed[:_MOST_CONFIRMED] for change in find_decisions(reading, id)]
    if not decisions:
        return {}
    last = max(decisions, key=lambda change: change.id)
    return {"confirmed": f"{len(confirmed)}; last {last.subject}, {describe_decision(last)}"}


_MOST_CONFIRMED = 200


def _describe_installation(runtime: Runtime, report: CheckReport) -> dict[str, str]:
    project = runtime.project
    damaged = len(system.walk_files(os.path.join(runtime.store.home, "damaged")))
    # Limpet works without a server.
    server = "starting" if is_running(runtime.store.home) else "none; hooks and commands work without one"
    if found := find_server(runtime.store.home):
        server = f"{found.url}, process {found.pid}, since {found.started_at}"
    backups = sum(1 for _ in system.walk_files(os.path.join(runtime.store.home, "backups")))
    return {
        "limpet": __version__,
        "python": f"{platform.python_version()} at {sys.executable}",
        "sqlite": apsw.sqlite_lib_version(),
        "home": runtime.store.home,
        "agent": f"{runtime.agent[1]} ({runtime.agent_id})" + (", signing" if runtime.signer.is_signing() else ""),
        "project": f"{project.name} ({project.id})"
        if project
        else "none: only memories for all projects are seen here",
        "journal": f"{report.records} changes",
        "index": plural(report.memories, "memory"),
        "meaning": _describe_vectors(runtime),
        "learning": ", ".join(name.removeprefix("memory.") for name in capabilities()),
        "backups": f"{backups} segment{'s' if backups > 1 else ''}" if backups else "none yet",
        "server": server,
        "set aside": f"{damaged} damaged file{'s' if damaged > 1 else ''} in {runtime.store.home}/damaged"
        if damaged
        else "nothing",
    }


def _describe_vectors(runtime: Runtime) -> str:
    """Return a sentence that says whether search also compares memories by meaning, with vectors."""
    if not runtime.reading().has_vectors:
        return "not used, only words: sqlite-vec cannot be loaded; install it again to change that"
    missing = runtime.store.has_missing_vectors()
    state = "used in search" + ("; some memories are not indexed yet" if missing else "")
    from limpet.sentence_encoder import find_encoder, load_encoder
    from limpet.text.encoder import MODEL

    folder = find_encoder()
    if folder is None:
        return state
    if load_encoder() is None:
        advice = "make the wheel again with `make meaning` and install it"
        return f"{state}; the sentence encoder in {folder} cannot be read and is not used: {advice}"
    done, total = runtime.store.count_sentences()
    return f"{state}; the sentence encoder {MODEL} has encoded {done} of {total} memories"


def _find_wide_modes(home: str) -> list[Problem]:
    """Return a problem for each file or folder in the home that other users can access."""
    if system.WINDOWS:
        return []
    wide = [path for path in _walk_home(home) if _read_mode(path) & 0o077]
    return [Problem(what="other users may read or write it", where=path, fixable=True) for path in wide]


def _read_mode(path: str) -> int:
    try:
        return stat.S_IMODE(os.lstat(path).st_mode)
    except OSError:
        # Another process has just removed this temporary file.
        return 0


def _walk_home(home: str) -> Iterable[str]:
    yield home
    for folder, folders, files in os.walk(home):
        for name in (*folders, *files):
            path = os.path.join(folder, name)
            if not os.path.islink(path):
                yield path


def _restrict_modes(home: str) -> list[str]:
    mended = []
    for problem in _find_wide_modes(home):
        # The mode of another user's file cannot be changed, so it remains a problem.
        with contextlib.suppress(OSError):
            os.chmod(problem.where, 0o700 if os.path.isdir(problem.where) else 0o600)
            mended.append(f"only you may read {problem.where} now")
    return mended


def _find_dangling_links(runtime: Runtime, memories: Iterable[Stored]) -> list[Problem]:
    """Return a problem for each memory that refers to a missing memory, unless the reason is known."""
    reading = runtime.reading()
    known = {stored.memory.id: stored for stored in memories}
    problems = []
    for stored in known.values():
        memory = stored.memory
        targets = (memory.previous_memory_id, memory.corrects, memory.superseded_by)
        missing = [target for target in targets if target and target not in known and reading.get(target) is None]
        if not missing or any(change.kind == ChangeKind.PURGE for change in reading.history(missing[0])):
            continue
        # A memory may have been imported without those that it refers to.
        if all(change.kind != ChangeKind.IMPORT for change in reading.history(memory.id)):
            problems.append(Problem(what=f"it points to {missing[0]}, which is not here", subject=memory.id))
    return problems


def _sync_files(runtime: Runtime) -> list[str]:
    """Sync the shared files with the memories, and return sentences about the result.

    Files that Limpet does not know are not deleted.
    """
    folder = find_shared_folder(runtime)
    if folder is None or not folder.exists():
        return []
    try:
        done = sync_folder(runtime, folder)
    except LimpetError as error:
        # A problem with this folder must not prevent the other repairs.
        return [f"the shared files were left as they are: {error}"]
    counts = {"taken in": len(done.taken) + len(done.edited) + len(done.both), "written": len(done.written)}
    return [f"{count} shared file{'s' if count > 1 else ''} {what}" for what, count in counts.items() if count]


def _collect_notes(runtime: Runtime) -> list[str]:
    notes = list(runtime.settings.notices)
    if runtime.claimed_project:
        keys, name = runtime.claimed_project.keys, runtime.claimed_project.name
        folders = [key.partition(":")[2] for key in keys if key.startswith(("dir:", "path:"))]
        # A person can decide with it whether to accept this folder as the project.
        claim = f"; the project is {name!r}, known from {', '.join(folders[-3:]) or 'another machine'}"
        notes.append(UNPROVEN if runtime.caller.is_agent else f"{UNPROVEN}{claim}")
    path = runtime.place.agent_file
    definition = read_agent_definition(path) if path else None
    if definition and (runtime.project is None or runtime.project.agent != definition.id):
        notes.append(
            f"the AGENT.md here describes the agent {definition.name!r}; to accept it: limpet confirm --project"
        )
    reading = runtime.reading()
    moved = sum(was_relocated(reading, id) for id in reading.changed_ids((ChangeKind.MOVE,)))
    if moved:
        memories = "memory, which every project saw, was" if moved == 1 else "memories, which every project saw, were"
        notes.append(
            f"{moved} captured {memories} put back into the project of the session; "
            "to undo that for one: limpet restore ID"
        )
    return notes
