"""List all verbs: the operations that a user, a program or a model can ask for.

The command line, the MCP tools, the HTTP endpoints, the Python API and the plugin are derived from this list. Each verb
is a module in this folder with the same name: its `VERB` declares the parameters, and its `run` does the work. This
module has only the name, the group and the summary of each verb, so that listing all verbs loads none of their modules.

The record that a verb returns is named after the verb: `forget` returns a `ForgetAnswer`. A verb that returns a type of
`limpet.model` (an `Outcome`, a `Page` of hits, a `Stored` memory) has no such record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from importlib import import_module

from limpet import clock
from limpet.errors import UsageError
from limpet.lean.enumeration import Enum
from limpet.lean.record import record
from limpet.text.excerpt import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@record
class VerbSummary:
    """The name, the group and the one-line summary of a command."""

    name: str
    group: str
    summary: str


CATALOGUE = tuple(
    VerbSummary(name=name, group=group, summary=summary)
    for name, group, summary in (
        ("setup", "first", "Connect Limpet to the agents on this machine."),
        ("remember", "first", "Store a memory."),
        ("recall", "first", "Find memories that answer a question."),
        ("list", "first", "Browse memories, newest first."),
        ("inbox", "first", "Decide which notes are kept, one key each."),
        ("forget", "first", "Hide memories; `restore` brings them back."),
        ("why", "first", "Show which memories an agent was given, and why."),
        ("backfill", "first", "Learn from the sessions already on disk."),
        ("doctor", "first", "Find problems and, with --fix, repair them."),
        ("show", "browse", "Show one memory with its versions and links."),
        ("timeline", "browse", "List memories in order of time, by episode."),
        ("related", "browse", "Find memories that are related to one memory."),
        ("facts", "browse", "Query facts, add one, or end one."),
        ("graph", "browse", "Draw how memories are linked."),
        ("stats", "browse", "Count memories and the space they take."),
        ("correct", "change", "Replace a memory with a better one; both are kept."),
        ("restore", "change", "Undo a forget, or go back to an older version."),
        ("purge", "change", "Erase memories for good, from every file."),
        ("pin", "change", "Keep a memory from fading."),
        ("confirm", "change", "Vouch for a memory, or for this folder."),
        ("feedback", "change", "Rate a memory: useful, wrong, stale, or never show it again."),
        ("sign", "trust", "Sign memories; makes a key if there is none."),
        ("verify", "trust", "Check journal, index and signatures for tampering."),
        ("blame", "trust", "Show who changed a memory, when, and from where."),
        ("capture", "learn", "Show whether a text would be noted, and why; stores nothing."),
        ("stash", "learn", "Write down what the current session is about."),
        ("friction", "learn", "Measure what went wrong in recorded sessions; asks no model."),
        ("antigens", "learn", "List recurring failures, and decide which become rules."),
        ("distil", "learn", "Write facts and preferences to MEMORY.md and CLAUDE.md."),
        ("achievements", "learn", "Remember releases, features and fixes from the git history."),
        ("export", "move", "Write memories to a file that `import` reads, or for another tool."),
        ("import", "move", "Read memories from an export or from another tool."),
        ("share", "move", "Write memories to files that git and people can read."),
        ("unshare", "move", "Remove the shared files; the memories stay."),
        ("sync", "move", "Sync memories with the shared files, or with other machines."),
        ("check", "move", "Tell which memories and instructions a diff makes false."),
        ("upkeep", "run", "Fade, merge and expire memories that are due."),
        ("apps", "run", "Manage apps: programs that have their own memory."),
        ("cost", "run", "Count the tokens that language models have used."),
        ("config", "run", "List settings and where each comes from, or change one."),
        ("uninstall", "run", "Remove Limpet from the agents' settings; memories stay."),
        ("demo", "run", "Show a short tour in a temporary home."),
    )
)

PROGRAMS = (
    VerbSummary(name="mcp", group="run", summary="Serve the tools over standard input and output."),
    VerbSummary(name="hook", group="run", summary="Handle one hook event from standard input."),
    VerbSummary(name="statusline", group="run", summary="Print a session's memory for a host's status line."),
    VerbSummary(name="serve", group="run", summary="Serve hooks, commands and tools over HTTP, to this machine only."),
)
"""Commands that are not verbs. They serve another program, so they exist on the command line only."""

GROUPS = {
    "first": "Start here",
    "browse": "Browse",
    "change": "Change",
    "trust": "Trust",
    "learn": "Learn",
    "move": "Move",
    "run": "Run",
}


@record
class Param:
    """A parameter of a verb. `kind` is text, integer, number, flag, moment (a date or time) or choice."""

    name: str
    help: str
    kind: str = "text"
    choices: type[Enum] | tuple[str, ...] | None = None
    positional: bool = False
    required: bool = False
    many: bool = False
    default: Any = None
    setting: str = ""
    """The name of the setting that supplies the default value if `default` is None."""

    short: str | None = None
    free_text: bool = False
    """Whether the command line joins several words into one text, and reads standard input if the text is `-`."""

    @property
    def label(self) -> str:
        """Return the name as users see it, without the underscore that is added to Python keywords, as in `from_`."""
        return self.name.rstrip("_")

    @property
    def flag(self) -> str:
        """Return the command-line option, such as `--dry-run`."""
        return f"--{self.label.replace('_', '-')}"

    @property
    def allowed_values(self) -> tuple[str, ...]:
        """Return the allowed values of a choice, or an empty tuple for a parameter of another kind."""
        if self.choices is None:
            return ()
        if isinstance(self.choices, tuple):
            return self.choices
        return tuple(str(choice.value) for choice in self.choices)

    def accept(self, value: Any) -> Any:
        """Convert a value to the type that the verb takes, such as an enum or a datetime; None stays None.

        Raise UsageError if the value has the wrong type or is not allowed.
        """
        if value is None:
            return None
        if not self.many:
            return _accept_one(self, value)
        if isinstance(value, dict) or not hasattr(value, "__iter__"):
            raise UsageError(f"{self.label} is {quote(value)}; give a list")
        return tuple(_accept_one(self, each) for each in ((value,) if isinstance(value, str) else value))


@record
class Verb:
    """A verb: its parameters, the function that runs it, and the shape of its answer in JSON."""

    run: Callable[..., Any]
    params: tuple[Param, ...] = ()
    examples: tuple[str, ...] = ()
    details: str = ""
    is_failure: Callable[[Any], bool] = lambda answer: False
    """Return True if an answer reports a failure, such as a refusal or damage. The exit status is then 1."""

    is_interrupted: Callable[[Any], bool] = lambda answer: False
    """Return True if Ctrl-C ended the work early, so that an answer is partial. The exit status is then 130."""

    shape: Callable[[Any], Any] = lambda answer: answer
    """Return what `forms/json.py` encodes as the answer, where JSON does not have the fields of the record."""

    opens_own_store: bool = False
    """Whether `run` opens a temporary store and so does not take a runtime as its first argument."""

    def get_param(self, name: str) -> Param:
        """Return the parameter with this name; raise UsageError if the verb has none."""
        for param in self.params:
            if param.name == name:
                return param
        raise UsageError(
            f"there is no parameter {quote(name)}; there are {', '.join(each.name for each in self.params)}"
        )

    def accept(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Convert the values of several parameters to the types that `run` takes, and return them by name.

        Values that are None are left out, so that the defaults of `run` apply. Raise UsageError if a value is not
        allowed, or if a required parameter is missing.
        """
        given = {name: value for name, value in values.items() if value is not None}
        for param in self.params:
            if param.required and param.name not in given:
                raise UsageError(f"{param.label} is missing; give {WANTED.get(param.kind, 'a text')}")
        return {name: self.get_param(name).accept(value) for name, value in given.items()}


# SQLite cannot store a greater number.
_GREATEST = (1 << 63) - 1

WANTED = {
    "integer": "a whole number",
    "number": "a number",
    "flag": "true or false",
    "moment": "a date such as 2026-10-01, a moment such as 2026-10-01T14:30, or words such as yesterday or 2 weeks ago",
}
"""How error messages describe a valid value, by the kind of the parameter. Any other kind is "a text"."""


def _accept_one(param: Param, value: Any) -> Any:
    match param.kind:
        case "choice":
            return _accept_choice(param, value)
        case "moment" if isinstance(value, str):
            return parse_moment(param.label, value)
        case "moment" if isinstance(value, datetime):
            return value if value.tzinfo else value.replace(tzinfo=UTC)
        case "integer" | "number" if isinstance(value, int) and not isinstance(value, bool):
            if abs(value) > _GREATEST:
                raise UsageError(f"{param.label} is {quote(value)}, which is out of range")
            return value
        case "number" if isinstance(value, float):
            return value
        case "flag" if isinstance(value, bool):
            return value
        case "text" if isinstance(value, str):
            return value
    raise UsageError(f"{param.label} is {quote(value)}; give {WANTED.get(param.kind, 'a text')}")


def _accept_choice(param: Param, value: Any) -> Any:
    given = value.casefold() if isinstance(value, str) else value
    for choice in param.choices or ():
        # Memory kinds and impacts are printed with a short name, which is accepted too.
        if given is choice or given in (str(choice).casefold(), str(getattr(choice, "code", choice)).casefold()):
            return choice
    name = f"the argument {param.label.upper()}" if param.positional else param.label
    raise UsageError(f"{name} is {quote(value)}; choose from {', '.join(param.allowed_values)}")


def parse_moment(name: str, text: str) -> datetime:
    """Parse a date or time and return it in UTC; a text without a time zone is read as local time.

    A time in words, such as "yesterday", is the moment at which it begins. If the text is not valid, raise UsageError
    with the parameter's name, `name`, in its message.
    """
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        # Loaded here, because most dates are not given in words.
        from limpet.recall.temporal import read_moment

        if (moment := read_moment(text[:60], clock.now())) is not None:
            return moment
        raise UsageError(f"{name} is {quote(text)}; give {WANTED['moment']}") from None
    try:
        return found.astimezone(UTC)
    except (OverflowError, OSError, ValueError):
        raise UsageError(f"{name} is {quote(text)}, which is out of range") from None


def label(rows: Iterable[Sequence[Any]] | Mapping[str, Any], *names: str) -> list[dict[str, Any]]:
    """Return rows of plain values, or the items of a mapping, as dictionaries with these names."""
    found = rows.items() if isinstance(rows, Mapping) else rows
    return [dict(zip(names, row, strict=True)) for row in found]


def find_summary(name: str) -> VerbSummary:
    """Return the name, group and summary of a verb, or of a command that is not a verb."""
    return next(each for each in (*CATALOGUE, *PROGRAMS) if each.name == name)


def load_verb(name: str) -> Verb:
    """Load the module of a verb and return its `VERB`."""
    # `import` is a Python keyword, so a module cannot have that name.
    module = import_module(f"limpet.operations.{'import_' if name == 'import' else name}")
    found: Verb = module.VERB
    return found
