"""Find out where a session works: repository, branch, commit, the project's keys, its agent, and the files in a text.

Everything is found by reading files. Git is never run: the configuration of a hostile repository can make it execute
programs, and starting it takes longer than all of this. The files came with the repository, so nothing in them raises
an error; a file that cannot be understood counts as unknown.

`locate` is needed at every start; the rest is loaded on first use.
"""

from __future__ import annotations

from limpet.workspace.place import Place, locate, still_exists
from limpet.workspace.urls import normalise_url

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.workspace.agents import AgentDefinition, make_slug, read_agent_definition
    from limpet.workspace.citations import cite, hash_span

__all__ = [
    "AgentDefinition",
    "Place",
    "cite",
    "hash_span",
    "locate",
    "make_slug",
    "normalise_url",
    "read_agent_definition",
    "still_exists",
]

_LATER = {
    "AgentDefinition": "agents",
    "read_agent_definition": "agents",
    "make_slug": "agents",
    "cite": "citations",
    "hash_span": "citations",
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # Not through `importlib`, which takes a hook longer to load than these modules do.
    return getattr(__import__(f"{__name__}.{_LATER[name]}", fromlist=(name,)), name)
