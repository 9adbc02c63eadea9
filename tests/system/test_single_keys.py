"""A single key is read from a terminal, which is then as it was before."""

from __future__ import annotations

import os
import select
import signal

import pytest

from limpet.system.single_keys import read_key


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
        assert [read_key() for _ in keys] == keys
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
        assert read_key() == "k"
        assert signal.getsignal(signal.SIGCONT) is handler


def test_a_pipe_has_no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("termios")
    reading, writing = os.pipe()
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        monkeypatch.setattr("sys.stdin", pipe)
        with pytest.raises(OSError, match="Inappropriate"):
            read_key()
