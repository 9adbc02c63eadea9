"""Add permission rules that deny certain tool calls to the settings of Claude Code, or remove them.

A rule is added only if a person asks for it, so it stays when Limpet is uninstalled. It is made from a pattern of
calls, but denies fewer calls than the pattern matches: Claude Code compares only the beginning of a command, so a rule
against `pip` does not deny `sudo pip install`.
"""

from __future__ import annotations

import os

from limpet.errors import NotWirable, Refused
from limpet.hosts import jsonc
from limpet.model.call_pattern import CallPattern, PatternKind

PLACE = ("permissions", "deny")


def settings_path(root: str) -> str:
    """Return the path of a project's personal settings file, which Claude Code keeps out of git."""
    return os.path.join(root, ".claude", "settings.local.json")


def make_rule(pattern: CallPattern) -> str:
    """Return the permission rule that denies the calls a pattern matches; raise Refused if no rule can express it."""
    words = " ".join(pattern.words)
    if pattern.text or not words.isprintable() or any(mark in words for mark in "()*"):
        raise Refused(f"a permission rule cannot say {pattern.describe()}; the antigen goes on warning")
    match pattern.kind:
        case PatternKind.COMMAND:
            return f"Bash({words}:*)"
        case PatternKind.FILE:
            return f"Edit(**/{words}**)" if words.endswith("/") else f"Edit(/{words})"
        case _:
            return words


def add_rule(text: str, rule: str) -> str:
    """Return the settings text with a rule added, unless it already has the rule; all other text stays unchanged."""
    data = _load(text)
    if rule in _list_denied(data):
        return text
    made = jsonc.append(text, PLACE, rule)
    if _list_denied(_load(made)) != [*_list_denied(data), rule]:
        raise NotWirable("the rule cannot be put there without changing other entries")
    return made


def remove_rule(text: str, rule: str) -> str:
    """Return the settings text without a rule; a list or section that becomes empty is removed too."""
    denied = _list_denied(_load(text))
    if rule not in denied:
        return text
    made = jsonc.drop(text, (*PLACE, denied.index(rule)))
    if not _list_denied(_load(made)):
        made = jsonc.drop(made, PLACE)
    return made if _load(made)[PLACE[0]] else jsonc.drop(made, PLACE[:1])


def _load(text: str) -> dict[str, object]:
    try:
        return jsonc.load(text)
    except ValueError as error:
        raise NotWirable(f"it is not JSON ({error})") from None


def _list_denied(data: dict[str, object]) -> list[object]:
    found: object = data
    for name in PLACE:
        if not isinstance(found, dict):
            raise NotWirable(f"{PLACE[0]!r} in it is not a table")
        found = found.get(name, {} if name != PLACE[-1] else [])
    if not isinstance(found, list):
        raise NotWirable(f"{'.'.join(PLACE)!r} in it is not a list")
    return found
