"""Run the command line: find the command, run its verb, print the answer.

A few commands ask the user something before or after they run: `_ASKING`, `_PREVIEWED` and `_show_answer` list them.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Sequence
from datetime import datetime

from limpet import clock
from limpet.cli.arguments import Arguments, move_command_first, parse_arguments
from limpet.cli.commands import COMMANDS, is_program, load_command
from limpet.environment import shows_traceback
from limpet.errors import LimpetError, Refused, UsageError
from limpet.forms.terminal import Output, ProgressBar, is_terminal, print_json_error, print_notice, wrap_words
from limpet.lean.record import replace
from limpet.operations.catalogue import GROUPS, Verb, find_summary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.runtime import Runtime


_HELP_WIDTH = 80
_ASKING = ("antigens", "apps", "confirm", "purge", "share", "sign", "unshare")
_PREVIEWED = ("distil", "friction", "setup", "uninstall")
"""Verbs that first show what they will do, unless the answer is JSON."""
_ALL = "all"
"""The topic for which `limpet help` shows every command."""


def run(argv: Sequence[str]) -> int:
    """Run the command line and return its exit status. This is the last-resort error handler."""
    try:
        status = _run(list(argv))
        # Left to the interpreter, the end of the output would be written after this handler.
        Output().flush()
        return status
    except LimpetError as error:
        _print_error(str(error), argv)
        return error.exit_code
    except KeyboardInterrupt:
        _print_error("stopped", argv)
        return 130
    except BrokenPipeError:
        # The reader has closed the pipe, because it needs no more.
        return 0
    except Exception as error:
        if shows_traceback():
            raise
        _print_error(f"something went wrong inside ({type(error).__name__}: {error}); LIMPET_DEBUG=1 shows where", argv)
        return 1


def _print_error(message: str, argv: Sequence[str]) -> None:
    """Print an error to standard error, as JSON if the command line asks for JSON."""
    if "--json" in _before_dashes(argv):
        from limpet.errors import split_remedy

        what, remedy = split_remedy(message)
        print_json_error({"error": what, "do": remedy})
    else:
        print_notice(message)


def _before_dashes(argv: Sequence[str]) -> list[str]:
    """Return the arguments that may be options: those before `--`."""
    return list(itertools.takewhile(lambda each: each != "--", argv))


def _run(argv: list[str]) -> int:
    if not argv or argv[0] in ("-h", "--help", "help"):
        topic = argv[1] if len(argv) > 1 else "first"
        if topic not in (*GROUPS, _ALL):
            return _run([topic, "--help"])
        print_help(Output(), topic)
        return 0
    if argv in (["--version"], ["-V"], ["-v"]):
        from limpet import __version__

        Output().write(f"limpet {__version__}\n")
        return 0
    if argv[0] == "--completion":
        from limpet.cli.completion import make_script

        Output().write(f"{make_script(argv[1] if len(argv) > 1 else '')}\n")
        return 0
    name, *rest = move_command_first(argv)
    if name not in {each.name for each in COMMANDS}:
        raise UsageError(_describe_unknown(name))
    chosen = load_command(name)
    if any(each in ("-h", "--help") for each in _before_dashes(rest)):
        # Loaded here, because loading argparse takes a tenth of the time of a command.
        from limpet.cli.parser import build_parser

        Output().write(build_parser(find_summary(name), chosen).format_help())
        return 0
    if "--code=new" in rest or ("--code", "new") in itertools.pairwise(rest):
        # A code allows a whole command, so it can be asked for without the memory that the command is about.
        chosen = replace(chosen, params=tuple(replace(param, required=False) for param in chosen.params))
    try:
        given = parse_arguments(find_summary(name), chosen, rest)
    except UsageError as error:
        if name not in ("hook", "statusline"):
            raise
        # Claude Code blocks the agent when a hook ends with status 2, and a status line may not fail either.
        from limpet.cli.hook import log_failure

        log_failure("start", 0, error=str(error))
        print_notice(str(error))
        return 0
    if is_program(name):
        status: int = chosen.run(**given.values, **given.opening)
        return status
    if not chosen.opens_own_store:
        return _answer(name, chosen, given)
    _print_answer(name, chosen, chosen.run(**given.values), clock.now(), given, Output())
    return 0


def _describe_unknown(name: str) -> str:
    if name in GROUPS:
        return f"{name!r} is a group of commands; see: limpet help {name}"
    from difflib import get_close_matches

    close = get_close_matches(name, [each.name for each in COMMANDS], 1)
    hint = f"; did you mean {close[0]!r}? Otherwise see: limpet help all" if close else "; see: limpet help all"
    return f"{name[:60]!r} is not a command{hint}"


def _answer(name: str, chosen: Verb, given: Arguments) -> int:
    from limpet.runtime import Caller, open_runtime

    values = given.values
    bar = ProgressBar()
    out = Output(detailed=bool(values.get("explain")), asked=given.filters)
    typed, shown = is_terminal(sys.stdin), is_terminal(sys.stdout)
    caller = Caller.at(has_terminal=typed or shown, is_typing=typed and (shown or is_terminal(sys.stderr)))
    if caller.is_agent and given.opening.get("project") is not None:
        raise Refused("only a person can act in another project; ask the user to run this in a terminal")
    runtime = open_runtime(caller=caller, progress=bar, **given.opening)
    printed: tuple[str, ...] = ()
    try:
        status = _ask_first(name, chosen, runtime, given, out)
        if status is not None:
            return status
        answer = chosen.run(runtime, **values)
        bar.close()
        if name == "doctor":
            printed = (*answer.notes, *answer.warnings, *answer.mended)
        _show_answer(name, chosen, runtime, answer, given, out)
        out.flush()
    finally:
        bar.close()
        for notice in dict.fromkeys((*runtime.settings.notices, *runtime.store.notices)):
            if notice not in printed:
                print_notice(notice)
        if caller.proof and name not in ("doctor", "upkeep"):
            # Loaded here, because only a person at a terminal is told.
            from limpet.upkeep.consent import load_stops

            for stop in load_stops(runtime.settings.home):
                print_notice(stop.describe(runtime.settings.store.retire_share, runtime.reading()))
        runtime.close()
    return 130 if chosen.is_interrupted(answer) else 1 if chosen.is_failure(answer) else 0


def _ask_first(name: str, chosen: Verb, runtime: Runtime, given: Arguments, out: Output) -> int | None:
    """Ask the user for consent if a verb needs it; return the exit status if the verb must not be run, else None."""
    from limpet.runtime.codes import NEW_CODE

    if given.values.get("code") == NEW_CODE:
        from limpet.cli.preview import show_new_code

        show_new_code(name, runtime, out)
        return 0
    if name in _ASKING or (name in _PREVIEWED and not given.as_json):
        from limpet.cli.preview import ask_first

        return ask_first(name, chosen, runtime, given.values, out)
    return None


def _show_answer(name: str, chosen: Verb, runtime: Runtime, answer: Any, given: Arguments, out: Output) -> None:
    if runtime.caller.is_agent:
        # If an agent runs the command, a model reads the answer, with --json or without.
        from limpet.forms.model import render_for_model

        out.write_json(render_for_model(name, runtime, answer))
    elif name == "inbox" and out.is_terminal and runtime.caller.proof and not given.as_json and not answer.is_decided:
        from limpet.cli.review import review_inbox

        every_project, private = bool(given.values.get("all_projects")), bool(given.values.get("private"))
        review_inbox(runtime, answer, out, every_project=every_project, private=private)
    else:
        _print_answer(name, chosen, answer, runtime.now(), given, out)
        if name in ("setup", "backfill") and not given.as_json and _has_results(name, chosen, answer):
            from limpet.cli.first_day import finish_first_day

            can_ask = out.is_terminal and bool(runtime.caller.proof) and not chosen.is_interrupted(answer)
            found = {"hosts": answer.hosts, "has_status_line": bool(answer.offers)} if name == "setup" else {}
            finish_first_day(runtime, out, can_ask=can_ask, **found)


def _has_results(name: str, chosen: Verb, answer: Any) -> bool:
    """Tell whether `setup` or `backfill` has changed something, so that the next steps are worth showing."""
    if chosen.is_failure(answer):
        return False
    return bool(answer.done) if name == "setup" else bool(answer.filled.sessions and not answer.filled.dry)


def _print_answer(name: str, chosen: Verb, answer: Any, now: datetime, given: Arguments, out: Output) -> None:
    if given.as_json:
        from limpet.forms.json import encode_answer

        out.json(encode_answer(chosen, answer, now), indent=2 if out.is_terminal else None)
    else:
        from limpet.forms.views import load_view

        load_view(name)(answer, out)


def print_help(out: Output, topic: str = "first") -> None:
    """Print the commands of a group, or of all groups; for the first group also the names of the other commands."""
    by_group = {group: [each for each in COMMANDS if each.group == group] for group in GROUPS}
    shown = by_group if topic == _ALL else {topic: by_group[topic]}
    if topic in ("first", _ALL):
        out.line("Long-term memory for AI coding agents.", style="bold")
        out.line()
        out.line("  limpet COMMAND [options]        limpet COMMAND --help        limpet --version")
        out.line()
    width = max(len(each.name) for each in COMMANDS)
    for number, (group, commands) in enumerate(shown.items()):
        if number:
            out.line()
        out.line(GROUPS[group], style="cyan")
        for each in commands:
            out.line(f"  {each.name:<{width}}  {each.summary}", hang=width + 4)
    if topic == "first":
        out.line()
        out.line("More, by group", style="cyan")
        for group, commands in by_group.items():
            if group != topic:
                names = ", ".join(each.name for each in commands)
                out.line(wrap_words(f"  {group:<{width}}  {names}", _HELP_WIDTH, width + 4), wraps=False)
        out.line()
        out.line("`limpet help GROUP` shows the commands of a group, `limpet help all` every one.")
    if topic in ("first", _ALL):
        if topic == _ALL:
            out.line()
        out.line("Every command takes --json, --home, --agent, --project and --session.")
        out.line('Completion: eval "$(limpet --completion bash)" (or zsh, fish)')
