"""Define the HTTP endpoints that run commands, with the parameters that each command declares.

`GET` takes the parameters from the query, where a parameter with several values is repeated. The other methods take
them from a JSON object in the body. A name in braces is part of the path.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from limpet.errors import UsageError
from limpet.lean.record import field, record
from limpet.operations.catalogue import WANTED, Param, load_verb
from limpet.runtime import Runtime
from limpet.text.excerpt import quote

PERSON_VERBS = frozenset(("confirm", "purge", "import", "adopt"))
"""The commands that a request may run only with a person's credential."""

_NEVER = frozenset(("yes", "code"))
"""The command-line parameters that no endpoint has: requests are not asked for consent, and codes are in a header."""

_WORDS = {"true": True, "1": True, "false": False, "0": False}


@record
class Endpoint:
    """An HTTP endpoint: its method and path, the command that it runs, and how a request becomes arguments."""

    method: str
    path: str
    verb: str
    takes: tuple[str, ...] | None = None
    """The names of the parameters that the endpoint accepts; None means all parameters of the command."""
    preset: Mapping[str, Any] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    """The command's parameter for each name in the path that differs from it."""
    prepare: Callable[[dict[str, Any]], dict[str, Any]] = lambda values: values
    required: tuple[str, ...] = ()
    """Parameters that are optional for the command but required by this endpoint."""
    is_for_person: bool = False
    """Whether this endpoint needs a person's credential although the command in general does not."""
    encode: Callable[[Any], dict[str, Any]] | None = None
    """A function that encodes the answer, if its format differs from the JSON of the command.

    The governor must have passed every text that the function returns.
    """
    whole_body: str = ""
    """The name of a parameter that gets the whole body as JSON text, for endpoints whose body a model writes."""
    after: Callable[[Runtime], object] | None = None
    """A function to call after the response was sent."""

    @property
    def needs_person(self) -> bool:
        return self.is_for_person or self.verb in PERSON_VERBS

    @property
    def path_names(self) -> tuple[str, ...]:
        return tuple(part[1:-1] for part in self.path.split("/") if part.startswith("{"))

    @property
    def params(self) -> tuple[Param, ...]:
        """Return the parameters that are read from the query or from the body."""
        in_path = {self.names.get(name, name) for name in self.path_names}
        hidden = {*in_path, *self.preset, *_NEVER}
        return tuple(
            each
            for each in load_verb(self.verb).params
            if each.name not in hidden and (self.takes is None or each.name in self.takes)
        )

    def is_required(self, param: Param) -> bool:
        return param.required or param.name in self.required

    def read_query(self, pairs: list[tuple[str, str]]) -> dict[str, Any]:
        """Convert the pairs of a query to the types of the parameters; raise UsageError if a pair is not valid."""
        known = {param.name: param for param in self.params}
        values: dict[str, Any] = {}
        for name, text in pairs:
            param = known.get(name)
            if param is None:
                raise self._refuse_name(name)
            if param.many:
                values.setdefault(name, []).append(_parse(param, text))
            elif name in values:
                raise UsageError(f"{name} is given twice; give it once")
            else:
                values[name] = _parse(param, text)
        return values

    def read_body(self, body: Any) -> dict[str, Any]:
        """Return the parameters in a JSON body, without those that are null; raise UsageError for an unknown name."""
        if not isinstance(body, dict):
            raise UsageError("the body must be a JSON object")
        if self.whole_body:
            return {self.whole_body: json.dumps(body)}
        known = {param.name for param in self.params}
        unknown = [name for name in body if name not in known]
        if unknown:
            raise self._refuse_name(unknown[0])
        return {name: value for name, value in body.items() if value is not None}

    def accept(self, values: dict[str, Any], in_path: Mapping[str, str]) -> dict[str, Any]:
        """Return the arguments for the command; raise UsageError if a value is missing or not valid."""
        missing = [param.name for param in self.params if self.is_required(param) and values.get(param.name) is None]
        if missing:
            raise UsageError(f"{missing[0]!r} is missing; {self.method} {self.path} needs it")
        chosen = load_verb(self.verb)
        for name, text in in_path.items():
            param = chosen.get_param(self.names.get(name, name))
            values[param.name] = [text] if param.many else text
        return self.prepare(chosen.accept({**self.preset, **values}))

    def _refuse_name(self, name: str) -> UsageError:
        taken = ", ".join(param.name for param in self.params)
        return UsageError(f"{self.method} {self.path} has no {name[:60]!r}; it takes {taken or 'no parameters'}")


def _parse(param: Param, text: str) -> Any:
    try:
        match param.kind:
            case "integer":
                return int(text)
            case "number":
                return float(text)
            case "flag":
                return _WORDS[text.lower()]
    except (ValueError, KeyError):
        raise UsageError(f"{param.name} is {quote(text)}; give {WANTED[param.kind]}") from None
    return text


def _add_fact(values: dict[str, Any]) -> dict[str, Any]:
    words = tuple(values.pop(name) for name in ("subject", "predicate", "object"))
    return {**values, "action": "add", "words": words}


_IDS = {"id": "ids"}
_FACT = ("subject", "predicate", "object")

ENDPOINTS = (
    Endpoint(method="GET", path="/memories", verb="list"),
    Endpoint(method="POST", path="/memories", verb="remember"),
    Endpoint(method="GET", path="/memories/search", verb="recall"),
    Endpoint(method="GET", path="/memories/{id}", verb="show"),
    Endpoint(method="PUT", path="/memories/{id}", verb="correct"),
    Endpoint(method="DELETE", path="/memories/{id}", verb="forget", names=_IDS, takes=("reason", "dry_run")),
    Endpoint(method="GET", path="/memories/{id}/related", verb="related"),
    Endpoint(method="GET", path="/memories/{id}/blame", verb="blame"),
    Endpoint(method="POST", path="/memories/{id}/restore", verb="restore"),
    Endpoint(method="POST", path="/memories/{id}/pin", verb="pin"),
    Endpoint(method="POST", path="/memories/{id}/feedback", verb="feedback"),
    Endpoint(method="POST", path="/memories/{id}/confirm", verb="confirm", names=_IDS, takes=("all_projects",)),
    Endpoint(method="POST", path="/memories/{id}/purge", verb="purge", names=_IDS, takes=("dry_run", "all_projects")),
    Endpoint(
        method="GET",
        path="/facts",
        verb="facts",
        takes=(*_FACT, "at", "closed", "private", "all_projects", "limit", "offset"),
    ),
    Endpoint(
        method="POST",
        path="/facts",
        verb="facts",
        takes=(*_FACT, "confidence", "sources", "valid_from"),
        required=_FACT,
        prepare=_add_fact,
    ),
    Endpoint(method="GET", path="/timeline", verb="timeline"),
    Endpoint(method="GET", path="/stats", verb="stats"),
    Endpoint(method="GET", path="/receipts", verb="why"),
    Endpoint(method="POST", path="/import", verb="import"),
)
