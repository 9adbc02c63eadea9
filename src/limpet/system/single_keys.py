"""Read single keys from a terminal."""

from __future__ import annotations

import os
import sys

from limpet.system import WINDOWS

if WINDOWS:
    import msvcrt


def read_key() -> str:
    """Wait for a key press on the terminal, without echo and without Enter, and return the key's characters.

    A key that sends several characters, such as an arrow key, is returned completely. Return an empty string if the
    input has ended. Raise KeyboardInterrupt for Ctrl-C, and OSError if standard input is not a terminal. The terminal
    mode is changed only during the call.
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
        # Not TCSAFLUSH, which would discard the keys that were typed before.
        termios.tcsetattr(fd, termios.TCSADRAIN, changed)

    read_single_keys()
    # After Ctrl-Z and `fg` the mode is set again, because the shell has reset it.
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
        # The terminal was closed.
        return ""
