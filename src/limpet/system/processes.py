"""Examine the processes that started this one, wait for the end of the parent process, and release memory."""

from __future__ import annotations

import os
import sys

from limpet.system import WINDOWS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Process:
    """Another process: its name, its command-line arguments, and the environment with which it was started."""

    def __init__(self, name: str, words: tuple[str, ...], environ: dict[str, str]) -> None:
        self.name = name
        self.words = words
        self.environ = environ


def list_ancestors(most: int = 64) -> list[Process]:
    """Return the ancestors of this process, its parent first, at most `most` of them.

    The list is empty on systems other than Linux, where another program would be needed to find them.
    """
    found = []
    process = os.getppid()
    while process > 1 and most > 0 and (status := _read_process(process, "stat")):
        name, _, rest = status.partition(b"(")[2].rpartition(b")")
        words = [os.fsdecode(word) for word in _read_process(process, "cmdline").split(b"\0")]
        pairs = (os.fsdecode(each).partition("=") for each in _read_process(process, "environ").split(b"\0"))
        found.append(Process(os.fsdecode(name), tuple(words), {key: value for key, _, value in pairs if key}))
        process, most = int(rest.split()[1]), most - 1
    return found


def read_command(process: int) -> tuple[tuple[str, ...], str]:
    """Return the command line of a process and the path of the program that it runs; both empty if unknown."""
    words = [os.fsdecode(word) for word in _read_process(process, "cmdline").split(b"\0")]
    try:
        return tuple(words), os.readlink(f"/proc/{process}/exe")
    except OSError:
        return (), ""


def _read_process(process: int, name: str) -> bytes:
    try:
        with open(f"/proc/{process}/{name}", "rb") as file:
            return file.read(1 << 20)
    except OSError:
        return b""


def when_parent_ends(parent: int, call: Callable[[], None]) -> None:
    """Call a function from another thread after the parent process, given by its process id, has ended.

    The caller must determine the process id as early as possible, before the parent can end.
    """
    # Linux could send a signal, but it does so when the *thread* that started this process ends, and clients start
    # servers from short-lived threads.
    import threading

    if parent <= 1:
        # The parent is the first process of a container or of the machine, and never ends before this process.
        return

    def watch() -> None:
        _wait_for_end(parent)
        call()

    threading.Thread(target=watch, name="parent", daemon=True).start()


def _wait_for_end(parent: int) -> None:
    if WINDOWS:
        import _winapi

        synchronize, forever = 0x0010_0000, 0xFFFF_FFFF
        handle = _winapi.OpenProcess(synchronize, False, parent)  # type: ignore[attr-defined,unused-ignore]
        _winapi.WaitForSingleObject(handle, forever)  # type: ignore[attr-defined,unused-ignore]
        return
    import select
    import threading

    try:
        ended = os.pidfd_open(parent)  # type: ignore[attr-defined,unused-ignore]
    except (AttributeError, OSError):
        # Not Linux, an old Linux, or the parent has ended. Then this process gets another parent.
        never = threading.Event()
        while os.getppid() == parent:
            never.wait(1.0)
        return
    # If the parent had ended before `pidfd_open`, another process could have got its id.
    if os.getppid() == parent:
        select.select([ended], [], [])


def give_back_memory() -> None:
    """Return freed memory to the operating system; on Linux, the C library would otherwise keep it."""
    if not sys.platform.startswith("linux"):
        return
    try:
        import ctypes

        ctypes.CDLL(None).malloc_trim(0)
    except (ImportError, OSError, AttributeError):
        return
