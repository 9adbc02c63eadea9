"""Change one setting in the user's settings file, and keep its comments and all other entries."""

from __future__ import annotations

import os

from limpet import system
from limpet.errors import SettingsError, refuse_write
from limpet.settings import (
    CONFIG,
    FILE_LIMIT,
    check_value,
    get_declared,
    read_user_file,
    strip_controls,
)
from limpet.text.excerpt import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.settings import Value


def set_value(home: str, key: str, text: str) -> None:
    """Write one setting to the user's file; raise SettingsError if the value is not allowed."""
    info = get_declared(key)
    _rewrite_file(home, key, check_value(info, text, "the command", as_text=True))


def unset_value(home: str, key: str) -> bool:
    """Remove one setting from the user's file, even if no setting with this name exists any more.

    Return whether the file had it.
    """
    return _rewrite_file(home, key, None)


def _rewrite_file(home: str, key: str, value: Value | None) -> bool:
    """Write one setting to the user's file, or remove it if `value` is None.

    Return False if it was to be removed and the file does not have it.
    """
    path = os.path.join(home, CONFIG)
    if system.is_link(path):
        raise SettingsError(
            f"{strip_controls(path)} is a symlink; edit the file it points to, or put a plain file there"
        )
    wanted = read_user_file(path)
    section, _, name = key.partition(".")
    body = wanted.setdefault(section, {})
    if not isinstance(body, dict):
        raise SettingsError(
            f"{section!r} is {quote(body)} in {strip_controls(path)}, but it is a section; fix the file"
        )
    if value is not None:
        body[name] = value
    elif name in body:
        del body[name]
    else:
        get_declared(key)
        return False
    try:
        text = system.read_regular(path, FILE_LIMIT).decode("utf-8-sig") if os.path.exists(path) else ""
        rendered = _edit_toml(text, section, name, value, wanted)
        if rendered is None:
            raise SettingsError(f"cannot change {key!r} in {strip_controls(path)} safely; edit the file by hand")
        if not os.path.isdir(home):
            system.private_directory(home)
        system.write_atomically(path, rendered.encode())
    except OSError as error:
        raise refuse_write(error, strip_controls(path)) from error
    return True


def _edit_toml(text: str, section: str, name: str, value: Value | None, wanted: dict[str, object]) -> str | None:
    """Return the text of a TOML file with one value changed or, if `value` is None, removed.

    Return None if the new text would not have exactly the values in `wanted`.
    """
    import tomllib

    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document: Any = tomlkit.parse(text)
        if value is None:
            del document[section][name]
        elif section in document:
            document[section][name] = value
        else:
            document[section] = {name: value}
        rendered = tomlkit.dumps(document)
        return rendered if tomllib.loads(rendered) == wanted else None
    except (TOMLKitError, ValueError, LookupError, TypeError, AttributeError):
        # tomlkit fails on some rare but valid TOML, with various exceptions.
        return None
