"""The list of everything that can be asked; CLI, MCP, HTTP and the plugin are derived from it.

A verb lives in the module of its name in this folder. It declares its parameters there, once; here stand only its
name, group and sentence, so that listing all of them loads none.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from enum import Enum
from importlib import import_module

from limpet.errors import UsageError
from limpet.lean.record import record
from limpet.text.excerpt import clip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@record
class Entry:
    name: str
    group: str
    summary: str


CATALOGUE = tuple(
    Entry(name=name, group=group, summary=summary)
    for name, group, summary in (
        ("setup", "first", "Wire Limpet into the agents on this machine."),
        ("remember", "first", "Store a memory."),
        ("recall", "first", "Find memories that answer a question."),
        ("list", "first", "Browse memories, newest first."),
        ("forget", "first", "Put memories out of sight; `restore` brings them back."),
        ("why", "first", "Show which memories were brought up, and why."),
        ("backfill", "first", "Build memory from the sessions already on disk."),
        ("doctor", "first", "Find what is wrong and, with --fix, mend it."),
        ("show", "browse", "Show one memory with its versions and links."),
        ("timeline", "browse", "Memories in the order of time, by episode."),
        ("related", "browse", "What belongs to a memory."),
        ("facts", "browse", "Query facts, add one, or close one."),
        ("graph", "browse", "Draw how memories are linked."),
        ("stats", "browse", "Count memories and what they take."),
        ("correct", "change", "Replace a memory by a better one; both are kept."),
        ("restore", "change", "Undo a forget, or go back to an older version."),
        ("purge", "change", "Erase memories for good, from every file."),
        ("pin", "change", "Keep a memory from ever fading."),
        ("confirm", "change", "Vouch for a memory, or for this repository's own agent."),
        ("feedback", "change", "Say that a memory was useful, wrong, stale, or never again."),
        ("sign", "trust", "Sign memories, making a key if there is none."),
        ("verify", "trust", "Check journal, index and signatures for tampering."),
        ("blame", "trust", "Show who changed a memory, when, and from where."),
        ("export", "move", "Write memories to a file that `import` reads."),
        ("import", "move", "Read memories from an export."),
        ("upkeep", "run", "Let memories fade, merge and expire as they should."),
        ("capture", "run", "Say what would be kept of a text, and why."),
        ("config", "run", "List settings and where each comes from, or change one."),
        ("uninstall", "run", "Take Limpet out of the agents' settings; memories stay."),
        ("demo", "run", "A short tour in a temporary home."),
    )
)

PROGRAMS = (
    Entry(name="mcp", group="run", summary="Serve the tools over standard input and output."),
    Entry(name="hook", group="run", summary="Take one event of a host from standard input."),
)
"""Commands that are no verbs: they serve somebody until that one leaves, so only the command line has them."""

GROUPS = {
    "first": "Start here",
    "browse": "Browse",
    "change": "Change",
    "trust": "Trust",
    "move": "Move",
    "run": "Run",
}


@record
class Param:
    """One parameter of a verb; `kind` is text, integer, number, flag, moment or choice."""

    name: str
    help: str
    kind: str = "text"
    choices: type[Enum] | tuple[str, ...] | None = None
    positional: bool = False
    required: bool = False
    many: bool = False
    default: Any = None
    short: str | None = None

    @property
    def allowed(self) -> tuple[str, ...]:
        if self.choices is None:
            return ()
        if isinstance(self.choices, tuple):
            return self.choices
        return tuple(str(choice.value) for choice in self.choices)


@record
class Verb:
    run: Callable[..., Any]
    to_json: Callable[[Any, datetime], dict[str, Any]]
    params: tuple[Param, ...] = ()
    examples: tuple[str, ...] = ()
    details: str = ""
    failed: Callable[[Any], bool] = lambda answer: False
    """Whether the answer, though an answer, is a refusal or damage: then the exit status is 1."""

    stopped: Callable[[Any], bool] = lambda answer: False
    """Whether Ctrl-C has cut the work short, of which the answer tells: then the exit status is 130."""

    alone: bool = False
    """Whether it brings a store of its own."""

    def accept(self, name: str, value: Any) -> Any:
        """A value as the verb wants it: words become enums, dates become moments; anything unfit is said so."""
        param = next((each for each in self.params if each.name == name), None)
        if param is None:
            raise UsageError(
                f"there is no parameter {name!r}; there are {', '.join(each.name for each in self.params)}"
            )
        if value is None:
            return None
        if param.many:
            if isinstance(value, dict) or not hasattr(value, "__iter__"):
                raise UsageError(f"{name} is {str(value)[:60]!r}; give a list")
            return tuple(_accepted(param, each) for each in ((value,) if isinstance(value, str) else value))
        return _accepted(param, value)


# No database holds a greater number.
_GREATEST = (1 << 63) - 1


def _accepted(param: Param, value: Any) -> Any:
    match param.kind:
        case "choice":
            return _chosen(param, value)
        case "moment" if not isinstance(value, datetime):
            return parse_moment(param.name, str(value))
        case "moment" if value.tzinfo is None:
            return value.replace(tzinfo=UTC)
        case "integer" if isinstance(value, bool) or not isinstance(value, int):
            raise UsageError(f"{param.name} is {_shown(value)}; give a whole number")
        case "integer" if abs(value) > _GREATEST:
            raise UsageError(f"{param.name} is {_shown(value)}, which is out of range")
        case "number" if isinstance(value, bool) or not isinstance(value, int | float):
            raise UsageError(f"{param.name} is {_shown(value)}; give a number")
        case "flag" if not isinstance(value, bool):
            raise UsageError(f"{param.name} is {_shown(value)}; give true or false")
        case "text" if not isinstance(value, str):
            raise UsageError(f"{param.name} is {_shown(value)}; give a text")
    return value


def _shown(value: Any) -> str:
    return clip(repr(value), 60)


def _chosen(param: Param, value: Any) -> Any:
    for allowed in param.allowed:
        if str(value).casefold() == allowed.casefold():
            return allowed if isinstance(param.choices, tuple) else param.choices(allowed) if param.choices else allowed
    raise UsageError(f"{param.name} is {str(value)[:60]!r}; choose from {', '.join(param.allowed)}")


def parse_moment(name: str, text: str) -> datetime:
    """A date, or a date and time; without a zone it is the local one's."""
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        raise UsageError(
            f"{name} is {text[:60]!r}; give a date such as 2026-10-01, or a moment such as 2026-10-01T14:30"
        ) from None
    try:
        return found.astimezone(UTC)
    except (OverflowError, OSError):
        raise UsageError(f"{name} is {text[:60]!r}, which is out of range") from None


def entry(name: str) -> Entry:
    return next(each for each in (*CATALOGUE, *PROGRAMS) if each.name == name)


def verb(name: str) -> Verb:
    """Load one verb; `import` is a word of Python, so its module has another name."""
    module = import_module(f"limpet.operations.{'import_' if name == 'import' else name}")
    found: Verb = module.VERB
    return found
