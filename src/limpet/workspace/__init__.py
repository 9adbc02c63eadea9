"""Find out where a session works: the repository, branch and commit, the project, and the files that a text names.

Git is never run, because the configuration of a hostile repository can make it execute programs, and because starting
it is slow. Everything is read from files. They may be hostile too, so they never cause an exception; a file that cannot
be read correctly is treated as missing.

Every start needs the function `locate`; the other names are loaded on first use.
"""

from __future__ import annotations

from limpet.workspace.place import Place, decode_path, locate, still_exists
from limpet.workspace.remote_names import normalise_url

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.workspace.agents import AgentDefinition, make_slug, read_agent_definition
    from limpet.workspace.citations import cite, hash_span

__all__ = [
    "AgentDefinition",
    "Place",
    "cite",
    "decode_path",
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
    # Without `importlib`, which takes longer to load than these modules.
    return getattr(__import__(f"{__name__}.{_LATER[name]}", fromlist=(name,)), name)
