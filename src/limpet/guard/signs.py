"""Names of the signs of an order, apart from the code that finds them, which takes long to load.

A certain sign has no honest use in a note: a memory that carries one is withheld unless somebody asks for it, and is
shown with a warning. An odd text only resembles texts that give orders to a model: it is told, quoted and labelled.
"""

from __future__ import annotations

EDITION = 7
"""Raised when the rules or the weights change: what an older edition judged is then judged again."""

HIDDEN = "hidden text"
FORGED = "forged block"
ENCODED = "encoded order"
OVERRIDE = "override"
SECRECY = "secrecy"
ODD = "reads like an order"

CERTAIN = frozenset({HIDDEN, FORGED, ENCODED, OVERRIDE, SECRECY})
