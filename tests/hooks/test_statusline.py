"""The status line of a host says what its session was told and what waits, and never disturbs the host."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from limpet.hooks import handover
from limpet.inject.notice import describe_session
from tests.cli.hooks import Host

RULE = "always use pnpm here, never npm"


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


def show(host: Host, session: str = "s2", **fields: object) -> str:
    told = {"session_id": session, "cwd": str(host.project), "transcript_path": "/nowhere/s2.jsonl", **fields}
    done = host.raw(json.dumps(told).encode(), "statusline")
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


@pytest.mark.parametrize(
    ("counts", "line"),
    [
        ((6, 3, 4), "Limpet: 6 told, 3 on trial · 4 wait"),
        ((1, 0, 1), "Limpet: 1 told · 1 waits"),
        ((0, 2, 0), "Limpet: 2 on trial"),
        ((0, 0, 12), "Limpet: 12 wait"),
        ((0, 0, 0), ""),
        ((5000, 5000, 5000), "Limpet: 99+ told, 9+ on trial · 99+ wait"),
    ],
)
def test_a_line_has_at_most_forty_characters(counts: tuple[int, int, int], line: str) -> None:
    assert describe_session(*counts) == line
    assert len(line) <= 40


def test_it_counts_what_this_session_was_told_and_what_waits(host: Host) -> None:
    host.limpet("remember", "The API speaks JSON")
    host.fire("UserPromptSubmit", session_id="s1", prompt=RULE)
    assert show(host) == ""
    host.fire("SessionStart", session_id="s2", source="startup")
    assert show(host) == "Limpet: 1 told, 1 on trial · 1 waits"
    assert show(host, session="s3") == "Limpet: 1 waits"
    assert show(host, session="") == "Limpet: 1 waits"


def test_notes_of_another_project_do_not_wait_here(host: Host, tmp_path: Path) -> None:
    host.fire("UserPromptSubmit", session_id="s1", prompt=RULE)
    host.fire("SessionStart", session_id="s2", source="startup")
    other = tmp_path / "other"
    other.mkdir()
    del host.environment["CLAUDE_PROJECT_DIR"]
    assert show(host, workspace={"project_dir": str(host.project), "current_dir": str(other)}).endswith("1 waits")
    assert show(host, session="s9", cwd=str(other)) == ""


def test_the_setting_of_the_line_at_a_start_switches_it_off_too(host: Host) -> None:
    host.limpet("remember", "The API speaks JSON")
    host.fire("SessionStart", session_id="s2", source="startup")
    assert show(host) == "Limpet: 1 told"
    host.limpet("config", "inject.seen", "false")
    assert show(host) == ""


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff\x00", b'{"session_id": 3, "workspace": "x", "cwd": []}'])
def test_input_that_is_not_a_session_is_no_failure(host: Host, data: bytes) -> None:
    host.limpet("remember", "The API speaks JSON")
    done = host.raw(data, "statusline")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_without_a_home_it_prints_nothing_and_makes_none(host: Host, tmp_path: Path) -> None:
    assert show(host) == ""
    assert not host.home.exists()
    del host.environment["LIMPET_HOME"], host.environment["HOME"]
    assert host.raw(b"{}", "statusline").returncode == 0


def test_damaged_settings_and_a_damaged_index_are_no_failure(host: Host) -> None:
    host.limpet("remember", "The API speaks JSON")
    (host.home / "config.toml").write_text("[inject\n")
    assert show(host) == ""
    (host.home / "config.toml").unlink()
    for path in host.home.glob("index.db*"):
        path.write_bytes(b"no database")
    done = host.raw(b'{"session_id": "s2"}', "statusline")
    assert (done.returncode, done.stderr) == (0, b"")


def test_it_is_no_event_for_a_server(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    (host.home / "http").mkdir(parents=True)
    (host.home / "http" / "socket").touch()
    monkeypatch.setenv("LIMPET_HOME", str(host.home))
    monkeypatch.setattr(handover, "read_input", lambda read: pytest.fail("the input was taken from the program"))
    assert handover.hand_over(["statusline"]).data is None
