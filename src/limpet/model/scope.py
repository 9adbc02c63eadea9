"""Scopes: who owns a memory, and who may see it.

A scope is an agent, perhaps in a project; or an app, which is a separate owner. The memories that a scope sees are
named by a few tokens. The index stores the token of each memory, so isolation is an equality that the index itself
tests and not a filter that a query may forget.
"""

from __future__ import annotations

from functools import lru_cache

from limpet.lean.digest import sha256
from limpet.lean.record import record
from limpet.model.memory import Memory, Region


@record
class Agent:
    """An agent: `id` is its identity, `name` a label."""

    id: str
    name: str
    first_seen: str = ""
    definition: str | None = None
    key_id: str | None = None


@record
class Project:
    """A project, and the keys by which it is recognised; a key is a kind and a value.

    A `seen:` key is a folder in which the project was met and accepted. A `held:` key is a folder that claimed to
    belong to another project and was not believed: the memories learnt there are in a separate project. Once the folder
    is accepted, the separate project gets a `join:` key with the id of the other one, which from then on includes its
    memories.
    """

    id: str
    name: str
    keys: tuple[str, ...] = ()
    agent: str | None = None

    @property
    def joined(self) -> tuple[str, ...]:
        """Return the ids of the projects whose memories count as memories of this one."""
        return tuple(key.removeprefix("join:") for key in self.keys if key.startswith("join:"))


@record
class Where:
    """The circumstances in which something is said: agent, project, session and so on."""

    agent: str
    project: str | None = None
    session: str | None = None
    root: str | None = None
    branch: str | None = None
    commit: str | None = None


@record
class Scope:
    """The owner whose memories are asked for."""

    agent: str
    project: str | None = None
    app: str | None = None
    every_project: bool = False
    joined: tuple[str, ...] = ()
    """Projects whose memories count as memories of the project."""

    def tokens(self) -> tuple[str, ...] | None:
        """Return the tokens of the memories that this scope sees; None stands for every project of the agent."""
        if self.app is not None:
            return (_token("app", self.app),)
        if self.every_project:
            return None
        own = (_token("agent", self.agent),)
        projects = () if self.project is None else (self.project, *self.joined)
        return (*(_token("project", self.agent, project) for project in projects), *own)


def agent_token(agent: str) -> str:
    """Return the token for everything that belongs to an agent, for its owner who looks across projects."""
    return _token("owner", agent)


def token_of(memory: Memory) -> str:
    """Return the token of the scope that a memory belongs to."""
    if memory.app is not None:
        return _token("app", memory.app)
    if memory.region is Region.PROJECT:
        # A PROJECT memory without a project belongs to nobody: no scope asks for its token.
        return _token("project", memory.agent, memory.project) if memory.project else _token("nobody")
    return _token("agent", memory.agent)


@lru_cache(256)
def _token(*parts: str) -> str:
    # Kept, because one question needs the same few tokens many times.
    joined = "".join(f"{len(part)}:{part}" for part in parts)
    return "s" + sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:20]
