"""The names of the signs of an order. They are apart from the code that finds signs, because that code is slow to load.

A certain sign has no honest use in a note: a memory that has one is withheld unless somebody asks for it, and is shown
with a warning. An odd text only resembles texts that give orders to a model: it is shown, quoted and labelled.
"""

from __future__ import annotations

EDITION = 7
"""The version of the rules and weights; it is raised when they change, and all memories are then judged again."""

HIDDEN = "hidden text"
FORGED = "forged block"
ENCODED = "encoded order"
OVERRIDE = "override"
SECRECY = "secrecy"
ODD = "reads like an order"

CERTAIN = frozenset({HIDDEN, FORGED, ENCODED, OVERRIDE, SECRECY})
