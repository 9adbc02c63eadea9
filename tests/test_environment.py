"""What the environment says about the home folder, the agent client and the session."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from limpet import environment
from limpet.errors import SettingsError

NOBODY: dict[str, str] = {}


def test_everything_lives_below_the_users_home_unless_limpet_home_says_otherwise() -> None:
    assert environment.home_path({"HOME": "/home/ann"}) == "/home/ann/.limpet"
    assert environment.home_path({"HOME": "/home/ann", "LIMPET_HOME": "/srv/memory/"}) == "/srv/memory"
    assert environment.home_path({"HOME": "/home/ann", "LIMPET_HOME": "~/mem"}) == "/home/ann/mem"
    assert environment.home_path({"HOME": "/home/ann", "LIMPET_HOME": "~"}) == "/home/ann"
    assert environment.home_path({"HOME": "/home/ann", "LIMPET_HOME": " "}) == "/home/ann/.limpet"


def test_a_relative_limpet_home_is_made_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert environment.home_path({"LIMPET_HOME": "here/../mem"}) == str(tmp_path / "mem")


@pytest.mark.skipif(os.name == "nt", reason="no passwd there")
def test_without_home_the_passwd_entry_is_used_and_without_that_a_sentence_helps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import pwd

    own = pwd.getpwuid(os.getuid()).pw_dir
    assert environment.home_path(NOBODY) == os.path.join(own, ".limpet")
    monkeypatch.setattr(os, "getuid", lambda: 987_654_321)
    with pytest.raises(SettingsError, match="set LIMPET_HOME"):
        environment.home_path(NOBODY)
    with pytest.raises(SettingsError, match="set LIMPET_HOME"):
        environment.home_path({"LIMPET_HOME": "~/x"})
    assert environment.home_path({"LIMPET_HOME": "/x"}) == "/x"


@pytest.mark.parametrize("path", ["a\0b", "/" + "x" * 4095])
def test_a_home_that_cannot_be_a_path_is_an_error(path: str) -> None:
    with pytest.raises(SettingsError, match="set LIMPET_HOME"):
        environment.home_path({"LIMPET_HOME": path})
    assert environment.home_path({"LIMPET_HOME": "/" + "x" * 4094})


@pytest.mark.parametrize(
    "mark", ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CODEX_SANDBOX", "CODEX_THREAD_ID", "GEMINI_CLI"]
)
def test_an_agent_client_is_recognised_by_the_mark_it_leaves(mark: str) -> None:
    assert environment.has_client_variables([NOBODY, {mark: "1"}])
    assert not environment.has_client_variables([{mark: "0"}, {mark: ""}, NOBODY])


def test_session_project_and_colour_come_from_the_environment() -> None:
    assert environment.session_from_environment({"CLAUDE_CODE_SESSION_ID": "abc "}) == "abc"
    assert environment.session_from_environment(NOBODY) is None
    assert environment.session_from_environment({"CLAUDE_CODE_SESSION_ID": "a\x1b"}) is None
    assert environment.project_from_environment({"CLAUDE_PROJECT_DIR": os.sep + "work"}) == os.sep + "work"
    assert environment.project_from_environment({"CLAUDE_PROJECT_DIR": "work"}) is None
    assert environment.wants_no_colour({"NO_COLOR": "1"})
    assert environment.wants_no_colour({"TERM": "dumb"})
    assert not environment.wants_no_colour({"NO_COLOR": ""})
