"""Import memories from an export of Limpet, or from the store of another tool."""

from __future__ import annotations

import os

from limpet.errors import Refused, UsageError
from limpet.exchange.account import ImportAnswer, Result
from limpet.exchange.exporting import OWN
from limpet.exchange.foreign import choose_stores, find_stores, import_foreign
from limpet.exchange.lines import is_export
from limpet.exchange.own import import_export
from limpet.imports import FORMATS
from limpet.lean.record import pick
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import check_path
from limpet.runtime import Runtime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["VERB", "ImportAnswer", "run"]


def run(
    runtime: Runtime,
    *,
    file: str | None = None,
    from_: str | None = None,
    merge: bool = False,
    dry_run: bool = False,
    remap_agent: str | None = None,
    here: bool = False,
) -> ImportAnswer:
    answer = ImportAnswer(dry_run=dry_run)
    if file is None and from_ is None:
        answer.only_looked = True
        answer.found = [(format.name, path) for format, path in find_stores(runtime)]
        return answer
    if file is not None:
        check_path(file)
    if here and runtime.project is None:
        raise Refused("--here needs a project; go to the folder that the memories belong to")
    if from_ == OWN or (from_ is None and file is not None and is_export(file)):
        if file is None:
            raise UsageError("give the path of the export")
        import_export(runtime, file, answer, merge=merge, remap_agent=remap_agent, here=here)
        return answer
    if file is not None and not os.path.lexists(file):
        raise UsageError(f"cannot read {file!r}: No such file or directory; check its path")
    stores = choose_stores(runtime, from_, file)
    import_foreign(runtime, stores, answer, remap_agent=remap_agent, here=here)
    return answer


def is_failure(answer: ImportAnswer) -> bool:
    """Tell whether something could not be imported. Objects that were left out or already known do not count."""
    return bool(answer.problems) or any(report.result is Result.REFUSED for report in answer.objects)


def shape(answer: ImportAnswer) -> dict[str, Any]:
    counts = ("added", "duplicates", "present", "facts", "elsewhere", "unconfirmed")
    return {
        **pick(answer, *counts, "proposed", "problems", "objects"),
        "found": [{"from": name, "path": path} for name, path in answer.found],
        **pick(answer, "dry_run", "stopped"),
    }


VERB = Verb(
    run=run,
    shape=shape,
    is_failure=is_failure,
    is_interrupted=lambda answer: answer.stopped,
    details=(
        "Without a file and without --from it lists the stores of other tools that are on this machine. With --from it "
        "reads the stores of that tool, which it finds by itself, or the file or folder that is given. Every object "
        "gets a result: taken, changed, known, left out or refused, with the reason. No model is told an imported "
        "memory unasked until you confirm it; then it gets the kind, the impact and the region that its file claims. "
        "`limpet confirm --source origin:import` lists all that wait, and asks once. An import can be stopped at any "
        "time; run it again and it continues."
    ),
    params=(
        Param(name="file", help="An export made by `limpet export`, or a store of another tool.", positional=True),
        Param(
            name="from_",
            help="The tool whose memories are read; known from the file if not given.",
            kind="choice",
            choices=(OWN, *(each.name for each in FORMATS)),
        ),
        Param(name="merge", help="Skip memories that are here already, and import the others.", kind="flag"),
        Param(name="dry_run", help="Only show what would happen.", kind="flag"),
        Param(name="remap_agent", help="Give the memories to this agent."),
        Param(name="here", help="Give the project memories to the project of this folder.", kind="flag"),
    ),
    examples=(
        "limpet import memories.jsonl --dry-run",
        "limpet import memories.jsonl --merge --here",
        "limpet import",
        "limpet import --from claude-mem --dry-run",
        "limpet import --from basic-memory ~/basic-memory",
    ),
)
