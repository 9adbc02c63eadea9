"""What a commit, a pull request or a release says about itself: the work as its author would name it."""

from __future__ import annotations

import re

from limpet.capture.candidate import TYPE_OF_WORK, Candidate, find_concepts, format_title
from limpet.capture.meaning import Meaning
from limpet.capture.speech.statements import parse_statements
from limpet.capture.tools.observe import Observation
from limpet.lean.pattern import lazy
from limpet.model.memory import Origin, Type
from limpet.text.excerpt import shorten_line
from limpet.text.words import listed

_LONGEST = 800
_HOUSEKEEPING = ("chore", "style", "ci", "docs", "deps", "test")
_TELLING = 4  # words with which a commit that keeps house says more than that

_HEREDOC = lazy(r"<<-?\s*+['\"]?(\w++)['\"]?[^\n]*+\n(.*?)\n\s*+\1", re.DOTALL)
_MESSAGE = lazy(
    r"(?:^|\s)(?:-[a-zA-Z]*m|--message|--title|--body|--notes|-t|-b)[= ]?"
    r"(?:\"((?:[^\"\\]|\\.)*+)(?:\"|\\?\Z)|'([^']*+)(?:'|\Z)|(\S++))"
)
_PREFIX = lazy(r"(\w++)(?:\([^)]{0,60}\))?(!)?:\s++(.*)", re.DOTALL)
# "ABC-12 part 1/9: …": the ticket, not the work.
_NUMBERED = lazy(r"(?:#\d++|\[[^\]\n]{1,20}\]|[A-Z]{1,10}\d*+-\d++)[^:\n]{0,24}:\s++|\[[A-Z]{1,10}-\d++\]\s++")
_MADE = lazy(r"^\[(?:[^\]\n]{1,200}? )?([0-9a-f]{7,40})\]", re.MULTILINE)
_SIGNED = lazy(
    r"^(?:Co-Authored-By|Signed-off-by|Reviewed-by|Change-Id|🤖 Generated)[^\n]*+$", re.MULTILINE | re.IGNORECASE
)

_BY_PREFIX = {
    "fix": Type.BUGFIX, "bugfix": Type.BUGFIX, "hotfix": Type.BUGFIX, "feat": Type.FEATURE, "feature": Type.FEATURE,
    "refactor": Type.REFACTOR, "perf": Type.CHANGE, "revert": Type.CHANGE, "build": Type.CHANGE, "ci": Type.CHANGE,
    "chore": Type.CHANGE, "docs": Type.CHANGE, "style": Type.CHANGE, "test": Type.CHANGE, "deps": Type.CHANGE,
}  # fmt: skip
_BY_VERB = {
    **dict.fromkeys(
        listed(
            "fix fixes fixed resolve resolves correct repair prevent handle avoid stop guard behebe behebt "
            "corrige arregla исправить исправлено 修复 修正"
        ),
        Type.BUGFIX,
    ),
    **dict.fromkeys(
        listed(
            "add adds added implement implements implemented introduce introduces integrate integrates integrated "
            "wire support create allow enable expose let füge ajoute "
            "añade agrega добавить добавлено 新增 添加 追加"
        ),
        Type.FEATURE,
    ),
    **dict.fromkeys(
        listed(
            "refactor extract rename move split simplify inline deduplicate restructure clean cleanup reorganize "
            "reorganise rewrite consolidate 重构"
        ),
        Type.REFACTOR,
    ),
}
# Said of every commit, and of none in particular.
_IDLE = listed(
    "wip update updates changes change misc cleanup clean typo typos lint format formatting bump version "
    "release merge initial commit stuff minor tweak tweaks fix fixes fixup squash tmp temp test tests save "
    "progress checkpoint ci docs readme chore review comments address feedback deps dependencies lockfile "
    "changelog the a of to for and in more some up"
)


def commit_candidate(seen: Observation) -> Candidate | None:
    """A candidate of the message; None where there is none or it says nothing."""
    message = commit_message(seen.command)
    if not message:
        return None
    subject, _, body = message.partition("\n")
    found = _PREFIX.match(subject)
    prefix = found.group(1).lower() if found is not None else ""
    told = found.group(3) if found is not None and prefix in _BY_PREFIX else subject
    numbered = _NUMBERED.match(told)
    told = told[numbered.end() :] if numbered is not None else told
    said = parse_statements(f"{told.strip()}\n{body}")
    telling = [word for word in re.findall(r"\w{2,}", told.lower()) if word not in _IDLE]
    if not said or (len(telling) < 2 and told.isascii()) or subject.startswith(("Merge ", "fixup!", "squash!")):
        return None
    kind = _type(prefix, told, said[0].first_done)
    meanings = frozenset[Meaning]().union(*(each.meanings for each in said)) | {Meaning.COMMIT}
    if (
        prefix in _HOUSEKEEPING
        and len(telling) < _TELLING
        and not meanings & {Meaning.CAUSE, Meaning.DECISION, Meaning.GOTCHA, Meaning.CONTRAST}
    ):
        return None
    made = _MADE.search(seen.text)
    text = " ".join(message.split()) if len(message) < 200 else message
    return Candidate(
        text=shorten_line(text, _LONGEST) if len(text) > _LONGEST else text,
        type=kind,
        origin=Origin.TOOL,
        title=format_title(told.strip()),
        subtitle=shorten_line(body.strip(), 140),
        concepts=find_concepts(meanings, kind),
        meanings=meanings | _named(kind),
        content=min(12, len(telling)) + sum(each.content for each in said[1:]),
        concrete=sum(each.concrete for each in said),
        amounts=sum(each.amounts for each in said),
        files_modified=seen.files_modified,
        commit=made.group(1) if made is not None else None,
        why="a commit that says what it did",
    )


def _named(kind: Type) -> frozenset[Meaning]:
    return frozenset(name for name, each in TYPE_OF_WORK.items() if each is kind)


def commit_message(command: str) -> str:
    """The message given on the command line, in quotes or in a here-document; several parts are paragraphs."""
    here = _HEREDOC.search(command)
    if here is not None:
        title = _MESSAGE.search(command[: here.start()])
        body = _SIGNED.sub("", here.group(2)).strip()
        first = _group(title) if title is not None else ""
        return f"{first}\n\n{body}" if first and "$(" not in first else body
    parts = [_group(found) for found in _MESSAGE.finditer(command)]
    return _SIGNED.sub("", "\n\n".join(part.replace('\\"', '"') for part in parts if part)).strip()


def _group(found: re.Match[str]) -> str:
    return next((part for part in found.groups() if part), "")


def _type(prefix: str, told: str, done: Meaning | None) -> Type:
    if prefix in _BY_PREFIX:
        return _BY_PREFIX[prefix]
    words = told.lower().split()
    if words and words[0] in _BY_VERB:
        return _BY_VERB[words[0]]
    for cue, kind in _BY_VERB.items():
        if not cue.isascii() and len(cue) == 2 and cue in told:
            return kind
    return Type.CHANGE if done is None else TYPE_OF_WORK[done]
