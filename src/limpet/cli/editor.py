"""Let the user edit a text: in the editor that the user has chosen, or on one line of the terminal."""

from __future__ import annotations

import contextlib
import errno
import os
import shlex
import shutil
import subprocess

from limpet import system
from limpet.environment import find_editor
from limpet.errors import describe_error, from_os_error
from limpet.forms.terminal import escape_controls, print_notice

_MOST_BYTES = 1 << 20


def edit_text(text: str, *, home: str) -> str | None:
    """Let the user edit a text and return it; None if the user gave up, left it empty or changed nothing."""
    command = find_editor()
    # The edited text is compared with the text that the user saw, which may differ from the stored text.
    shown = escape_controls(text if command else " ".join(text.split())).strip()
    edited = (_edit_in_editor(command, shown, home) if command else _edit_on_line(shown)) or ""
    return edited.strip() if edited.strip() not in ("", shown) else None


def _edit_in_editor(command: str, text: str, home: str) -> str | None:
    """Let the user change a text in an editor and return it, or None if the editor failed or the user gave up.

    The edited file is in Limpet's home folder, which only its owner can read.
    """
    folder = os.path.join(home, "edit")
    path = os.path.join(folder, f"note-{os.getpid()}.txt")
    try:
        system.private_directory(folder)
        system.write_atomically(path, f"{text}\n".encode(), durable=False)
    except OSError as error:
        raise from_os_error(error, "write the text for the editor") from error
    try:
        words = shlex.split(command, posix=not system.WINDOWS)
        if not words or shutil.which(words[0]) is None:
            # Where a folder of PATH cannot be entered, the system would say "Permission denied".
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        done = subprocess.run([*words, path], check=False)
        if done.returncode:
            print_notice(f"{command} ended with status {done.returncode}; the note stays as it was")
            return None
        with open(path, "rb") as file:
            return file.read(_MOST_BYTES).decode("utf-8", "replace")
    except (OSError, ValueError) as error:
        print_notice(f"{command} could not be used ({describe_error(error)}); set EDITOR to another one, or to nothing")
        return None
    except KeyboardInterrupt:
        return None
    finally:
        _remove_copies(folder)


def _remove_copies(folder: str) -> None:
    """Remove the edited file and the copies that editors leave beside it; skip files that cannot be removed."""
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            if name.startswith((f"note-{os.getpid()}.", f".note-{os.getpid()}.")):
                with contextlib.suppress(OSError):
                    os.unlink(os.path.join(folder, name))
        os.rmdir(folder)


def _edit_on_line(text: str) -> str | None:
    """Let the user change a text on one line of the terminal and return it, or None if the user gives up."""
    try:
        import readline
    except ImportError:
        # Windows has no readline, so the user types the whole text.
        return _ask("new text: ")
    readline.set_startup_hook(lambda: readline.insert_text(text))
    try:
        return _ask("edit: ")
    finally:
        readline.set_startup_hook(None)


def _ask(prompt: str) -> str | None:
    try:
        return input(prompt)
    except (EOFError, KeyboardInterrupt):
        # The cursor is still on the line of the prompt.
        print()
        return None
