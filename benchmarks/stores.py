"""Build stores of a given size once, and keep them for the next run: `build/bench` in the folder of the repository.

The memories have titles and tags and belong to one project in git. They are written as changes to the journal, which
is ten times as fast as the door in and gives the same rows. A store is built again if the index has another format.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from benchmarks.speed.__main__ import Language
from limpet import clock
from limpet.api import Limpet
from limpet.guard.signs import EDITION
from limpet.model.change import Change, ChangeKind
from limpet.model.codec import encode_memory
from limpet.model.ids import new_id
from limpet.model.memory import Impact, Kind, Memory, Origin, Region, Sensitivity, Tier, Type
from limpet.store.view.open import VERSION
from limpet.text.similarity import content_hash, simhash
from limpet.text.tokens import count_tokens

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "build", "bench")
BATCH = 2000
_KINDS = (*[Kind.LEARNINGS] * 8, Kind.ARCHITECTURAL, Kind.EMOTIONAL)
_IMPACTS = (*[Impact.MEDIUM] * 45, Impact.LOW, Impact.LOW, Impact.HIGH, Impact.HIGH, Impact.CRITICAL)


@dataclass(frozen=True)
class Prepared:
    """A store of some size, and the folder of the project whose memories it holds."""

    size: int
    home: str
    work: str
    language: Language

    @contextmanager
    def used(self) -> Iterator[None]:
        """Let programs that are started meanwhile use this store, from the folder of its project."""
        before = os.getcwd()
        os.environ["LIMPET_HOME"] = self.home
        os.chdir(self.work)
        try:
            yield
        finally:
            os.chdir(before)


def prepare(size: int, *, projects: int = 1, folder: str = FOLDER, is_indexed: bool = True) -> Prepared:
    """Return the store of a size; build it if it is not there, in as many projects of the same size.

    An interrupted run keeps its journal if that was finished. Without `is_indexed`, the caller builds the index.
    """
    place = os.path.join(folder, f"{size}-{projects}-{VERSION}")
    work, home = os.path.join(place, "work"), os.path.join(place, "home")
    # Every run asks and stores other texts.
    prepared = Prepared(size, home, work, Language(seed=time.time_ns()))
    filled, done = os.path.join(place, "filled"), os.path.join(place, "done")
    if not os.path.exists(filled):
        shutil.rmtree(place, ignore_errors=True)
        os.makedirs(work)
        subprocess.run(["git", "init", "-q", work], check=True)
        with prepared.used():
            fill(home, size, projects)
        _touch(filled)
    if is_indexed and not os.path.exists(done):
        with prepared.used():
            index(home)
        _touch(done)
    return prepared


def _touch(path: str) -> None:
    with open(path, "w", encoding="ascii"):
        pass


def fill(home: str, size: int, projects: int) -> None:
    """Write memories of the project of the current folder, and of others of the same size, to the journal."""
    language = Language(seed=size)
    began = time.perf_counter()
    with Limpet(home=home) as memory:
        memory.remember("The benchmark introduces its project")
        runtime, store = memory._runtime, memory._runtime.store
        here = runtime.project
        assert here is not None
        names = [here.id, *(f"prj_{number:024d}" for number in range(1, projects))]
        for at in range(0, size, BATCH):
            batch = [_admit(language, number, names) for number in range(at, min(size, at + BATCH))]
            store._context.journal.append(batch, durable=False)
            rate = (at + len(batch)) / (time.perf_counter() - began)
            tell(f"filling: {at + len(batch):,} of {size:,}, {rate:,.0f} a second")
    tell("")


def index(home: str) -> None:
    """Bring the index of a home up to date with its journal, vectors included."""
    with Limpet(home=home) as memory:
        memory.list()
        store = memory._runtime.store
        while store.has_missing_vectors():
            store.rest()


def _admit(language: Language, number: int, projects: list[str]) -> Change:
    text, now = language.text(), clock.now()
    words = text.split()
    memory = Memory(
        id=new_id("mem", clock.now_ms()),
        agent="anima",
        region=Region.PROJECT,
        project=projects[number % len(projects)],
        kind=_KINDS[number % len(_KINDS)],
        type=Type.DISCOVERY,
        impact=_IMPACTS[number % len(_IMPACTS)],
        tier=Tier.KEPT,
        earned="stored on purpose",
        origin=Origin.AGENT,
        title=" ".join(words[:6]) if number % 2 else "",
        tags=tuple(dict.fromkeys(words[5:8])),
        content=text,
        original_content=text,
        sensitivity=Sensitivity.PUBLIC,
        session=f"s{number // 12}",
        created_at=now,
        updated_at=now,
        content_hash=content_hash(text),
        token_count=count_tokens(text),
    )
    # The door in notes that it has looked for orders to a model; without the note every start looks again.
    signs = {"edition": EDITION, "found": []}
    payload = {"memory": encode_memory(memory, sparse=True), "simhash": simhash(text), "signs": signs}
    return Change(kind=ChangeKind.ADMIT, subject=memory.id, payload=payload, actor="benchmark")


def tell(text: str) -> None:
    """Show what goes on, on a terminal."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[2K{text}")
        sys.stderr.flush()
