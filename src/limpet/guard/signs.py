"""The names of the signs that a text gives orders to a model.

They are in a separate module, because the code that finds signs is slow to load.

A certain sign has no honest use in a note: a memory that has one is withheld unless somebody asks for it, and is shown
with a warning. An odd text only resembles texts that give orders to a model: it is shown, quoted and labelled.
"""

from __future__ import annotations

EDITION = 7
"""The version of the rules and weights. It is raised when they change, so that all memories are judged again."""

HIDDEN = "hidden text"
FORGED = "forged block"
ENCODED = "encoded order"
OVERRIDE = "override"
SECRECY = "secrecy"
ODD = "reads like an order"

CERTAIN = frozenset({HIDDEN, FORGED, ENCODED, OVERRIDE, SECRECY})
