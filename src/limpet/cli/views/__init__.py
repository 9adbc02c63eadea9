"""Print answers in a form for people: one module per verb, each with a function `show`.

A module is loaded when its verb is used, so that a command loads only one view.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from limpet.cli.terminal import Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def load_view(name: str) -> Callable[[Any, Output], None]:
    """Return the function that prints the answer of a verb.

    The module of the verb `import` is `import_`, because `import` is a Python keyword.
    """
    module = import_module(f"limpet.cli.views.{'import_' if name == 'import' else name}")
    view: Callable[[Any, Output], None] = module.show
    return view
