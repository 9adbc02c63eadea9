"""Parse YAML front matter from files that may come from strangers.

Front matter is the YAML between two lines `---` at the beginning of a markdown file. All values are read as strings,
lists and mappings: a date, a number or a word such as `no` is kept as it is written, and the code that reads a field
converts it. Aliases are refused, because a few lines of them can expand to a billion values. Deep nesting and large
texts are refused too.
"""

from __future__ import annotations

from limpet.errors import Unreadable
from limpet.lean.pattern import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_YAML = 65_536
_MAX_DEPTH = 12
_OPEN = lazy(r"(?:[ \t]*+\n)*+---[ \t]*+\n")
_CLOSE = lazy(r"(?m)^(?:---|\.\.\.)[ \t]*+(?:\n|\Z)")
_FIELD = lazy(r"(?m)^([A-Za-z][\w-]{0,40}):(?:[ \t]++([^\n]{0,400})[^\n]*+)?$")


def parse_yaml(text: str) -> Any:
    """Parse a YAML document into strings, lists and mappings.

    Raise Unreadable if it is malformed, too long or nested too deep, or has an alias.
    """
    if len(text) > MAX_YAML:
        raise Unreadable(f"its YAML has {len(text):,} characters and {MAX_YAML:,} are allowed")
    # Loaded here, because most commands read no YAML.
    import yaml

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        depth = 0
        for event in yaml.parse(text, Loader=loader):
            if isinstance(event, yaml.AliasEvent):
                raise Unreadable("its YAML uses an alias; write the value out")
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > _MAX_DEPTH:
                raise Unreadable(f"its YAML is nested more than {_MAX_DEPTH} deep")
        return yaml.load(text, Loader=loader)
    except yaml.YAMLError as error:
        line = getattr(getattr(error, "problem_mark", None), "line", None)
        place = "" if line is None else f" in line {line + 1}"
        raise Unreadable(f"its YAML cannot be read{place}: {getattr(error, 'problem', None) or 'malformed'}") from None
    except (ValueError, RecursionError) as error:
        raise error if isinstance(error, Unreadable) else Unreadable("its YAML cannot be read") from None


def split_front_matter(text: str) -> tuple[dict[str, Any], str]:
    """Return the front matter of a markdown text as a mapping, and the text after it.

    The mapping is empty if the text does not begin with front matter. Raise Unreadable if the front matter is malformed
    or not a mapping.
    """
    head, body = _split_head(text)
    if head is None:
        return {}, body
    found = parse_yaml(head)
    if found in ("", None):
        return {}, body
    if not isinstance(found, dict):
        raise Unreadable("its front matter is not a list of `name: value`")
    return {str(name): value for name, value in found.items()}, body


def split_lenient_front_matter(text: str) -> tuple[dict[str, Any], str]:
    """Return the front matter of a file that a person has written for an editor, and the text after it.

    Editors accept values that are not YAML, such as `globs: *.ts`, so such front matter is read line by line. If the
    lines between the two marks are no fields, the first mark is a horizontal rule and there is no front matter.
    """
    try:
        return split_front_matter(text)
    except Unreadable:
        head, body = _split_head(text)
        if head is None or not _FIELD.match(head.lstrip()):
            return {}, text
        return {name: value.strip().strip("\"'") for name, value in _FIELD.findall(head[:MAX_YAML])}, body


def _split_head(text: str) -> tuple[str | None, str]:
    """Return the text between the two `---` lines, or None if there is no front matter, and the text after it."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    opened = _OPEN.match(text)
    closed = _CLOSE.search(text, opened.end()) if opened is not None else None
    if opened is None or closed is None:
        return None, text
    return text[opened.end() : closed.start()], text[closed.end() :]


def count_lines_above(text: str, body: str) -> int:
    """Return how many lines of a text are above its body, which is the text after the front matter."""
    return text.count("\n") - body.count("\n")


def text_field(fields: dict[str, Any], *names: str) -> str:
    """Return the value of the first of these fields that has a non-empty text, or an empty string."""
    return next((value.strip() for value in map(fields.get, names) if isinstance(value, str) and value.strip()), "")


def list_field(fields: dict[str, Any], *names: str) -> list[str]:
    """Return the texts in the first of these fields that has any, or an empty list.

    The value of a field is a list, or one text in which commas separate the items.
    """
    for value in map(fields.get, names):
        words = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else []
        found = [word.strip() for word in words if isinstance(word, str) and word.strip()]
        if found:
            return found
    return []
