"""Find a git repository and read its files: its folders, origin URL, current branch and commit, and log."""

from __future__ import annotations

import os
import sys

from limpet.lean.digest import sha256
from limpet.lean.pattern import lazy
from limpet.lean.record import record
from limpet.workspace.files import canonical_path, clean_label, read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_CONFIG_LIMIT = 1_000_000
_PACKED_LIMIT = 16_000_000
_INDEX_LIMIT = 256_000_000
_LINE_LIMIT = 8192

_HEADER = lazy(r"\s*\[\s*([A-Za-z0-9.-]+)(?:[ \t]+\"((?:[^\"\\]|\\.)*)\")?\s*\]")
_ENTRY = lazy(r"\s*([A-Za-z][A-Za-z0-9-]*)\s*=(.*)")
_ESCAPED = lazy(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b"}


@record
class Repository:
    """The paths of a repository: its work tree and its git directories."""

    top: str
    """The folder of the work tree; for a bare repository, the repository itself."""
    own: str
    """The git directory of this work tree, which has its HEAD."""
    common: str
    """The git directory that all work trees share, with the configuration and the branches."""
    looks_bare: bool
    """Whether the repository was recognised as a bare repository by its contents, not by a `.git`."""
    is_linked: bool
    """Whether the git directory belongs to the folder: it is inside the folder, or it names the folder."""


def find_repository(path: str) -> Repository | None:
    """Return the repository that contains a canonical path, or None if no trusted repository contains it."""
    owners = _find_trusted_owners(path)
    folders = _list_candidates(path)
    for folder in folders:
        own = _find_git_directory(folder, owners)
        if own is not None:
            common = _find_common_directory(own)
            is_linked = _is_linked(os.path.join(folder, ".git"), own, common)
            return Repository(top=folder, own=own, common=common, looks_bare=False, is_linked=is_linked)
    # Only now, because a folder that looks like a bare repository can be part of another repository.
    for folder in folders:
        if _is_git_directory(folder) and _has_trusted_owner(os.path.join(folder, "HEAD"), owners):
            common = _find_common_directory(folder)
            is_linked = common == folder or _is_tree_of(folder, common)
            return Repository(top=folder, own=folder, common=common, looks_bare=True, is_linked=is_linked)
    return None


def list_work_trees(common: str) -> list[str]:
    """Return the existing work tree folders of a repository, given its shared git directory."""
    places = [common] if os.path.basename(common) == ".git" else []
    try:
        names = sorted(os.listdir(os.path.join(common, "worktrees")))
    except OSError:
        names = []
    for name in names:
        data = read_file(os.path.join(common, "worktrees", name, "gitdir"), _LINE_LIMIT) or b""
        places.append(os.fsdecode(data.strip()))
    return [os.path.dirname(place) for place in places if os.path.isabs(place) and os.path.lexists(place)]


def _is_linked(path: str, own: str, common: str) -> bool:
    """Tell whether a git directory belongs to a folder; `path` is the folder's `.git`.

    Return True if the `.git` is the git directory itself, or if the git directory names the folder.
    """
    # A `.git` file, a symlink or a `commondir` from an archive can name any repository on the disk. But git itself
    # writes the path of a work tree into `worktrees/NAME/gitdir`, and the path of a submodule into its configuration.
    if own == path:
        return common == own
    if _is_tree_of(own, common):
        named = (read_file(os.path.join(own, "gitdir"), _LINE_LIMIT) or b"").strip()
        return bool(named) and canonical_path(os.path.join(own, os.fsdecode(named))) == path
    tree = _read_setting(own, "core", None, "worktree") if common == own else None
    return tree is not None and canonical_path(os.path.join(own, tree)) == os.path.dirname(path)


def _is_tree_of(own: str, common: str) -> bool:
    return os.path.dirname(own) == os.path.join(common, "worktrees")


def _list_candidates(path: str) -> list[str]:
    """Return a folder and those of its parents that may be its repository, innermost first.

    The home folder and the folders above it are left out as parents, because ~/.git is often a repository of dotfiles.
    """
    home = canonical_path(os.path.expanduser("~"))
    found, folder = [path], os.path.dirname(path)
    while folder not in (home, os.path.dirname(folder)):
        found.append(folder)
        folder = os.path.dirname(folder)
    return found


def _find_trusted_owners(path: str) -> frozenset[int] | None:
    """Return the user ids whose `.git` is trusted: this user, root, and the owner of the folder.

    Other owners are not trusted, because anybody can create a `.git` in a folder such as /tmp. Return None on Windows,
    where the owner is not checked.
    """
    if sys.platform == "win32":
        return None
    owners = {0, os.geteuid()}
    try:
        owners.add(os.stat(path).st_uid)
    except OSError:
        pass
    return frozenset(owners)


def _find_git_directory(folder: str, owners: frozenset[int] | None) -> str | None:
    path = os.path.join(folder, ".git")
    if not _has_trusted_owner(path, owners):
        return None
    if os.path.isfile(path):
        data = read_file(path, _LINE_LIMIT) or b""
        if not data.startswith(b"gitdir:"):
            return None
        path = os.path.join(folder, os.fsdecode(data[7:].strip()))
    real = canonical_path(path)
    return real if real is not None and _is_git_directory(real) else None


def _has_trusted_owner(path: str, owners: frozenset[int] | None) -> bool:
    """Tell whether a path exists and belongs to one of the owners. If `owners` is None, any owner is trusted."""
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


def _find_common_directory(own: str) -> str:
    data = read_file(os.path.join(own, "commondir"), _LINE_LIMIT)
    if not data:
        return own
    shared = canonical_path(os.path.join(own, os.fsdecode(data.strip())))
    return shared if shared is not None and _is_git_directory(shared) else own


def origin_url(common: str) -> str | None:
    """Return the first URL of the remote `origin`; None if there is none."""
    return _read_setting(common, "remote", "origin", "url")


def _read_setting(directory: str, section: str, name: str | None, key: str) -> str | None:
    """Return the first non-empty value of a setting in the configuration of a git directory; None if it is not set.

    Included files are not read, because an include can name any file.
    """
    data = read_file(os.path.join(directory, "config"), _CONFIG_LIMIT)
    if data is None:
        return None
    within = False
    for line in _join_continued_lines(os.fsdecode(data)):
        while header := _HEADER.match(line):
            found = header[1].lower()
            if header[2] is None:
                # This is the old spelling, [remote.origin].
                within = found == (section if name is None else f"{section}.{name}")
            else:
                within = found == section and _ESCAPED.sub(lambda each: each[1], header[2]) == name
            line = line[header.end() :]
        if within and (entry := _ENTRY.match(line)) and entry[1].lower() == key:
            value = _parse_value(entry[2])
            if value:
                return value
    return None


def _join_continued_lines(text: str) -> Iterator[str]:
    kept = ""
    for line in text.removeprefix("\ufeff").split("\n"):
        line = kept + line.removesuffix("\r")
        comment = not kept and line.lstrip().startswith(("#", ";"))
        if not comment and (len(line) - len(line.rstrip("\\"))) % 2 and len(line) < _LINE_LIMIT:
            kept = line[:-1]
            continue
        kept = ""
        yield line


def _parse_value(text: str) -> str:
    """Parse a value as git does: remove quotes, escapes, a comment at the end, and white space around it."""
    out: list[str] = []
    # The length without unquoted white space at the end.
    kept = 0
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


def read_head(repository: Repository) -> tuple[str | None, str | None]:
    """Return the current branch and commit. Each is None if it is not known; the branch is None if HEAD is detached."""
    data = (read_file(os.path.join(repository.own, "HEAD"), _LINE_LIMIT) or b"").strip()
    if not data.startswith(b"ref:"):
        return None, parse_commit(data)
    ref = data[4:].strip()
    if not is_safe_ref(ref):
        return None, None
    branch = None
    if ref.startswith(b"refs/heads/"):
        branch = clean_label(ref[len(b"refs/heads/") :].decode("utf-8", "replace"), 200) or None
    return branch, resolve_ref(repository.common, ref)


def resolve_ref(common: str, ref: bytes, hops: int = 5) -> str | None:
    """Return the id of the object that a ref such as `refs/heads/main` points to; None if the ref does not exist.

    A ref may point to another ref, which is followed up to `hops` times.
    """
    data = read_file(os.path.join(common, os.fsdecode(ref)), _LINE_LIMIT)
    if data is None:
        return _find_packed_ref(common, ref)
    data = data.strip()
    if data.startswith(b"ref:"):
        target = data[4:].strip()
        return resolve_ref(common, target, hops - 1) if hops and is_safe_ref(target) else None
    return parse_commit(data)


def _find_packed_ref(common: str, ref: bytes) -> str | None:
    data = b"\n" + (read_file(os.path.join(common, "packed-refs"), _PACKED_LIMIT) or b"")
    end = data.find(b" " + ref + b"\n")
    return parse_commit(data[data.rfind(b"\n", 0, end) + 1 : end]) if end > 0 else None


def is_safe_ref(ref: bytes) -> bool:
    """Tell whether git allows a ref name; the path of an allowed name is always inside the folder `refs`."""
    parts = ref.split(b"/")
    return (
        len(parts) > 1
        and parts[0] == b"refs"
        and all(part and not part.startswith(b".") for part in parts)
        and not any(byte < 0x21 or byte in b"\\:*?[~^\x7f" for byte in ref)
    )


def parse_commit(data: bytes) -> str | None:
    """Return `data` as a string if it is a SHA-1 or SHA-256 object id; otherwise None."""
    return data.decode() if len(data) in (40, 64) and not data.strip(b"0123456789abcdef") else None


def measure_log(root: str) -> int:
    """Return the size of a work tree's HEAD log, which grows whenever the current commit changes.

    Return 0 if there is no log.
    """
    own = _find_git_directory(root, _find_trusted_owners(root))
    try:
        return 0 if own is None else os.lstat(os.path.join(own, "logs", "HEAD")).st_size
    except (OSError, ValueError):
        return 0


def stamp_index(repository: Repository) -> tuple[int, int] | None:
    """Return the inode and time of a work tree's index; None if git is changing the index, and perhaps the files."""
    if os.path.lexists(os.path.join(repository.own, "index.lock")):
        return None
    try:
        info = os.lstat(os.path.join(repository.own, "index"))
    except OSError:
        return 0, 0
    return info.st_ino, info.st_mtime_ns


def find_missing_in_index(repository: Repository, paths: Iterable[str]) -> list[str]:
    """Return those of some paths that a work tree's index does not have, or whose names it has compressed."""
    data = read_file(os.path.join(repository.own, "index"), _INDEX_LIMIT) or b""
    return [path for path in paths if path.encode("utf-8", "surrogateescape") not in data]


def read_inode(directory: str) -> int | None:
    """Return the inode number of a git directory, which changes if the directory is replaced, or None if unknown."""
    try:
        return os.stat(directory).st_ino or None
    except OSError:
        return None


def hash_first_log_entry(common: str) -> str | None:
    """Return a hash of the first entry in HEAD's log, which stays the same if the repository is moved, or None."""
    path = os.path.join(common, "logs", "HEAD")
    # A symlink could lead to the log of another repository.
    data = read_file(path, _LINE_LIMIT) if canonical_path(path) == path else None
    if not data or parse_commit(data.partition(b" ")[0]) is None:
        return None
    return sha256(data.partition(b"\n")[0]).hexdigest()[:32]
