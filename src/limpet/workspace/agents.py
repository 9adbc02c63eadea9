"""Read an agent definition (the id and the name of an agent) from a file in a repository."""

from __future__ import annotations

import unicodedata

from limpet.lean.digest import sha256
from limpet.lean.pattern import lazy
from limpet.lean.record import record
from limpet.workspace.files import clean_label, read_file

_LIMIT = 64 * 1024
_ID = lazy(r"[a-z0-9][a-z0-9_-]{0,63}")
_OTHERS = lazy(r"[^a-z0-9_]+")
_COMMENT = lazy(r"[ \t]+#.*")
_LINE = lazy(r"(id|name)[ \t]*:(.*)")


@record
class AgentDefinition:
    """The id and the name of an agent, as a file defines them."""

    id: str
    name: str


def read_agent_definition(path: str) -> AgentDefinition | None:
    """Read an agent's `id:` and `name:` from the front matter of a file.

    If the front matter has no name, the first `# Heading` is used instead; if it has no id, the id is made from the
    name. Return None if the file defines no agent.
    """
    data = read_file(path, _LIMIT + 1)
    if data is None or len(data) > _LIMIT:
        return None
    lines = data.decode("utf-8-sig", "replace").splitlines()
    front, body = _split_front_matter(lines)
    found: dict[str, str] = {}
    for line in front:
        if entry := _LINE.fullmatch(line):
            value = entry[2].strip()
            is_quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
            found.setdefault(entry[1], clean_label(value[1:-1] if is_quoted else _COMMENT.sub("", value), 80))
    heading = next((line[2:].strip().rstrip("#") for line in body if line.startswith("# ")), "")
    name = found.get("name") or clean_label(heading, 80) or found.get("id", "")
    if not name:
        return None
    return AgentDefinition(id=make_slug(found.get("id") or name), name=name)


def make_slug(text: str) -> str:
    """Return a valid id made from a name, or the name itself if it is a valid id.

    If letters have to be dropped or the name is too long, a hash of the name is appended, so that different names, such
    as 小明 and 小红, get different ids.
    """
    if _ID.fullmatch(text):
        return text
    plain = unicodedata.normalize("NFKD", text).lower()
    lost = any(not c.isascii() and unicodedata.category(c)[0] not in "MPZ" for c in plain)
    kept = _OTHERS.sub("-", "".join(c for c in plain if not unicodedata.combining(c))).strip("-_")
    if kept and not lost and len(kept) <= 64:
        return kept
    suffix = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{kept[:55].strip('-_') or 'agent'}-{suffix}"


def _split_front_matter(lines: list[str]) -> tuple[list[str], list[str]]:
    """Split lines into the front matter and the rest; a front matter that is missing or not closed is an empty list."""
    if not lines or lines[0].rstrip() != "---":
        return [], lines
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip() in ("---", "..."):
            return lines[1:number], lines[number + 1 :]
    return [], lines
