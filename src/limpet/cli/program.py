"""Turns a command line into a verb and its answer into output; every verb is translated the same way.

Built on argparse, which costs a third of what the usual libraries do at start; the parser of a verb is made from the
verb's own declaration when that verb is asked for.
"""

from __future__ import annotations

import argparse
import itertools
import os
import sys
from collections.abc import Callable, Sequence

from limpet import clock
from limpet.cli.commands import COMMANDS, command, is_program
from limpet.cli.terminal import Bar, Out, complain, is_terminal
from limpet.environment import debug_wanted
from limpet.errors import LimpetError, UsageError
from limpet.operations.catalogue import GROUPS, Entry, Param, Verb, entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

_STDIN_LIMIT = 32 << 20

_GLOBAL = (
    ("--json", {"action": "store_true", "help": "Answer with JSON."}),
    ("--home", {"metavar": "DIR", "help": "Use this home instead of ~/.limpet."}),
    ("--agent", {"metavar": "NAME", "help": "Act as this agent."}),
    ("--project", {"metavar": "NAME", "help": "Act in this project instead of the one of this folder."}),
    ("--session", {"metavar": "ID", "help": "Act in this session."}),
)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        name = self.prog.partition(" ")[2]
        raise UsageError(f"{message}; see: limpet {name} --help" if name else f"{message}; see: limpet --help")


def run(argv: Sequence[str]) -> int:
    """The whole program: one of the four places that catch everything, since nobody stands behind it."""
    try:
        return _run(list(argv))
    except LimpetError as error:
        complain(str(error))
        return error.exit_code
    except KeyboardInterrupt:
        complain("stopped")
        return 130
    except BrokenPipeError:
        # Whoever read us has seen enough; keep Python from complaining again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if debug_wanted():
            raise
        complain(f"something went wrong inside ({type(error).__name__}: {error}); LIMPET_DEBUG=1 shows where")
        return 1


def _run(argv: list[str]) -> int:
    if not argv or argv[0] in ("-h", "--help", "help"):
        if len(argv) > 1:
            return _run([argv[1], "--help"])
        print_help(Out())
        return 0
    if argv[0] == "--completion":
        from limpet.cli.completion import script

        print(script(argv[1] if len(argv) > 1 else ""))
        return 0
    argv = _command_first(argv)
    name = argv[0]
    if name not in {each.name for each in COMMANDS}:
        raise UsageError(_unknown(name))
    chosen = command(name)
    if any(each in ("-h", "--help") for each in itertools.takewhile(lambda each: each != "--", argv[1:])):
        print(build_parser(entry(name), chosen).format_help(), end="")
        return 0
    options = vars(build_parser(entry(name), chosen).parse_args(argv[1:]))
    if is_program(name):
        return _serve(chosen, options)
    return _answer(name, chosen, options)


def _serve(chosen: Verb, options: dict[str, Any]) -> int:
    opening = {key: options.pop(f"_{key}") for key in ("home", "agent", "project", "session")}
    values = {param.name: _value(param, options[param.name]) for param in chosen.params}
    status: int = chosen.run(**values, **opening)
    return status


def _unknown(name: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, [each.name for each in COMMANDS], 1)
    hint = f"; did you mean {close[0]!r}? Otherwise see: limpet --help" if close else "; see: limpet --help"
    return f"{name[:60]!r} is not a command{hint}"


def _command_first(argv: list[str]) -> list[str]:
    """`limpet --home DIR list` means `limpet list --home DIR`."""
    at = 0
    while at < len(argv) and argv[at].startswith("--"):
        flag, equals, _ = argv[at].partition("=")
        known = next((settings for name, settings in _GLOBAL if name == flag), None)
        if known is None:
            return argv
        at += 1 if equals or "metavar" not in known else 2
    return [*argv[at : at + 1], *argv[:at], *argv[at + 1 :]] if at < len(argv) else argv


def _answer(name: str, chosen: Verb, options: dict[str, Any]) -> int:
    from limpet.cli.views import load_view

    as_json = options.pop("json")
    opening = {key: options.pop(f"_{key}") for key in ("home", "agent", "project", "session")}
    values = {param.name: _value(param, options[param.name]) for param in chosen.params}
    values = {key: value for key, value in values.items() if value is not None}
    bar = Bar()
    out = Out(detailed=bool(values.get("explain")))
    if chosen.opens_own_store:
        steps = chosen.run(**values)
        if as_json:
            out.json(chosen.to_json(steps, clock.now()), indent=2 if out.is_terminal else None)
        else:
            load_view(name)(steps, out)
        return 0
    from limpet.runtime import Caller, open_runtime

    caller = Caller.at(has_terminal=is_terminal(sys.stdin) or is_terminal(sys.stdout))
    runtime = open_runtime(caller=caller, progress=bar, **opening)
    told: tuple[str, ...] = ()
    try:
        if name == "purge":
            from limpet.cli.preview import confirm_purge

            if not confirm_purge(chosen, runtime, values, out):
                complain("nothing was changed")
                return 1
        if name in ("setup", "uninstall") and not as_json:
            from limpet.cli.preview import preview_changes

            preview_changes(chosen, runtime, values, out)
        answer = chosen.run(runtime, **values)
        bar.close()
        if name == "doctor":
            told = (*answer.notes, *answer.mended)
        if as_json:
            out.json(chosen.to_json(answer, runtime.now()), indent=2 if out.is_terminal else None)
        else:
            load_view(name)(answer, out)
        out.stream.flush()
    finally:
        bar.close()
        for notice in dict.fromkeys((*runtime.settings.notices, *runtime.store.notices)):
            if notice not in told:
                complain(notice)
        runtime.close()
    return 130 if chosen.is_interrupted(answer) else 1 if chosen.is_failure(answer) else 0


def _value(param: Param, given: Any) -> Any:
    """What argparse collected, as the verb wants it."""
    if given is None or given is param.default:
        return given
    if param.many:
        parts = given if param.positional else [part for each in given for part in each.split(",")]
        cleaned = [part.strip() for part in parts if part.strip()]
        return None if param.positional and not cleaned else param.accept(cleaned)
    if param.free_text:
        return _text(" ".join(given))
    return param.accept(given)


def _text(given: str) -> str:
    if given != "-":
        return given
    if sys.stdin is None:
        raise UsageError("there is no standard input to read; give the text itself")
    data = sys.stdin.buffer.read(_STDIN_LIMIT)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"standard input is not UTF-8 (byte {error.start}); convert it and try again") from None


def build_parser(what: Entry, chosen: Verb) -> argparse.ArgumentParser:
    parser = _Parser(
        prog=f"limpet {what.name}",
        usage=" ".join(("limpet", what.name, *filter(None, map(_placeholder, chosen.params)), "[options]")),
        description="\n\n".join(filter(None, (what.summary, chosen.details))),
        epilog="examples:\n" + "\n".join(f"  {example}" for example in chosen.examples) if chosen.examples else None,
        formatter_class=argparse.RawDescriptionHelpFormatter,
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
    everywhere = parser.add_argument_group("everywhere")
    taken = {param.name for param in chosen.params}
    for flag, settings in _GLOBAL:
        name = flag.removeprefix("--")
        destination = name if name == "json" else f"_{name}"
        if name in taken:
            parser.set_defaults(**{destination: None})
        else:
            everywhere.add_argument(flag, dest=destination, **settings)  # type: ignore[arg-type]
    everywhere.add_argument("-h", "--help", action="store_true", help="Show this help.")
    return parser


def _placeholder(param: Param) -> str:
    if not param.positional:
        return ""
    name = f"{param.name.upper()}{' …' if param.many or param.free_text else ''}"
    return name if param.required else f"[{name}]"


def _add_positional(parser: argparse.ArgumentParser, param: Param) -> None:
    nargs: str | None = "?"
    if param.free_text:
        nargs = "+"
    elif param.many:
        nargs = "*"
    elif param.required:
        nargs = None
    metavar = param.name.upper()
    parser.add_argument(param.name, nargs=nargs, default=param.default, metavar=metavar, help=help_text(param))


def _add_option(group: argparse._ArgumentGroup, param: Param) -> None:
    names = [f"--{param.name.replace('_', '-')}"]
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
        metavar={"integer": "N", "number": "N", "moment": "DATE"}.get(param.kind, param.name.upper()),
        help=help_text(param).replace("%", "%%"),
    )


def help_text(param: Param, quote: Callable[[str], str] = str) -> str:
    """Return the help of a parameter with what it allows on the command line; `quote` marks its words."""
    parts = [param.help]
    if param.allowed:
        parts.append(f"One of {', '.join(map(quote, param.allowed))}.")
    if param.many and not param.positional:
        parts.append("Separate several with commas.")
    if param.free_text:
        parts.append(f"Give {quote('-')} to read it from standard input.")
    if param.default not in (None, "", 0):
        parts.append(f"Default: {quote(str(param.default))}.")
    if param.setting:
        parts.append(f"Default: the setting {quote(param.setting)}.")
    return " ".join(parts)


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number") from None


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a number") from None


_NUMBERS: dict[str, Any] = {"integer": _whole_number, "number": _number}


def print_help(out: Out) -> None:
    out.line("Long-term memory for AI coding agents.", style="bold")
    out.line()
    out.line("  limpet COMMAND [options]        limpet COMMAND --help        limpet --version")
    for group, title in GROUPS.items():
        out.line()
        out.line(title, style="cyan")
        for each in COMMANDS:
            if each.group == group:
                out.line(f"  {each.name:<10} {each.summary}")
    out.line()
    out.line("Every command takes --json, --home, --agent, --project and --session.")
    out.line('Completion: eval "$(limpet --completion bash)" (or zsh, fish)')
