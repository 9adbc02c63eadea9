"""Count for each standing rule in how many conversations the agent followed it, broke it, or neither is clear.

A rule can be checked if it names something that is visible in a call: a command that is wanted or forbidden, a file
that must not be edited, a tool, or a word that must not appear in a commit message. A conversation without any related
call says nothing about the rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from limpet.insight.friction.calls import Call
from limpet.insight.friction.measures import ConversationMeasures
from limpet.lean.enumeration import StrEnum
from limpet.lean.pattern import lazy
from limpet.lean.record import record
from limpet.model.call_pattern import CallPattern, PatternKind
from limpet.text.commands import FAMILIES, name_subcommand, split_commands
from limpet.text.prohibition import denies, forbids

_READ = 1_000
_DENIAL = r"(?i:never|not|don't|dont|no|avoid|without|stop|instead of|rather than)"
_WANTED = lazy(
    r"(?<!never )(?<!not )(?<!don't )(?<!dont )\b(?:use|using|run|prefer|with|via|through|install with)"
    r" (?:only |always |just |the )?+(`?)(\w[\w@.-]*+)"
)
_FILE = lazy(
    rf"\b{_DENIAL} (?:ever )?+(?:edit|editing|touch|touching|change|changing|modify|modifying|write to|overwrite)"
    r" (?:the |any |anything in |files in |files under )?+`?+(\w[\w@./-]*+)"
)
_TOOL = lazy(rf"\b{_DENIAL} (?:ever )?+(?:use |using |call )?+(?:the )?+`?+(mcp__\w++|[A-Z][a-z]++[A-Z]\w*+)")
_WORD = lazy(rf"\b{_DENIAL} (?:ever )?+(?:add |adding |put |any |a )*+`?+(\w++(?:-\w++)++)")
_COMMIT = lazy(r"\bcommits?\b")
_PATH = lazy(r"[./]")


class Adherence(StrEnum):
    """The judgement whether a rule was followed in a conversation."""

    FOLLOWED = "followed"
    BROKEN = "broken"
    UNKNOWN = "unknown"


@record
class Counts:
    """The number of conversations in which a rule was followed, was broken, or neither is clear."""

    followed: int = 0
    broken: int = 0
    unknown: int = 0


@record
class RuleCheck:
    """The calls that a rule forbids or requires."""

    text: str
    wanted: frozenset[str] = frozenset()
    """Programs that should be used."""
    replaced: frozenset[str] = frozenset()
    """Programs that do the same job as a wanted one."""
    forbidden: tuple[CallPattern, ...] = ()
    """Edits and tools that are forbidden."""
    word: str = ""
    """A text that must not appear in a commit message."""
    denies_command: bool = False

    def judge(self, call: Call) -> Adherence:
        """Return whether one call follows the rule, breaks it, or neither is clear."""
        if any(call.is_matched_by(pattern) for pattern in self.forbidden):
            return Adherence.BROKEN
        found = Adherence.UNKNOWN
        for words in split_commands(call.command):
            part = name_subcommand(words)
            if words[0] in self.replaced or (self.denies_command and forbids(self.text, " ".join(words))):
                return Adherence.BROKEN
            if self.word and words[0] == "git" and part == "commit":
                if self.word in call.command.casefold():
                    return Adherence.BROKEN
                found = Adherence.FOLLOWED
            elif words[0] in self.wanted or (self.denies_command and self._names_command(words[0], part)):
                found = Adherence.FOLLOWED
        return found

    def _names_command(self, program: str, part: str) -> bool:
        """Tell whether the text of the rule names a command, such as `git push`."""
        return bool(part) and f"{program} {part}" in self.text.casefold()


@record
class RuleAdherence:
    """How well one standing rule was followed, before and after it was learnt."""

    id: str
    text: str
    learnt_at: datetime
    before: Counts
    since: Counts


def derive_check(text: str) -> RuleCheck | None:
    """Return what a rule says about calls; None if it names nothing that a call shows."""
    plain = text[:_READ].replace("’", "'")
    lowered = plain.casefold()
    programs = frozenset(program for family in FAMILIES for program in family)
    named = [(bool(tick), word.rstrip(".-")) for tick, word in _WANTED.findall(lowered)]
    wanted = frozenset(word for is_code, word in named if word in programs or (is_code and "." not in word))
    replaced = frozenset(each for family in FAMILIES if family & wanted for each in family) - wanted
    paths = [word.rstrip(".") for word in _FILE.findall(plain)]
    forbidden = [
        CallPattern(kind=PatternKind.FILE, words=(path if "." in path.rpartition("/")[2] else f"{path.rstrip('/')}/",))
        for path in paths
        if _PATH.search(path)
    ]
    forbidden += [CallPattern(kind=PatternKind.TOOL, words=(name,)) for name in _TOOL.findall(plain)]
    marked = _WORD.search(lowered) if _COMMIT.search(lowered) else None
    word = marked.group(1) if marked is not None else ""
    denies_command = denies(plain) and not word and not forbidden
    check = RuleCheck(
        text=plain,
        wanted=wanted,
        replaced=replaced,
        forbidden=tuple(forbidden),
        word=word,
        denies_command=denies_command,
    )
    return check if wanted or forbidden or word or denies_command else None


def measure_adherence(
    rules: Iterable[tuple[str, str, datetime]], conversations: Sequence[ConversationMeasures]
) -> list[RuleAdherence]:
    """Return how well each rule that can be checked was followed; a rule is an id, a text and when it was learnt.

    A rule that only forbids is left out if no conversation shows anything about it.
    """
    found = []
    for id, text, learnt_at in rules:
        check = derive_check(text)
        if check is None:
            continue
        before = _count(check, [each for each in conversations if each.begins < learnt_at])
        since = _count(check, [each for each in conversations if each.begins >= learnt_at])
        if before.followed or before.broken or since.followed or since.broken:
            found.append(RuleAdherence(id=id, text=text, learnt_at=learnt_at, before=before, since=since))
    return sorted(found, key=lambda each: (-each.since.broken, -each.before.broken, each.id))


def _count(check: RuleCheck, conversations: Iterable[ConversationMeasures]) -> Counts:
    counts = dict.fromkeys(Adherence, 0)
    for each in conversations:
        shown = {check.judge(call) for call in each.calls}
        worst = next((one for one in (Adherence.BROKEN, Adherence.FOLLOWED) if one in shown), Adherence.UNKNOWN)
        counts[worst] += 1
    return Counts(
        followed=counts[Adherence.FOLLOWED], broken=counts[Adherence.BROKEN], unknown=counts[Adherence.UNKNOWN]
    )
