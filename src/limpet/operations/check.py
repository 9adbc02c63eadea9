"""Report which memories and instructions a diff between two commits makes false, and which it adds."""

from __future__ import annotations

from limpet import __version__
from limpet.errors import UsageError
from limpet.insight.drift.comparison import CheckAnswer, compare_commits
from limpet.insight.drift.report import name_place, write_markdown, write_sarif
from limpet.lean.record import pick, replace
from limpet.model.memory import Memory
from limpet.model.query import NO_LIMIT, Query
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import PRIVATE
from limpet.runtime import Runtime
from limpet.runtime.permissions import visible_sensitivities


def run(
    runtime: Runtime,
    *,
    range: str | None = None,
    format: str = "text",
    private: bool = False,
    no_memories: bool = False,
) -> CheckAnswer:
    place = runtime.place
    if place.git_directory is None or not place.is_linked or place.root is None:
        raise UsageError("there is no git repository here; go to the folder of one")
    allowed = visible_sensitivities(runtime, private=private, sensitivity=None)

    def list_memories() -> list[Memory]:
        query = Query(scope=runtime.scope(), sensitivity=allowed, now=runtime.now(), limit=NO_LIMIT)
        return [] if no_memories else [stored.memory for stored in runtime.reading().browse(query).items]

    answer = compare_commits(place.git_directory, place.head, range, list_memories)
    match format:
        case "markdown":
            return replace(answer, report=write_markdown(answer.findings, answer.added))
        case "sarif":
            return replace(answer, report=write_sarif(answer.findings, version=__version__))
    return answer


def shape(answer: CheckAnswer) -> dict[str, object]:
    return {
        **pick(answer, "base", "head", "files", "memories"),
        "findings": [
            {"where": name_place(each), **pick(each.falsehood), "text": each.text} for each in answer.findings
        ],
        "added": [{"where": name_place(each), "text": each.text} for each in answer.added],
    }


VERB = Verb(
    run=run,
    shape=shape,
    is_failure=lambda answer: bool(answer.findings),
    details=(
        "Compares two commits and reports which lines of CLAUDE.md, AGENTS.md and other instruction files, and which "
        "memories, name something that the change removes: a path, a command of make, just or npm, a pinned version, a "
        "symbol, or lines that a memory cites. Git is not run and nothing is changed. The exit status is 1 if "
        "something becomes false."
    ),
    params=(
        Param(
            name="range",
            help="The commits to compare, such as main...HEAD; the default branch and HEAD if not given.",
            positional=True,
        ),
        Param(
            name="format",
            help="How to print it: for a terminal, for a pull request, or as SARIF.",
            kind="choice",
            choices=("text", "markdown", "sarif"),
            default="text",
        ),
        PRIVATE,
        Param(name="no_memories", help="Examine the files of the repository only.", kind="flag"),
    ),
    examples=("limpet check", "limpet check main...HEAD --format markdown", "limpet check v1.2..v1.3 --format sarif"),
)
