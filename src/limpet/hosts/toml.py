"""Puts a table into a TOML text and takes it out again, leaving every other byte alone.

A table can always be written at the end of a file, so that is where ours goes, as text. Only where a table cannot be
added that way, as in a file that holds all of them in one line, an editor of TOML is asked; whatever comes out must
say what the file said before, and ours.
"""

from __future__ import annotations

import json
import tomllib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BOM = "\ufeff"


class NotToml(ValueError):
    """The text is no TOML, or cannot be changed without changing what else it says."""


def read(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix(BOM))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise NotToml(str(error) or "nested too deeply") from None


def put(text: str, path: tuple[str, str], table: dict[str, Any]) -> str:
    data = read(text)
    outer, name = path
    if data.get(outer, {}).get(name) == table:
        return text
    wanted = {**data, outer: {**data.get(outer, {}), name: table}}
    bare = drop(text, path)
    newline = "\r\n" if "\r\n" in text else "\n"
    gap = "" if not bare.strip(BOM) else newline if bare.endswith("\n") else newline * 2
    lines = (f"[{outer}.{name}]", *(f"{key} = {_value(value)}" for key, value in table.items()), "")
    for made in (bare + gap + newline.join(lines), *_edited(bare, path, table)):
        if _says(made, wanted):
            return made
    raise NotToml("the table cannot be put there without changing others")


def drop(text: str, path: tuple[str, str]) -> str:
    data = read(text)
    outer, name = path
    if name not in data.get(outer, {}):
        return text
    rest = {key: value for key, value in data[outer].items() if key != name}
    wanted = {**data, outer: rest}
    if not rest:
        del wanted[outer]
    for made in (_without_table(text, f"{outer}.{name}"), *_edited(text, path, None)):
        # An outer table that stands there empty may stay.
        if _says(made, wanted) or _says(made, {**wanted, outer: rest}):
            return made
    raise NotToml("the table cannot be taken out without changing others")


def _says(text: str, wanted: dict[str, Any]) -> bool:
    try:
        return read(text) == wanted
    except NotToml:
        return False


def _value(value: Any) -> str:
    # JSON's texts and lists of texts are TOML's too, but for one character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _without_table(text: str, name: str) -> str:
    """The text without the lines of a table and its inner ones; the blank line before it was ours as well."""
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


def _edited(text: str, path: tuple[str, str], table: dict[str, Any] | None) -> tuple[str, ...]:
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
        # The editor knows TOML's odd corners less well than the reader, and fails there in odd ways.
        return ()
    return (text[: len(text) - len(text.removeprefix(BOM))] + made,)
