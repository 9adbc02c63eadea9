"""What our own code reads of the machine that it runs on: environment variables, and files below HOME and /etc.

`docs/reference/environment.md` lists all of it. tests/conftest.py records the variables that are read while tests run.
"""

from __future__ import annotations

import _collections_abc
import os
import re
import sys
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "reference" / "environment.md"
OURS = tuple(f"{ROOT / folder}{os.sep}" for folder in ("src", "tests"))


def read_page() -> list[str]:
    """Return every variable and file that the page lists; a `*` stands for any text."""
    rows = [line.split("|")[1] for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    return [name for row in rows for name in re.findall("`([^`]+)`", row)]


def find_unlisted(names: Iterable[str]) -> list[str]:
    listed = read_page()
    return sorted(name for name in names if not any(fnmatchcase(name, each) for each in listed))


_MAPPING = _collections_abc.Mapping.get.__code__.co_filename


class RecordedEnvironment(os._Environ[str]):
    """The environment, which records the names that the program and the tests ask for, and the lines that ask."""

    asked: dict[str, str]
    copying: tuple[int, int] | None = None
    """The frame and the instruction that copy all variables: it asks for none of them by name."""

    def __getitem__(self, name: str) -> str:
        frame = _find_caller()
        is_copied = self.copying == (id(frame), frame.f_lasti)
        if name and not is_copied and frame.f_code.co_filename.startswith(OURS):
            self.asked.setdefault(name, f"{frame.f_code.co_filename}:{frame.f_lineno}")
        return super().__getitem__(name)

    def __iter__(self) -> Iterator[str]:
        frame = _find_caller()
        self.copying = (id(frame), frame.f_lasti)
        return super().__iter__()


def _find_caller() -> FrameType:
    """Return the frame that asks the environment, without those of the methods that every mapping has."""
    frame = sys._getframe(2)
    while frame.f_back is not None and frame.f_code.co_filename == _MAPPING:
        frame = frame.f_back
    return frame


def record_environment() -> dict[str, str]:
    """Record from now on which variables are asked for, and return the record: names, and where each is first read."""
    if not isinstance(os.environ, RecordedEnvironment):
        os.environ.__class__ = RecordedEnvironment
        os.environ.asked = {}  # type: ignore[attr-defined]
    asked: dict[str, str] = os.environ.asked  # type: ignore[attr-defined]
    return asked


_NAMED = re.compile(
    r"""(?:environ|env|environment\(\w*\))(?:\.(?:get|pop|setdefault)\(|\[)b?["']([A-Z][A-Z0-9_]+)["']"""
)


def variables_named_in(folder: Path) -> set[str]:
    """Return the variables that the source files of a folder ask for by a literal name."""
    found: set[str] = set()
    for path in folder.rglob("*.py"):
        found.update(_NAMED.findall(path.read_text(encoding="utf-8")))
    return found


_PATH = re.compile(r'(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"([^"]*)"')


def files_in(trace: str, *, home: Path, cwd: Path) -> set[str]:
    """Return the paths below HOME and /etc that the calls of a trace of strace name, as the page names them."""
    found = set()
    for line in trace.splitlines():
        for folder, name in [] if "execve(" in line else _PATH.findall(line):
            path = os.path.normpath(os.path.join(folder or cwd, name))
            if path == str(home) or path.startswith((f"{home}/", "/etc/")):
                found.add(path.replace(str(home), "~", 1))
    return found
