"""Find the programs that hosts have to start, and describe them for `runtime.json`.

The plugin, the hooks and `doctor` read that file.
"""

from __future__ import annotations

import json
import os
import sys
from importlib.util import find_spec

import limpet
from limpet import system
from limpet.errors import Refused
from limpet.hosts.claude_code import wiring as claude_code
from limpet.hosts.wiring import Launcher
from limpet.wiring.ledger import WiringLedger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

RUNTIME = "runtime.json"
_LIBRARIES = ("limpet", "apsw", "sqlite_vec")
# Interpreters in these folders are temporary.
_TEMPORARY_PLACES = ("/uv/archive-v", "/uv/builds-v", "/.cache/pipx/", "/pipx/.cache/")


def describe_runtime(ledger: WiringLedger, launcher: Launcher) -> dict[str, Any]:
    """Return the content of `runtime.json`: the programs to start, and how each host calls Limpet."""
    entries = ledger.entries.values()
    hosts = {entry.host: "settings" for entry in entries if not entry.project}
    if claude_code.plugin_state() == "enabled":
        hosts["claude-code"] = "plugin"
    return {
        "python": launcher.python,
        "path": list(launcher.path),
        "hook": launcher.hook,
        "version": launcher.version,
        "hosts": hosts,
        "projects": sorted({entry.project for entry in entries if entry.project and entry.host == "claude-code"}),
    }


def find_launcher() -> Launcher:
    """Return the interpreter and the paths with which a host can start this installation of Limpet.

    Raise Refused if it is only a temporary installation.
    """
    # In a virtual environment the interpreter is a symlink. It is not resolved, because its path selects the packages.
    python = os.path.abspath(sys.executable) if sys.executable else ""
    if not os.path.isfile(python):
        raise Refused("the path of this Python is unknown; start Limpet with the full path of its program")
    slashed = python.replace("\\", "/")
    if any(mark in slashed for mark in _TEMPORARY_PLACES):
        raise Refused("this Limpet runs from a temporary cache; install it first: uv tool install limpet")
    folder = os.path.dirname(os.path.abspath(limpet.__file__))
    return Launcher(
        python=python,
        hook=os.path.join(folder, "cli", "run_hook.py"),
        path=tuple(dict.fromkeys(place for name in _LIBRARIES if (place := _parent_folder(name)))),
        version=limpet.__version__,
        windows=system.WINDOWS,
    )


def _parent_folder(name: str) -> str | None:
    """Return the folder that contains a package, or None if the package is not installed."""
    spec = find_spec(name)
    if spec is None or not spec.origin:
        return None
    inner = os.path.dirname(os.path.abspath(spec.origin))
    return os.path.dirname(inner) if spec.submodule_search_locations else inner


def read_runtime(home: str) -> dict[str, Any]:
    """Return the content of `runtime.json`, or an empty dictionary if it cannot be read."""
    try:
        with open(os.path.join(home, RUNTIME), encoding="utf-8") as file:
            known = json.load(file)
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}
