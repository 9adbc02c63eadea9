"""Manage apps: programs that talk with people and keep a few memories of the conversations."""

from __future__ import annotations

from limpet.apps.answer import shape
from limpet.apps.context import Point
from limpet.curating.app_actions import ACTIONS, carry_out
from limpet.model.app import Role
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import CODE, OFFSET, PRIVATE, YES, limit_param

VERB = Verb(
    run=carry_out,
    shape=shape,
    is_failure=lambda answer: answer.result is not None and answer.result.is_error,
    params=(
        Param(name="action", help=f"What to do: {', '.join(ACTIONS)}.", positional=True, default="list"),
        Param(name="app", help="Id of the app.", positional=True),
        Param(
            name="words",
            help=(
                "What the action needs: a message, a command of the memory tool, or ids of conversations, memories, "
                "files or versions."
            ),
            positional=True,
            many=True,
        ),
        Param(name="text", help="The message, instead of WORDS."),
        Param(name="label", help="Name of the app for people."),
        Param(name="role", help="Who says the message.", kind="choice", choices=Role, default=Role.USER),
        Param(name="conversation", help="Id of the conversation; a message without one begins a new one."),
        Param(
            name="point",
            help="What the context is for: to answer or review a conversation, or to select one of several.",
            kind="choice",
            choices=Point,
            default=Point.ANSWER,
        ),
        Param(
            name="energy",
            help="Share of the daily energy that is left, from 0 to 1; below 0.2 the work waits.",
            kind="number",
        ),
        Param(name="later", help="Only end the conversation; upkeep makes its memory.", kind="flag"),
        Param(name="poll", help="With energy: count from 0 again after this answer.", kind="flag"),
        Param(name="purge", help="With uninstall: erase its memories and conversations too.", kind="flag"),
        PRIVATE,
        YES,
        CODE,
        limit_param(50, what="conversations"),
        OFFSET,
    ),
    details=(
        "An app is a program that talks with people. When one of its conversations ends, a memory of at most 200 "
        "characters is made of it; an app keeps ten, and no other app sees them. Energy counts the work that this "
        "takes. `memory` carries out a command of Anthropic's memory tool on the files of an app, and `files` lists "
        "them with their versions."
    ),
    examples=(
        "limpet apps register calendar",
        'limpet apps converse calendar "I prefer meetings after 2pm."',
        "limpet apps end calendar conv_01jz4",
        "limpet apps context calendar",
        """limpet apps memory calendar '{"command": "view", "path": "/memories"}'""",
        "limpet apps uninstall calendar --purge --yes",
    ),
)
