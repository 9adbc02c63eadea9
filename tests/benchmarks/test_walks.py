"""Everyday requests stay short walks through the package."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST_HOPS = {"remember": 360, "recall": 326, "session start": 330, "queue to memory": 710}
"""At most five more than was counted when the bounds were set; raise one only for a feature worth it."""


def test_a_request_does_not_grow_into_a_longer_walk(tmp_path: Path) -> None:
    environment = {**os.environ, "HOME": str(tmp_path), "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
    printed = subprocess.run(
        [sys.executable, "-m", "benchmarks.walks"], env=environment, capture_output=True, text=True, check=True
    ).stdout
    rows = [line.rsplit(maxsplit=2) for line in printed.splitlines()[1:]]
    hops = {name.strip(): int(count) for name, _, count in rows}
    assert hops.keys() == MOST_HOPS.keys()
    assert {name: count for name, count in hops.items() if count > MOST_HOPS[name]} == {}
