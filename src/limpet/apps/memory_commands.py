"""Carry out the six commands of Anthropic's memory tool (`memory_20250818`) on the files of an app.

A command is the input of a tool call, as the model wrote it. The answers are worded as in Anthropic's SDK, because
models are used to that wording.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from limpet.apps.files import (
    MOST_FILES,
    delete_files,
    list_files,
    load_file,
    lock_files,
    move_files,
    show_lines,
    write_text,
)
from limpet.apps.paths import ROOT, check_new_path, check_path, show_path
from limpet.apps.registry import find_app
from limpet.doors.governor import neutralise, neutralise_lines
from limpet.errors import UsageError
from limpet.lean.record import record
from limpet.model.file import AppFile
from limpet.store.protocol import FileEntry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.doors.context import Context

    _Command = Callable[["_Files", Mapping[str, Any]], str]

_MOST_LINES = 999_999
_WIDTH = 6
_AROUND = 2
"""The number of lines shown before and after an edit."""


@record
class ToolResult:
    """The answer to a model's tool call, which may be an error message."""

    content: str
    is_error: bool = False


def answer_command(context: Context, app: str, given: object) -> ToolResult:
    """Carry out one command of the memory tool. The result of an invalid command is an error message."""
    found = find_app(context.reading(), app, installed=True)
    try:
        if not isinstance(given, Mapping):
            raise UsageError('a command is a JSON object, such as {"command": "view", "path": "/memories"}')
        name = given.get("command")
        command = _COMMANDS.get(name) if isinstance(name, str) else None
        if command is None:
            raise UsageError(f"Unknown command: {show_path(str(name))}; choose from {', '.join(_COMMANDS)}")
        if command is _view:
            return ToolResult(content=_view(_Files(context, found.id), given))
        with lock_files(context, found.id):
            return ToolResult(content=command(_Files(context, found.id), given))
    except UsageError as error:
        return ToolResult(content=str(error), is_error=True)


class _Files:
    """A snapshot of the files of an app."""

    def __init__(self, context: Context, app: str) -> None:
        self.context = context
        self.app = app
        self.reading = context.reading()
        self.by_path = list_files(self.reading, app)

    def list_below(self, path: str) -> dict[str, FileEntry]:
        """Return the files in a directory and in its subdirectories, by path."""
        return {each: entry for each, entry in self.by_path.items() if each.startswith(path + "/")}

    def exists(self, path: str) -> bool:
        return path == ROOT or path in self.by_path or bool(self.list_below(path))

    def read(self, path: str) -> AppFile:
        """Return the file at a path, with its text; raise UsageError if there is no file."""
        entry = self.by_path.get(path)
        if entry is not None:
            return load_file(self.reading, self.app, entry)
        if self.exists(path):
            raise UsageError(f"The path {path} is not a file.")
        raise UsageError(f"The path {path} does not exist. Please provide a valid path.")

    def check_free(self, path: str, taken: str) -> None:
        """Raise UsageError if the path is taken, or if one of its parent directories is a file.

        `taken` is the error message for a path that is taken.
        """
        if self.exists(path):
            raise UsageError(taken)
        parts = path.split("/")
        for end in range(3, len(parts)):
            if (parent := "/".join(parts[:end])) in self.by_path:
                raise UsageError(f"{parent} is a file, so no file can be created in it; choose another path")


def _view(files: _Files, given: Mapping[str, Any]) -> str:
    path = check_path(given.get("path"))
    if path not in files.by_path and files.exists(path):
        return _list_directory(files, path)
    lines, label = show_lines(files.context, files.read(path))
    if len(lines) > _MOST_LINES:
        raise UsageError(f"File {path} exceeds maximum line limit of {_MOST_LINES:,} lines.")
    start, end = _parse_range(given.get("view_range"), len(lines))
    header = f"Here's the content of {path} with line numbers{f' ({label})' if label else ''}:"
    return "\n".join((header, *_number(lines, start, end)))


def _parse_range(given: object, count: int) -> tuple[int, int]:
    """Convert the model's line range to the bounds of a slice of `count` lines; raise UsageError if it is invalid."""
    if given is None or given == []:
        return 0, count
    if (
        not isinstance(given, list | tuple)
        or len(given) != 2
        or not all(isinstance(each, int) and not isinstance(each, bool) for each in given)
    ):
        raise UsageError("view_range must be two whole numbers: the first and the last line; -1 is the last of all")
    start = max(1, given[0]) - 1
    return start, count if given[1] == -1 else max(start, min(given[1], count))


def _number(lines: list[str], start: int, end: int) -> list[str]:
    return [f"{number + 1:>{_WIDTH}}\t{lines[number]}" for number in range(start, min(end, len(lines)))]


def _list_directory(files: _Files, path: str) -> str:
    """Format a listing of the files and directories up to two levels deep, without names that begin with a dot."""
    sizes: dict[str, int] = {}
    total = 0
    for each, entry in files.list_below(path).items():
        total += entry.bytes
        names = each[len(path) + 1 :].split("/")
        for depth in (1, 2):
            if any(name.startswith(".") for name in names[:depth]) or len(names) < depth:
                break
            shown = "/".join(names[:depth]) + ("/" if len(names) > depth else "")
            sizes[shown] = sizes.get(shown, 0) + entry.bytes
    lines = [f"{_format_size(size)}\t{path}/{neutralise(name, one_line=True)}" for name, size in sorted(sizes.items())]
    header = f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:"
    return "\n".join((header, f"{_format_size(total)}\t{path}", *lines))


def _format_size(size: int) -> str:
    amount, unit = float(size), "B"
    for larger in "KMG":
        if amount < 1024:
            break
        amount, unit = amount / 1024, larger
    return f"{int(amount)}{unit}" if amount == int(amount) else f"{amount:.1f}{unit}"


def _create(files: _Files, given: Mapping[str, Any]) -> str:
    path = check_new_path(given.get("path"))
    text = _get_text(given, "file_text")
    files.check_free(path, f"File {path} already exists")
    if len(files.by_path) >= MOST_FILES:
        raise UsageError(f"there are {MOST_FILES} files; delete or merge some before creating another")
    note = write_text(files.context, files.app, text, path=path)
    return f"File created successfully at: {path}{note}"


def _str_replace(files: _Files, given: Mapping[str, Any]) -> str:
    path = check_path(given.get("path"))
    file = files.read(path)
    old, new = _get_text(given, "old_str"), _get_text(given, "new_str", otherwise="")
    start, end = _find_passage(file.text, old, path)
    note = write_text(files.context, files.app, file.text[:start] + new + file.text[end:], path=file.path, id=file.id)
    line = file.text.count("\n", 0, start)
    lines, _ = show_lines(files.context, files.context.reading().file(files.app, file.id) or file)
    snippet = _number(lines, max(0, line - _AROUND), line + _AROUND + 1)
    header = f"The memory file has been edited{note}. Here is the snippet showing the change (with line numbers):"
    return "\n".join((header, *snippet))


def _find_passage(text: str, old: str, path: str) -> tuple[int, int]:
    """Return the start and end of a passage; raise UsageError if the text does not contain it exactly once."""
    if not old:
        raise UsageError("No replacement was performed, old_str is empty. Give the passage to replace")
    shown = neutralise(old[:200], one_line=True)
    places = _find_all(text, old)
    if not places:
        found = _find_as_shown(text, old)
        if found is None:
            raise UsageError(f"No replacement was performed, old_str `{shown}` did not appear verbatim in {path}.")
        return found
    if len(places) > 1:
        numbers = ", ".join(str(text.count("\n", 0, place) + 1) for place in places)
        raise UsageError(
            f"No replacement was performed. Multiple occurrences of old_str `{shown}` in lines: {numbers}. "
            "Please ensure it is unique"
        )
    return places[0], places[0] + len(old)


_MOST_PLACES = 20


def _find_all(text: str, old: str) -> list[int]:
    """Return the positions at which a passage occurs in a text, but at most the first 20."""
    places: list[int] = []
    place = text.find(old)
    while place >= 0 and len(places) < _MOST_PLACES:
        places.append(place)
        place = text.find(old, place + 1)
    return places


def _find_as_shown(text: str, old: str) -> tuple[int, int] | None:
    """Find a passage that the model copied from the displayed text, in which some characters are replaced.

    Return its start and end in the stored text, or None if it does not occur exactly once in the displayed text.
    """
    raw, shown = text.split("\n"), neutralise_lines(text)
    joined = "\n".join(shown)
    places = _find_all(joined, old)
    if len(places) != 1:
        return None
    found: list[int] = []
    for place in (places[0], places[0] + len(old)):
        line = joined.count("\n", 0, place)
        column = _map_column(raw[line], shown[line], place - (joined.rfind("\n", 0, place) + 1))
        if column is None:
            return None
        found.append(sum(len(each) + 1 for each in raw[:line]) + column)
    return found[0], found[1]


def _map_column(raw: str, shown: str, column: int) -> int | None:
    """Convert a column of a displayed line to a column of the stored line, or to None inside a replaced part."""
    same = _count_common_prefix(raw, shown)
    if column <= same:
        return column
    tail = _count_common_prefix(raw[same:][::-1], shown[same:][::-1])
    left = len(shown) - column
    return len(raw) - left if left <= tail else None


def _count_common_prefix(first: str, second: str) -> int:
    """Return the length of the common prefix of two texts, in characters."""
    pairs = zip(first, second, strict=False)
    return next((place for place, (one, other) in enumerate(pairs) if one != other), min(len(first), len(second)))


def _insert(files: _Files, given: Mapping[str, Any]) -> str:
    path = check_path(given.get("path"))
    file = files.read(path)
    line, text = given.get("insert_line"), _get_text(given, "insert_text")
    lines = file.text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if not isinstance(line, int) or isinstance(line, bool) or not 0 <= line <= len(lines):
        shown = neutralise(str(line)[:60], one_line=True)
        raise UsageError(f"Invalid `insert_line` parameter: {shown}. It should be within the range [0, {len(lines)}].")
    lines.insert(line, text.rstrip("\n"))
    note = write_text(files.context, files.app, "\n".join(lines) + "\n", path=file.path, id=file.id)
    return f"The file {path} has been edited.{note}"


def _delete(files: _Files, given: Mapping[str, Any]) -> str:
    path = check_path(given.get("path"))
    if path == ROOT:
        raise UsageError(f"Cannot delete the {ROOT} directory itself")
    entry = files.by_path.get(path)
    entries = [entry] if entry is not None else list(files.list_below(path).values())
    if not entries:
        raise UsageError(f"The path {path} does not exist")
    delete_files(files.context, files.app, [each.id for each in entries])
    return f"Successfully deleted {path}"


def _rename(files: _Files, given: Mapping[str, Any]) -> str:
    old, new = check_path(given.get("old_path")), check_new_path(given.get("new_path"))
    if old == ROOT:
        raise UsageError(f"Cannot rename the {ROOT} directory itself")
    if not files.exists(old):
        raise UsageError(f"The path {old} does not exist")
    if new.startswith(old + "/"):
        raise UsageError(f"{old} cannot be moved into itself")
    files.check_free(new, f"The destination {new} already exists")
    entry = files.by_path.get(old)
    moved = {old: entry} if entry is not None else files.list_below(old)
    paths = {each.id: check_new_path(new + path[len(old) :]) for path, each in moved.items()}
    move_files(files.context, files.app, paths)
    return f"Successfully renamed {old} to {new}"


def _get_text(given: Mapping[str, Any], name: str, *, otherwise: str | None = None) -> str:
    value = given.get(name, otherwise)
    if not isinstance(value, str):
        raise UsageError(f"`{name}` is missing; give a text")
    return value.replace("\r\n", "\n").replace("\r", "\n")


_COMMANDS: dict[str, _Command] = {
    "view": _view,
    "create": _create,
    "str_replace": _str_replace,
    "insert": _insert,
    "delete": _delete,
    "rename": _rename,
}
