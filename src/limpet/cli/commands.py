"""What can be typed after `limpet`: the verbs, and the programs that only the command line has."""

from __future__ import annotations

from importlib import import_module

from limpet.operations.catalogue import CATALOGUE, PROGRAMS, Verb, verb

COMMANDS = (*CATALOGUE, *PROGRAMS)


def is_program(name: str) -> bool:
    return any(each.name == name for each in PROGRAMS)


def command(name: str) -> Verb:
    """What a command takes; a program declares it as a verb does, in the module of its name in this folder."""
    if not is_program(name):
        return verb(name)
    # What a host starts at every event must not load what the command line needs, so that one is declared beside it.
    module = "hook_verb" if name == "hook" else name
    program: Verb = import_module(f"limpet.cli.{module}").VERB
    return program
