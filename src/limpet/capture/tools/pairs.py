"""Pair a failure with the success that follows it: the problem, the changes in between, and the passing command.

A failure waits here until the same command, or another one on the same file or test, succeeds. The edits and commands
in between are the solution. If a command passes again without any change, nothing was learnt.
"""

from __future__ import annotations

from limpet.capture.candidate import Candidate, find_concepts
from limpet.capture.meaning import Meaning
from limpet.capture.tools.failures import error_line, error_tag, has_failed, has_passed
from limpet.capture.tools.observe import Observation
from limpet.capture.tools.shell import Run, is_cosmetic
from limpet.lean.pattern import lazy
from limpet.lean.record import record, replace
from limpet.model.event import Action
from limpet.model.memory import Origin, Type
from limpet.text.excerpt import shorten_line

_MOST_PENDING, _MOST_CHANGES, _MOST_ERRORS = 8, 6, 3
_LINE = 160
_MEANINGLESS_LINE = lazy(r"\s*+(?:[#/*{}()\[\];,]|$|import |from |\"\"\"|'''|<\?|use |package |using )")


@record
class Pending:
    """A failure that waits for its fix."""

    name: str
    kind: str
    command: str
    targets: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    """The errors in their order; later ones appeared after a partial fix."""
    changes: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    tries: int = 1
    line: int | None = None


def track_failures(pending: tuple[Pending, ...], seen: Observation) -> tuple[tuple[Pending, ...], Candidate | None]:
    """Return the failures that still wait after an observation, and a candidate if the observation solved one."""
    if seen.action is Action.EDIT and not seen.failed:
        return tuple(_add_change(each, _describe_edit(seen), seen.files_modified) for each in pending), None
    run = seen.run
    if run is None:
        return pending, None
    if has_failed(run, seen.text, failed=seen.failed):
        waits = _can_wait(run) and seen.origin is not Origin.EXTERNAL
        return (_add_failure(pending, seen, run) if waits else pending), None
    if not has_passed(run, seen.text, failed=seen.failed):
        may_solve = not seen.failed and run.programs & _FILE_COMMANDS
        return (_add_command(pending, run.text or seen.command) if may_solve else pending), None
    solved = [each for each in pending if _repeats(run, each)]
    rest = tuple(each for each in pending if not _repeats(run, each))
    if solved:
        return rest, _solved_candidate(solved[0], seen)
    if run.kind in ("install", "run", "other") and not seen.failed:
        rest = _add_command(rest, run.text)
    return rest, None


def _add_command(pending: tuple[Pending, ...], command: str) -> tuple[Pending, ...]:
    return tuple(_add_change(each, f"ran `{shorten_line(command, _LINE)}`", ()) for each in pending)


# Routine by themselves, but one of them may be the solution of a failure.
_FILE_COMMANDS = frozenset(["mkdir", "touch", "chmod", "chown", "ln", "cp", "mv", "rm", "kill", "pkill", "killall"])


def _can_wait(run: Run) -> bool:
    return run.kind != "look" and not is_cosmetic(run) and bool(run.program)


def _add_failure(pending: tuple[Pending, ...], seen: Observation, run: Run) -> tuple[Pending, ...]:
    error = shorten_line(error_line(seen.text) or f"{run.name} failed", _LINE * 2)
    same = next((each for each in pending if _repeats(run, each)), None)
    if same is None:
        fresh = Pending(
            name=run.name,
            kind=run.kind,
            command=_shorten_command(run, seen),
            targets=run.targets,
            errors=(error,),
            line=seen.line,
        )
        return (*pending, fresh)[-_MOST_PENDING:]
    errors = same.errors if error in same.errors else (*same.errors[:1], *same.errors[1:], error)
    if len(errors) > _MOST_ERRORS:
        errors = (errors[0], *errors[-(_MOST_ERRORS - 1) :])
    again = replace(same, errors=errors, tries=same.tries + 1, targets=same.targets or run.targets)
    return tuple(again if each is same else each for each in pending)


def _repeats(run: Run, failure: Pending) -> bool:
    """Tell whether a command repeats a failed one, or runs the same file or test."""
    ours = {_without_test_name(each) for each in run.targets}
    theirs = {_without_test_name(each) for each in failure.targets}
    if run.name != failure.name:
        return bool(ours & theirs) and run.kind == failure.kind
    if run.kind in ("run", "fetch", "other") and not run.part:
        # An interpreter or a client runs whatever it is given, so that has to be the same too.
        return bool(ours & theirs) or shorten_line(run.text, _LINE) == failure.command
    return not ours or not theirs or bool(ours & theirs)


def _without_test_name(target: str) -> str:
    return target.split("::", 1)[0]


def _add_change(failure: Pending, what: str, files: tuple[str, ...]) -> Pending:
    if not what:
        return failure
    changes = failure.changes if what in failure.changes else (*failure.changes, what)[-_MOST_CHANGES:]
    return replace(failure, changes=changes, files=tuple(dict.fromkeys((*failure.files, *files)))[-_MOST_CHANGES:])


def _describe_edit(seen: Observation) -> str:
    """Return the file that was edited and its first meaningful new line."""
    if not seen.files_modified:
        return ""
    given = seen.input
    old, new = given.get("old_string", given.get("old_str")), given.get("new_string", given.get("new_str"))
    before = {line.strip() for line in old.splitlines()} if isinstance(old, str) else set()
    written = new if isinstance(new, str) else seen.text
    fresh = [line.strip() for line in written.splitlines() if line.strip() and line.strip() not in before]
    main = next((line for line in fresh if not _MEANINGLESS_LINE.match(line)), fresh[0] if fresh else "")
    path = short_path(seen.files_modified[0])
    return f"{path}: `{shorten_line(main, _LINE)}`" if main else path


def short_path(path: str) -> str:
    """Return the last three parts of a path: enough to find the file, without the home folder."""
    return "/".join(part for part in path.replace("\\", "/").split("/")[-3:] if part)


def _shorten_command(run: Run, seen: Observation) -> str:
    return shorten_line(run.text or seen.command, _LINE)


def _solved_candidate(failure: Pending, seen: Observation) -> Candidate | None:
    assert seen.run is not None
    command = _shorten_command(seen.run, seen)
    changes = failure.changes
    if not changes:
        if command == failure.command:
            return None
        changes = (f"ran `{command}` instead of `{failure.command}`",)
    error = failure.errors[0]
    lines = [f"Problem: `{failure.command}` failed: {error}"]
    lines += [f"Then: {each}" for each in failure.errors[1:]]
    lines.append(f"Solution: {'; '.join(changes)}")
    lines.append(f"Now passes: `{command}`" + (f" (after {failure.tries} failures)" if failure.tries > 1 else ""))
    where = ", ".join(short_path(path) for path in failure.files[-2:]) or changes[-1]
    meanings = frozenset({Meaning.SOLVED_FAILURE, Meaning.FIX})
    return Candidate(
        text="\n".join(lines),
        written="\n".join(each.partition(": `")[2] or each for each in changes),
        type=Type.BUGFIX,
        origin=Origin.TOOL,
        title=shorten_line(f"{_shorten_error(error)}: fixed {_describe_solution(failure, where)}", 110),
        subtitle=shorten_line(f"`{command}` passes again", 140),
        concepts=find_concepts(meanings, Type.BUGFIX),
        tags=tuple(dict.fromkeys(filter(None, map(error_tag, failure.errors)))),
        meanings=meanings,
        content=8,
        concrete=2 + len(failure.files),
        real_error=True,
        files_modified=failure.files,
        why="a failure and what made it pass",
    )


def _shorten_error(error: str) -> str:
    return shorten_line(error.replace("`", ""), 60)


def _describe_solution(failure: Pending, where: str) -> str:
    return (
        f"in {where}"
        if failure.files
        else f"by {shorten_line(where.replace('`', '').replace('ran ', 'running ', 1), 60)}"
    )
