"""Run the real program: in another process on pipes or on a terminal, or in this one where that suffices."""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import re
import select
import signal
import struct
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from limpet.cli.program import run
from tests.operations.sandbox import isolate_environment

LIMPET = (sys.executable, "-m", "limpet")
SGR = re.compile(r"\x1b\[[0-9;]*m")


class Done(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Shell:
    """A home, a folder to stand in, and the program."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = Path(os.path.realpath(folder))
        self.home = self.folder / "home"
        self.cwd = self.folder / "shop"
        self.nobody = self.folder / "nobody"
        for each in (self.cwd, self.nobody):
            each.mkdir(parents=True)
        isolate_environment(monkeypatch, self.folder)
        monkeypatch.setenv("LIMPET_HOME", str(self.home))
        monkeypatch.chdir(self.cwd)

    def say(self, *words: str) -> Done:
        """Run a command in this process, without a terminal and without standard input."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(words)
        return Done(code, out.getvalue(), err.getvalue())

    def ask(self, *words: str) -> Any:
        """Return the JSON answer of a command that must succeed."""
        done = self.say(*words, "--json")
        assert (done.code, done.err) == (0, ""), done
        return done.json

    def remember(self, text: str, *words: str) -> str:
        id: str = self.ask("remember", text, *words)["memory"]["id"]
        return id

    def environment(self, given: dict[str, str]) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "TZ", "PYTHONPATH") if name in os.environ}
        return {**kept, "LIMPET_HOME": str(self.home), "LANG": "C.UTF-8", "TERM": "xterm-256color", **given}

    def start(self, *words: str, stdin: bytes | None = b"", env: dict[str, str] | None = None, **options: Any) -> Done:
        """Run a command in another process, on pipes; `program` starts it instead of the interpreter."""
        done = subprocess.run(
            [*options.pop("program", LIMPET), *words],
            input=stdin,
            capture_output=True,
            env=self.environment(env or {}),
            cwd=options.pop("cwd", self.cwd),
            timeout=60,
            check=False,
            **options,
        )
        return Done(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))

    def on_a_terminal(
        self,
        *words: str,
        typed: str = "",
        env: dict[str, str] | None = None,
        columns: int = 200,
        piped: bytes | None = None,
        program: Sequence[str] = LIMPET,
        answers: Sequence[tuple[str, str]] = (),
    ) -> Done:
        """Run a command on a new terminal; `out` has standard error too. `piped` replaces the keyboard.

        Each of the `answers` is typed as soon as its first text is shown.
        """
        fcntl, termios = pytest.importorskip("fcntl"), pytest.importorskip("termios")

        def take_terminal() -> None:
            # Ctrl-C interrupts only who has this terminal as its own, and who does not ignore it: a test run in the
            # background does, and its children inherit that.
            fcntl.ioctl(1, termios.TIOCSCTTY, 0)
            signal.signal(signal.SIGINT, signal.default_int_handler)

        ours, theirs = os.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        process = subprocess.Popen(
            [*program, *words],
            stdin=theirs if piped is None else subprocess.PIPE,
            stdout=theirs,
            stderr=theirs,
            env=self.environment(env or {}),
            cwd=self.cwd,
            start_new_session=True,
            preexec_fn=take_terminal,
        )
        os.close(theirs)
        if piped is not None and process.stdin is not None:
            process.stdin.write(piped)
            process.stdin.close()
        if typed:
            os.write(ours, typed.encode())
        shown, left, seen = b"", list(answers), 0
        while select.select([ours], [], [], 60)[0] and (part := _read(ours)):
            shown += part
            while left and (found := shown.find(left[0][0].encode(), seen)) >= 0:
                seen = found + len(left[0][0].encode())
                os.write(ours, left.pop(0)[1].encode())
        os.close(ours)
        return Done(process.wait(timeout=60), shown.decode("utf-8", "replace").replace("\r\n", "\n"), "")


def _read(fd: int) -> bytes:
    try:
        return os.read(fd, 65_536)
    except OSError as error:
        # This is how Linux reports that the other side has closed the terminal.
        if error.errno == errno.EIO:
            return b""
        raise


def plain(text: str) -> str:
    """Return what a terminal shows, without its colours."""
    return SGR.sub("", text)


def controls(text: str, *, allowed: Sequence[str] = "\n\t") -> list[str]:
    """Return the characters of an output that would control a terminal or be invisible."""
    unsafe = re.compile(
        "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff"
        "\U000e0000-\U000e007f]"
    )
    return [found for found in unsafe.findall(text) if found not in allowed]
