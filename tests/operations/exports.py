"""Exports for tests: written, altered, and read into another home."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from tests.operations.sandbox import Sandbox


def export_to_file(sandbox: Sandbox, name: str = "out.jsonl", **options: Any) -> Path:
    """Export into a file of this name, and return its path."""
    path = sandbox.folder / name
    sandbox.ask("export", file=str(path), **options)
    return path


def second_home(sandbox: Sandbox, *, with_keys: bool = True) -> Path:
    """Return another home, with the same keys or none."""
    home = sandbox.folder / "second"
    if with_keys:
        shutil.copytree(sandbox.home / "keys", home / "keys")
    return home


def state_of(sandbox: Sandbox, home: Path) -> dict[str, Any]:
    """Return all memories and facts of a home, without what changes by itself."""
    found = sandbox.json("list", all=True, private=True, all_projects=True, home=home, limit=1000)["memories"]
    for memory in found:
        for volatile in ("access_count", "last_accessed", "last_session", "trust", "priority", "strength"):
            del memory[volatile]
    facts = sandbox.json("facts", closed=True, all_projects=True, home=home, limit=1000)["facts"]
    return {"memories": found, "facts": facts}


def write_rows(path: Path, rows: list[Any]) -> Path:
    """Write one JSON object a line."""
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def home_named(sandbox: Sandbox, name: str) -> Path:
    """Return an empty home of this name with the same keys."""
    home = sandbox.folder / f"home-{name}"
    shutil.copytree(sandbox.home / "keys", home / "keys")
    return home
