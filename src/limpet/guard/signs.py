"""The names of the signs that a text gives orders to a model.

They are in a separate module, because the code that finds signs is slow to load.

A certain sign has no honest use in a note. A memory with such a sign is withheld unless somebody asks for it, and is
then shown with a warning. An odd text only resembles orders to a model. It is shown, but quoted and labelled.
"""

from __future__ import annotations

EDITION = 8
"""The version of the rules and weights. It is raised if they change, so that all memories are judged again."""

HIDDEN = "hidden text"
FORGED = "forged block"
ENCODED = "encoded order"
OVERRIDE = "override"
SECRECY = "secrecy"
ODD = "reads like an order"

CERTAIN = frozenset({HIDDEN, FORGED, ENCODED, OVERRIDE, SECRECY})
