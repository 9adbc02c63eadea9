"""What the files of a git repository say: where it is, its origin, its branch and commit, when it began."""

from __future__ import annotations

import os
import re
import sys

from limpet.lean.digest import sha256
from limpet.lean.record import record
from limpet.workspace.files import canonical, label, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_CONFIG_LIMIT = 1_000_000
_PACKED_LIMIT = 16_000_000
_LINE_LIMIT = 8192

_HEADER = r"\s*\[\s*([A-Za-z0-9.-]+)(?:[ \t]+\"((?:[^\"\\]|\\.)*)\")?\s*\]"
_ENTRY = r"\s*([A-Za-z][A-Za-z0-9-]*)\s*=(.*)"
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b"}


@record
class Repository:
    top: str  # the work tree, or the repository itself where there is none
    own: str  # the git directory of this work tree: its HEAD
    common: str  # the git directory that all work trees share: configuration and branches
    by_shape: bool  # found because it looks like a bare repository, not through a `.git`


def find(path: str) -> Repository | None:
    """The repository that a canonical path belongs to."""
    owners = _owners(path)
    for folder in _upwards(path):
        own = _git_directory(folder, owners)
        if own is not None:
            return Repository(top=folder, own=own, common=_common(own), by_shape=False)
    # A folder that looks like a bare repository can be committed into another one, so a `.git` further up wins.
    for folder in _upwards(path):
        if _is_git_directory(folder) and _is_owned(os.path.join(folder, "HEAD"), owners):
            return Repository(top=folder, own=folder, common=_common(folder), by_shape=True)
    return None


def _upwards(path: str) -> Iterator[str]:
    """The folder and those above it, without the places where a repository would swallow everything below."""
    home = canonical(os.path.expanduser("~"))
    folder = path
    while True:
        parent = os.path.dirname(folder)
        # Dotfiles kept in ~/.git, or /etc's in /.git, say nothing about a project below them.
        if folder != path and (folder == home or parent == folder):
            return
        yield folder
        if parent == folder:
            return
        folder = parent


def _owners(path: str) -> frozenset[int] | None:
    """Whose `.git` is believed: ours, the system's and that of whoever owns the folder we are in.

    Anybody can put a `.git` into /tmp; git itself refuses such a one. None where owners are not known.
    """
    if sys.platform == "win32":
        return None
    owners = {0, os.geteuid()}
    try:
        owners.add(os.stat(path).st_uid)
    except OSError:
        pass
    return frozenset(owners)


def _git_directory(folder: str, owners: frozenset[int] | None) -> str | None:
    path = os.path.join(folder, ".git")
    if not _is_owned(path, owners):
        return None
    if os.path.isfile(path):
        data = read(path, _LINE_LIMIT) or b""
        if not data.startswith(b"gitdir:"):
            return None
        path = os.path.join(folder, os.fsdecode(data[7:].strip()))
    real = canonical(path)
    return real if real is not None and _is_git_directory(real) else None


def _is_owned(path: str, owners: frozenset[int] | None) -> bool:
    """Whether it exists and belongs to somebody who is believed."""
    try:
        owner = os.stat(path).st_uid
    except (OSError, ValueError):
        return False
    return owners is None or owner in owners


def _is_git_directory(path: str) -> bool:
    if not os.path.lexists(os.path.join(path, "HEAD")):
        return False
    if os.path.isfile(os.path.join(path, "commondir")):
        return True
    return os.path.isdir(os.path.join(path, "objects")) and os.path.isdir(os.path.join(path, "refs"))


def _common(own: str) -> str:
    data = read(os.path.join(own, "commondir"), _LINE_LIMIT)
    if not data:
        return own
    shared = canonical(os.path.join(own, os.fsdecode(data.strip())))
    return shared if shared is not None and _is_git_directory(shared) else own


def origin_url(common: str) -> str | None:
    """The first URL of the remote called origin. Includes are not followed: they can point anywhere."""
    data = read(os.path.join(common, "config"), _CONFIG_LIMIT)
    if data is None:
        return None
    within = False
    for line in _logical_lines(os.fsdecode(data)):
        while header := re.match(_HEADER, line):
            section, name = header[1].lower(), header[2]
            if name is None:
                # The old spelling [remote.origin].
                within = section == "remote.origin"
            else:
                within = section == "remote" and re.sub(r"\\(.)", r"\1", name) == "origin"
            line = line[header.end() :]
        if within and (entry := re.match(_ENTRY, line)) and entry[1].lower() == "url":
            url = _value(entry[2])
            if url:
                return url
    return None


def _logical_lines(text: str) -> Iterator[str]:
    kept = ""
    for line in text.removeprefix("\ufeff").split("\n"):
        line = kept + line.removesuffix("\r")
        comment = not kept and line.lstrip().startswith(("#", ";"))
        if not comment and (len(line) - len(line.rstrip("\\"))) % 2 and len(line) < _LINE_LIMIT:
            kept = line[:-1]
            continue
        kept = ""
        yield line


def _value(text: str) -> str:
    """A value as git reads it: quotes removed, escapes replaced, an unquoted comment and outer space cut off."""
    out: list[str] = []
    kept = 0  # how much of it is certain to stay: unquoted space at the end does not
    quoted = escaped = False
    for char in text.lstrip():
        if escaped:
            out.append(_ESCAPES.get(char, char))
            escaped = False
        elif char == "\\":
            escaped = True
            continue
        elif char == '"':
            quoted = not quoted
        elif char in "#;" and not quoted:
            break
        else:
            out.append(char)
            if char.isspace() and not quoted:
                continue
        kept = len(out)
    return "".join(out[:kept])


def head(repository: Repository) -> tuple[str | None, str | None]:
    """Branch and commit that are checked out; None for what is not known (detached, unborn, reftable)."""
    data = (read(os.path.join(repository.own, "HEAD"), _LINE_LIMIT) or b"").strip()
    if not data.startswith(b"ref:"):
        return None, _commit_in(data)
    ref = data[4:].strip()
    if not _is_sane(ref):
        return None, None
    branch = None
    if ref.startswith(b"refs/heads/"):
        branch = label(ref[len(b"refs/heads/") :].decode("utf-8", "replace"), 200) or None
    return branch, _resolve(repository.common, ref)


def _resolve(common: str, ref: bytes, hops: int = 5) -> str | None:
    data = read(os.path.join(common, os.fsdecode(ref)), _LINE_LIMIT)
    if data is None:
        return _packed(common, ref)
    data = data.strip()
    if data.startswith(b"ref:"):
        target = data[4:].strip()
        return _resolve(common, target, hops - 1) if hops and _is_sane(target) else None
    return _commit_in(data)


def _packed(common: str, ref: bytes) -> str | None:
    data = b"\n" + (read(os.path.join(common, "packed-refs"), _PACKED_LIMIT) or b"")
    end = data.find(b" " + ref + b"\n")
    return _commit_in(data[data.rfind(b"\n", 0, end) + 1 : end]) if end > 0 else None


def _is_sane(ref: bytes) -> bool:
    """A ref becomes a path: it must stay below refs/, and git forbids every name that would not."""
    parts = ref.split(b"/")
    return (
        len(parts) > 1
        and parts[0] == b"refs"
        and all(part and not part.startswith(b".") for part in parts)
        and not any(byte < 0x21 or byte in b"\\:*?[~^\x7f" for byte in ref)
    )


def _commit_in(data: bytes) -> str | None:
    return data.decode() if len(data) in (40, 64) and not data.strip(b"0123456789abcdef") else None


def birth(common: str) -> str | None:
    """A mark made when the repository was made, which moves along with it; None if it keeps no log."""
    data = read(os.path.join(common, "logs", "HEAD"), _LINE_LIMIT)
    if not data or _commit_in(data.partition(b" ")[0]) is None:
        return None
    return sha256(data.partition(b"\n")[0])[:32]
