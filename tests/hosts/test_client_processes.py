"""An agent is told from a person by the processes that started this one."""

from __future__ import annotations

import pytest

from limpet.hosts.client_processes import has_agent, is_nested_agent
from limpet.system.processes import Process

CLIENTS = (
    ("claude", "/usr/local/bin/claude"),
    ("claude", "claude", "--resume"),
    ("node", "node", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js"),
    ("node", "/usr/bin/node", "/home/ana/.npm/bin/gemini"),
    ("MainThread", "node", "/opt/node_modules/@google/gemini-cli/dist/index.js"),
    ("codex", "/opt/codex/codex", "exec"),
    ("python", "/usr/bin/python3", "/home/ana/.local/bin/aider"),
    ("cursor-agent", "cursor-agent"),
)
OTHERS = (
    ("bash", "-bash"),
    ("bash", "bash", "claude"),
    ("vim", "vim", "claude"),
    ("node", "node", "/home/ana/claude/server.js"),
    ("tmux: server", "tmux"),
    ("sshd", "sshd: ana@pts/0"),
    ("python", "python3", "-m", "http.server"),
    ("", ""),
)


@pytest.mark.parametrize("words", CLIENTS, ids=" ".join)
def test_a_client_is_known_by_its_process(words: tuple[str, ...]) -> None:
    assert has_agent([Process(words[0], words[1:], {})])


@pytest.mark.parametrize("words", OTHERS, ids=" ".join)
def test_another_program_is_not_taken_for_a_client(words: tuple[str, ...]) -> None:
    assert not has_agent([Process(words[0], words[1:], {})])
    assert has_agent([Process(words[0], words[1:], {"CLAUDECODE": "1"})])


def test_an_agent_inside_another_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    claude, shell = Process("claude", ("claude",), {}), Process("bash", ("bash",), {"CLAUDECODE": "1"})
    for ancestors, is_nested in (([shell], False), ([claude, shell], False), ([claude, shell, claude], True)):
        monkeypatch.setattr("limpet.hosts.client_processes.list_ancestors", lambda found=ancestors: found)
        assert is_nested_agent() is is_nested


def test_no_process_is_no_agent_whatever_the_variables_here_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    assert not has_agent([])
