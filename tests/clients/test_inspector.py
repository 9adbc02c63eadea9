"""The MCP Inspector, which is what people reach for when a server does not answer, can talk to ours."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.clients.client import Client
from tests.clients.installed import needs
from tests.clients.model import Model

pytestmark = needs("inspector")


class Inspector(Client):
    name = "inspector"

    def ask(self, method: str, *words: str) -> Any:
        done = self.run("--cli", sys.executable, "-P", "-m", "limpet", "mcp", "--method", method, *words)
        assert done.code == 0, done
        return done.json


@pytest.fixture
def inspector(tmp_path: Path, model: Model) -> Inspector:
    return Inspector(tmp_path / "inspector", model)


def test_it_lists_the_tools(inspector: Inspector) -> None:
    names = {tool["name"] for tool in inspector.ask("tools/list")["tools"]}
    assert {"store_memory", "recall", "list_memories", "get_memory", "forget", "ltm_status"} <= names


def test_it_calls_a_tool(inspector: Inspector) -> None:
    stored = inspector.ask("tools/call", "--tool-name", "store_memory", "--tool-arg", "content=The tide turns at six")
    assert not stored.get("isError"), stored
    listed = inspector.ask("tools/call", "--tool-name", "list_memories")
    assert "The tide turns at six" in listed["content"][0]["text"]
