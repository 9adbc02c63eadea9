"""Bring the shared files of this project and the memories up to date with each other."""

from __future__ import annotations

from datetime import datetime

from limpet.errors import Refused
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import CODE
from limpet.operations.permissions import require_person
from limpet.operations.sharing.comparison import SyncAnswer
from limpet.operations.sharing.folder import require_shared_folder, sync_folder
from limpet.runtime import Runtime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def run(runtime: Runtime, *, deleted: bool = False, code: str | None = None) -> SyncAnswer:
    folder = require_shared_folder(runtime)
    if not folder.exists():
        raise Refused("this project shares no memories in files; to begin: limpet share")
    if deleted:
        require_person(runtime, "sync", code=code, doing="forget the memories of many files")
    return sync_folder(runtime, folder, agreed=deleted)


def to_json(answer: SyncAnswer, now: datetime) -> dict[str, Any]:
    return {
        "folder": answer.folder,
        "taken": answer.taken,
        "edited": answer.edited,
        "both": answer.both,
        "forgotten": answer.forgotten,
        "restored": answer.restored,
        "written": answer.written,
        "removed": answer.removed,
        "archived": answer.archived,
        "refused": [{"file": file, "reason": reason} for file, reason in answer.refused.items()],
        "withheld": [{"id": id, "reason": reason} for id, reason in answer.withheld.items()],
        "waiting": answer.waiting,
        "notes": answer.notes,
        "complete": answer.is_complete,
    }


VERB = Verb(
    run=run,
    to_json=to_json,
    is_failure=lambda answer: bool(answer.refused),
    params=(
        Param(name="deleted", help="Forget the memories of all deleted files, however many they are.", kind="flag"),
        CODE,
    ),
    details=(
        "Compares .claude/ltm/ with the memories of this project, as every session start does. A new or changed file "
        "comes in with the origin `file`; it is told only when asked for until you run `limpet confirm --project`. A "
        "deleted file forgets its memory. If a file and its memory have both changed, both are kept. After "
        "`limpet share`, memories are written to their files too. A file that cannot be read is named and left alone."
    ),
    examples=("limpet sync", "limpet sync --deleted"),
)
