"""Report which memories and instructions a diff between two commits makes false, and which it adds."""

from __future__ import annotations

from limpet import __version__
from limpet.errors import Refused, UsageError
from limpet.insight.drift.difference import Difference
from limpet.insight.drift.examine import Addition, Finding, examine_instructions, examine_memories
from limpet.insight.drift.report import name_place, write_markdown, write_sarif
from limpet.lean.record import pick, record
from limpet.model.query import NO_LIMIT, Query
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import PRIVATE
from limpet.runtime import Runtime
from limpet.runtime.permissions import visible_sensitivities
from limpet.workspace.objects import Objects
from limpet.workspace.revisions import find_default_branch, find_merge_base, list_commits_between, resolve_revision
from limpet.workspace.trees import open_tree

_FETCH = (
    "in a shallow clone, fetch the whole history first (`git fetch --unshallow`, or `fetch-depth: 0` in a workflow)"
)


@record
class CheckAnswer:
    """The statements that a diff makes false, and those that it adds.

    `report` is this answer as markdown or SARIF if one of them was requested, otherwise an empty string.
    """

    base: str
    head: str
    files: int
    """The number of files that the diff changes."""
    memories: int
    """The number of memories that were examined."""
    findings: tuple[Finding, ...]
    added: tuple[Addition, ...]
    report: str = ""


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
    objects = Objects(place.git_directory)
    try:
        base, head = _find_commits(objects, place.git_directory, place.head, range)
        old, new = open_tree(objects, base), open_tree(objects, head)
        if old is None or new is None:
            raise Refused(f"the files of commit {(base if old is None else head)[:10]} are not here; {_FETCH}")
        difference = Difference(old, new)
        findings, added = examine_instructions(difference)
        allowed = visible_sensitivities(runtime, private=private, sensitivity=None)
        query = Query(scope=runtime.scope(), sensitivity=allowed, now=runtime.now(), limit=NO_LIMIT)
        memories = [] if no_memories else [stored.memory for stored in runtime.reading().browse(query).items]
        # A memory in a shared file was already examined as lines of that file, so it is not reported again.
        reported = {(each.text, each.falsehood) for each in findings}
        findings += [
            each
            for each in examine_memories(memories, difference)
            if reported.isdisjoint((line, each.falsehood) for line in _split_lines(each.text))
        ]
        between = list_commits_between(place.git_directory, base, head)
        stated = {each.text for each in added}
        added += [
            Addition(text=each.content, memory=each)
            for each in memories
            if each.commit in between and stated.isdisjoint(_split_lines(each.content))
        ]
    finally:
        objects.close()
    report = ""
    if format == "markdown":
        report = write_markdown(findings, added)
    elif format == "sarif":
        report = write_sarif(findings, version=__version__)
    return CheckAnswer(
        base=base,
        head=head,
        files=len(difference.changes),
        memories=len(memories),
        findings=tuple(findings),
        added=tuple(added),
        report=report,
    )


def _split_lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines()]


def _find_commits(objects: Objects, git_directory: str, checked_out: str | None, range: str | None) -> tuple[str, str]:
    """Return the ids of the two commits, base and head, that a range such as `main...HEAD` names.

    Without dots, the range names the base, and the head is HEAD. Without a range, the base is the default branch, or
    the previous commit if the default branch is checked out. Unless the range has two dots, the base is the merge base
    of both commits, as in a pull request.
    """
    text = range or ""
    dots = "..." if "..." in text else ".."
    first, has_dots, second = text.partition(dots)
    first = first or find_default_branch(git_directory) or "HEAD~1"
    names = (first, second or "HEAD")
    found = [resolve_revision(objects, git_directory, checked_out, name) for name in names]
    for name, commit in zip(names, found, strict=True):
        if commit is None and not range:
            raise UsageError(f"there are no two commits to compare yet; commit a change, or {_FETCH}")
        if commit is None:
            raise UsageError(f"{name!r} is no branch, tag or whole commit id here; {_FETCH}")
    base, head = str(found[0]), str(found[1])
    if dots == "..." or not has_dots:
        meeting = find_merge_base(git_directory, base, head)
        if meeting is None:
            raise Refused(f"{names[0]} and {names[1]} have no commit in common here; {_FETCH}")
        base = meeting
    if base == head and not range:
        # The default branch is checked out, so compare the last commit with the one before it.
        base = resolve_revision(objects, git_directory, head, "HEAD~1") or base
    return base, head


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
