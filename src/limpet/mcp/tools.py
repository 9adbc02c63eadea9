"""The tools that are offered to a model; each calls one operation from `limpet.operations`.

Their schemas are derived from the parameters that the operations declare. Every word in a schema costs tokens in every
session, so it shows only the arguments that are often needed. `Tool.also` names further arguments that a tool accepts.
All others are refused, so that a new parameter of an operation is not offered to a model by accident.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from limpet.errors import UsageError
from limpet.forms.model import encode_found
from limpet.lean.record import field, record, replace
from limpet.operations.catalogue import Verb, load_verb
from limpet.runtime import Runtime
from limpet.text.excerpt import quote

MOST = 200
"""The maximum number of rows in one answer; a client truncates longer answers."""


@record
class Tool:
    """A tool that a model can call: its name, its description, its arguments, and the operation that does the work."""

    name: str
    operation: str
    """The name of the operation, as in the catalogue."""
    description: str
    encode: Callable[[Runtime, Any], dict[str, Any]] | None = None
    """A function that converts the operation's answer to JSON; None for the usual conversion for models."""
    takes: tuple[str, ...] = ()
    """The arguments that the schema shows."""
    required: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    """Further arguments that are accepted but not shown in the schema."""
    names: Mapping[str, str] = field(default_factory=dict)
    """The operation's parameter names, by the tool's argument names, for the arguments that are named differently."""
    preset: Mapping[str, Any] = field(default_factory=dict)
    """Arguments that are passed to the operation unless the model gives other values."""
    prepare: Callable[[dict[str, Any]], dict[str, Any]] = lambda values: values
    """A function that changes the parsed arguments before they are passed to the operation."""
    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False
    always_loaded: bool = False
    """Whether the client always shows the tool to the model; otherwise the model has to search for it."""

    def parse(self, arguments: Any) -> dict[str, Any]:
        """Convert a call's arguments to keyword arguments for the operation; raise UsageError if one is invalid."""
        if arguments is not None and not isinstance(arguments, dict):
            raise UsageError(f"the arguments of {self.name} are not an object; it takes {self._format_takes()}")
        given = {name: value for name, value in (arguments or {}).items() if value is not None}
        unknown = [name for name in given if name not in (*self.takes, *self.also)]
        if unknown:
            raise UsageError(f"{self.name} has no {quote(unknown[0])}; it takes {self._format_takes()}")
        verb = load_verb(self.operation)
        values = dict(self.preset)
        for name, value in given.items():
            target = self.names.get(name, name)
            values[target] = value if target in _TOOL_ONLY else _convert(verb, target, value, called=name)
        missing = [name for name in self.required if self.names.get(name, name) not in values]
        if missing:
            raise UsageError(f"{self.name} needs {missing[0]!r}; it takes {self._format_takes()}")
        if "limit" in values:
            values["limit"] = min(values["limit"], MOST)
        return self.prepare(values)

    def _format_takes(self) -> str:
        return ", ".join(self.takes) or "no arguments"

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the tool's arguments."""
        verb = load_verb(self.operation)
        properties = {name: self._describe_argument(verb, name) for name in self.takes}
        schema: dict[str, Any] = {"type": "object", "properties": properties}
        if self.required:
            schema["required"] = list(self.required)
        return schema

    def _describe_argument(self, verb: Verb, name: str) -> dict[str, Any]:
        param = verb.get_param(self.names.get(name, name))
        shown: dict[str, Any] = {"type": _TYPES.get(param.kind, "string")}
        if param.allowed_values:
            shown["enum"] = list(param.allowed_values)
        # A tool takes one id where the operation takes several.
        if param.many and name != "id":
            shown = {"type": "array", "items": shown}
        if name in self.preset:
            shown["default"] = self.preset[name]
        if param.name in _HINTS:
            shown["description"] = _HINTS[param.name]
        return shown


def describe_tool(tool: Tool) -> dict[str, Any]:
    """Describe a tool in the format of the MCP protocol."""
    # Hints that have their default value are left out, because each costs tokens.
    hints: dict[str, bool] = {"openWorldHint": False}
    if tool.read_only:
        hints["readOnlyHint"] = True
    else:
        hints |= {"destructiveHint": tool.destructive, **({"idempotentHint": True} if tool.idempotent else {})}
    described: dict[str, Any] = {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": tool.schema(),
        "annotations": hints,
    }
    if tool.always_loaded:
        described["_meta"] = {"anthropic/alwaysLoad": True}
    return described


_TYPES = {"integer": "integer", "number": "number", "flag": "boolean"}
_HINTS = {
    "since": "date",
    "until": "date",
    "at": "date",
    "difficulty": "0-1",
    "cues": "words to look for it by",
    "confidence": "0-1",
    "phase": "0-3",
}
_TOOL_ONLY = ("auto_tag",)
"""Arguments that are not parameters of the operation; `prepare` replaces them."""


def _convert(verb: Verb, target: str, value: Any, *, called: str) -> Any:
    """Convert an argument's value for the operation's parameter `target`; errors name the argument as `called`."""
    try:
        param = verb.get_param(target)
        # Two frequent mistakes of models: a list written as one string, and a whole number written as 10.0.
        if param.many and isinstance(value, str):
            value = [part.strip() for part in value.split(",") if part.strip()]
        elif param.kind == "integer" and isinstance(value, float) and value.is_integer():
            value = int(value)
        return param.accept(value)
    except UsageError as error:
        raise UsageError(str(error).replace(target, called, 1)) from None


def _apply_auto_tag(values: dict[str, Any]) -> dict[str, Any]:
    """Remove the argument `auto_tag`; if it is False and no tags are given, set `tags` to an empty tuple.

    If the argument `tags` is missing, the operation infers tags from the text.
    """
    wanted = values.pop("auto_tag", True)
    if not isinstance(wanted, bool):
        raise UsageError(f"auto_tag is {quote(wanted)}; give true or false")
    return values if wanted else {"tags": (), **values}


def _prepare_fact(values: dict[str, Any]) -> dict[str, Any]:
    words = tuple(values.pop(name) for name in ("subject", "predicate", "object"))
    return {**values, "action": "add", "words": words}


def _make_tool(
    name: str,
    operation: str,
    description: str,
    takes: str = "",
    also: str = "",
    preset: Mapping[str, Any] | None = None,
    **more: Any,
) -> Tool:
    """Create a tool from a compact notation: `takes` is a text such as "query* limit=10 offset".

    An asterisk marks a required argument, and `=` gives a default. `also` contains only names.
    """
    shown = [each.partition("=") for each in takes.split()]
    names = tuple(name.rstrip("*") for name, _, _ in shown)
    return Tool(
        name=name,
        operation=operation,
        description=description,
        takes=names,
        required=tuple(name[:-1] for name, _, _ in shown if name.endswith("*")),
        also=tuple(each for each in also.split() if each not in names),
        preset={**{name: int(default) for name, _, default in shown if default}, **(preset or {})},
        **more,
    )


_read = partial(_make_tool, read_only=True)
_change = partial(_make_tool, idempotent=True)

_FIELDS = "title tags kind impact difficulty concepts files"
_RARE_FIELDS = "type subtitle importance confidence sensitivity"
_FILTERS = "kind type impact concept tag file session since until phase tier origin branch"
_CONTENT = {"content": "text", "topic": "title"}

_FORGET = _change(
    "forget",
    "forget",
    "Hide a memory; the user can restore it.",
    "id* reason",
    "dry_run",
    names={"id": "ids"},
    destructive=True,
)

CORE = (
    _change(
        "store_memory",
        "remember",
        "Remember one thing worth knowing in later sessions, with its reason.",
        f"content* {_FIELDS} cues region replaces",
        f"topic auto_tag {_RARE_FIELDS} origin pinned ttl_days",
        names=_CONTENT,
        prepare=_apply_auto_tag,
        always_loaded=True,
    ),
    _read(
        "recall",
        "recall",
        "Find memories by the project's own terms; also takes 2-3 other wordings.",
        "query* also limit=10",
        f"offset {_FILTERS} at",
        always_loaded=True,
    ),
    _read(
        "list_memories",
        "list",
        "Browse titles, newest first.",
        "phase tag keyword limit=50 offset",
        f"{_FILTERS} pinned at",
    ),
    _read(
        "get_memory",
        "show",
        "Get one memory in full, with versions and links.",
        "id*",
        "at",
        always_loaded=True,
    ),
    _make_tool(
        "update_memory",
        "correct",
        "Replace a memory that is wrong or outdated; the old version is kept.",
        "id* content*",
        f"topic cues {_FIELDS} {_RARE_FIELDS}",
        names=_CONTENT,
    ),
    _FORGET,
    _make_tool(
        "review_notes",
        "inbox",
        "List waiting notes; keep or drop some by id.",
        "keep drop",
        "limit offset",
        preset={"limit": 10, "by_model": True},
    ),
    _read(
        "search_by_file",
        "list",
        "Find memories about a file, by the end of its path.",
        "file* limit=10",
        f"offset {_FILTERS} keyword",
        encode=encode_found,
    ),
    _read(
        "search_by_concept",
        "list",
        "Find memories of one concept.",
        "concept* limit=10",
        f"offset {_FILTERS} keyword",
        encode=encode_found,
    ),
    _read(
        "get_timeline",
        "timeline",
        "Show memories by time, or those around one memory.",
        "around since until",
        f"limit offset {_FILTERS}",
        preset={"limit": 20},
    ),
    _change(
        "store_fact",
        "facts",
        "Store a fact (api, port, 8080); it ends one that says otherwise.",
        "subject* predicate* object*",
        "confidence sources valid_from",
        prepare=_prepare_fact,
    ),
    _read(
        "query_facts",
        "facts",
        "Find facts that hold now, or held at a date.",
        "subject predicate object at",
        "limit offset closed",
        preset={"limit": 50},
    ),
    _read("ltm_status", "stats", "Count memories and sessions; show the path."),
    _read("ltm_check", "doctor", "Check for damage and tampering."),
    _change(
        "ltm_fix",
        "doctor",
        "Repair what ltm_check found.",
        preset={"fix": True},
    ),
)
"""The tools that are always offered."""

RARE = (
    _read(
        "search_memories",
        "recall",
        "Find memories that answer a question, with filters.",
        "query* kind type impact concept tag file since until limit=10 offset",
        f"{_FILTERS} at",
    ),
    _read("show_related", "related", "Find memories related to one.", "id* limit=10", "offset"),
    _change("pin_memory", "pin", "Keep a memory from fading; off lets it fade again.", "id* off"),
    replace(_FORGET, name="delete_memory", description="The same as forget: nothing is erased."),
    _change(
        "purge_expired",
        "upkeep",
        "Archive expired memories; nothing is erased.",
        preset={"only": "expiry"},
    ),
    _change(
        "summarize_old",
        "upkeep",
        "Merge memories older than a month by kind; restore brings each back.",
        preset={"summarize_old": True},
    ),
    _change(
        "give_feedback",
        "feedback",
        "Rate a memory: useful, wrong, stale, or never to be shown again.",
        "id* says*",
    ),
    _make_tool(
        "stash_session",
        "stash",
        "Write down what this session wanted, did, decided and left open, in .claude/stash/.",
        "name text",
    ),
    _change(
        "detect_achievements",
        "achievements",
        "Remember releases, features and fixes from the git history, each once.",
        "since limit=100",
        "dry_run",
    ),
    _change(
        "measure_friction",
        "friction",
        "Measure what went wrong in this project's recorded sessions; writes .claude/friction/.",
        "since until",
        "compare html",
    ),
    _change(
        "list_antigens",
        "antigens",
        "List calls that the user keeps objecting to in this project's recorded sessions.",
    ),
    _read(
        "gather_for_distil",
        "distil",
        "Get stashes, objections and kept memories to extract from, a few at a time.",
        preset={"gather": True},
    ),
    _change(
        "commit_distil",
        "distil",
        "Check what you extracted and show the change of MEMORY.md and CLAUDE.md; yes writes it.",
        "proposals* yes",
        "agents gemini",
    ),
)
"""The tools that are offered only with `--tools all`."""

TOOLS = (*CORE, *RARE)
