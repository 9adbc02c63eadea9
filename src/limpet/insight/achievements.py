"""Find what was achieved in the history of a repository: releases, features, fixes and milestones.

Subjects of commits are read in the conventional form (`feat(shop): add CSV export`) and in plain English ("Add CSV
export"). A release is a tag with a version, or a commit that announces one; both together are one release. What needs
no memory is left out: typos, formatting, updates of dependencies, work on tests and pipelines.
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
        return {AchievementKind.FEATURE: Type.FEATURE, AchievementKind.FIX: Type.BUGFIX}.get(self, Type.CHANGE)

    @property
    def impact(self) -> Impact:
        return Impact.MEDIUM if self in (AchievementKind.RELEASE, AchievementKind.MILESTONE) else Impact.LOW


_BY_PREFIX = {
    **dict.fromkeys(("feat", "feature"), AchievementKind.FEATURE),
    **dict.fromkeys(("fix", "bugfix", "hotfix"), AchievementKind.FIX),
}


@record
class Achievement:
    """One thing that was achieved, by one commit."""

    kind: AchievementKind
    title: str
    text: str
    commit: str
    at: datetime
    version: str = ""


def find_achievements(commits: Iterable[Commit], tags: Iterable[Tag], *, shallow: bool = False) -> list[Achievement]:
    """Return the achievements of a history, newest first, at most one per commit and one per version."""
    versions = {tag.commit: (tag, named[1]) for tag in tags if (named := _TAG.match(tag.name)) is not None}
    tagged = {version for _, version in versions.values()}
    found: list[Achievement] = []
    said: set[str] = set()
    for commit in commits:
        if commit.id in versions:
            tag, version = versions[commit.id]
            found.append(_describe_release(commit, version, name=tag.name, details=tag.message))
            continue
        made = _judge_commit(commit, shallow=shallow)
        # A merge repeats what its commits say, and a commit may be picked onto several branches.
        if made is None or made.version in tagged or made.title.casefold() in said:
            continue
        said.add(made.title.casefold())
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
        # The subject names a branch; the title of the pull request is the first line below it.
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
    said = conventional[3] if conventional is not None else subject
    release = _RELEASE.match(said)
    if release is not None and prefix in ("", "chore", "release", "build"):
        return _describe_release(commit, next(filter(None, release.groups())), details=body)
    words = [word.strip(".,:;!?()`'\"").casefold() for word in said.split()]
    if len(words) < _LEAST_WORDS or _is_trivial(words):
        return None
    if (conventional is not None and conventional[2]) or _BREAKS.search(body):
        return _describe(AchievementKind.MILESTONE, commit, said, body)
    kind = _BY_PREFIX.get(prefix)
    if kind is None and not prefix:
        named = (
            (_FEATURES, AchievementKind.FEATURE),
            (_FIXES, AchievementKind.FIX),
            (_MILESTONES, AchievementKind.MILESTONE),
        )
        kind = next((each for verbs, each in named if words[0] in verbs), None)
    return None if kind is None else _describe(kind, commit, said, body)


def _is_trivial(words: list[str]) -> bool:
    """Tell whether a subject is about trivia only; a short subject with a single such word counts too."""
    trivial = sum(word in _TRIVIA for word in words[1:])
    return trivial > 0 and len(words) - trivial <= 4


def _describe_release(commit: Commit, version: str, *, name: str = "", details: str = "") -> Achievement:
    title = f"Released {name or version}"
    told = _first_paragraph(details)
    # A message that only repeats the version says nothing more.
    told = "" if _TAG.match(told) or (_RELEASE.match(told) and len(told) < 40) else told
    return _make_achievement(AchievementKind.RELEASE, commit, title, told, version=version)


def _describe(kind: AchievementKind, commit: Commit, said: str, body: str) -> Achievement:
    title = said.strip().rstrip(".")
    return _make_achievement(kind, commit, title[:1].upper() + title[1:], _first_paragraph(body))


def _make_achievement(
    kind: AchievementKind, commit: Commit, title: str, details: str, *, version: str = ""
) -> Achievement:
    # A secret is replaced before the text is cut: half of one would not be recognised.
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
