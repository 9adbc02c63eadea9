"""The processes that led to this one are listed, the nearest first."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from limpet.system.processes import list_ancestors


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems do not show them")
def test_the_ancestors_are_the_processes_that_led_here() -> None:
    assert [each.words for each in list_ancestors(1)] == [
        tuple(Path(f"/proc/{os.getppid()}/cmdline").read_text().split("\0"))
    ]
    program = "from limpet.system import processes as p; print([each.environ['TIDE'] for each in p.list_ancestors(1)])"
    shell = ["sh", "-c", f'"{sys.executable}" -c "{program}"; true']
    environment = {**os.environ, "TIDE": "low"}
    assert subprocess.run(shell, env=environment, capture_output=True, text=True, check=True).stdout == "['low']\n"
