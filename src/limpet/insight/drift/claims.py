"""Find the parts of a statement that a diff makes false.

A statement is checked only by what it names: a path, a command, a version or a symbol. This must have been right before
the diff (at its base), so a statement that was wrong already is not reported. Sentences about the past are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from limpet.insight.drift.difference import Difference
from limpet.lean.enumeration import StrEnum
from limpet.lean.pattern import lazy
from limpet.lean.record import record
from limpet.workspace.citations import find_mentions

_QUOTED = lazy(r"`([^`\n]{1,300})`")
_MAKE = lazy(r"(?:^|[\s;&|(])(make|gmake|just)[ \t]++((?:[\w.=/-]++[ \t]*+){1,8})")
_NPM = lazy(r"(?:^|[\s;&|(`])(?:npm|pnpm|yarn|bun)[ \t]++(?:run(?:-script)?[ \t]++)([A-Za-z][\w:.-]{0,80})")
_SYMBOL = lazy(r"(?:[A-Za-z_$][\w$]{0,80}(?:\.|::|#))*([A-Za-z_$][\w$]{2,80})(?:\([^()\n]{0,80}\))?")
_PAST = lazy(
    r"\b(?:was|were|had been|used to|no longer|formerly|previously|removed?|removes|deleted?|deletes|dropp(?:ed|ing)|"
    r"renamed?|moved|replaced?|replaces|obsolete|deprecated|legacy|gone|instead of|migrated|if (?:it|they) "
    r"exists?|do(?:es)? not exist|doesn't exist|will be|example|e\.g\.)\b",
    re.IGNORECASE,
)
_VERSION = r"(?:[ \t]*+(?:==|>=|~=|@|:|=|v|\^|~|version)){0,3}[ \t]*+v?(\d{1,6}(?:\.\d{1,6}){0,3})(?!\.?\w)"
_SENTENCE = lazy(r"(?<=[.!?;])\s++")
_GONE = "no longer among the dependencies"
_NAMES = {"node": ("node", "node.js", "nodejs"), "go": ("go", "golang"), "typescript": ("typescript", "ts")}


class Cause(StrEnum):
    """The change in a diff that makes a statement false."""

    PATH = "path"
    COMMAND = "command"
    VERSION = "version"
    SYMBOL = "symbol"
    SPAN = "cited lines"


@record
class Falsehood:
    """A part of a statement that was true at the base of a diff and is false at its head."""

    cause: Cause
    named: str
    """The path, command, version or symbol, as the statement names it."""
    why: str
    """What the diff has changed, as a part of a sentence."""


def find_falsehoods(text: str, difference: Difference, *, folder: str = "", is_code: bool = False) -> list[Falsehood]:
    """Return the parts of a text that a diff makes false.

    `folder` is the folder of the text's file, relative to the root. If `is_code` is True, the text is a line of code or
    a command. Otherwise it consists of sentences, and those about the past are skipped.
    """
    found: dict[tuple[Cause, str], Falsehood] = {}
    for sentence in [text] if is_code else _SENTENCE.split(text):
        if not is_code and _PAST.search(sentence):
            continue
        for each in _judge_sentence(sentence, difference, folder, is_code=is_code):
            found.setdefault((each.cause, each.named), each)
    return list(found.values())


def _judge_sentence(sentence: str, difference: Difference, folder: str, *, is_code: bool) -> Iterator[Falsehood]:
    quoted = [sentence] if is_code else _QUOTED.findall(sentence)
    yield from _judge_paths(sentence, difference, folder)
    yield from _judge_commands(sentence, quoted, difference)
    yield from _judge_versions(sentence, difference)
    if not is_code:
        yield from _judge_symbols(quoted, difference)


def _judge_paths(sentence: str, difference: Difference, folder: str) -> Iterator[Falsehood]:
    for name, _ in find_mentions(sentence):
        path = name.removeprefix("./").removeprefix("@").rstrip("/")
        if not path or path.startswith(("/", "~", "-")) or ".." in path.split("/"):
            continue
        places = (f"{folder}/{path}", path) if folder else (path,)
        place = next((each for each in places if difference.base.find(each) is not None), None)
        if place is None or any(difference.head.find(each) is not None for each in places):
            continue
        if "/" not in path and "." not in path and not difference.base.find(place).is_file:  # type: ignore[union-attr]
            # A plain word may be the name of a folder only by accident.
            continue
        new = difference.find_new_name(place)
        why = f"{place} is now {new}" if new else f"{place} is removed"
        yield Falsehood(cause=Cause.PATH, named=place, why=why)


def _judge_commands(sentence: str, quoted: list[str], difference: Difference) -> Iterator[Falsehood]:
    removed = difference.removed_commands
    for text in quoted:
        for runner, words in _MAKE.findall(text):
            parts = words.split()
            if "-C" in parts or "-f" in parts:
                continue
            gone = removed.get("just" if runner == "just" else "make", frozenset())
            for word in parts:
                if word in gone:
                    yield Falsehood(cause=Cause.COMMAND, named=f"{runner} {word}", why=f"`{runner} {word}` is removed")
    for script in _NPM.findall(sentence):
        if script in removed.get("npm", frozenset()):
            yield Falsehood(cause=Cause.COMMAND, named=f"npm run {script}", why=f"the script {script!r} is removed")
    for text in quoted:
        first = text.split()[0] if text.split() else ""
        if first in removed.get("script", frozenset()):
            yield Falsehood(cause=Cause.COMMAND, named=first, why=f"the command {first!r} is removed")


def _judge_versions(sentence: str, difference: Difference) -> Iterator[Falsehood]:
    lower = sentence.casefold()
    for name, (old, new) in difference.changed_versions.items():
        for said in _NAMES.get(name, (name,)):
            if said not in lower:
                continue
            for stated in re.findall(rf"(?<![\w./@-]){re.escape(said)}{_VERSION}", lower):
                if _is_prefix(stated, old) and not _is_prefix(stated, new):
                    why = f"{said} is pinned to {new} now, not {old}" if new else f"{said} is {_GONE}"
                    yield Falsehood(cause=Cause.VERSION, named=f"{said} {stated}", why=why)


def _is_prefix(stated: str, version: str) -> bool:
    """Tell whether one version is a prefix of the other, as 18 is a prefix of 18.2.1."""
    said, full = stated.split("."), version.split(".")
    return said == full[: len(said)] or full == said[: len(full)]


def _judge_symbols(quoted: list[str], difference: Difference) -> Iterator[Falsehood]:
    for text in quoted:
        found = _SYMBOL.fullmatch(text.strip())
        name = found[1] if found is not None else ""
        # A plain word in backticks may be anything, so a symbol must have an underscore, a capital or parentheses.
        is_symbol = bool(name) and ("_" in name or name != name.lower() or "(" in text)
        if is_symbol and name in difference.removed_symbols and difference.is_unknown(name):
            where = difference.removed_symbols[name]
            yield Falsehood(cause=Cause.SYMBOL, named=name, why=f"{name} is removed from {where}, no code names it")
