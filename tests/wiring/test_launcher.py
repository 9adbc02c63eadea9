"""Hosts are told an interpreter that exists and has Limpet."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import limpet
from limpet.errors import Refused
from limpet.wiring.launcher import find_launcher
from tests.operations.sandbox import Sandbox


def test_runtime_json_names_an_interpreter_that_loads_limpet(sandbox: Sandbox, user_home: Path) -> None:
    sandbox.ask("setup")
    found = json.loads((sandbox.home / "runtime.json").read_text())
    assert found["python"] == sys.executable and found["version"] == limpet.__version__
    assert os.path.isdir(found["path"][0]) and found["hook"].endswith(os.path.join("limpet", "cli", "run_hook.py"))
    code = f"import sys; sys.path += {found['path']!r}; import limpet.runtime, apsw, sqlite_vec"
    done = subprocess.run([found["python"], "-I", "-S", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_an_interpreter_in_a_cache_is_refused(
    sandbox: Sandbox, user_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cached = sandbox.folder / "uv/archive-v0/x/bin/python"
    cached.parent.mkdir(parents=True)
    cached.symlink_to(sys.executable)
    monkeypatch.setattr(sys, "executable", str(cached))
    with pytest.raises(Refused, match="uv tool install limpet"):
        sandbox.ask("setup")


def test_an_interpreter_of_a_virtual_environment_stays_the_link_it_is(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = sandbox.folder / "venv/bin/python"
    link.parent.mkdir(parents=True)
    link.symlink_to(os.path.realpath(sys.executable))
    monkeypatch.setattr(sys, "executable", str(link))
    assert find_launcher().python == str(link)
