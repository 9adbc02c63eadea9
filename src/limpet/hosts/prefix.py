"""Tell whether a hook can add text to the conversation without making the model's prompt cache useless.

A host sends the whole conversation with every request. The provider caches a request and charges little for the
beginning of the next request that is identical to it. Some versions of a host write the text of a hook in one form into
the current request, and in another form into the requests of the next turn. The cache is then useless for this text and
everything after it. A host's table `CONTEXT_EVENTS` has the first version without this fault for each event.
"""

from __future__ import annotations

import os

from limpet.hosts import names_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    Version = tuple[int, int, int]


def keeps_prefix(payload: Mapping[str, Any], event_name: str, *, host: str) -> bool:
    """Tell whether the model's prompt cache stays valid if a hook adds text to the conversation at this event.

    `event_name` is the host's name of the event. If the answer depends on the version of the host and the version is
    not known, return False, because leaving out the text costs less than losing the cache.
    """
    names = names_of(host)
    if event_name in names.PLAIN_TEXT_EVENTS:
        return True
    first: Version | None = names.CONTEXT_EVENTS.get(event_name)
    if first is None:
        return False
    if first == (0, 0, 0):
        return True
    version = read_version(payload.get("transcript_path"))
    return version is not None and version >= first


def read_version(path: object) -> Version | None:
    """Return the version of the client that last wrote to the transcript at `path`; None if it cannot be read."""
    if not isinstance(path, str) or not os.path.isabs(path) or "\0" in path or not os.path.isfile(path):
        return None
    from limpet.hosts.transcript import find_line_before

    # Hooks are given the version neither in their input nor in a variable, but each record of the transcript has it.
    try:
        with open(path, "rb") as file:
            found = find_line_before(file, file.seek(0, os.SEEK_END), b'"version"', b'"sessionId"')
    except OSError:
        return None
    return _parse_version(found.get("version")) if found else None


def _parse_version(text: object) -> Version | None:
    """Return the three numbers of a version, without a suffix such as `-beta.1`; None if it is not a version."""
    parts = text.partition("-")[0].split(".") if isinstance(text, str) and len(text) < 40 else ()
    if len(parts) != 3 or not all(part.isascii() and part.isdecimal() for part in parts):
        return None
    major, minor, patch = map(int, parts)
    return major, minor, patch
