"""Convert a repository URL to a name that is the same for all spellings of the URL.

`git@github.com:Owner/Repo.git`, `https://user:token@github.com/owner/repo` and `ssh://git@github.com:22/owner/repo/`
have the name `github.com/owner/repo`. A credential must never become part of a name, and two repositories must never
get the same name, even if some spellings are therefore not recognised.
"""

from __future__ import annotations

import ntpath
import os
import sys

from limpet.lean.pattern import lazy
from limpet.workspace.files import canonical_path

_PORTS = {"ssh": 22, "http": 80, "https": 443, "git": 9418, "ftp": 21, "ftps": 990}
# On these hosts, paths are the same in any letter case.
_CASELESS = frozenset({"github.com", "gitlab.com", "bitbucket.org", "codeberg.org"})
# Other names of the same hosts; most use a port that firewalls allow.
_ALIASES = {
    "ssh.github.com": "github.com",
    "www.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
}
# Accounts of hosting services. With the account of a person, a relative path starts in the person's home folder.
_SERVICES = frozenset({"", "git", "gitea", "forgejo", "gogs", "gitlab", "hg"})

# Compiled on first use, because every hook imports this module and few need all patterns.
_SCHEME = lazy(r"([A-Za-z][A-Za-z0-9+.-]*)://(.*)")
_SCP = lazy(r"(?:([^@/:\[\]]*)@)?(\[[^\]/]+\]|[^/:@\[\]]+):(?!:)(.*)")
_SCP_WITH_PORT = lazy(r"\[(?:([^@/:\[\]]*)@)?([^/:@\[\]]+):(\d+)\]:(.*)")
_HELPER = lazy(r"[A-Za-z0-9]+::")
_DRIVE = lazy(r"[A-Za-z]:[\\/]")
_ACCOUNT = lazy(r"[\w.-]{1,32}")
_HOST = lazy(r"[\w.-]+|\[[0-9a-f:.%]+\]")
_QUERY = lazy(r"[?#]")
_SEPARATOR = lazy(r"[/\\:]")
_PLACE = lazy(r"(\[[^\]]*\]|[^:]*)(?::(\d*))?")
_LONGEST = 2048


def normalise_url(url: str, *, base: str | None = None) -> str | None:
    """Return the name of the repository at `url`; None if the URL is not recognised.

    A relative path is relative to the folder `base`.
    """
    url = url.strip()
    if not url or len(url) > _LONGEST or not url.isprintable():
        return None
    if _DRIVE.match(url) or url.startswith("\\\\"):
        return _name_windows_path(url)
    if found := _SCHEME.fullmatch(url):
        scheme = found[1].lower().removeprefix("git+").removesuffix("+git")
        return _name_file_url(found[2]) if scheme == "file" else _name_remote(scheme, found[2])
    if _HELPER.match(url):
        # A remote helper such as `ext::`: only the helper knows what the text means.
        return None
    if found := _SCP_WITH_PORT.fullmatch(url):
        return _build_name("ssh", found[1] or "", found[2], found[3], _expand_account_path(found[1], found[4]))
    if found := _SCP.fullmatch(url):
        return _build_name("ssh", found[1] or "", found[2], "", _expand_account_path(found[1], found[3]))
    return _name_local_path(url, base)


def repository_name(url: str) -> str:
    """Return the last part of a URL without `.git`, which people use as the name of the repository."""
    if "://" in url:
        url = _QUERY.split(url, maxsplit=1)[0]
    parts = [part for part in _SEPARATOR.split(url.strip()) if part not in ("", ".git")]
    last = parts[-1] if parts else ""
    return "" if "@" in last else last[:-4] if last.lower().endswith(".git") else last


def _name_remote(scheme: str, rest: str) -> str | None:
    authority, slash, path = _QUERY.split(rest, maxsplit=1)[0].partition("/")
    user, _, place = authority.rpartition("@")
    found = _PLACE.fullmatch(place)
    if found is None:
        return None
    return _build_name(scheme, user.partition(":")[0], found[1], found[2] or "", slash + path)


def _expand_account_path(user: str | None, path: str) -> str:
    """Return the path from `user@host:path`, with `~/` added to a relative path if `user` may be a person's account."""
    return path if path.startswith("/") or user in _SERVICES or user is None else f"~/{path}"


def _build_name(scheme: str, user: str, host: str, port: str, path: str) -> str | None:
    host = host.lower().rstrip(".")
    # An @ in the path may be part of `user:password@`, if the password contains a slash.
    if not _HOST.fullmatch(host) or "@" in path:
        return None
    number = int(port[:6]) if port else 0
    if number > 65535:
        return None
    if number == _PORTS.get(scheme, 0) or host in _ALIASES:
        number = 0
    host = _ALIASES.get(host, host)
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            return None
        if part not in ("", "."):
            parts.append(part)
    if scheme == "ssh" and parts and parts[0] == "~":
        # alice@nas:notes and bob@nas:notes are two repositories, because the paths start in two home folders.
        serves_all = host in _CASELESS or user in _SERVICES
        if not serves_all and not _ACCOUNT.fullmatch(user):
            return None
        parts[0:1] = [] if serves_all else [f"~{user}"]
    if parts and parts[-1].lower().endswith(".git"):
        parts[-1] = parts[-1][:-4]
    named = "/".join(filter(None, parts))
    if not named or (named.startswith("~") and "/" not in named):
        return None
    if host in _CASELESS:
        named = named.lower()
    prefix = "" if scheme in _PORTS else f"{scheme}://"
    return f"{prefix}{host}{f':{number}' if number else ''}/{named}"


def _name_file_url(rest: str) -> str | None:
    host, _, path = rest.partition("/")
    if host.lower() not in ("", "localhost"):
        return _name_windows_path(f"//{host}/{path}")
    return _name_windows_path(path) if _DRIVE.match(path) else _name_local_path("/" + path, None)


def _name_local_path(path: str, base: str | None) -> str | None:
    if not os.path.isabs(path):
        if base is None:
            return None
        path = os.path.join(base, path)
    real = canonical_path(path)
    if real is None:
        return None
    if sys.platform == "win32":
        return _name_windows_path(real)
    return "file:" + (real.removesuffix("/.git") or "/")


def _name_windows_path(path: str) -> str | None:
    """Return the repository name for a Windows path, in lower case; None if the path is too short.

    A shared configuration may have such a path on any system.
    """
    plain = ntpath.normpath(path).replace("\\", "/").lower().removesuffix("/.git").rstrip("/")
    return f"file:{plain}" if len(plain) > 2 else None
