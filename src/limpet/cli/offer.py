"""Offer what `setup` does only after a yes: curation by a connected host's model, and the host's status line."""

from __future__ import annotations

import contextlib
import os
import shutil
from statistics import median

from limpet.cli.keypress import read_letter
from limpet.environment import environment
from limpet.forms.terminal import Output, print_notice
from limpet.hosts import names_of
from limpet.hosts.sessions import find_session_files, group_sessions
from limpet.learning.curate import estimate_tokens
from limpet.llm.providers import CLIENTS
from limpet.llm.request_text import load_prompt
from limpet.llm.session import MOST_TOKENS
from limpet.operations import setup
from limpet.runtime.recordings import find_session_folders, read_change_time
from limpet.runtime.settings_file import set_value
from limpet.text.tokens import count_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from limpet.runtime import Runtime

DAILY_TOKENS = 60_000
"""The daily limit of tokens that is offered: enough for about six long sessions."""
_MOST_FILES = 20
_MOST_BYTES = 20 << 20
"""The maximum size of a file that is measured; larger ones are skipped, because the user is waiting."""


def offer_curation(runtime: Runtime, hosts: Sequence[str], out: Output) -> None:
    """Ask the user whether a host's model may curate and sum up sessions; change the settings only after a yes.

    The question is skipped if the settings already name a provider or a limit, or if no host has a usable model.
    """
    path = environment().get("PATH")
    programs = [names_of(host).PROGRAM for host in hosts]
    client = next((each for each in programs if each in CLIENTS and shutil.which(each, path=path)), None)
    chosen = runtime.settings.llm
    if client is None or chosen.provider or chosen.daily_tokens:
        return
    home = runtime.settings.home
    out.line()
    out.line(f"May {client} read each session when it is over, to choose what is kept and to sum it up?", style="bold")
    out.line(f"  It costs {_describe_cost(hosts, chosen.session_tokens)}, and never more than {DAILY_TOKENS:,} a day.")
    out.line("  It is sent what you typed and the last message of each turn, without secrets, pasted or private text.")
    out.line("  The next session is then told that summary instead of one made by rules.")
    out.line("  In `limpet upkeep` it may also shorten and merge what is remembered, within the same limit.")
    if not _ask_yes_or_no(out):
        out.line("off; limpet config llm.provider and llm.daily_tokens switch it on later")
        return
    # The provider is set last: if the program dies in between, curation stays off.
    set_value(home, "llm.daily_tokens", str(DAILY_TOKENS))
    set_value(home, "llm.provider", client)
    out.line("on; limpet cost counts the tokens, and limpet config --unset llm.provider switches it off", style="green")


def offer_status_line(runtime: Runtime, out: Output) -> None:
    """Ask the user whether the status line of Claude Code may show what was told and what waits."""
    out.line()
    out.line("Show in the status line of Claude Code what was told, and how many notes wait?", style="bold")
    out.line("  For example: Limpet: 6 told, 3 on trial · 4 wait")
    if not _ask_yes_or_no(out):
        out.line("off; limpet setup --statusline switches it on later")
        return
    answer = setup.run(runtime, host="claude-code", statusline=True)
    for problem in answer.problems:
        print_notice(problem)
    if not answer.problems:
        out.line("on; limpet config inject.seen false switches it off, and uninstall removes it", style="green")


def _ask_yes_or_no(out: Output) -> bool:
    # The user may press Ctrl-C at any moment, not only while the program waits for a key.
    with contextlib.suppress(KeyboardInterrupt):
        out.line("y yes   n no", style="dim")
        out.stream.flush()
        return read_letter() == "y"
    return False


def _describe_cost(hosts: Sequence[str], session_tokens: int) -> str:
    """Return a phrase about the number of tokens a session costs, measured on the user's own sessions if possible."""
    measured = measure_sessions(hosts, session_tokens)
    if not measured:
        most = session_tokens + count_tokens(load_prompt("curate")) + MOST_TOKENS + count_tokens(load_prompt("session"))
        return f"at most {_round(most)} tokens a session, for two requests with short replies"
    typical = _round(int(median(measured)))
    if len(measured) == 1:
        return f"about {typical} tokens a session, for two requests with short replies, measured on your last session"
    span = f"from {_round(min(measured))} to {_round(max(measured))} in your last {len(measured)} sessions"
    return f"about {typical} tokens a session, for two requests with short replies, {span}"


def measure_sessions(hosts: Sequence[str], session_tokens: int) -> list[int]:
    """Estimate, for each of the newest sessions on this machine, how many tokens the requests about it would take."""
    files = [
        (host, path) for host, path in find_session_files(find_session_folders(hosts)) if _size(path) <= _MOST_BYTES
    ]
    newest = sorted(files, key=lambda file: read_change_time(file[1]))[-_MOST_FILES:]
    sessions = group_sessions(newest, failed=lambda path, error: None)
    found = []
    for recorded in sessions:
        try:
            found.append(estimate_tokens(recorded, session_tokens=session_tokens))
        except (OSError, ValueError):
            # A session that cannot be read is not curated either.
            continue
    return [tokens for tokens in found if tokens]


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return _MOST_BYTES + 1


def _round(tokens: int) -> str:
    return f"{round(tokens, -2):,}"
