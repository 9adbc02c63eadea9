"""Build the argparse parser of a command from its declaration, for the help and for the errors.

Loading argparse takes a tenth of the time of a command, so `arguments.py` reads plain command lines without it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NoReturn

from limpet.cli.commands import GLOBAL_OPTIONS
from limpet.errors import UsageError
from limpet.operations.catalogue import Param, Verb, VerbSummary


class _HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """A help formatter that wraps the description and leaves the lines of the examples unchanged."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        import textwrap

        # Otherwise, a value such as `why-it-exists` could be broken.
        return textwrap.wrap(text, width, break_on_hyphens=False)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        import textwrap

        lines = text.splitlines()
        return "\n".join(line if line.startswith(" ") else textwrap.fill(line, width) for line in lines)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        name = self.prog.partition(" ")[2]
        raise UsageError(f"{message}; see: limpet {name} --help" if name else f"{message}; see: limpet --help")


def parse_fully(what: VerbSummary, chosen: Verb, argv: Sequence[str]) -> dict[str, Any]:
    """Parse a command line with argparse and return the options by name; raise UsageError if they are wrong."""
    parser = build_parser(what, chosen)
    if any(param.free_text and param.positional and not param.required for param in chosen.params):
        # Otherwise, argparse takes an optional text as missing if an option precedes it.
        return vars(parser.parse_intermixed_args(argv))
    return vars(parser.parse_args(argv))


def build_parser(what: VerbSummary, chosen: Verb) -> argparse.ArgumentParser:
    """Return an argparse parser for a command, built from the declaration of the command."""
    parser = _Parser(
        prog=f"limpet {what.name}",
        usage=" ".join(("limpet", what.name, *filter(None, map(_placeholder, chosen.params)), "[options]")),
        description="\n\n".join(filter(None, (what.summary, chosen.details))),
        epilog="examples:\n" + "\n".join(f"  {example}" for example in chosen.examples) if chosen.examples else None,
        formatter_class=_HelpFormatter,
        add_help=False,
        allow_abbrev=False,
    )
    for param in chosen.params:
        if param.positional:
            _add_positional(parser, param)
    options = parser.add_argument_group("options")
    for param in chosen.params:
        if not param.positional:
            _add_option(options, param)
    common = parser.add_argument_group("common options")
    taken = {param.name for param in chosen.params}
    for flag, settings in GLOBAL_OPTIONS:
        name = flag.removeprefix("--")
        destination = name if name == "json" else f"_{name}"
        if name in taken:
            parser.set_defaults(**{destination: None})
        else:
            common.add_argument(flag, dest=destination, **settings)  # type: ignore[arg-type]
    common.add_argument("-h", "--help", action="store_true", help="Show this help.")
    return parser


def _placeholder(param: Param) -> str:
    if not param.positional:
        return ""
    name = f"{param.name.upper()}{' …' if param.many or param.free_text else ''}"
    return name if param.required else f"[{name}]"


def _add_positional(parser: argparse.ArgumentParser, param: Param) -> None:
    nargs: str | None = "?"
    if param.free_text:
        nargs = "+" if param.required else "*"
    elif param.many:
        nargs = "*"
    elif param.required:
        nargs = None
    metavar = param.name.upper()
    parser.add_argument(param.name, nargs=nargs, default=param.default, metavar=metavar, help=help_text(param))


def _add_option(group: argparse._ArgumentGroup, param: Param) -> None:
    names = [param.flag]
    if param.short:
        names.insert(0, f"-{param.short}")
    if param.kind == "flag":
        group.add_argument(*names, dest=param.name, action="store_true", default=False, help=param.help)
        return
    group.add_argument(
        *names,
        dest=param.name,
        action="append" if param.many else "store",
        type=_NUMBERS.get(param.kind, str),
        default=param.default,
        metavar={"integer": "N", "number": "N", "moment": "DATE"}.get(param.kind, param.name.rstrip("_").upper()),
        help=help_text(param).replace("%", "%%"),
    )


def help_text(param: Param, quote: Callable[[str], str] = str) -> str:
    """Return the help text of a parameter, with its allowed values and its default; `quote` formats each value."""
    parts = [param.help]
    if param.allowed_values:
        parts.append(f"One of {', '.join(map(quote, param.allowed_values))}.")
    if param.many and not param.positional:
        parts.append("Separate several with commas.")
    if param.free_text:
        parts.append(f"Give {quote('-')} to read it from standard input.")
    if param.default not in (None, "", 0):
        parts.append(f"Default: {quote(str(param.default))}.")
    if param.setting:
        parts.append(f"Default: the setting {quote(param.setting)}.")
    return " ".join(parts)


def _parse_number(kind: type[int] | type[float], called: str, text: str) -> float:
    try:
        return kind(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not {called}") from None


_NUMBERS: dict[str, Any] = {
    "integer": partial(_parse_number, int, "a whole number"),
    "number": partial(_parse_number, float, "a number"),
}
