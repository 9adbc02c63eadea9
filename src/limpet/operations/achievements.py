"""Create memories from the releases, features, fixes and milestones in the git history of the repository."""

from __future__ import annotations

from datetime import datetime

from limpet.curating.writing import write_admitted
from limpet.errors import Refused, UsageError
from limpet.insight.achievements import Achievement, find_achievements
from limpet.lean.record import pick, record
from limpet.model.memory import Draft, Kind, Origin, Source
from limpet.model.outcome import Admitted, Outcome
from limpet.model.query import check_page, query_everything
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import limit_param
from limpet.runtime import Runtime
from limpet.workspace.history import is_shallow, read_commits, read_tags


@record
class AchievementsAnswer:
    """The achievements that were found in the git history, with the outcome of storing each of them."""

    commits: int
    found: tuple[tuple[Achievement, Outcome | None], ...]
    """The new achievements, newest first, each with the outcome of storing it, or with None in a dry run."""
    known: int
    """How many achievements were already stored."""
    left_out: int
    """How many of the older achievements were not stored, because there were more than the limit."""
    shallow: bool
    dry_run: bool
    damaged: tuple[str, ...] = ()
    """The ids of commits that could not be read. Their ancestors were not searched."""

    @property
    def added(self) -> int:
        return sum(isinstance(outcome, Admitted) for _, outcome in self.found)


def run(
    runtime: Runtime, *, since: datetime | None = None, limit: int = 100, dry_run: bool = False
) -> AchievementsAnswer:
    check_page(limit)
    # Raises an error if this folder claims to be a known project without proof.
    scope = runtime.scope()
    place = runtime.place
    if runtime.where().root is None:
        raise UsageError("a history is read in its folder: run this in the project's folder, without --project")
    if place.git_directory is None or not place.is_linked:
        raise UsageError("there is no git repository here; go to the folder of one")
    if place.head is None:
        raise UsageError(
            "no commit is checked out here, or the repository stores its branches in a format that Limpet cannot read; "
            "commit something first, or use the default ref format of git"
        )
    shallow = is_shallow(place.git_directory)
    damaged: list[str] = []
    commits = list(
        read_commits(
            place.git_directory,
            place.head,
            since=since,
            tick=lambda count: runtime.progress(f"reading commits, {count} so far", count % 1000, 1001),
            damaged=damaged.append,
        )
    )
    if place.head in damaged:
        raise Refused(
            f"commit {place.head[:10]}, which is checked out, is missing, damaged or in another repository; "
            "check this one with `git fsck`, nothing was remembered"
        )
    achieved = find_achievements(commits, read_tags(place.git_directory), shallow=shallow)
    reading = runtime.reading()
    known = {
        stored.memory.source.commit
        for stored in reading.browse(query_everything(scope, now=runtime.now())).items
        if stored.memory.source is not None and stored.memory.source.commit
    }
    # A memory that a hook made at a commit has only the first characters of the commit's id.
    lengths = {len(commit) for commit in known}
    new = [each for each in achieved if not any(each.commit[:length] in known for length in lengths)]
    chosen = new[:limit]
    outcomes: list[Outcome | None] = [None] * len(chosen) if dry_run else [*_admit(runtime, chosen)]
    return AchievementsAnswer(
        commits=len(commits),
        found=tuple(zip(chosen, outcomes, strict=True)),
        known=len(achieved) - len(new),
        left_out=len(new) - len(chosen),
        shallow=shallow,
        damaged=tuple(damaged),
        dry_run=dry_run,
    )


def _admit(runtime: Runtime, achieved: list[Achievement]) -> list[Outcome]:
    """Store the achievements as memories, each with the date of its commit, and return the outcomes."""
    reading, outcomes, changes = runtime.reading(), list[Outcome](), []
    for each in reversed(achieved):
        door = runtime.admission(reading=reading, now=each.at)
        draft = Draft(
            text=each.text,
            title=each.title,
            kind=Kind.ACHIEVEMENTS,
            type=each.kind.type,
            impact=each.kind.impact,
            tags=(each.kind.value,),
            # The caller did not write these texts.
            origin=Origin.FILE,
            source=Source(commit=each.commit),
        )
        outcomes.append(door.admit(draft))
        changes += door.changes
    write_admitted(runtime, changes, outcomes)
    return outcomes[::-1]


def shape(answer: AchievementsAnswer) -> dict[str, object]:
    found = [
        {
            **pick(each, "kind", "title", "text", "commit", "at"),
            "outcome": outcome and type(outcome).__name__.lower(),
        }
        for each, outcome in answer.found
    ]
    more = ("added", "known", "left_out", "shallow", "damaged", "dry_run")
    return {"commits": answer.commits, "achievements": found, **pick(answer, *more)}


VERB = Verb(
    run=run,
    shape=shape,
    params=(
        Param(name="since", help="Only commits from this date on.", kind="moment"),
        limit_param(100, what="new achievements"),
        Param(name="dry_run", help="Only show what would be remembered.", kind="flag"),
    ),
    details=(
        "Reads the commits and tags of this repository, without running git, and remembers releases, features, fixes "
        "and milestones, each once. Anybody who can write to the repository may have written these texts, so they are "
        "found when somebody asks and never told unasked until you confirm them."
    ),
    examples=("limpet achievements", "limpet achievements --since 2026-10-01", "limpet achievements --dry-run"),
)
