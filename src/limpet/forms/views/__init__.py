"""Print answers in a form for people: a function `show_<verb>` for each verb, in the module that shows its subject.

A module is loaded when one of its verbs is used, so that a command loads only what it prints with.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from limpet.forms.terminal import Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_VERBS = {
    "memories": "list recall related timeline graph facts remember correct forget pin restore confirm feedback",
    "history": "show blame why",
    "store": "stats doctor verify sign purge upkeep cost config",
    "sharing": "share unshare sync",
    "sessions": "backfill capture stash achievements distil check",
    "setup": "setup uninstall",
    "import_": "import",
}
"""The verbs of a module. Any other verb has a module of its own, with its name."""


def load_view(name: str) -> Callable[[Any, Output], None]:
    """Return the function that prints the answer of a verb."""
    module = next((module for module, verbs in _VERBS.items() if name in verbs.split()), name)
    view: Callable[[Any, Output], None] = getattr(import_module(f"limpet.forms.views.{module}"), f"show_{name}")
    return view
