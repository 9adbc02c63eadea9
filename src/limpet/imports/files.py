"""Read files written by other tools, which may be hostile: symlinks, devices, and large or binary files are refused.

The functions that read a file raise Unreadable with the reason, so that an importer can continue with the next file.
"""

from __future__ import annotations

import json
import os
import stat
from datetime import UTC, datetime
from typing import Any

from limpet.errors import Unreadable
from limpet.system import read_regular

MAX_TEXT = 1_000_000
"""The maximum size, in bytes, of a file with one or a few memories."""
MAX_DATA = 64 << 20
"""The maximum size, in bytes, of a file with many objects."""
MAX_DATABASE = 1 << 30
"""The maximum size, in bytes, of a database."""
MOST_OBJECTS = 100_000


def check_file(path: str, *, limit: int) -> os.stat_result:
    """Return the status of a file; raise Unreadable if it is not regular, is empty, or has more than `limit` bytes."""
    try:
        info = os.lstat(path)
    except (OSError, ValueError) as error:
        raise Unreadable(f"it cannot be read: {getattr(error, 'strerror', None) or 'not a path'}") from None
    if stat.S_ISLNK(info.st_mode):
        raise Unreadable("it is a symlink, which is not followed")
    if not stat.S_ISREG(info.st_mode):
        raise Unreadable("it is not a plain file")
    if info.st_size > limit:
        raise Unreadable(f"it has {info.st_size:,} bytes and {limit:,} are allowed")
    if info.st_size == 0:
        raise Unreadable("it is empty")
    return info


def read_text(path: str, *, limit: int = MAX_TEXT) -> str:
    """Return the text of a regular UTF-8 file, with all line endings as `\\n`; raise Unreadable if it is not one."""
    check_file(path, limit=limit)
    try:
        data = read_regular(path, limit)
    except OSError as error:
        raise Unreadable(f"it cannot be read: {error.strerror}") from None
    if len(data) > limit:
        raise Unreadable(f"it has more than the {limit:,} bytes that are allowed")
    if b"\0" in data:
        raise Unreadable("it is binary, or not UTF-8")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise Unreadable(f"it is not UTF-8 (byte {error.start}); save it as UTF-8") from None


def read_json(path: str) -> Any:
    """Return the value of a JSON file; raise Unreadable if it is not valid."""
    return parse_json(read_text(path, limit=MAX_DATA))


def parse_json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        where = f" in line {error.lineno}" if isinstance(error, json.JSONDecodeError) and "\n" in text else ""
        raise Unreadable(f"it is not JSON{where}") from None


def parse_foreign_time(value: object) -> datetime | None:
    """Parse a time written by another tool: ISO 8601, or seconds or milliseconds since 1970; None if that fails.

    A time without a time zone is interpreted as UTC, which most tools use.
    """
    try:
        if isinstance(value, str) and value.strip():
            text = value.strip()
            number = float(text) if text.replace(".", "", 1).isdigit() else None
            if number is None:
                found = datetime.fromisoformat(text)
                return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
            value = number
        if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            seconds = value / 1000 if value > 1e11 else value
            return datetime.fromtimestamp(int(seconds * 1000) / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        pass
    return None


def as_text(value: object) -> str:
    """Return a string without the white space around it; an empty string for any other value."""
    return value.strip() if isinstance(value, str) else ""


def as_texts(value: object) -> list[str]:
    """Return the strings in a list, or in a string that contains a JSON list or comma-separated values."""
    if isinstance(value, str):
        value = _load(value) if value.lstrip().startswith("[") else value.split(",")
    return [each.strip() for each in value if isinstance(each, str) and each.strip()] if isinstance(value, list) else []


def as_object(value: object) -> dict[str, Any]:
    """Return a dictionary, or parse a JSON object in a string; return an empty dictionary for anything else."""
    value = _load(value) if isinstance(value, str) else value
    return value if isinstance(value, dict) else {}


def _load(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def as_share(value: object) -> float | None:
    """Return a number from 0 to 1, which may be given as a string; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if 0 <= number <= 1 else None


def as_choice(choices: type[Any], value: object) -> Any | None:
    """Return the member of the enum `choices` that has this value, ignoring case; None if there is none."""
    wanted = as_text(value).casefold()
    return next((each for each in choices if str(each.value).casefold() == wanted), None)
