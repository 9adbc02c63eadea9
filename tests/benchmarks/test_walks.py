"""Everyday requests stay short walks through the package."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST_HOPS = {"remember": 460, "recall": 343, "session start": 352, "queue to memory": 901}
"""At most five more than was counted when the bounds were set; raise one only for a feature worth it."""


def test_a_request_does_not_grow_into_a_longer_walk(tmp_path: Path) -> None:
    # A setting in a variable, or a repository around the folder for temporary files, makes a walk longer.
    outside = {name: value for name, value in os.environ.items() if not name.startswith("LIMPET_")}
    places = {"HOME": str(tmp_path), "TMPDIR": str(tmp_path), "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
    printed = subprocess.run(
        [sys.executable, "-m", "benchmarks.walks"], env=outside | places, capture_output=True, text=True, check=True
    ).stdout
    rows = [line.rsplit(maxsplit=2) for line in printed.splitlines()[1:]]
    hops = {name.strip(): int(count) for name, _, count in rows}
    assert hops.keys() == MOST_HOPS.keys()
    assert {name: count for name, count in hops.items() if count > MOST_HOPS[name]} == {}
