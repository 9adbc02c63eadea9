"""Find achievements in the history of a repository: releases, features, fixes and milestones.

A commit subject may have the conventional form (`feat(shop): add CSV export`) or be plain English ("Add CSV export"). A
release is a tag with a version, or a commit that announces one; a tag and a commit with the same version are one
release. Commits that need no memory are left out: changes to spelling, formatting, dependencies, tests and pipelines.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from limpet.lean.enumeration import StrEnum
from limpet.lean.pattern import lazy
from limpet.lean.record import record
from limpet.model.memory import Impact, Type
from limpet.secrets.redact import redact
from limpet.text.excerpt import shorten_line
from limpet.text.words import word_set
from limpet.workspace.history import Commit, Tag

_DETAILS = 300
_EXAMINED = 10 * _DETAILS
_LEAST_WORDS = 2

_PREFIX = lazy(r"(\w{2,12})(?:\([^)\n]{0,60}\))?(!)?:\s++(\S[^\n]*)")
_TICKET = lazy(r"(?:\[[^\]\n]{1,20}\]|#\d++|[A-Z]{2,10}-\d++)[:\s-]++")
_PULL = lazy(r"Merge (?:pull request|PR) #?(\d++)|Merged in [^\n]++|See merge request")
_MERGE = lazy(r"Merge (?:remote-tracking )?(?:branch|tag|commit)\b|Merge [\w./-]++ into ")
_VERSION = r"v?(\d{1,6}\.\d{1,6}(?:\.\d{1,6})?(?:[-+.]?(?:a|b|rc|alpha|beta|dev|post|pre)[\w.]{0,20})?)"
_TAG = lazy(rf"(?:[\w./-]{{0,60}}[@/-])?{_VERSION}$")
_RELEASE = lazy(
    rf"(?i:(?:cut |publish |prepare |prepare for )?(?:the )?(?:release|version)[\s:]*+{_VERSION}\b"
    rf"|bump(?: the)?(?: version)?(?: number)?(?: from \S{{1,40}})?(?: to)? {_VERSION}(?!\S)"
    rf"|{_VERSION}(?: release)?$)"
)
_BREAKS = lazy(r"(?m)^BREAKING[ -]CHANGE: ")
_TRAILER = lazy(r"(?mi)^(?:co-authored-by|signed-off-by|reviewed-by|acked-by|change-id|closes|fixes|refs)[ :][^\n]*+$")

_FEATURES = word_set(
    "add adds added implement implements implemented introduce introduces introduced support supports create creates "
    "created ship ships shipped launch launched allow allows allowed enable enables enabled provide provides offer"
)
_FIXES = word_set("fix fixes fixed resolve resolves resolved repair repairs repaired correct corrects corrected hotfix")
_MILESTONES = word_set(
    "migrate migrates migrated rewrite rewrites rewrote port ports ported replace replaces replaced switch switches "
    "switched complete completes completed"
)
_TRIVIA = word_set(
    "typo typos lint linter linting format formatting whitespace style spelling grammar comment comments test tests ci "
    "pipeline workflow build merge conflict conflicts review nit nits gitignore changelog readme docs documentation "
    "docstring docstrings import imports warning warnings indentation todo license fixture fixtures snapshot snapshots"
)


class AchievementKind(StrEnum):
    """The kind of an achievement."""

    RELEASE = "release"
    FEATURE = "feature"
    FIX = "fix"
    MILESTONE = "milestone"

    @property
    def type(self) -> Type:
        """Return the memory type for an achievement of this kind."""
        return {AchievementKind.FEATURE: Type.FEATURE, AchievementKind.FIX: Type.BUGFIX}.get(self, Type.CHANGE)

    @property
    def impact(self) -> Impact:
        """Return the memory impact for an achievement of this kind."""
        return Impact.MEDIUM if self in (AchievementKind.RELEASE, AchievementKind.MILESTONE) else Impact.LOW


_BY_PREFIX = {
    **dict.fromkeys(("feat", "feature"), AchievementKind.FEATURE),
    **dict.fromkeys(("fix", "bugfix", "hotfix"), AchievementKind.FIX),
}


@record
class Achievement:
    """An achievement found in one commit."""

    kind: AchievementKind
    title: str
    text: str
    """The title and the first paragraph of the commit or tag message."""
    commit: str
    at: datetime
    version: str = ""
    """The version of a release; an empty string for other achievements."""


def find_achievements(commits: Iterable[Commit], tags: Iterable[Tag], *, shallow: bool = False) -> list[Achievement]:
    """Return the achievements found in commits, in the order of the commits.

    There is at most one achievement per commit, per version and per title. In a `shallow` clone, a commit without
    parents is not the start of the project.
    """
    versions = {tag.commit: (tag, named[1]) for tag in tags if (named := _TAG.match(tag.name)) is not None}
    tagged = {version for _, version in versions.values()}
    found: list[Achievement] = []
    titles: set[str] = set()
    for commit in commits:
        if commit.id in versions:
            tag, version = versions[commit.id]
            found.append(_describe_release(commit, version, name=tag.name, details=tag.message))
            continue
        made = _judge_commit(commit, shallow=shallow)
        # A merge repeats the subjects of its commits, and a commit may be cherry-picked to several branches.
        if made is None or made.version in tagged or made.title.casefold() in titles:
            continue
        titles.add(made.title.casefold())
        if made.version:
            tagged.add(made.version)
        found.append(made)
    return found


def _judge_commit(commit: Commit, *, shallow: bool) -> Achievement | None:
    if not commit.parents and not shallow:
        return _describe(AchievementKind.MILESTONE, commit, f"Started the project: {commit.subject}", commit.body)
    subject, body = commit.subject, commit.body
    pull = _PULL.match(subject)
    if pull is not None:
        # The subject of such a commit names a branch; the title of the pull request is the first line of the body.
        subject, _, body = body.partition("\n")
    elif len(commit.parents) > 1 or _MERGE.match(subject):
        return None
    return _judge_subject(commit, _strip_ticket(subject.strip()), body.strip())


def _strip_ticket(subject: str) -> str:
    found = _TICKET.match(subject)
    return subject[found.end() :] if found is not None else subject


def _judge_subject(commit: Commit, subject: str, body: str) -> Achievement | None:
    conventional = _PREFIX.match(subject)
    prefix = conventional[1].lower() if conventional is not None else ""
    summary = conventional[3] if conventional is not None else subject
    release = _RELEASE.match(summary)
    if release is not None and prefix in ("", "chore", "release", "build"):
        return _describe_release(commit, next(filter(None, release.groups())), details=body)
    words = [word.strip(".,:;!?()`'\"").casefold() for word in summary.split()]
    # The subject of a trivial commit has a word such as "typo" and at most four words that are not of this sort.
    trivial = sum(word in _TRIVIA for word in words[1:])
    if len(words) < _LEAST_WORDS or (trivial and len(words) - trivial <= 4):
        return None
    if (conventional is not None and conventional[2]) or _BREAKS.search(body):
        return _describe(AchievementKind.MILESTONE, commit, summary, body)
    kind = _BY_PREFIX.get(prefix)
    if kind is None and not prefix:
        named = (
            (_FEATURES, AchievementKind.FEATURE),
            (_FIXES, AchievementKind.FIX),
            (_MILESTONES, AchievementKind.MILESTONE),
        )
        kind = next((each for verbs, each in named if words[0] in verbs), None)
    return None if kind is None else _describe(kind, commit, summary, body)


def _describe_release(commit: Commit, version: str, *, name: str = "", details: str = "") -> Achievement:
    title = f"Released {name or version}"
    notes = _first_paragraph(details)
    # A message that only repeats the version is left out.
    notes = "" if _TAG.match(notes) or (_RELEASE.match(notes) and len(notes) < 40) else notes
    return _make_achievement(AchievementKind.RELEASE, commit, title, notes, version=version)


def _describe(kind: AchievementKind, commit: Commit, summary: str, body: str) -> Achievement:
    title = summary.strip().rstrip(".")
    return _make_achievement(kind, commit, title[:1].upper() + title[1:], _first_paragraph(body))


def _make_achievement(
    kind: AchievementKind, commit: Commit, title: str, details: str, *, version: str = ""
) -> Achievement:
    # Secrets are removed before the text is shortened, because a part of a secret would not be recognised.
    title = shorten_line(redact(title[:_EXAMINED])[0], 120)
    return Achievement(
        kind=kind,
        title=title,
        text=f"{title}. {details}" if details else title,
        commit=commit.id,
        at=commit.at,
        version=version,
    )


def _first_paragraph(text: str) -> str:
    plain = _TRAILER.sub("", text).strip()
    return shorten_line(redact(plain.partition("\n\n")[0][:_EXAMINED])[0], _DETAILS)
