"""What became of a memory that was told is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.hooks import Host


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


def work(host: Host) -> None:
    assert host.fire("SessionStart", "upkeep", source="startup") == ""


def test_the_outcome_of_a_memory_is_reported(host: Host) -> None:
    host.limpet("remember", "The staging database is called heron-7 and resets every night")
    host.context("UserPromptSubmit", session_id="s1", prompt="what is the staging database called?")
    host.fire("Stop", session_id="s1", last_assistant_message="The staging database is heron-7; it resets each night.")
    work(host)
    assert "used" in host.limpet("why")
