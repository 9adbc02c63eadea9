"""A person is told from an agent by its processes, and a code works once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from limpet import system
from limpet.errors import Refused
from limpet.runtime.person import CODE_MINUTES, is_agent_process, is_nested_agent, show_code, use_code
from limpet.system import Process

NOW = 1_000_000
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
    assert is_agent_process(Process(words[0], words[1:], {}))


@pytest.mark.parametrize("words", OTHERS, ids=" ".join)
def test_another_program_is_not_taken_for_a_client(words: tuple[str, ...]) -> None:
    assert not is_agent_process(Process(words[0], words[1:], {}))
    assert is_agent_process(Process(words[0], words[1:], {"CLAUDECODE": "1"}))


def test_an_agent_inside_another_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    claude, shell = Process("claude", ("claude",), {}), Process("bash", ("bash",), {"CLAUDECODE": "1"})
    for ancestors, is_nested in (([shell], False), ([claude, shell], False), ([claude, shell, claude], True)):
        monkeypatch.setattr(system, "ancestors", lambda found=ancestors: found)
        assert is_nested_agent() is is_nested


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems do not show them")
def test_the_ancestors_are_the_processes_that_led_here() -> None:
    assert [each.words for each in system.ancestors(1)] == [
        tuple(Path(f"/proc/{os.getppid()}/cmdline").read_text().split("\0"))
    ]
    program = "from limpet import system; print([each.environ.get('TIDE') for each in system.ancestors(1)])"
    shell = ["sh", "-c", f'"{sys.executable}" -c "{program}"; true']
    environment = {**os.environ, "TIDE": "low"}
    assert subprocess.run(shell, env=environment, capture_output=True, text=True, check=True).stdout == "['low']\n"


def test_a_code_is_used_once_within_its_time_and_for_its_verb(tmp_path: Path) -> None:
    home = str(tmp_path)
    code = show_code(home, "confirm", now_ms=NOW)
    assert code.replace("-", "") not in "".join(path.read_text() for path in tmp_path.rglob("*.json"))
    with pytest.raises(Refused, match="no valid code"):
        use_code(home, "purge", code, now_ms=NOW)
    with pytest.raises(Refused, match="no valid code"):
        use_code(home, "confirm", code, now_ms=NOW + CODE_MINUTES * 60_000 + 1)
    use_code(home, "confirm", f" {code.lower()} ", now_ms=NOW)
    with pytest.raises(Refused, match="no valid code"):
        use_code(home, "confirm", code, now_ms=NOW)


def test_after_three_wrong_codes_the_right_one_is_void(tmp_path: Path) -> None:
    home = str(tmp_path)
    code = show_code(home, "confirm", now_ms=NOW)
    for _ in range(3):
        with pytest.raises(Refused, match="not the code"):
            use_code(home, "confirm", "AAAA-AAAA", now_ms=NOW)
    with pytest.raises(Refused, match="no valid code"):
        use_code(home, "confirm", code, now_ms=NOW)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"salt": 1, "hash": "x", "until": "x", "tries": 0}'])
def test_a_damaged_code_is_none(tmp_path: Path, text: str) -> None:
    code = show_code(str(tmp_path), "confirm", now_ms=NOW)
    (tmp_path / "codes" / "confirm.json").write_text(text)
    with pytest.raises(Refused, match="no valid code"):
        use_code(str(tmp_path), "confirm", code, now_ms=NOW)
