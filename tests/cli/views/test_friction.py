"""What a person sees of a report."""

from __future__ import annotations

import shutil
from typing import Any

from tests.cli.shell import Shell, plain
from tests.hosts.recorded import call, entry, result, write_lines


def test_verdict_chart_signals_and_extremes_are_printed(shell: Shell) -> None:
    about: dict[str, Any] = {"sessionId": "abcdefgh-1", "cwd": str(shell.cwd), "entrypoint": "cli"}
    lines = [
        entry("user", "add a retry", second=0, **about),
        call("Bash", {"command": "make"}, id="a", second=1, **about),
        result("error: no rule", id="a", second=2, failed=True, **about),
        entry("user", "no, damn it, use the other file", second=3, **about),
        call("Bash", {"command": "make b"}, id="b", second=4, **about),
        result("ok", id="b", second=5, **about),
    ]
    for name in ("abcdefgh-1", "abcdefgh-2"):
        copied = [{**line, "sessionId": name} for line in lines]
        write_lines(shell.nobody / ".claude" / "projects" / "-shop" / f"{name}.jsonl", copied)
    screen = plain(shell.on_a_terminal("friction", columns=1000).out)
    announced = next(row for row in screen.splitlines() if row.startswith("reads the recorded sessions"))
    shutil.rmtree(shell.cwd / ".claude")
    done = shell.say("friction")
    assert done.code == 0, done.err
    assert "INCONCLUSIVE: 0 of 1 conversations" in done.out
    assert "1 conversation: 0 BAD, 1 FRICTION, 0 ROUGH, 0 OK" in done.out
    assert "1 recording is a copy of a conversation and was counted with it" in done.out
    assert "2026-11-15  ▓ 1" in done.out
    assert "user_curse\t1\t5\tthe user cursed at the agent" in done.out
    assert "worst  shop/" in done.out and "score 6" in done.out
    assert "keeps it out of git" in done.out
    folder = shell.cwd / ".claude" / "friction"
    named = next(line for line in done.out.splitlines() if line.startswith("written"))
    files = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    assert named.startswith(f"written to {folder}, {len(files) - 1} files: ")
    assert sorted([*named.rpartition(": ")[2].split(", "), ".gitignore"]) == files
    assert screen.index(announced) < screen.index("INCONCLUSIVE"), "it is said before it is done"
    assert f"writes to {folder}: " in announced and announced.endswith(" and a copy in reports")
    assert sorted(announced.partition(": ")[2].removesuffix(" and a copy in reports").split(", ")) == [
        file for file in files if file != ".gitignore" and "/" not in file
    ]
    assert "keeps it out of git" not in shell.say("friction").out


def test_without_sessions_it_is_a_usage_error(shell: Shell) -> None:
    done = shell.say("friction")
    assert done.code == 2 and done.out == "" and "no folder with sessions" in done.err
    assert not (shell.cwd / ".claude").exists()
