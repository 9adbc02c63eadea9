"""List the commands of `limpet`, and the options that all of them have.

A command is a verb of the catalogue, or a program that only the command line has, such as `limpet serve`.
"""

from __future__ import annotations

from importlib import import_module

from limpet.operations.catalogue import CATALOGUE, PROGRAMS, Verb, load_verb

COMMANDS = (*CATALOGUE, *PROGRAMS)

GLOBAL_OPTIONS = (
    ("--json", {"action": "store_true", "help": "Print the answer as JSON."}),
    ("--home", {"metavar": "DIR", "help": "Keep all data in this folder instead of ~/.limpet."}),
    ("--agent", {"metavar": "NAME", "help": "Act as this agent; the default agent is Anima."}),
    ("--project", {"metavar": "NAME", "help": "Act in this project instead of the current folder's."}),
    ("--session", {"metavar": "ID", "help": "Act in this session."}),
)


def is_program(name: str) -> bool:
    return any(each.name == name for each in PROGRAMS)


def load_command(name: str) -> Verb:
    """Return the declaration of a command: of a verb from the catalogue, of a program from a module in this folder."""
    if not is_program(name):
        return load_verb(name)
    # Every event starts hook.py, which must not load the catalogue, so its declaration is in another module.
    module = "hook_verb" if name == "hook" else name
    program: Verb = import_module(f"limpet.cli.{module}").VERB
    return program
