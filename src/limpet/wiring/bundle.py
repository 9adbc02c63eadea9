"""Write the bundle, a file from which hooks load all their modules. `lean/bundle.py` describes it and reads it.

The bundle is a cache beside the byte code of the package. If that folder cannot be written, there is no bundle.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec

import limpet
from limpet import system
from limpet.lean.bundle import HEADER, bundle_path, read_index
from limpet.lean.pattern import LazyPattern, dump_pattern
from limpet.secrets.labelled import list_sources
from limpet.wiring.hook_code import compile_for_hooks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType

    Entry = tuple[str, bool, int, int, int]

TABLE = os.path.join(os.path.dirname(os.path.abspath(limpet.__file__)), "lean", "hook_path.modules")
"""The path of the file that lists the modules in each part of the bundle. A test checks that the list is right."""

_SHORTER = {"datetime": "from _datetime import *\n"} if sys.version_info < (3, 12) else {}
"""Shorter sources for standard modules that also exist in C. The long source is only a fallback for the C module."""


def read_parts() -> dict[str, list[str]]:
    """Read `TABLE`, and return the module names of each part of the bundle, by the name of the part."""
    parts: dict[str, list[str]] = {}
    with open(TABLE, encoding="utf-8") as file:
        for line in file:
            words = line.partition("#")[0].split()
            if words and words[0].startswith("["):
                names = parts.setdefault(words[0].strip("[]"), [])
            elif words:
                names += words
    return parts


def refresh_bundle() -> bool:
    """Write the bundle if it is missing or outdated; return False if nothing was written."""
    if _is_current() or sys.dont_write_bytecode:
        return False
    try:
        path = bundle_path()
        os.makedirs(os.path.dirname(path), exist_ok=True)
        system.write_atomically(path, make_bundle(read_parts().values()), durable=False)
        # The bundle contains no data of the user, so everyone who may read the package may read it.
        os.chmod(path, os.stat(__file__).st_mode & 0o777)
    except OSError:
        # The package may belong to another user; hooks then import their modules one by one.
        return False
    return True


def remove_bundle() -> None:
    """Remove the bundle, if there is one."""
    try:
        os.unlink(bundle_path())
    except OSError:
        return


def _is_current() -> bool:
    try:
        with open(bundle_path(), "rb") as file:
            index = read_index(file.fileno())
        return all(_read_stamp(entry[0]) == entry[2:4] for entry in index[2].values())
    except (OSError, ValueError, EOFError, TypeError, IndexError):
        return False


def make_bundle(parts: Iterable[Iterable[str]]) -> bytes:
    """Return the bytes of a bundle with the given parts, each a list of module names.

    Modules without a source file are left out. One more part has the patterns that seldom a text needs.
    """
    modules: dict[str, Entry] = {}
    blobs: list[bytes] = []
    for number, names in enumerate(parts):
        codes: dict[str, CodeType] = {}
        for name in names:
            found = _compile_module(name)
            if found is not None:
                file, is_package, codes[name] = found
                modules[name] = (file, is_package, *_read_stamp(file), number)
        blobs.append(marshal.dumps((codes, dict(_list_patterns(codes)))))
    seldom = {(source, 0): dump_pattern(source, 0) for source in list_sources()}
    blobs.append(marshal.dumps(({}, seldom)))
    lengths = [len(blob) for blob in blobs]
    # The index has the positions of the parts, so its length depends on them. Space is reserved for the longest index.
    start = HEADER + len(_dump_index(lengths, 1 << 30, modules))
    index = _dump_index(lengths, start, modules)
    return b"%-*d" % (HEADER, len(index)) + index.ljust(start - HEADER, b"\0") + b"".join(blobs)


def _dump_index(lengths: list[int], start: int, modules: dict[str, Entry]) -> bytes:
    places = [(start + sum(lengths[:number]), length) for number, length in enumerate(lengths)]
    return marshal.dumps((sys.version, places, modules))


def _compile_module(name: str) -> tuple[str, bool, CodeType] | None:
    try:
        spec = find_spec(name)
    except (ImportError, ValueError):
        return None
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        return None
    with open(spec.origin, "rb") as file:
        text: bytes | str = file.read()
    if name.startswith("limpet."):
        code = compile_for_hooks(text, spec.origin)
    else:
        code = compile(_SHORTER.get(name, text), spec.origin, "exec", dont_inherit=True, optimize=2)
    return spec.origin, spec.submodule_search_locations is not None, code


def _read_stamp(path: str) -> tuple[int, int]:
    info = os.stat(path)
    return info.st_mtime_ns, info.st_size


def _list_patterns(names: Iterable[str]) -> Iterator[tuple[tuple[str, int], bytes]]:
    """Yield the key and the compiled form of each regular expression in a global variable of one of these modules."""
    for name in names:
        if name.startswith("limpet."):
            for value in vars(import_module(name)).values():
                if isinstance(value, LazyPattern):
                    yield value.key, dump_pattern(*value.key)
