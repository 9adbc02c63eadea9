"""Read requests in the format of Anthropic's Memory Stores API: typed fields, and lists that are split into pages."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, TypeVar

from limpet.doors.governor import neutralise
from limpet.errors import UsageError
from limpet.http.auth import Visitor
from limpet.lean.record import record
from limpet.runtime import Runtime

PERSON_WRITER = "user"
"""The writer that is recorded for a person. For a program, the writer is the id of its token."""
LONGEST_PAGE, PAGE = 100, 20
_LONGEST_FULL_PAGE = 20

Item = TypeVar("Item")


@record
class StoreField:
    """The declaration of a field in a request's query or body."""

    name: str
    kind: str = "string"
    """The type: `string`, `integer`, `boolean`, `time`, `object`, or the allowed values, separated by `|`."""
    help: str = ""
    required: bool = False

    def check(self, value: object) -> Any:
        """Convert a value of a JSON body to the type of the field; raise UsageError if that is not possible."""
        if self.kind == "object":
            if isinstance(value, dict):
                return value
        elif isinstance(value, str) and self.kind != "integer":
            return self.parse(value)
        raise UsageError(f"{self.name} is not {_NAMES.get(self.kind, 'a string')}")

    def parse(self, text: str) -> Any:
        """Convert a value of a query to the type of the field; raise UsageError if that is not possible."""
        if "|" in self.kind and text not in self.kind.split("|"):
            raise UsageError(f"{self.name} is {neutralise(text[:60], one_line=True)!r}; choose from {self.kind}")
        try:
            if self.kind == "integer":
                return int(text)
            if self.kind == "boolean":
                return {"true": True, "false": False}[text]
            if self.kind == "time":
                found = datetime.fromisoformat(text)
                return found if found.tzinfo else found.replace(tzinfo=UTC)
        except (ValueError, KeyError, OverflowError):
            shown = neutralise(text[:60], one_line=True)
            raise UsageError(f"{self.name} is {shown!r}; give {_NAMES[self.kind]}") from None
        return text


_NAMES = {
    "integer": "a whole number",
    "boolean": "true or false",
    "time": "a time such as 2026-01-31T12:00:00Z",
    "object": "an object",
}


@record
class StoreRequest:
    """A request to the Memory Stores API whose fields have been checked."""

    path: Mapping[str, str]
    values: Mapping[str, Any]
    visitor: Visitor

    def get(self, name: str, otherwise: Any = None) -> Any:
        """Return the value of a field of the query or the body, or `otherwise` if it was not given."""
        return self.values.get(name, otherwise)

    @property
    def writer(self) -> str:
        """Return the name under which the journal records the sender of this request."""
        return PERSON_WRITER if self.visitor.is_person else self.visitor.key


@record
class StoreEndpoint:
    """An endpoint of the Memory Stores API: its method and path, its fields, and the function that answers it."""

    method: str
    path: str
    summary: str
    answer: Callable[[Runtime, StoreRequest], dict[str, Any]]
    query: tuple[StoreField, ...] = ()
    body: tuple[StoreField, ...] = ()
    needs_person: bool = False

    @property
    def path_names(self) -> tuple[str, ...]:
        return tuple(part[1:-1] for part in self.path.split("/") if part.startswith("{"))

    def read(self, path: dict[str, str], query: Iterable[tuple[str, str]], body: Any, visitor: Visitor) -> StoreRequest:
        """Check the fields of a request and return them; raise UsageError if one is unknown, missing or not valid."""
        values: dict[str, Any] = {}
        in_query = {each.name: each for each in self.query}
        for name, text in query:
            if name == "beta":
                continue
            if name not in in_query:
                raise _refuse_unknown(name, in_query)
            if name in values:
                raise UsageError(f"{name} is given twice; give it once")
            values[name] = in_query[name].parse(text)
        if not isinstance(body, dict):
            raise UsageError("the body must be a JSON object")
        in_body = {each.name: each for each in self.body}
        for name, value in body.items():
            if name not in in_body:
                raise _refuse_unknown(name, in_body)
            if value is not None:
                values[name] = in_body[name].check(value)
        for each in self.body:
            if each.required and each.name not in values:
                raise UsageError(f"{each.name} is missing; {self.method} {self.path} needs it")
        return StoreRequest(path=path, values=values, visitor=visitor)


def _refuse_unknown(name: str, known: Mapping[str, StoreField]) -> UsageError:
    taken = ", ".join(known) or "no fields"
    return UsageError(f"{neutralise(name[:60], one_line=True)!r} is not known here; this takes {taken}")


def read_page(asked: StoreRequest, count: int) -> list[str]:
    """Return the sort key of the last item on the previous page, read from the request's page token.

    The key is an empty list for the first page. Raise UsageError if the key does not consist of `count` texts.
    """
    given = asked.get("page", "")
    if not given:
        return []
    try:
        found = json.loads(base64.urlsafe_b64decode(given.removeprefix("page_")))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list) or len(found) != count or not all(map(_is_text, found)):
        raise UsageError("page is not a value that this server returned; leave it out to start with the first page")
    return found


def _is_text(value: object) -> bool:
    """Tell whether a value is a string without lone surrogates, which cannot be encoded in UTF-8."""
    return isinstance(value, str) and not any("\ud800" <= letter <= "\udfff" for letter in value)


def read_limit(asked: StoreRequest) -> int:
    """Return the maximum number of items in the page; raise UsageError if the given limit is out of range."""
    limit: int = asked.get("limit", PAGE)
    if not 1 <= limit <= LONGEST_PAGE:
        raise UsageError(f"limit is {limit}; give a whole number from 1 to {LONGEST_PAGE}")
    return min(limit, _LONGEST_FULL_PAGE) if asked.get("view") == "full" else limit


def make_page(
    found: list[Item],
    asked: StoreRequest,
    encode: Callable[[Item], dict[str, Any]],
    key: Callable[[Item], list[str]],
) -> dict[str, Any]:
    """Return a page with the first items of `found`, and a token for the next page if there are more items.

    `key` returns an item's sort key, which the token contains.
    """
    limit = read_limit(asked)
    shown = found[:limit]
    more = json.dumps(key(shown[-1])).encode() if len(found) > limit else b""
    token = f"page_{base64.urlsafe_b64encode(more).decode()}" if more else None
    return {"data": [encode(each) for each in shown], "next_page": token}
