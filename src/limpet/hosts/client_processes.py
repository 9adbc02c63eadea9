"""Recognise agent clients among the processes that started this one, to tell whether an agent or a person acts.

Hooks load this module, so it imports little.
"""

from __future__ import annotations

import os

from limpet.environment import has_client_variables
from limpet.hosts import HOSTS, names_of
from limpet.system.processes import list_ancestors, read_command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from limpet.system.processes import Process

# Clients that Limpet is not wired to, but that run commands for a model.
_OTHER_CLIENTS = ("aider", "amp", "copilot", "crush", "cursor-agent", "goose", "opencode", "qwen")
_PROGRAMS = frozenset((*(names_of(host).PROGRAM for host in HOSTS), *_OTHER_CLIENTS))
_PACKAGES = tuple(f"node_modules/{names_of(host).PACKAGE}/" for host in HOSTS)
_INTERPRETERS = ("bun", "deno", "node", "python", "python3")


def is_inside_agent() -> bool:
    """Tell whether an agent client started this process, as shown by environment variables or parent processes."""
    return has_client_variables() or has_agent(list_ancestors())


def is_nested_agent() -> bool:
    """Tell whether another agent started the client that runs this process, so that no person types its prompts."""
    return sum(_is_client(each) for each in list_ancestors()) > 1


def is_hook_program(process: int) -> bool:
    """Tell whether the process with this id is the hook program of this installation, as `limpet setup` wires it.

    Return False on systems other than Linux, which do not show what a process runs.
    """
    command, program = read_command(process)
    script = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli", "run_hook.py")
    try:
        # With these options, neither a variable nor the current folder can make the interpreter load other modules.
        is_ours = command[1:3] == ("-I", "-S") and os.path.samefile(os.path.join(os.sep, command[3]), script)
    except (OSError, IndexError, ValueError):
        return False
    return is_ours and _stem(program).startswith("python")


def has_agent(processes: Sequence[Process]) -> bool:
    """Tell whether any of the processes is an agent client, or has the environment variables of one."""
    return has_client_variables([each.environ for each in processes]) or any(map(_is_client, processes))


def _is_client(process: Process) -> bool:
    """Tell whether a process is an agent client: a known program, or an interpreter that runs a known script."""
    program, script = (*process.words[:2], "", "")[:2]
    shown = (process.name, _stem(program), _stem(script) if _stem(program) in _INTERPRETERS else "")
    return not _PROGRAMS.isdisjoint(shown) or any(
        package in word for package in _PACKAGES for word in (program, script)
    )


def _stem(path: str) -> str:
    return os.path.basename(path).removesuffix(".exe").removesuffix(".js").lower()
