"""Export memories to a file that `import` reads, or to the format of another tool."""

from __future__ import annotations

from limpet.errors import Refused, UsageError
from limpet.exchange.exporting import OWN, ExportAnswer, export_memories
from limpet.exchange.formats import FOLDERS, WRITERS
from limpet.lean.record import pick
from limpet.model.memory import Sensitivity
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import ALL_PROJECTS, PRIVATE, check_path
from limpet.runtime import Runtime
from limpet.runtime.permissions import visible_sensitivities

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["VERB", "ExportAnswer", "run"]


def run(
    runtime: Runtime,
    *,
    file: str | None = None,
    all: bool = False,
    private: bool = False,
    force: bool = False,
    all_projects: bool = False,
    to: str = OWN,
) -> ExportAnswer:
    target = "folder" if to in FOLDERS else "file"
    if to != OWN and (file is None or all):
        raise UsageError(f"--to {to} needs a {target} to write, and cannot hold what --all adds")
    if file is not None:
        check_path(file, what=target)
    scope = runtime.scope(every_project=all_projects)
    allowed = visible_sensitivities(runtime, private=private, sensitivity=None)
    if all and runtime.caller.is_agent:
        raise Refused("only a person can export what was forgotten; ask the user to run this in a terminal")
    if file is None and runtime.caller.is_agent:
        raise Refused("inside an agent an export goes to a file; give its name")
    if all and private:
        allowed = tuple(Sensitivity)
    return export_memories(runtime, file, to=to, scope=scope, allowed=allowed, all=all, force=force)


def shape(answer: ExportAnswer) -> dict[str, Any]:
    names = ("path", "memories", "facts", "left_out")
    return pick(answer, *names) if answer.path is not None else pick(answer, *names, "records")


VERB = Verb(
    run=run,
    shape=shape,
    params=(
        Param(
            name="file",
            help="The file or folder to write; the records are printed if not given.",
            positional=True,
        ),
        Param(name="all", help="Include superseded, forgotten and expired memories.", kind="flag", short="a"),
        PRIVATE,
        Param(name="force", help="Overwrite an existing file.", kind="flag"),
        ALL_PROJECTS,
        Param(
            name="to",
            help="The format: Limpet's own, a bundle of the Open Knowledge Format, the file of MCP server-memory, or "
            "a block in AGENTS.md.",
            kind="choice",
            choices=(OWN, *WRITERS),
            default=OWN,
        ),
    ),
    examples=(
        "limpet export memories.jsonl",
        "limpet export --to okf knowledge",
        "limpet export --to agents-md AGENTS.md",
        "limpet export --all --private --all-projects everything.jsonl",
    ),
)
