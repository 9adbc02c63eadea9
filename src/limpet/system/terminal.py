"""Read single keys from a terminal."""

from __future__ import annotations

import os
import sys

from limpet.system import WINDOWS

if WINDOWS:
    import msvcrt


def read_key() -> str:
    """Wait for one key on the terminal and return it, without echo and without Enter; empty if the input has ended.

    A key that sends several characters, such as an arrow, is returned whole. Ctrl-C raises KeyboardInterrupt. Raise
    OSError if standard input is not a terminal. The terminal is changed during the call only, so a program that ends in
    between leaves it as it was. After Ctrl-Z and `fg` it is changed again, because the shell has set it back meanwhile.
    """
    if WINDOWS:
        key: str = msvcrt.getwch()  # type: ignore[attr-defined,unused-ignore]
        if key == "\x03":
            raise KeyboardInterrupt
        return key + msvcrt.getwch() if key in "\0\xe0" else key  # type: ignore[attr-defined,unused-ignore]
    import signal
    import termios
    from contextlib import suppress

    fd = sys.stdin.fileno()
    try:
        before = termios.tcgetattr(fd)
    except termios.error as error:
        raise OSError(*error.args) from error
    changed = [*before[:3], before[3] & ~(termios.ICANON | termios.ECHO), *before[4:]]

    def read_single_keys(*_: object) -> None:
        # Keys that were typed already stay in the queue: TCSAFLUSH would discard them.
        termios.tcsetattr(fd, termios.TCSADRAIN, changed)

    read_single_keys()
    handler = signal.signal(signal.SIGCONT, read_single_keys)
    try:
        return _read_whole_key(fd)
    finally:
        signal.signal(signal.SIGCONT, handler)
        with suppress(termios.error):
            termios.tcsetattr(fd, termios.TCSADRAIN, before)


def _read_whole_key(fd: int) -> str:
    import select

    try:
        key = os.read(fd, 1)
        while key.startswith(b"\x1b") and len(key) < 16 and select.select([fd], [], [], 0.05)[0]:
            key += os.read(fd, 1)
            if key[1:2] not in (b"[", b"O") or (len(key) > 2 and key[-1:].isalpha()) or key.endswith(b"~"):
                break
        missing = next((count for count, first in ((3, 0xF0), (2, 0xE0), (1, 0xC0)) if key[:1] >= bytes([first])), 0)
        return (key + os.read(fd, missing) if missing else key).decode("utf-8", "replace")
    except OSError:
        # The terminal is gone.
        return ""
