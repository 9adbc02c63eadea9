"""What differs by operating system: locks and processes are tested here, the rest through the store that uses it."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from limpet import clock, system


def test_a_lock_is_held_by_one_at_a_time(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    with system.lock(path) as first, system.lock(path) as second:
        assert (first, second) == (True, False)
    with system.lock(path) as again:
        assert again


def test_a_lock_that_is_released_in_time_is_acquired(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(tmp_path / "lock")
    fd = system.try_lock(path)
    assert fd is not None
    pauses: list[int] = []

    def pause(milliseconds: int) -> None:
        pauses.append(milliseconds)
        if len(pauses) == 2:
            system.unlock(fd)

    monkeypatch.setattr(clock, "pause", pause)
    with system.lock(path, clock.attempts(60_000, every_ms=7)) as is_held:
        assert is_held
    assert pauses == [7, 7]


def test_without_a_timeout_there_is_one_attempt() -> None:
    assert list(clock.attempts(0)) == [None]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems do not show them")
def test_the_ancestors_are_the_processes_that_led_here() -> None:
    assert [each.words for each in system.ancestors(1)] == [
        tuple(Path(f"/proc/{os.getppid()}/cmdline").read_text().split("\0"))
    ]
    program = "from limpet import system; print([each.environ.get('TIDE') for each in system.ancestors(1)])"
    shell = ["sh", "-c", f'"{sys.executable}" -c "{program}"; true']
    environment = {**os.environ, "TIDE": "low"}
    assert subprocess.run(shell, env=environment, capture_output=True, text=True, check=True).stdout == "['low']\n"


@pytest.mark.parametrize(
    ("typed", "keys"),
    [
        (b"kd", ["k", "d"]),
        (b"\x1b[A\x1bOBq", ["\x1b[A", "\x1bOB", "q"]),
        (b"\x1b[3~q", ["\x1b[3~", "q"]),
        ("é漢🐚q".encode(), ["é", "漢", "🐚", "q"]),
        (b"\x1b", ["\x1b"]),
    ],
)
def test_a_key_is_read_whole_and_the_terminal_is_as_before(
    monkeypatch: pytest.MonkeyPatch, typed: bytes, keys: list[str]
) -> None:
    termios = pytest.importorskip("termios")
    ours, theirs = os.openpty()
    with os.fdopen(ours, "wb", buffering=0) as keyboard, os.fdopen(theirs, "rb", buffering=0) as terminal:
        before = termios.tcgetattr(theirs)
        monkeypatch.setattr("sys.stdin", terminal)
        keyboard.write(typed)
        assert [system.read_key() for _ in keys] == keys
        assert termios.tcgetattr(theirs) == before


def test_single_keys_are_read_again_after_the_shell_has_set_the_terminal_back(monkeypatch: pytest.MonkeyPatch) -> None:
    termios = pytest.importorskip("termios")
    ours, theirs = os.openpty()
    with os.fdopen(ours, "wb", buffering=0) as keyboard, os.fdopen(theirs, "rb", buffering=0) as terminal:
        lines = termios.tcgetattr(theirs)
        monkeypatch.setattr("sys.stdin", terminal)
        read = os.read

        def stop_and_continue(fd: int, count: int) -> bytes:
            # What a shell does at Ctrl-Z and `fg`.
            termios.tcsetattr(theirs, termios.TCSADRAIN, lines)
            os.kill(os.getpid(), signal.SIGCONT)
            keyboard.write(b"k")
            assert select.select([fd], [], [], 5)[0], "the terminal waits for a whole line"
            return read(fd, count)

        monkeypatch.setattr("os.read", stop_and_continue)
        handler = signal.getsignal(signal.SIGCONT)
        assert system.read_key() == "k"
        assert signal.getsignal(signal.SIGCONT) is handler


def test_a_pipe_has_no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("termios")
    reading, writing = os.pipe()
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        monkeypatch.setattr("sys.stdin", pipe)
        with pytest.raises(OSError, match="Inappropriate"):
            system.read_key()
