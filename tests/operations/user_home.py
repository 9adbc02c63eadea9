"""The home folder of a user, and what setup writes into it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from limpet.hosts import wiring

SETTINGS_FILES = (
    ".claude/settings.json",
    ".claude.json",
    ".codex/hooks.json",
    ".codex/config.toml",
    ".gemini/settings.json",
)


def write_file(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def snapshot(folder: Path) -> dict[str, bytes | str]:
    """Every file, folder and link below a folder, with its rights."""
    found: dict[str, bytes | str] = {}
    for path in sorted(folder.rglob("*")):
        mode = oct(stat.S_IMODE(path.lstat().st_mode))
        name = f"{path.relative_to(folder)} {mode}"
        found[name] = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else ""
    return found


def hook_commands(path: Path) -> list[str]:
    hooks, _ = wiring.find_wired(path.read_text(encoding="utf-8"), "json")
    return [command for _, command in hooks]
