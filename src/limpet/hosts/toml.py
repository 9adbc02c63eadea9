"""Add a table to a TOML text or remove it, and keep all other bytes.

A table is added as text at the end of the file. If that is not possible, for example if the outer table is written on
one line, `tomlkit` edits the text. In both cases the result is parsed, to check that all other values are unchanged.
"""

from __future__ import annotations

import json
import tomllib
from typing import Any

from limpet.errors import NotToml

BOM = "\ufeff"


def load(text: str) -> dict[str, Any]:
    """Parse a TOML document and return its values; raise NotToml if it is not valid."""
    try:
        return tomllib.loads(text.removeprefix(BOM))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise NotToml(str(error) or "nested too deeply") from None


def put(text: str, path: tuple[str, str], table: dict[str, Any]) -> str:
    """Return the text with `table` at `path`; an existing table is replaced."""
    data = load(text)
    outer, name = path
    if data.get(outer, {}).get(name) == table:
        return text
    wanted = {**data, outer: {**data.get(outer, {}), name: table}}
    bare = drop(text, path)
    newline = "\r\n" if "\r\n" in text else "\n"
    gap = "" if not bare.strip(BOM) else newline if bare.endswith("\n") else newline * 2
    # JSON writes strings and lists of strings as TOML does, except for one character.
    values = {key: json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f") for key, value in table.items()}
    lines = (f"[{outer}.{name}]", *(f"{key} = {value}" for key, value in values.items()), "")
    for made in (bare + gap + newline.join(lines), *_edit_with_tomlkit(bare, path, table)):
        if _has_values(made, wanted):
            return made
    raise NotToml("the table cannot be put there without changing others")


def drop(text: str, path: tuple[str, str]) -> str:
    """Return the text without the table at `path`, or the same text if there is no such table."""
    data = load(text)
    outer, name = path
    if name not in data.get(outer, {}):
        return text
    rest = {key: value for key, value in data[outer].items() if key != name}
    wanted = {**data, outer: rest}
    if not rest:
        del wanted[outer]
    for made in (_remove_table(text, f"{outer}.{name}"), *_edit_with_tomlkit(text, path, None)):
        # An outer table that is left empty may stay.
        if _has_values(made, wanted) or _has_values(made, {**wanted, outer: rest}):
            return made
    raise NotToml("the table cannot be taken out without changing others")


def _has_values(text: str, wanted: dict[str, Any]) -> bool:
    try:
        return load(text) == wanted
    except NotToml:
        return False


def _remove_table(text: str, name: str) -> str:
    """Return the text without a table and its inner tables; the blank line before it is removed too."""
    kept: list[str] = []
    ours = False
    for line in text.splitlines(keepends=True):
        head = line.strip().replace(" ", "")
        if head.startswith("["):
            ours = head.startswith((f"[{name}]", f"[{name}."))
            if ours and kept and not kept[-1].strip():
                kept.pop()
        elif ours and head.startswith("#"):
            ours = False
        if not ours:
            kept.append(line)
    return "".join(kept)


def _edit_with_tomlkit(text: str, path: tuple[str, str], table: dict[str, Any] | None) -> tuple[str, ...]:
    """Set or delete a table with `tomlkit`; return the new text in a tuple, or an empty tuple if that failed."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    outer, name = path
    try:
        document: Any = tomlkit.parse(text.removeprefix(BOM))
        if table is None:
            del document[outer][name]
        else:
            inner = tomlkit.inline_table()
            inner.update(table)
            document[outer][name] = inner
        made = tomlkit.dumps(document)
    except (TOMLKitError, ValueError, LookupError, TypeError, AttributeError):
        # `tomlkit` supports fewer rare forms of TOML than `tomllib`, and raises various errors for the others.
        return ()
    return (text[: len(text) - len(text.removeprefix(BOM))] + made,)
