"""Patterns of tool calls: a command with its arguments, edits of a file or folder, or calls to a tool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from limpet.lean.enumeration import StrEnum
from limpet.lean.record import record
from limpet.text.commands import split_commands

_READ = 4_000
_MOST_WORDS = 8
_LONGEST_WORD = 200


class PatternKind(StrEnum):
    """The part of a tool call that is compared with a pattern: the command, the edited files or the tool's name."""

    COMMAND = "command"
    FILE = "file"
    TOOL = "tool"


@record
class CallPattern:
    """A pattern that matches tool calls by their command, their edited files or their tool.

    For a command, `words` contains the program and the arguments that must follow it in this order. For a file, it
    contains the path. A path that ends with a slash matches everything in a folder with that name. For a tool, it
    contains the name, or `mcp__server` for all tools of an MCP server.
    """

    kind: PatternKind
    words: tuple[str, ...]
    text: str = ""
    """A text that the command must also contain. Case is ignored."""

    def matches(self, *, tool: str, command: str = "", files: Sequence[str] = ()) -> bool:
        """Tell whether a tool call matches the pattern. `files` lists the files that the call changes."""
        match self.kind:
            case PatternKind.COMMAND:
                line = command[:_READ]
                return (
                    self.words[0] in line
                    and self.text in line.casefold()
                    and any(follows(words, self.words) for words in split_commands(line))
                )
            case PatternKind.FILE:
                return any(_is_at(file.replace("\\", "/"), self.words[0]) for file in files)
            case _:
                return tool == self.words[0] or tool.startswith(f"{self.words[0]}__")

    @property
    def mark(self) -> str:
        """Return a text that every matching call contains, either in its input or in the name of its tool.

        A hook searches for this text first, which is faster than comparing the whole pattern.
        """
        return self.words[0].rstrip("/").rpartition("/")[2] if self.kind is PatternKind.FILE else self.words[0]

    def describe(self) -> str:
        """Return a description of the matching calls, such as "edits of `setup.py`"."""
        match self.kind:
            case PatternKind.COMMAND:
                return f"`{' '.join(self.words)}`" + (f" with “{self.text}”" if self.text else "")
            case PatternKind.FILE:
                return f"edits of `{self.words[0]}`"
            case _:
                return f"the tool `{self.words[0]}`"

    def encode(self) -> dict[str, Any]:
        return {"kind": self.kind.value, "words": list(self.words), **({"text": self.text} if self.text else {})}


def decode_pattern(given: Mapping[str, Any]) -> CallPattern:
    """Return the pattern that a JSON object describes. Raise ValueError if it has no words or too many."""
    words = tuple(str(word)[:_LONGEST_WORD] for word in given["words"])
    if not words or not all(words) or len(words) > _MOST_WORDS:
        raise ValueError("a pattern needs one to eight words")
    return CallPattern(
        kind=PatternKind(given["kind"]), words=words, text=str(given.get("text", ""))[:_LONGEST_WORD].casefold()
    )


def follows(words: Sequence[str], wanted: Sequence[str]) -> bool:
    """Tell whether a command runs the wanted program with the other wanted words as arguments, in their order.

    Options may be in any position, and a wanted `--force` also matches `--force=x`.
    """
    if not words or words[0] != wanted[0]:
        return False
    rest = iter(word for word in words[1:] if not word.startswith("-"))
    given = [word.partition("=")[0] for word in words[1:] if word.startswith("-")]
    plain = all(word in rest for word in wanted[1:] if not word.startswith("-"))
    return plain and all(word in given for word in wanted[1:] if word.startswith("-"))


def _is_at(file: str, wanted: str) -> bool:
    if wanted.endswith("/"):
        return f"/{wanted}" in f"/{file}"
    return file == wanted or file.endswith(f"/{wanted}")
