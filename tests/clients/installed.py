"""Where `scripts/test-clients.sh` puts the clients, and which of them this run is to use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = {
    "claude-code": "claude",
    "codex": "codex",
    "gemini-cli": "gemini",
    "inspector": "mcp-inspector",
}


def program(client: str) -> str:
    return str(ROOT / ".clients" / client / "node_modules" / ".bin" / PROGRAMS[client])


def needs(client: str) -> pytest.MarkDecorator:
    """For a module's `pytestmark`: plain `make test` starts no client, it only says that there is more."""
    there = client in os.environ.get("LIMPET_TEST_CLIENTS", "").split()
    return pytest.mark.skipif(not there, reason=f"run make test-clients, with {client}")
