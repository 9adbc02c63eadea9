"""Read the commands that manifests such as package.json and Makefile define, and the versions that they pin."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from typing import Any

from limpet.lean.pattern import lazy
from limpet.workspace.trees import Tree

_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
_JUSTFILES = ("justfile", "Justfile", ".justfile")
_TARGET = lazy(r"^([A-Za-z0-9_./ -]{1,200}?)[ \t]*+::?(?![=:])", re.MULTILINE)
_RECIPE = lazy(r"^@?([A-Za-z_][\w-]{0,80})(?:[ \t]++[^:\n]{0,200})?:(?!=)", re.MULTILINE)
_NUMBER = lazy(r"\d{1,6}(?:\.\d{1,6}){0,3}")
_PIN = lazy(
    r"^([A-Za-z0-9][\w.-]{0,80})(?:\[[^\]\n]{0,80}\])?[ \t]*+(?:==|~=|>=)[ \t]*+([0-9][\w.]{0,30})", re.MULTILINE
)
_GO = lazy(r"^[ \t]*+(?:require[ \t]++)?([\w./-]{3,120})[ \t]++v(\d[\w.-]{0,30})", re.MULTILINE)
_GO_ITSELF = lazy(r"^go[ \t]++(\d[\d.]{0,20})", re.MULTILINE)
_FROM = lazy(r"^FROM[ \t]++(?:--\S{1,80}[ \t]++)?(?:[\w.-]{1,80}/){0,4}([\w.-]{1,80}):([0-9][\w.]{0,30})", re.MULTILINE)
_RUNTIMES = {
    ".python-version": "python",
    ".nvmrc": "node",
    ".node-version": "node",
    ".ruby-version": "ruby",
    "rust-toolchain": "rust",
}


def list_commands(tree: Tree) -> dict[str, frozenset[str]]:
    """Return the commands that the manifests at the root of a tree define, by their runner.

    The runners are "make", "just", "npm", and "script" for the scripts of a Python package. A runner without a manifest
    is left out.
    """
    found: dict[str, frozenset[str]] = {}
    for runner, names, pattern in (("make", _MAKEFILES, _TARGET), ("just", _JUSTFILES, _RECIPE)):
        for name in names:
            text = _read_text(tree, name)
            if text:
                targets = {word for line in pattern.findall(text) for word in line.split()}
                found[runner] = frozenset(targets) | found.get(runner, frozenset())
    package = _read_json(tree, "package.json")
    scripts = package.get("scripts")
    if isinstance(scripts, dict):
        found["npm"] = frozenset(map(str, scripts))
    project = _read_toml(tree, "pyproject.toml").get("project")
    scripts = project.get("scripts") if isinstance(project, dict) else None
    if isinstance(scripts, dict):
        found["script"] = frozenset(map(str, scripts))
    return found


def list_pinned_versions(tree: Tree, paths: list[str]) -> dict[str, str]:
    """Return the versions that the manifests at `paths` pin, by the names of the dependencies.

    A name that has two different versions is left out.
    """
    found: dict[str, str] = {}
    ambiguous: set[str] = set()
    for path in paths:
        for name, version in _read_versions(tree, path):
            number = _NUMBER.search(version)
            key = _normalise(name)
            if number is not None and found.setdefault(key, number[0]) != number[0]:
                ambiguous.add(key)
    return {name: version for name, version in found.items() if name not in ambiguous}


def list_mentioned(tree: Tree, names: Iterable[str]) -> set[str]:
    """Return those of the names that a manifest of a tree pins, or contains as a whole word."""
    left, found = set(names), set[str]()
    for path, entry in tree.walk():
        if not left:
            break
        if is_manifest(path):
            text = _normalise((tree.read_id(entry.id) or b"").decode("utf-8", "replace"))
            pinned = {_normalise(name) for name, _ in _read_versions(tree, path)}
            found |= {name for name in left if name in pinned or _has_word(text, name)}
            left -= found
    return found


def is_manifest(path: str) -> bool:
    """Tell whether the file at a path is a manifest that may pin versions."""
    name = path.rpartition("/")[2]
    return (
        name in ("package.json", "pyproject.toml", "Cargo.toml", "go.mod", ".tool-versions", *_RUNTIMES)
        or name.startswith("Dockerfile")
        or (name.startswith("requirements") and name.endswith(".txt"))
    )


def _normalise(name: str) -> str:
    return name.casefold().replace("_", "-")


def _has_word(text: str, word: str) -> bool:
    """Tell whether a text contains a whole word; digits may follow it, as in `python3`."""
    at = text.find(word)
    while at >= 0:
        if not text[at - 1 : at].isalnum() and not text[at + len(word) : at + len(word) + 1].isalpha():
            return True
        at = text.find(word, at + 1)
    return False


def _read_versions(tree: Tree, path: str) -> Iterator[tuple[str, str]]:
    """Yield the names and versions of the dependencies in a manifest."""
    name = path.rpartition("/")[2]
    if name == "package.json":
        yield from _read_package(_read_json(tree, path))
    elif name == "pyproject.toml":
        yield from _read_pyproject(_read_toml(tree, path))
    elif name == "Cargo.toml":
        yield from _read_cargo(_read_toml(tree, path))
    elif name in _RUNTIMES:
        yield _RUNTIMES[name], _read_text(tree, path).strip().lstrip("v")
    else:
        text = _read_text(tree, path)
        if name == "go.mod":
            yield from ((found.rpartition("/")[2], version) for found, version in _GO.findall(text))
            yield from (("go", version) for version in _GO_ITSELF.findall(text))
        elif name.startswith("Dockerfile"):
            yield from _FROM.findall(text)
        elif name == ".tool-versions":
            rows = (line.split() for line in text.splitlines())
            yield from ((row[0].removesuffix("js"), row[1]) for row in rows if len(row) >= 2)
        else:
            yield from _PIN.findall(text)


def _read_package(data: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for part in ("dependencies", "devDependencies", "peerDependencies", "engines"):
        pins = data.get(part)
        for name, version in pins.items() if isinstance(pins, dict) else ():
            if isinstance(version, str) and not version.startswith(("file:", "git", "http", "workspace:", "link:")):
                yield str(name), version
    manager = data.get("packageManager")
    if isinstance(manager, str) and "@" in manager:
        name, _, version = manager.partition("@")
        yield name, version


def _read_pyproject(data: dict[str, Any]) -> Iterator[tuple[str, str]]:
    project = data.get("project")
    if not isinstance(project, dict):
        project = {}
    if isinstance(project.get("requires-python"), str):
        yield "python", project["requires-python"]
    lists = [project.get("dependencies")]
    for groups in (project.get("optional-dependencies"), data.get("dependency-groups")):
        lists += groups.values() if isinstance(groups, dict) else ()
    for pins in lists:
        for pin in pins if isinstance(pins, list) else ():
            found = _PIN.match(pin) if isinstance(pin, str) else None
            if found is not None:
                yield found[1], found[2]


def _read_cargo(data: dict[str, Any]) -> Iterator[tuple[str, str]]:
    package = data.get("package")
    if isinstance(package, dict) and isinstance(package.get("rust-version"), str):
        yield "rust", package["rust-version"]
    for part in ("dependencies", "dev-dependencies", "build-dependencies"):
        pins = data.get(part)
        for name, pin in pins.items() if isinstance(pins, dict) else ():
            version = pin.get("version") if isinstance(pin, dict) else pin
            if isinstance(version, str):
                yield str(name), version


def _read_text(tree: Tree, path: str) -> str:
    return (tree.read(path) or b"").decode("utf-8", "replace")


def _read_json(tree: Tree, path: str) -> dict[str, Any]:
    try:
        data = json.loads(_read_text(tree, path))
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _read_toml(tree: Tree, path: str) -> dict[str, Any]:
    try:
        return tomllib.loads(_read_text(tree, path))
    except (ValueError, RecursionError):
        return {}
