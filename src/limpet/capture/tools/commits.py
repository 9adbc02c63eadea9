"""Turn the message of a commit, a pull request or a release into a memory candidate."""

from __future__ import annotations

import re

from limpet.capture.candidate import TYPE_OF_WORK, Candidate, find_concepts, format_title
from limpet.capture.meaning import Meaning
from limpet.capture.speech.statements import parse_statements
from limpet.capture.tables import word_list
from limpet.capture.tools.observe import Observation
from limpet.lean.pattern import lazy
from limpet.model.memory import Origin, Type
from limpet.text.excerpt import shorten_line

_LONGEST = 800
_HOUSEKEEPING = ("chore", "style", "ci", "docs", "deps", "test")
_LEAST_WORDS = 4  # words that a housekeeping commit needs to be worth keeping

_HEREDOC = lazy(r"<<-?\s*+['\"]?(\w++)['\"]?[^\n]*+\n(.*?)\n\s*+\1", re.DOTALL)
_MESSAGE = lazy(
    r"(?:^|\s)(?:-[a-zA-Z]*m|--message|--title|--body|--notes|-t|-b)[= ]?"
    r"(?:\"((?:[^\"\\]|\\.)*+)(?:\"|\\?\Z)|'([^']*+)(?:'|\Z)|(\S++))"
)
_PREFIX = lazy(r"(\w++)(?:\([^)]{0,60}\))?(!)?:\s++(.*)", re.DOTALL)
# "ABC-12 part 1/9: …": the ticket, not the work.
_NUMBERED = lazy(r"(?:#\d++|\[[^\]\n]{1,20}\]|[A-Z]{1,10}\d*+-\d++)[^:\n]{0,24}:\s++|\[[A-Z]{1,10}-\d++\]\s++")
_COMMIT_ID = lazy(r"^\[(?:[^\]\n]{1,200}? )?([0-9a-f]{7,40})\]", re.MULTILINE)
_TRAILER = lazy(
    r"^(?:Co-Authored-By|Signed-off-by|Reviewed-by|Change-Id|🤖 Generated)[^\n]*+$", re.MULTILINE | re.IGNORECASE
)

_BY_PREFIX = {
    "fix": Type.BUGFIX, "bugfix": Type.BUGFIX, "hotfix": Type.BUGFIX, "feat": Type.FEATURE, "feature": Type.FEATURE,
    "refactor": Type.REFACTOR, "perf": Type.CHANGE, "revert": Type.CHANGE, "build": Type.CHANGE, "ci": Type.CHANGE,
    "chore": Type.CHANGE, "docs": Type.CHANGE, "style": Type.CHANGE, "test": Type.CHANGE, "deps": Type.CHANGE,
}  # fmt: skip
_TABLE = "tools/commits"
_BY_VERB = {verb: kind for kind in (Type.BUGFIX, Type.FEATURE, Type.REFACTOR) for verb in word_list(_TABLE, kind.value)}
_EMPTY = word_list(_TABLE, "empty words")


def commit_candidate(seen: Observation) -> Candidate | None:
    """Return a memory candidate for a commit message, or None if the message is missing or says too little."""
    message = commit_message(seen.command)
    if not message:
        return None
    subject, _, body = message.partition("\n")
    found = _PREFIX.match(subject)
    prefix = found.group(1).lower() if found is not None else ""
    headline = found.group(3) if found is not None and prefix in _BY_PREFIX else subject
    numbered = _NUMBERED.match(headline)
    headline = headline[numbered.end() :] if numbered is not None else headline
    said = parse_statements(f"{headline.strip()}\n{body}")
    specific = [word for word in re.findall(r"\w{2,}", headline.lower()) if word not in _EMPTY]
    if not said or (len(specific) < 2 and headline.isascii()) or subject.startswith(("Merge ", "fixup!", "squash!")):
        return None
    kind = _choose_type(prefix, headline, said[0].first_done)
    meanings = frozenset[Meaning]().union(*(each.meanings for each in said)) | {Meaning.COMMIT}
    if (
        prefix in _HOUSEKEEPING
        and len(specific) < _LEAST_WORDS
        and not meanings & {Meaning.CAUSE, Meaning.DECISION, Meaning.GOTCHA, Meaning.CONTRAST}
    ):
        return None
    made = _COMMIT_ID.search(seen.text)
    text = " ".join(message.split()) if len(message) < 200 else message
    return Candidate(
        text=shorten_line(text, _LONGEST) if len(text) > _LONGEST else text,
        type=kind,
        origin=Origin.TOOL,
        title=format_title(headline.strip()),
        subtitle=shorten_line(body.strip(), 140),
        concepts=find_concepts(meanings, kind),
        meanings=meanings | {name for name, each in TYPE_OF_WORK.items() if each is kind},
        content=min(12, len(specific)) + sum(each.content for each in said[1:]),
        concrete=sum(each.concrete for each in said),
        amounts=sum(each.amounts for each in said),
        files_modified=seen.files_modified,
        commit=made.group(1) if made is not None else None,
        why="a commit that says what it did",
    )


def commit_message(command: str) -> str:
    """Return the commit message on a command line, either quoted or in a here-document.

    Several parts, such as those of repeated `-m` options, become paragraphs.
    """
    here = _HEREDOC.search(command)
    if here is not None:
        title = _MESSAGE.search(command[: here.start()])
        body = _TRAILER.sub("", here.group(2)).strip()
        first = _first_group(title) if title is not None else ""
        return f"{first}\n\n{body}" if first and "$(" not in first else body
    parts = [_first_group(found) for found in _MESSAGE.finditer(command)]
    return _TRAILER.sub("", "\n\n".join(part.replace('\\"', '"') for part in parts if part)).strip()


def _first_group(found: re.Match[str]) -> str:
    return next((part for part in found.groups() if part), "")


def _choose_type(prefix: str, headline: str, done: Meaning | None) -> Type:
    if prefix in _BY_PREFIX:
        return _BY_PREFIX[prefix]
    words = headline.lower().split()
    if words and words[0] in _BY_VERB:
        return _BY_VERB[words[0]]
    for cue, kind in _BY_VERB.items():
        if not cue.isascii() and len(cue) == 2 and cue in headline:
            return kind
    return Type.CHANGE if done is None else TYPE_OF_WORK[done]
