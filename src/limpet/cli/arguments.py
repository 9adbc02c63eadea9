"""Read a command line: the parameters that its command declares, and the options that every command has.

A plain command line is parsed here, because loading argparse is slow. Any other, such as one with an unknown option, is
passed to argparse, which also writes the error message. A test checks that both parsers give the same result.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from limpet.cli.commands import GLOBAL_OPTIONS
from limpet.errors import UsageError
from limpet.lean.record import record, replace
from limpet.operations.catalogue import Param, Verb, VerbSummary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_STDIN_LIMIT = 32 << 20

_NO_FILTERS = ("limit", "offset", "private", "all_projects", "all")
"""Parameters that add rows or choose a page, so that an empty list is not due to them."""

_OPENING = ("home", "agent", "project", "session")


@record
class Arguments:
    """A parsed command line: the parameters of the command, and the options that every command has."""

    values: dict[str, Any]
    """The parameters of the command by name. Parameters without a value are left out."""
    opening: dict[str, Any]
    """The arguments for opening the store: home, agent, project and session."""
    as_json: bool
    filters: str
    """The given options that limit which rows are shown, such as `--tag db`, for an answer that they leave empty."""


def parse_arguments(what: VerbSummary, chosen: Verb, argv: Sequence[str]) -> Arguments:
    """Parse the arguments of a command; raise UsageError if they are wrong."""
    options = parse_plain(chosen, argv)
    if options is None:
        # Loaded here, because loading argparse takes a tenth of the time of a command.
        from limpet.cli.parser import parse_fully

        options = parse_fully(what, chosen, argv)
    values = {param.name: _convert(param, options[param.name]) for param in chosen.params}
    return Arguments(
        values={name: value for name, value in values.items() if value is not None},
        opening={name: options[f"_{name}"] for name in _OPENING},
        as_json=options["json"],
        filters=_describe_filters(chosen, options),
    )


def parse_plain(chosen: Verb, argv: Sequence[str]) -> dict[str, Any] | None:
    """Parse a plain command line as argparse does and return the options by name; None if argparse must parse it."""
    options, named = _list_options(chosen)
    places = [param for param in chosen.params if param.positional]
    words: list[str] = []
    ended = False
    rest = iter(argv)
    for word in rest:
        if not word.startswith("-") or word == "-":
            if ended or not places:
                return None
            words.append(word)
            continue
        # Argparse collects the words of one parameter only until the next option.
        ended = bool(words)
        flag, equals, value = word.partition("=")
        param = named.get(flag)
        if param is None or (equals and not flag.startswith("--")):
            return None
        name, kind, many = param
        if kind == "flag":
            if equals:
                return None
            options[name] = True
            continue
        given = value if equals else next(rest, "-")
        if not equals and given.startswith("-"):
            return None
        try:
            read = {"integer": int, "number": float}.get(kind, str)(given)
        except ValueError:
            return None
        options[name] = [*(options[name] or ()), read] if many else read
    return options if not places else _place_words(options, places, words)


def _place_words(options: dict[str, Any], places: Sequence[Param], words: list[str]) -> dict[str, Any] | None:
    """Store the words as the value of the only positional parameter; return None if argparse must parse them."""
    (param, *others) = places
    if others or (not words and (param.required or param.free_text or param.many)):
        return None
    if param.free_text or param.many:
        options[param.name] = words
    elif len(words) > 1:
        return None
    elif words:
        options[param.name] = words[0]
    return options


def _list_options(chosen: Verb) -> tuple[dict[str, Any], dict[str, tuple[str, str, bool]]]:
    """Return the default of each parameter, and a table of flags.

    The table contains, for each flag, the name and the kind of the parameter that it sets, and whether it may be
    repeated.
    """
    options: dict[str, Any] = {"json": False, "help": False} | {f"_{name}": None for name in _OPENING}
    named: dict[str, tuple[str, str, bool]] = {"--json": ("json", "flag", False)}
    taken = {param.name for param in chosen.params}
    named |= {f"--{name}": (f"_{name}", "text", False) for name in _OPENING if name not in taken}
    for param in chosen.params:
        options[param.name] = False if param.kind == "flag" else param.default
        if not param.positional:
            named[param.flag] = (param.name, param.kind, param.many)
            if param.short:
                named[f"-{param.short}"] = named[param.flag]
    return options, named


def move_command_first(argv: list[str]) -> list[str]:
    """Return the arguments with the command first: `limpet --home DIR list` means `limpet list --home DIR`."""
    at = 0
    while at < len(argv) and argv[at].startswith("--"):
        flag, equals, _ = argv[at].partition("=")
        known = next((settings for name, settings in GLOBAL_OPTIONS if name == flag), None)
        if known is None:
            return argv
        at += 1 if equals or "metavar" not in known else 2
    return [*argv[at : at + 1], *argv[:at], *argv[at + 1 :]] if at < len(argv) else argv


def _describe_filters(chosen: Verb, options: Mapping[str, Any]) -> str:
    """Return the given options that limit which rows are shown, as they were typed."""
    found = []
    for param in chosen.params:
        value = options[param.name]
        if not param.positional and param.name not in _NO_FILTERS and value not in (None, False, param.default):
            text = ",".join(value) if isinstance(value, list) else str(value)
            found.append(param.flag if value is True else f"{param.flag} {repr(text) if ' ' in text else text}")
    return " ".join(found)


def _convert(param: Param, given: Any) -> Any:
    """Convert a parsed value to the type that the verb takes."""
    if given is None or given is param.default:
        return given
    if not param.positional:
        # Errors name the option as it was typed.
        param = replace(param, name=param.flag)
    if param.many:
        parts = given if param.positional else [part for each in given for part in each.split(",")]
        # An empty word is refused as an id, because without it a command may mean all of them.
        cleaned = [part.strip() for part in parts if part.strip() or param.positional]
        return None if param.positional and not cleaned else param.accept(cleaned)
    if param.free_text:
        return _read_text(given if isinstance(given, str) else " ".join(given))
    return param.accept(given)


def _read_text(given: str) -> str:
    """Return the text, or the content of standard input if the text is a dash."""
    if given != "-":
        return given
    if sys.stdin is None:
        raise UsageError("there is no standard input to read; give the text itself")
    data = sys.stdin.buffer.read(_STDIN_LIMIT)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"standard input is not UTF-8 (byte {error.start}); convert it and try again") from None
