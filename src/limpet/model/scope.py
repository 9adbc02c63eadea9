"""Scopes: who owns a memory, and who may see it.

A scope is an agent, an agent in a project, or an app. The index stores a token with each memory that stands for its
owner, and a scope sees the memories with a few such tokens. So owners are isolated by comparing tokens in the index,
and no query can forget a filter.
"""

from __future__ import annotations

from functools import lru_cache

from limpet.lean.digest import sha256
from limpet.lean.record import record
from limpet.model.memory import Memory, Region


@record
class Agent:
    """An agent that owns memories. It is identified by `id`. `name` is only a label."""

    id: str
    name: str
    first_seen: str = ""
    definition: str | None = None
    key_id: str | None = None


@record
class Project:
    """A project, and the keys by which it is recognised. A key consists of a kind and a value.

    A `seen:` key stands for a folder in which the project was found and accepted. A `held:` key stands for a folder
    that claimed to be another project and was not accepted. The memories learnt in this folder belong to a separate
    project. If the folder is accepted later, the claimed project gets a `join:` key with the id of the separate
    project, and from then on includes its memories.
    """

    id: str
    name: str
    keys: tuple[str, ...] = ()
    agent: str | None = None

    @property
    def joined(self) -> tuple[str, ...]:
        """Return the ids of the other projects whose memories count as memories of this project."""
        return tuple(key.removeprefix("join:") for key in self.keys if key.startswith("join:"))


@record
class Where:
    """The circumstances in which a memory is made: agent, project, session, folder, branch and commit."""

    agent: str
    project: str | None = None
    session: str | None = None
    root: str | None = None
    branch: str | None = None
    commit: str | None = None


@record
class Scope:
    """The owner whose memories are requested: an agent, an agent in a project, or an app."""

    agent: str
    project: str | None = None
    app: str | None = None
    every_project: bool = False
    joined: tuple[str, ...] = ()
    """The other projects whose memories count as memories of `project`."""

    def tokens(self) -> tuple[str, ...] | None:
        """Return the scope tokens under which the memories visible to this scope are indexed.

        Return None if every project of the agent is visible.
        """
        if self.app is not None:
            return (_token("app", self.app),)
        if self.every_project:
            return None
        own = (_token("agent", self.agent),)
        projects = () if self.project is None else (self.project, *self.joined)
        return (*(_token("project", self.agent, project) for project in projects), *own)


def agent_token(agent: str) -> str:
    """Return the scope token for all memories of an agent, which is used to search across projects."""
    return _token("owner", agent)


def token_of(memory: Memory) -> str:
    """Return the token of the scope that owns a memory."""
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
