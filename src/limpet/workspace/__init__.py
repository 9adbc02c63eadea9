"""Where we are: repository, branch, commit, the project's keys, the agent's definition, the files a text names.

Everything is found by reading files. Git is never run: a hostile repository's configuration can make it execute
programs, and starting it costs more than all of this. What is read came with the repository, so nothing here
raises because of it; what cannot be understood is simply not known.

`locate` is needed at every start; the rest is loaded on first use.
"""

from __future__ import annotations

from limpet.workspace.place import Place, locate, still_there
from limpet.workspace.urls import normalise_url

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.workspace.agents import AgentDefinition, read_agent_definition, slug
    from limpet.workspace.citations import cite, hash_span

__all__ = [
    "AgentDefinition",
    "Place",
    "cite",
    "hash_span",
    "locate",
    "normalise_url",
    "read_agent_definition",
    "slug",
    "still_there",
]

_LATER = {
    "AgentDefinition": "agents",
    "read_agent_definition": "agents",
    "slug": "agents",
    "cite": "citations",
    "hash_span": "citations",
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
