"""Read YAML front matter that anybody may have written.

Only the C parser of PyYAML is used, and only for texts, lists and mappings: a date, a number or a word such as `no`
stays the text that was written, so the reader of a field decides what it means. Aliases are refused, because a few
lines of them can stand for a billion values; so are deep nesting and large texts.
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
    """Return the value of a YAML document, made of texts, lists and mappings; raise Unreadable if it is unfit."""
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

    A text that does not begin with `---` has none. Raise Unreadable if the front matter is not a mapping.
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
    """Return how many lines of a text stand above its body, which is what follows the front matter."""
    return text.count("\n") - body.count("\n")


def text_field(fields: dict[str, Any], *names: str) -> str:
    """Return the first of these fields that is a text and not empty; an empty text if none is."""
    return next((value.strip() for value in map(fields.get, names) if isinstance(value, str) and value.strip()), "")


def list_field(fields: dict[str, Any], *names: str) -> list[str]:
    """Return the texts of the first of these fields that has any: a list, or words between commas."""
    for value in map(fields.get, names):
        words = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else []
        found = [word.strip() for word in words if isinstance(word, str) and word.strip()]
        if found:
            return found
    return []
