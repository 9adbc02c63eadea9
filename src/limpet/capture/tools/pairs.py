"""Pair a failed command with the change that fixed it and the command that then passed.

A failure is kept until the same command, or another one on the same file or test, succeeds. The solution is the changes
in between that concern the failure (see `changes`). Nothing is learnt if the command passes without such a change, if
the passing command avoids what failed, or if the error line is too general.
"""

from __future__ import annotations

from limpet.capture.candidate import Candidate, find_concepts
from limpet.capture.meaning import Meaning
from limpet.capture.tools.changes import (
    MOST_CLUES,
    describe_command,
    describe_edit,
    edit_key,
    find_clues,
    find_reverted,
    is_setting,
    may_prepare,
    names_clue,
    narrows,
    short_path,
    touches_clue,
)
from limpet.capture.tools.failures import has_failed, has_passed
from limpet.capture.tools.observe import Observation
from limpet.capture.tools.shell import Run, is_cosmetic
from limpet.lean.pattern import lazy
from limpet.lean.record import record, replace
from limpet.model.event import Action
from limpet.model.memory import Origin, Type
from limpet.text.error_lines import find_error_line
from limpet.text.error_signature import error_tag
from limpet.text.excerpt import shorten_line

_MOST_PENDING, _MOST_CHANGES, _MOST_ERRORS = 8, 6, 3
_ERROR = 320
Step = tuple[str, str, str]
"""A change after a failure: its description, the edited file or an empty string, and the key of the edit."""


@record
class Pending:
    """A failed command that has not been fixed yet."""

    name: str
    kind: str
    command: str
    """The failed command, on one line."""
    targets: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    """The error lines, oldest first. There are several if a partial fix led to another error."""
    clues: tuple[str, ...] = ()
    """The file names and identifiers that link a later change to this failure."""
    steps: tuple[Step, ...] = ()
    """The changes that concern the failure, oldest first."""
    settled: int = 0
    """How many of the steps were made before the command last failed."""
    prepared: tuple[Step, ...] = ()
    """Environment changes since the command last failed that contain no clue."""
    edits: int = 0
    """How many other edits were made since the command last failed."""
    tries: int = 1
    line: int | None = None


def track_failures(pending: tuple[Pending, ...], seen: Observation) -> tuple[tuple[Pending, ...], Candidate | None]:
    """Return the failures that are still open after an observation, and a memory candidate.

    The candidate describes a failure that was fixed and its fix; it is None if there is none.
    """
    if seen.action is Action.EDIT and not seen.failed:
        return tuple(_add_edit(each, seen) for each in pending), None
    run = seen.run
    if run is None:
        return pending, None
    if not seen.failed and (reverted := find_reverted(seen.command)) is not None:
        pending = tuple(_drop_reverted_edits(each, reverted) for each in pending)
    if has_failed(run, seen.text, failed=seen.failed):
        waits = run.kind != "look" and not is_cosmetic(run) and bool(run.program) and seen.origin is not Origin.EXTERNAL
        return (_add_failure(pending, seen, run) if waits else pending), None
    if not has_passed(run, seen.text, failed=seen.failed):
        may_solve = not seen.failed and run.programs & _FILE_COMMANDS
        return (_add_command(pending, seen, run) if may_solve else pending), None
    solved = [each for each in pending if _proves_fixed(run, seen.command, each)]
    rest = tuple(each for each in pending if each not in solved)
    if solved:
        return rest, _solved_candidate(solved[0], seen)
    if run.kind in ("install", "run", "other") and not seen.failed:
        rest = _add_command(rest, seen, run)
    return rest, None


# Routine by themselves, but one of them may be the solution of a failure.
_FILE_COMMANDS = frozenset(["mkdir", "touch", "chmod", "chown", "ln", "cp", "mv", "rm", "kill", "pkill", "killall"])


def _add_failure(pending: tuple[Pending, ...], seen: Observation, run: Run) -> tuple[Pending, ...]:
    error = shorten_line(find_error_line(seen.text) or f"{run.name} failed", _ERROR)
    clues = find_clues(seen.text, error)
    same = next((each for each in pending if _repeats(run, seen.command, each)), None)
    if same is None:
        fresh = Pending(
            name=run.name,
            kind=run.kind,
            command=describe_command(seen.command),
            targets=run.targets,
            errors=(error,),
            clues=clues,
            line=seen.line,
        )
        return (*pending, fresh)[-_MOST_PENDING:]
    # What was done since the last failure has not helped if the same error is back.
    helped = error != same.errors[-1]
    steps = (_find_steps(same) or same.steps) if helped else same.steps[: same.settled]
    errors = same.errors if error in same.errors else (*same.errors, error)
    if len(errors) > _MOST_ERRORS:
        errors = (errors[0], *errors[-(_MOST_ERRORS - 1) :])
    again = replace(
        same,
        errors=errors,
        clues=tuple(dict.fromkeys((*same.clues, *clues)))[-MOST_CLUES:],
        steps=steps,
        settled=len(steps),
        prepared=(),
        edits=0,
        tries=same.tries + 1,
        targets=same.targets or run.targets,
    )
    return tuple(again if each is same else each for each in pending)


def _proves_fixed(run: Run, command: str, failure: Pending) -> bool:
    """Tell whether a passing command proves that a failure is fixed.

    It must repeat the failed command, or run the same file or test, and must not skip what failed.
    """
    if not _repeats(run, command, failure) or narrows(command, failure.command, failure.clues):
        return False
    if run.kind in ("test", "build", "lint") and run.targets and not failure.targets:
        # Everything was run before, so the one that is run now must be the one that failed.
        return any(names_clue(_remove_test_name(target), failure.clues) for target in run.targets)
    if run.kind == "install":
        ours, theirs = _find_plain_words(command), _find_plain_words(failure.command)
        return theirs <= ours or bool(ours & theirs - _find_plain_words(failure.name))
    return True


_PACKAGE = lazy(r"[\w@./-]+")


def _find_plain_words(command: str) -> set[str]:
    """Return the words of a command without options and versions."""
    found = (_PACKAGE.match(word.strip("'\"")) for word in command.split() if not word.startswith("-"))
    return {each.group().partition("@")[0] or each.group() for each in found if each is not None}


def _repeats(run: Run, command: str, failure: Pending) -> bool:
    """Tell whether a command repeats a failed one, or runs the same file or test."""
    ours = {_remove_test_name(each) for each in run.targets}
    theirs = {_remove_test_name(each) for each in failure.targets}
    if run.name != failure.name:
        return bool(ours & theirs) and run.kind == failure.kind
    if run.kind in ("run", "fetch", "other") and not run.part:
        # An interpreter or a client runs whatever it is given, so that has to be the same too.
        return bool(ours & theirs) or _is_same_command(describe_command(command), failure.command)
    return not ours or not theirs or bool(ours & theirs)


def _remove_test_name(target: str) -> str:
    return target.split("::", 1)[0]


def _add_edit(failure: Pending, seen: Observation) -> Pending:
    failure = replace(failure, edits=failure.edits + 1)
    path = seen.files_modified[0] if seen.files_modified else ""
    undone = edit_key(seen, undone=True)
    kept = tuple(step for step in failure.steps if not (undone and step[1:] == (path, undone)))
    if len(kept) < len(failure.steps):
        return replace(failure, steps=kept, settled=min(failure.settled, len(kept)), edits=failure.edits - 1)
    if not path:
        return failure
    step = (describe_edit(seen), path, edit_key(seen))
    if touches_clue(seen, failure.clues, failure.command, failure.errors[-1] if failure.errors else ""):
        return _add_step(replace(failure, edits=failure.edits - 1), step)
    if is_setting(seen):
        return replace(failure, edits=failure.edits - 1, prepared=(*failure.prepared, step)[-2:])
    return failure


def _add_command(pending: tuple[Pending, ...], seen: Observation, run: Run) -> tuple[Pending, ...]:
    command = describe_command(seen.command)
    found = []
    for each in pending:
        if names_clue(command, each.clues):
            each = _add_step(each, (f"ran `{command}`", "", ""))
        elif may_prepare(run, each.command):
            each = replace(each, prepared=(*each.prepared, (f"ran `{command}`", "", ""))[-2:])
        found.append(each)
    return tuple(found)


def _add_step(failure: Pending, step: Step) -> Pending:
    steps = failure.steps if step in failure.steps else (*failure.steps, step)
    dropped = max(0, len(steps) - _MOST_CHANGES)
    return replace(failure, steps=steps[dropped:], settled=max(0, failure.settled - dropped))


def _drop_reverted_edits(failure: Pending, files: tuple[str, ...]) -> Pending:
    """Return the failure without the edits that were reverted.

    These are the edits of `files`, or all edits if `files` is empty.
    """
    kept = tuple(
        step
        for step in failure.steps
        if not step[1] or (files and short_path(step[1]).rpartition("/")[2].lower() not in files)
    )
    return replace(failure, steps=kept, settled=min(failure.settled, len(kept)))


_LOOKS = lazy(
    r"\s(?:2>&1|-(?:q|qq|v|vv|vvv|x|s)\b|--tb=\w+|--verbose|--quiet|--fix\b)|\|\s*(?:tail|head|grep|tee|cat|less)\b[^|]*"
)


def _is_same_command(one: str, other: str) -> bool:
    """Tell whether two command lines differ only in how much they print, or in letting a linter mend what it finds."""
    return " ".join(_LOOKS.sub(" ", one).split()) == " ".join(_LOOKS.sub(" ", other).split())


def _find_steps(failure: Pending) -> tuple[Step, ...]:
    """Return the changes that may have fixed a failure.

    An environment change counts only if it is the only change.
    """
    if len(failure.steps) > failure.settled or failure.edits or not failure.prepared:
        return failure.steps
    paths = {step[1] for step in failure.prepared}
    is_one = len(failure.prepared) == 1 or (len(paths) == 1 and paths != {""})
    return (*failure.steps, *failure.prepared)[-_MOST_CHANGES:] if is_one else failure.steps


def _find_solution(failure: Pending, command: str) -> tuple[Step, ...]:
    """Return the changes that fixed a failure.

    Return an empty tuple if nothing relevant was changed since the failure last occurred.
    """
    steps = _find_steps(failure)
    if len(steps) > failure.settled:
        return steps
    if failure.edits or failure.prepared or _is_same_command(command, failure.command):
        return ()
    return (*steps, (f"ran `{command}` instead of `{failure.command}`", "", ""))


def _solved_candidate(failure: Pending, seen: Observation) -> Candidate | None:
    command = describe_command(seen.command)
    steps = _find_solution(failure, command)
    changes = tuple(step[0] for step in steps)
    tags = tuple(dict.fromkeys(filter(None, map(error_tag, failure.errors))))
    if not changes or not tags:
        return None
    specific = [error for error in failure.errors if error_tag(error)]
    lines = [f"Problem: `{failure.command}` failed: {specific[0]}"]
    lines += [f"Then: {each}" for each in specific[1:]]
    lines.append(f"Solution: {'; '.join(changes)}")
    lines.append(f"Now passes: `{command}`" + (f" (after {failure.tries} failures)" if failure.tries > 1 else ""))
    paths = tuple(dict.fromkeys(step[1] for step in steps if step[1]))
    meanings = frozenset({Meaning.SOLVED_FAILURE, Meaning.FIX})
    return Candidate(
        text="\n".join(lines),
        # Without the path, which the error may name too.
        written="\n".join(step[0].partition(", ")[2] if step[1] else step[0] for step in steps),
        type=Type.BUGFIX,
        origin=Origin.TOOL,
        title=shorten_line(f"{_shorten_error(specific[0])}: fixed {_describe_solution(paths, changes[-1])}", 110),
        subtitle=shorten_line(f"`{command}` passes again", 140),
        concepts=find_concepts(meanings, Type.BUGFIX),
        tags=tags,
        meanings=meanings,
        content=8,
        concrete=2 + len(paths),
        real_error=True,
        files_modified=paths,
        why="a failure and what made it pass",
    )


def _shorten_error(error: str) -> str:
    return shorten_line(error.replace("`", ""), 60)


def _describe_solution(paths: tuple[str, ...], change: str) -> str:
    if paths:
        return f"in {', '.join(map(short_path, paths[-2:]))}"
    return f"by {shorten_line(change.replace('`', '').replace('ran ', 'running ', 1), 60)}"
