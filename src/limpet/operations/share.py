"""Share the public memories of this project as files in its folder, which people can read and git can track."""

from __future__ import annotations

from limpet.errors import Refused
from limpet.lean.record import pick, record, replace
from limpet.model.query import Stored
from limpet.operations.catalogue import Param, Verb, label
from limpet.operations.parameters import CODE, YES
from limpet.operations.sync import shape as shape_sync
from limpet.runtime import Runtime
from limpet.runtime.permissions import require_person
from limpet.sharing.choice import choose_shared
from limpet.sharing.folder import change_ledger, require_shared_folder, sync_folder
from limpet.sharing.state import FilesAnswer


@record
class ShareAnswer:
    """The memories that are shared and those that are not, and the result of writing the files."""

    folder: str
    memories: tuple[Stored, ...]
    withheld: dict[str, str]
    """The reason for each memory that is not shared although it was stored on purpose, by id."""
    sync: FilesAnswer | None = None
    """The result of writing the files; None in a dry run."""

    @property
    def is_done(self) -> bool:
        return self.sync is not None


def run(runtime: Runtime, *, dry_run: bool = False, yes: bool = False, code: str | None = None) -> ShareAnswer:
    folder = require_shared_folder(runtime)
    folder.refuse_links()
    chosen, withheld = choose_shared(runtime)
    answer = ShareAnswer(folder=folder.path, memories=tuple(chosen), withheld=withheld)
    if dry_run:
        return answer
    require_person(runtime, "share", code=code, doing="share memories in files")
    folder.make()
    with change_ledger(runtime) as ledger:
        ledger.is_shared = True
    done = sync_folder(runtime, folder)
    if not done.is_complete and not done.written and done.notes:
        raise Refused(done.notes[0])
    return replace(answer, sync=done)


def shape(answer: ShareAnswer) -> dict[str, object]:
    return {
        "shared": answer.is_done,
        **pick(answer, "folder", "memories"),
        "total": len(answer.memories),
        "withheld": label(answer.withheld, "id", "reason"),
        "sync": None if answer.sync is None else shape_sync(answer.sync),
    }


VERB = Verb(
    run=run,
    shape=shape,
    params=(
        Param(name="dry_run", help="Only list what would be written.", kind="flag"),
        YES,
        CODE,
    ),
    details=(
        "Writes one markdown file for each memory to .claude/ltm/memories/, to be committed with the project: only "
        "public memories of this project that you or the agent stored on purpose, or that you have confirmed. A text "
        "with a secret or an order to a model is held back. From then on, each session start and `limpet sync` bring "
        "changes of the files into the memories and the other way round. The list is shown first. Only a person can "
        "share."
    ),
    examples=("limpet share --dry-run", "limpet share"),
)
