"""Read the sources of `limpet distil` in a project: stashes, and the objections that `limpet friction` has found."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime

from limpet import system
from limpet.insight.authorship import drop_lines, find_repeated
from limpet.insight.distil.extract import Stash, find_day
from limpet.insight.distil.preferences import REACTIONS, SourcedObjection
from limpet.insight.folder import AGENT_FOLDER, CANDIDATES, FRICTION_FOLDER, STASH_FOLDER
from limpet.lean.digest import sha256
from limpet.lean.record import field, mutable
from limpet.model.memory import Origin
from limpet.secrets.redact import redact, strip_private
from limpet.workspace.files import clean_label, read_file

STASHES = os.path.join(AGENT_FOLDER, STASH_FOLDER)
_REPORT = os.path.join(AGENT_FOLDER, FRICTION_FOLDER, CANDIDATES)
_MAX_STASH = 1 << 20
_MAX_CANDIDATES = 32 << 20
_MOST_STASHES = 2000
_LONGEST_OBJECTION = 2000


@mutable
class Sources:
    """The stashes and the objections in a project."""

    stashes: list[Stash] = field(default_factory=list)
    objections: list[SourcedObjection] = field(default_factory=list)
    failed: list[tuple[str, str]] = field(default_factory=list)
    """The paths of files that could not be used, each with the reason."""


def read_sources(root: str, home: str) -> Sources:
    """Read the sources in a project. Secrets and private passages are removed from every text.

    The list of files in `home` tells whether Limpet has written a stash or a report. Objections in another report do
    not count, because they may be made up.
    """
    found = Sources()
    _read_stashes(root, home, found)
    path = os.path.join(root, _REPORT)
    data = None if system.is_link(path) or system.is_link(os.path.dirname(path)) else read_file(path, _MAX_CANDIDATES)
    found.objections = _read_objections(data or b"")
    if found.objections and find_repeated(home, data or b"") is None:
        found.objections = []
        found.failed.append((_REPORT, "no `limpet friction` has written it here; run `limpet friction`"))
    found.stashes.sort(key=lambda each: (each.day, each.name))
    return found


def _read_stashes(root: str, home: str, found: Sources) -> None:
    folder = os.path.join(root, STASHES)
    if system.is_link(os.path.dirname(folder)) or system.is_link(folder):
        found.failed.append((STASHES, "it is a symlink"))
        return
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".md"))
    except OSError:
        return
    for name in names[:_MOST_STASHES]:
        path = os.path.join(folder, name)
        stash = _read_stash(path, name.removesuffix(".md"), home)
        if isinstance(stash, str):
            found.failed.append((os.path.join(STASHES, name), stash))
        else:
            found.stashes.append(stash)


def _read_stash(path: str, name: str, home: str) -> Stash | str:
    """Read a stash; return the reason instead if it cannot be read."""
    if system.is_link(path):
        return "it is a symlink"
    data = read_file(path, _MAX_STASH + 1)
    if data is None:
        return "it is not a file that can be read"
    if len(data) > _MAX_STASH:
        return f"it is longer than {_MAX_STASH:,} bytes"
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return "it is not UTF-8"
    day = find_day(text, name)
    if day is None:
        day = datetime.fromtimestamp(os.stat(path).st_mtime, tz=UTC).date()
    # The name is written as a heading, so it must be one line of visible characters.
    shown = clean_label(name, 80) or "stash"
    repeated = find_repeated(home, data)
    return Stash(
        name=shown,
        text=redact(strip_private(drop_lines(text, repeated or ()))[0])[0],
        day=day,
        digest=sha256(data).hexdigest(),
        origin=Origin.FILE if repeated is None else Origin.AGENT,
        left_out=len(repeated or ()),
    )


def _read_objections(data: bytes) -> list[SourcedObjection]:
    """Read the user's objections from a friction report; return an empty list if it is empty or damaged."""
    try:
        candidates = json.loads(data or b"[]")
    except (ValueError, RecursionError):
        return []
    found = {}
    for each in candidates if isinstance(candidates, list) else ():
        if not isinstance(each, dict) or each.get("anchor_signal") not in REACTIONS:
            continue
        # The list has the user's prompts up to the objection, which is the last one.
        words, conversation = each.get("user_context"), each.get("conversation") or each.get("session_id")
        said = words[-1] if isinstance(words, list) and words else None
        if isinstance(said, str) and isinstance(conversation, str) and said.strip() and conversation.strip():
            text = redact(strip_private(said[:_LONGEST_OBJECTION])[0])[0]
            id = sha256(f"{conversation}\n{said}".encode("utf-8", "replace")).hexdigest()[:12]
            about = each.get("about")
            found[id] = SourcedObjection(
                id=f"friction:{id}",
                text=text,
                conversation="".join(conversation.split())[:80],
                call=about[:_LONGEST_OBJECTION] if isinstance(about, str) else "",
            )
    return list(found.values())
