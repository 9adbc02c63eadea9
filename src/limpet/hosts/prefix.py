"""Tell whether a text from a hook leaves the host's earlier request untouched, so that the model's prompt cache holds.

A host sends the whole conversation with every request. The provider has cached the last request and charges little for
it as long as the next one begins with the same bytes. Some versions of a host write the text of a hook in one form into
the current request and in another form into the requests of the next turn, and so the cache is lost from there on.
The tables of the hosts (`CONTEXT_EVENTS`) name, for each event, the first version that does not do this.
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
    """Tell whether the next request still begins with the earlier one if a hook adds a text at this event.

    `event_name` is the host's own name of the event. If the version of the host cannot be read, the answer is False: a
    missing text costs less than sending the whole conversation without the cache.
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
    """Return the version of the client that last wrote to a transcript; None if it cannot be read.

    Neither the payload of a hook nor a documented variable names the version, but each record of the transcript does.
    """
    if not isinstance(path, str) or not os.path.isabs(path) or "\0" in path or not os.path.isfile(path):
        return None
    from limpet.hosts.transcript import find_line_before

    try:
        with open(path, "rb") as file:
            found = find_line_before(file, file.seek(0, os.SEEK_END), b'"version"', b'"sessionId"')
    except OSError:
        return None
    return _parse(found.get("version")) if found else None


def _parse(text: object) -> Version | None:
    """Return the three numbers of a version, or None; what follows them, such as `-beta.1`, is ignored."""
    parts = text.partition("-")[0].split(".") if isinstance(text, str) and len(text) < 40 else ()
    if len(parts) != 3 or not all(part.isascii() and part.isdecimal() for part in parts):
        return None
    major, minor, patch = map(int, parts)
    return major, minor, patch
