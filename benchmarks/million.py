"""`python -m benchmarks.million [1000000]`: what a very large store costs, against one of 100,000 memories.

The large store has projects of 100,000 memories each, so both stores answer for a project of the same size and differ
in what lies beside it. Their journals are written once and kept in the folder for temporary files; every run builds the
indexes from them, which is the rebuild that it measures. A million memories take about 3 GB there.
"""

from __future__ import annotations

import os
import sys
import tempfile

from benchmarks.cost import RUNS, ask, measure_programs, measure_rebuild, middle
from benchmarks.stores import Prepared, prepare, tell
from benchmarks.table import Target, row, show
from limpet.api import Limpet
from limpet.wiring.bundle import refresh_bundle

PROJECT = 100_000
FOLDER = os.path.join(tempfile.gettempdir(), "limpet-million")
BOUNDS = {"a session starts": 1.2, "a prompt is answered": 1.5, "a search, in an open process": 1.5}
"""How much more the large store may cost."""


def main() -> None:
    size = int(sys.argv[1].replace("_", "")) if sys.argv[1:] else 1_000_000
    for name in ("PROJECT_CAP", "AGENT_CAP", "BACKUP_HOURS"):
        os.environ[f"LIMPET_STORE__{name}"] = "0"
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    refresh_bundle()
    sizes = ((PROJECT, 1), (size, max(1, size // PROJECT)))
    stores = [prepare(each, projects=count, folder=FOLDER, is_indexed=False) for each, count in sizes]
    rebuilt = [_rebuild(store) for store in stores]
    measured = [_measure(store) for store in stores]
    rows = []
    for name, bound in BOUNDS.items():
        first, last = (each[name] for each in measured)
        cells = (f"{first * 1000:.1f} ms", f"{last * 1000:.1f} ms", f"{last / first:.2f} ×")
        rows.append(row(name, *cells, target=Target(bound), value=last / first))
    rows += [(what, "", value, *rest) for each in rebuilt for what, value, *rest in each]
    tell("")
    show(f"{size:,} memories beside {PROJECT:,}", ["", f"{PROJECT:,}", f"{size:,}", "ratio"], rows)


def _rebuild(store: Prepared) -> list[tuple[str, ...]]:
    tell(f"building the index of {store.size:,}")
    with store.used():
        return measure_rebuild(store)


def _measure(store: Prepared) -> dict[str, float]:
    """Return the seconds of processor time of what is measured."""
    tell(f"measuring {store.size:,}")
    with store.used():
        _, programs = measure_programs(store)
        with Limpet(home=store.home) as memory:
            search = middle(ask(memory, store.language.question()) for _ in range(3 * RUNS))
    return {**programs, "a search, in an open process": search}


if __name__ == "__main__":
    main()
