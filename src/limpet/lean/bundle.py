"""Load the modules that a hook needs from one file, because a hook spends most of its time finding modules.

The file (the bundle) is a cache beside the byte code of the package. It is used only by the version of the interpreter
that it was written for, and a module is taken from it only if the size and modification time of its source file are
unchanged. All other modules are imported as usual, so a missing, old or damaged bundle only costs time.
`wiring/bundle.py` writes the bundle. It has several parts, each with modules that are needed together. It
also contains compiled regular expressions, so that a hook need not load `re`.
"""

from __future__ import annotations

import marshal
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import CodeType, ModuleType
    from typing import Any

    Index = tuple[str, list[tuple[int, int]], dict[str, tuple[str, bool, int, int, int]]]
    """The version of the interpreter; the start and length of each part; and for each module its file, whether it is a
    package, the time and size of the file, and the number of the part with its code."""
else:
    from _frozen_importlib import ModuleSpec

HEADER = 16
"""The number of bytes at the beginning of the file that store the length of the index."""

PATTERNS: dict[tuple[str, int], bytes] = {}
"""The compiled regular expressions from the loaded parts, by source and flags."""
FINDERS: list[BundleFinder] = []
"""The finder of the bundle in use, if there is one."""


def bundle_path() -> str:
    """Return the path of the bundle for this interpreter."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return os.path.join(package, "__pycache__", f"hook_path.{sys.implementation.cache_tag}.bundle")


def read_index(fd: int) -> Index:
    """Read the index of an open bundle. Raise an error if it is damaged or was written for another interpreter."""
    found: Index = marshal.loads(os.read(fd, int(os.read(fd, HEADER))))
    if found[0] != sys.version:
        raise ValueError("the bundle is of another interpreter")
    return found


def use_bundle() -> None:
    """Import modules from the bundle from now on, if there is a bundle for this interpreter."""
    fd = -1
    try:
        fd = os.open(bundle_path(), os.O_RDONLY | getattr(os, "O_BINARY", 0))
        finder = BundleFinder(fd, read_index(fd))
    except (OSError, ValueError, EOFError, TypeError, IndexError):
        if fd >= 0:
            os.close(fd)
        return
    sys.meta_path.insert(0, finder)
    FINDERS.append(finder)


class BundleFinder:
    """An import hook that finds and loads the modules in a bundle."""

    def __init__(self, fd: int, index: Index) -> None:
        self._fd = fd
        self._parts = index[1]
        self._modules = index[2]
        self._loaded: dict[int, dict[str, CodeType]] = {}

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        entry = self._modules.get(name)
        if entry is None:
            return None
        file, is_package, modified, size, part = entry
        try:
            info = os.stat(file)
            if info.st_mtime_ns != modified or info.st_size != size:
                return None
            self._load_part(part)
        except (OSError, ValueError, EOFError, TypeError):
            return None
        spec = ModuleSpec(name, self, origin=file, is_package=is_package)  # type: ignore[arg-type]
        if is_package:
            spec.submodule_search_locations = [os.path.dirname(file)]
        return spec

    def create_module(self, spec: ModuleSpec) -> None:
        """Return None, so that the import system creates the module."""

    def exec_module(self, module: ModuleType) -> None:
        # Set here and not by the import system, which would also determine where the byte code is.
        module.__file__ = self._modules[module.__name__][0]
        part = self._modules[module.__name__][-1]
        exec(self._loaded[part][module.__name__], module.__dict__)

    def load_seldom_used(self) -> None:
        """Load the last part, which has no modules but the patterns that are put together when a text needs them."""
        try:
            self._load_part(len(self._parts) - 1)
        except (OSError, ValueError, EOFError, TypeError):
            return

    def _load_part(self, number: int) -> None:
        if number in self._loaded:
            return
        start, length = self._parts[number]
        os.lseek(self._fd, start, os.SEEK_SET)
        self._loaded[number], patterns = marshal.loads(os.read(self._fd, length))
        PATTERNS.update(patterns)
