"""Limpet: long-term memory for AI coding agents.

Importing the package loads no other modules. `Limpet` and the types are loaded on first use.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.api import Limpet
    from limpet.errors import LimpetError
    from limpet.memory_tool import MemoryTool
    from limpet.model.fact import Fact
    from limpet.model.memory import Draft, Memory
    from limpet.model.outcome import Admitted, Duplicate, Rejected
    from limpet.model.query import Hit, Page, Query

__version__ = "0.1.0"

_MODULES = {
    "Limpet": "limpet.api",
    "Memory": "limpet.model.memory",
    "Draft": "limpet.model.memory",
    "Fact": "limpet.model.fact",
    "Query": "limpet.model.query",
    "Hit": "limpet.model.query",
    "Page": "limpet.model.query",
    "Admitted": "limpet.model.outcome",
    "Duplicate": "limpet.model.outcome",
    "Rejected": "limpet.model.outcome",
    "LimpetError": "limpet.errors",
    "MemoryTool": "limpet.memory_tool",
}

__all__ = [
    "Admitted",
    "Draft",
    "Duplicate",
    "Fact",
    "Hit",
    "Limpet",
    "LimpetError",
    "Memory",
    "MemoryTool",
    "Page",
    "Query",
    "Rejected",
    "__version__",
]


def __getattr__(name: str) -> object:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module 'limpet' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(module), name)
