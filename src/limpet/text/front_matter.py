"""Parse YAML front matter from files that may come from strangers.

Front matter is the YAML between two lines `---` at the beginning of a markdown file. All values are read as strings,
lists and mappings: a date, a number or a word such as `no` is kept as it is written, and the code that reads a field
converts it. Aliases are refused, because a few lines of them can expand to a billion values. Deep nesting and large
texts are refused too.
"""

from __future__ import annotations

from limpet.errors import Unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_YAML = 65_536
_MAX_DEPTH = 12
_MARK = "---"


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
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if not text.startswith(f"{_MARK}\n"):
        return {}, text
    head, closed, body = text[len(_MARK) :].partition(f"\n{_MARK}\n")
    if not closed:
        if not text.rstrip().endswith(f"\n{_MARK}"):
            return {}, text
        head, body = text.rstrip().removesuffix(_MARK)[len(_MARK) :], ""
    found = parse_yaml(head)
    if found in ("", None):
        return {}, body
    if not isinstance(found, dict):
        raise Unreadable("its front matter is not a list of `name: value`")
    return {str(name): value for name, value in found.items()}, body


def count_lines_above(text: str, body: str) -> int:
    """Return how many lines of a text are above its body, which is the text after the front matter."""
    return text.count("\n") - body.count("\n")


def text_field(fields: dict[str, Any], *names: str) -> str:
    """Return the value of the first of these fields that has a non-empty text; an empty text if none has."""
    return next((value.strip() for value in map(fields.get, names) if isinstance(value, str) and value.strip()), "")


def list_field(fields: dict[str, Any], *names: str) -> list[str]:
    """Return the texts in the first of these fields that has any; an empty list if none has.

    The value of a field is a list, or one text in which commas separate the items.
    """
    for value in map(fields.get, names):
        words = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else []
        found = [word.strip() for word in words if isinstance(word, str) and word.strip()]
        if found:
            return found
    return []
