"""The scripted model and each client around it; a module asks for its client with `needs`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.claude_code import ClaudeCode
from tests.clients.codex import Codex
from tests.clients.gemini_cli import GeminiCli
from tests.clients.model import Model
from tests.clients.probe import Probe


@pytest.fixture
def model() -> Iterator[Model]:
    with Model() as model:
        yield model


@pytest.fixture
def probe(tmp_path: Path) -> Probe:
    return Probe(tmp_path / "probe", sys.executable)


@pytest.fixture
def claude(tmp_path: Path, model: Model) -> ClaudeCode:
    return ClaudeCode(tmp_path / "claude", model)


@pytest.fixture
def codex(tmp_path: Path, model: Model) -> Codex:
    return Codex(tmp_path / "codex", model)


@pytest.fixture
def gemini(tmp_path: Path, model: Model) -> GeminiCli:
    return GeminiCli(tmp_path / "gemini", model)
