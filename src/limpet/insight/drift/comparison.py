"""Find what the difference between two commits makes false, and what it adds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from limpet.errors import Refused, UsageError
from limpet.insight.drift.difference import Difference
from limpet.insight.drift.examine import Addition, Finding, examine_instructions, examine_memories
from limpet.lean.record import record
from limpet.model.memory import Memory
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


def compare_commits(
    git_directory: str, checked_out: str | None, range: str | None, list_memories: Callable[[], Sequence[Memory]]
) -> CheckAnswer:
    """Return the statements that the difference of two commits makes false and those that it adds, without a report.

    `checked_out` is the commit that is checked out, and `range` names the two commits.
    """
    objects = Objects(git_directory)
    try:
        base, head = _find_commits(objects, git_directory, checked_out, range)
        old, new = open_tree(objects, base), open_tree(objects, head)
        if old is None or new is None:
            raise Refused(f"the files of commit {(base if old is None else head)[:10]} are not here; {_FETCH}")
        difference = Difference(old, new)
        findings, added = examine_instructions(difference)
        memories = list_memories()
        # A memory in a shared file was already examined as lines of that file, so it is not reported again.
        reported = {(each.text, each.falsehood) for each in findings}
        findings += [
            each
            for each in examine_memories(memories, difference)
            if reported.isdisjoint((line.strip(), each.falsehood) for line in each.text.splitlines())
        ]
        between = list_commits_between(git_directory, base, head)
        stated = {each.text for each in added}
        added += [
            Addition(text=each.content, memory=each)
            for each in memories
            if each.commit in between and stated.isdisjoint(map(str.strip, each.content.splitlines()))
        ]
    finally:
        objects.close()
    return CheckAnswer(
        base=base,
        head=head,
        files=len(difference.changes),
        memories=len(memories),
        findings=tuple(findings),
        added=tuple(added),
    )


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
