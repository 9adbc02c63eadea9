"""Sync the shared files of this project with its memories, or the journals of several machines with each other."""

from __future__ import annotations

from limpet.errors import Refused, UsageError
from limpet.lean.record import pick
from limpet.operations.catalogue import Param, Verb, label
from limpet.operations.parameters import CODE
from limpet.runtime import Runtime
from limpet.runtime.permissions import require_person
from limpet.sharing.folder import require_shared_folder, sync_folder
from limpet.sharing.machines import MachinesAnswer, sync_machines
from limpet.sharing.state import FilesAnswer

SyncAnswer = FilesAnswer | MachinesAnswer


def run(
    runtime: Runtime,
    *,
    with_: str | None = None,
    private: bool = False,
    status: bool = False,
    deleted: bool = False,
    code: str | None = None,
) -> SyncAnswer:
    if with_ is not None:
        if deleted:
            raise UsageError("--deleted is about the shared files of a project; leave it out, or leave out --with")
        return sync_machines(runtime, with_, private=private, status=status, code=code)
    if private or status:
        raise UsageError("--private and --status are about several machines; add --with FOLDER")
    folder = require_shared_folder(runtime)
    if not folder.exists():
        raise Refused("this project shares no memories in files; to begin: limpet share")
    if deleted:
        require_person(runtime, "sync", code=code, doing="forget the memories of many files")
    return sync_folder(runtime, folder, all_agreed=deleted)


def shape(answer: SyncAnswer) -> dict[str, object]:
    refused = label(answer.refused, "file", "reason")
    if isinstance(answer, MachinesAnswer):
        machines = [
            {
                "device": each.device,
                "name": each.label,
                "at": each.at,
                "changes": each.count(),
                "behind": answer.behind.get(each.device, 0),
            }
            for each in answer.machines
        ]
        moved = pick(answer.moved, "taken", "sent", "withheld", "waiting")
        return {
            **pick(answer, "folder", "device"),
            **moved,
            "refused": refused,
            "held": answer.held,
            "machines": machines,
        }
    done = ("taken", "edited", "both", "forgotten", "restored", "written", "removed", "archived")
    return {
        **pick(answer, "folder", *done),
        "refused": refused,
        "proposed": answer.proposed,
        "withheld": label(answer.withheld, "id", "reason"),
        **pick(answer, "waiting", "notes"),
        "complete": answer.is_complete,
    }


VERB = Verb(
    run=run,
    shape=shape,
    is_failure=lambda answer: bool(answer.refused),
    params=(
        Param(name="with_", help="Sync the whole journal with other machines through this folder instead."),
        Param(name="private", help="With --with: let private memories leave too.", kind="flag"),
        Param(name="status", help="With --with: only show which machine has what.", kind="flag"),
        Param(name="deleted", help="Forget the memories of all deleted files, however many they are.", kind="flag"),
        CODE,
    ),
    details=(
        "Compares .claude/ltm/ with the memories of this project, as every session start does. A new or changed file "
        "becomes a memory with the origin `file`, which is told only on request until you run `limpet confirm "
        "--project`. If a file was deleted, its memory is forgotten. If a file and its memory have both changed, both "
        "are kept. After `limpet share`, memories are also written to their files. A file that cannot be read is "
        "named and left alone. With --with FOLDER, it exchanges the whole journal with other machines through a "
        "folder that all of them see: by Syncthing, git, a network drive or a USB stick. Each machine copies from "
        "there what it lacks, and to there what the others lack. Private memories stay on this machine unless you add "
        "--private. What a machine without your key has written is used only after `limpet confirm --device`."
    ),
    examples=("limpet sync", "limpet sync --deleted", "limpet sync --with ~/Sync/limpet"),
)
