"""The tools a model is given: each names the operation it translates, and what of it a model needs to know.

Their schemas are made from the operations' own declarations. A model pays for every word of the list in every session,
so a schema shows only what is often needed; what a tool takes besides is in `also`, and refused by name otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from limpet.errors import UsageError
from limpet.lean.record import field, record
from limpet.mcp import answers
from limpet.operations.catalogue import Param, Verb, verb
from limpet.runtime import Runtime

MOST = 200
"""Rows in one answer; a client cuts longer ones off."""

_FIELDS = ("title", "tags", "kind", "impact", "difficulty", "type", "concepts", "files")
_RARE_FIELDS = ("subtitle", "importance", "confidence", "sensitivity")
_FILTERS = (
    "kind",
    "type",
    "impact",
    "concept",
    "tag",
    "file",
    "session",
    "since",
    "until",
    "phase",
    "origin",
    "branch",
)


@record
class Tool:
    name: str
    operation: str
    description: str
    answer: Callable[[Runtime, Any], dict[str, Any]]
    takes: tuple[str, ...] = ()
    """What its schema shows, in its own words."""
    required: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    """Its own word for a parameter, with the operation's."""
    given: Mapping[str, Any] = field(default_factory=dict)
    """What it always asks for, unless the model says otherwise."""
    prepare: Callable[[dict[str, Any]], dict[str, Any]] = lambda values: values
    reads: bool = False
    destroys: bool = False
    repeats: bool = False
    """Whether asking twice does no more than asking once."""
    always: bool = False
    """Whether it is worth its place in every request, or waits until a model looks for it."""
    rare: bool = False

    def values(self, arguments: Any) -> dict[str, Any]:
        """What the model said, as the operation wants it."""
        if arguments is not None and not isinstance(arguments, dict):
            raise UsageError(f"the arguments of {self.name} are no object; it takes {self._list()}")
        said = {name: value for name, value in (arguments or {}).items() if value is not None}
        unknown = [name for name in said if name not in (*self.takes, *self.also)]
        if unknown:
            raise UsageError(f"{self.name} has no {unknown[0][:60]!r}; it takes {self._list()}")
        chosen = verb(self.operation)
        values = dict(self.given)
        for name, value in said.items():
            asked = self.words.get(name, name)
            values[asked] = value if asked in _OURS else _accepted(chosen, asked, value, called=name)
        missing = [name for name in self.required if self.words.get(name, name) not in values]
        if missing:
            raise UsageError(f"{self.name} needs {missing[0]!r}; it takes {self._list()}")
        if "limit" in values:
            values["limit"] = min(values["limit"], MOST)
        return self.prepare(values)

    def _list(self) -> str:
        return ", ".join(self.takes) or "no arguments"

    def schema(self) -> dict[str, Any]:
        chosen = verb(self.operation)
        properties = {name: self._property(chosen, name) for name in self.takes}
        schema: dict[str, Any] = {"type": "object", "properties": properties}
        if self.required:
            schema["required"] = list(self.required)
        return schema

    def _property(self, chosen: Verb, name: str) -> dict[str, Any]:
        param = _param(chosen, self.words.get(name, name))
        shown: dict[str, Any] = {"type": _TYPES.get(param.kind, "string")}
        if param.allowed:
            shown["enum"] = list(param.allowed)
        # One id, where the operation takes several.
        if param.many and name != "id":
            shown = {"type": "array", "items": shown}
        if self.given.get(name):
            shown["default"] = self.given[name]
        if param.name in _HINTS:
            shown["description"] = _HINTS[param.name]
        return shown


_TYPES = {"integer": "integer", "number": "number", "flag": "boolean"}
_HINTS = {"since": "date", "until": "date", "at": "date", "difficulty": "0-1", "confidence": "0-1", "phase": "0-3"}
_OURS = ("auto_tag",)


def _param(chosen: Verb, name: str) -> Param:
    return next(param for param in chosen.params if param.name == name)


def _accepted(chosen: Verb, asked: str, value: Any, *, called: str) -> Any:
    try:
        return chosen.accept(asked, _bent(_param(chosen, asked), value))
    except UsageError as error:
        raise UsageError(str(error).replace(asked, called, 1)) from None


def _bent(param: Param, value: Any) -> Any:
    """Forgive what models often do: a list written as one text, a whole number written as 10.0."""
    if param.many and isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    if param.kind == "integer" and isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _tagged(values: dict[str, Any]) -> dict[str, Any]:
    """Tags are made of the text where none are given, unless that is not wanted."""
    wanted = values.pop("auto_tag", True)
    if not isinstance(wanted, bool):
        raise UsageError(f"auto_tag is {str(wanted)[:60]!r}; give true or false")
    return values if wanted else {"tags": (), **values}


def _as_new_fact(values: dict[str, Any]) -> dict[str, Any]:
    words = tuple(values.pop(name) for name in ("subject", "predicate", "object"))
    return {**values, "action": "add", "words": words}


_CONTENT = {"content": "text", "topic": "title"}

TOOLS = (
    Tool(
        name="store_memory",
        operation="remember",
        description="Remember one thing worth knowing in later sessions, with its reason.",
        takes=("content", *_FIELDS, "region"),
        required=("content",),
        also=("topic", "auto_tag", *_RARE_FIELDS, "origin", "pinned", "ttl_days"),
        words=_CONTENT,
        prepare=_tagged,
        answer=answers.outcome,
        repeats=True,
        always=True,
    ),
    Tool(
        name="recall",
        operation="recall",
        description="Find memories that answer a question. Long texts are cut: get_memory has the rest.",
        takes=("query", "limit"),
        required=("query",),
        also=("offset", "weak", *_FILTERS, "at"),
        given={"limit": 10},
        answer=answers.hits,
        reads=True,
        always=True,
    ),
    Tool(
        name="list_memories",
        operation="list",
        description="Browse titles, newest first.",
        takes=("phase", "tag", "keyword", "limit", "offset"),
        also=(*(name for name in _FILTERS if name not in ("phase", "tag")), "pinned", "at"),
        given={"limit": 50, "offset": 0},
        answer=answers.index,
        reads=True,
    ),
    Tool(
        name="get_memory",
        operation="show",
        description="One memory in full, with versions and links.",
        takes=("id",),
        required=("id",),
        also=("at",),
        answer=answers.whole,
        reads=True,
        always=True,
    ),
    Tool(
        name="update_memory",
        operation="correct",
        description="Replace a memory that is wrong or outdated; the old version is kept.",
        takes=("id", "content"),
        required=("id", "content"),
        also=("topic", *_FIELDS, *_RARE_FIELDS),
        words=_CONTENT,
        answer=answers.outcome,
    ),
    Tool(
        name="forget",
        operation="forget",
        description="Put a memory out of sight; the user can restore it.",
        takes=("id", "reason"),
        required=("id",),
        also=("dry_run",),
        words={"id": "ids"},
        answer=answers.forgotten,
        destroys=True,
        repeats=True,
    ),
    Tool(
        name="search_by_file",
        operation="list",
        description="What is known about a file: its path, or the end of it.",
        takes=("file", "limit"),
        required=("file",),
        also=("offset", *(name for name in _FILTERS if name != "file"), "keyword"),
        given={"limit": 10},
        answer=answers.found,
        reads=True,
    ),
    Tool(
        name="search_by_concept",
        operation="list",
        description="Memories of one concept.",
        takes=("concept", "limit"),
        required=("concept",),
        also=("offset", *(name for name in _FILTERS if name != "concept"), "keyword"),
        given={"limit": 10},
        answer=answers.found,
        reads=True,
    ),
    Tool(
        name="get_timeline",
        operation="timeline",
        description="What happened, oldest first, by session; or before and after one memory.",
        takes=("around", "since", "until", "limit"),
        also=("offset", *(name for name in _FILTERS if name not in ("since", "until"))),
        given={"limit": 20},
        answer=answers.timeline,
        reads=True,
    ),
    Tool(
        name="store_fact",
        operation="facts",
        description="Keep a fact (api, port, 8080); it ends an older one that says otherwise.",
        takes=("subject", "predicate", "object"),
        required=("subject", "predicate", "object"),
        also=("confidence", "sources", "valid_from"),
        prepare=_as_new_fact,
        answer=answers.facts,
        repeats=True,
    ),
    Tool(
        name="query_facts",
        operation="facts",
        description="Facts that hold now, or held at a date.",
        takes=("subject", "predicate", "object", "at", "limit"),
        also=("offset", "closed"),
        given={"limit": 50},
        answer=answers.facts,
        reads=True,
    ),
    Tool(
        name="ltm_status",
        operation="stats",
        description="How many memories, by phase; sessions; path.",
        answer=answers.status,
        reads=True,
    ),
    Tool(
        name="ltm_check",
        operation="doctor",
        description="Look for damage and tampering.",
        answer=answers.diagnosis,
        reads=True,
    ),
    Tool(
        name="ltm_fix",
        operation="doctor",
        description="Mend what ltm_check found; loses nothing.",
        given={"fix": True},
        answer=answers.diagnosis,
        repeats=True,
    ),
    Tool(
        name="search_memories",
        operation="recall",
        description="Recall with filters.",
        takes=("query", "kind", "type", "impact", "concept", "tag", "file", "since", "until", "limit", "offset"),
        required=("query",),
        also=("session", "phase", "origin", "branch", "weak", "at"),
        given={"limit": 10},
        answer=answers.hits,
        reads=True,
        rare=True,
    ),
    Tool(
        name="show_related",
        operation="related",
        description="What belongs to a memory.",
        takes=("id", "limit"),
        required=("id",),
        also=("offset",),
        given={"limit": 10},
        answer=answers.hits,
        reads=True,
        rare=True,
    ),
    Tool(
        name="pin_memory",
        operation="pin",
        description="Keep a memory from fading; off lets it fade again.",
        takes=("id", "off"),
        required=("id",),
        answer=answers.pinned,
        repeats=True,
        rare=True,
    ),
    Tool(
        name="delete_memory",
        operation="forget",
        description="The same as forget: nothing is erased.",
        takes=("id", "reason"),
        required=("id",),
        also=("dry_run",),
        words={"id": "ids"},
        answer=answers.forgotten,
        destroys=True,
        repeats=True,
        rare=True,
    ),
    Tool(
        name="purge_expired",
        operation="upkeep",
        description="Put what has expired into the archive; nothing is erased.",
        given={"only": "expiry"},
        answer=answers.tended,
        repeats=True,
        rare=True,
    ),
    Tool(
        name="summarize_old",
        operation="upkeep",
        description="Merge memories older than a month by kind; restore brings each back.",
        given={"summarize_old": True},
        answer=answers.tended,
        repeats=True,
        rare=True,
    ),
    Tool(
        name="give_feedback",
        operation="feedback",
        description="Say that a memory was useful, wrong, stale, or never again.",
        takes=("id", "says"),
        required=("id", "says"),
        answer=answers.judged,
        repeats=True,
        rare=True,
    ),
)


def offered(*, everything: bool) -> tuple[Tool, ...]:
    return tuple(tool for tool in TOOLS if everything or not tool.rare)
