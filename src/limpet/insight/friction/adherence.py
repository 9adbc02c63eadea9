"""Count in how many conversations the agent followed or broke each rule of the user.

A rule can be checked if it names something that is visible in tool calls: a wanted or forbidden command, a file that
must not be edited, a forbidden tool, or a word that must not appear in a commit message. In a conversation without
related calls, it is unknown whether the rule was followed.
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
    """Whether a rule was followed or broken by a call or in a conversation."""

    FOLLOWED = "followed"
    BROKEN = "broken"
    UNKNOWN = "unknown"


@record
class Counts:
    """The numbers of conversations that followed a rule, that broke it, and that do not show which of the two."""

    followed: int = 0
    broken: int = 0
    unknown: int = 0


@record
class RuleCheck:
    """A test of tool calls that is derived from the text of a rule."""

    text: str
    """The text of the rule."""
    wanted: frozenset[str] = frozenset()
    """Programs that should be used."""
    replaced: frozenset[str] = frozenset()
    """Programs that must not be used, because they do the same job as a wanted one."""
    forbidden: tuple[CallPattern, ...] = ()
    """Patterns of forbidden edits and tools."""
    word: str = ""
    """A word that must not appear in a commit message; an empty string if the rule names none."""
    denies_command: bool = False
    """Whether the rule has a negation that may be about a command."""

    def judge(self, call: Call) -> Adherence:
        """Return whether a call follows or breaks the rule; UNKNOWN if the rule is not about it."""
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
        """Tell whether the text of the rule mentions this program followed by this subcommand, as in "git push"."""
        return bool(part) and f"{program} {part}" in self.text.casefold()


@record
class RuleAdherence:
    """How often a rule was followed and broken, before and after it was learnt."""

    id: str
    """The id of the memory with the rule."""
    text: str
    learnt_at: datetime
    before: Counts
    since: Counts


def derive_check(text: str) -> RuleCheck | None:
    """Derive a test of tool calls from the text of a rule; return None if the rule cannot be checked with calls."""
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
    """Return how often each rule was followed and broken; the rules that were broken most often come first.

    Each rule is an id, a text and the time when it was learnt. Rules that cannot be checked, or that were neither
    followed nor broken in any conversation, are left out.
    """
    found = []
    for id, text, learnt_at in rules:
        check = derive_check(text)
        if check is None:
            continue
        before = _count_conversations(check, [each for each in conversations if each.begins < learnt_at])
        since = _count_conversations(check, [each for each in conversations if each.begins >= learnt_at])
        if before.followed or before.broken or since.followed or since.broken:
            found.append(RuleAdherence(id=id, text=text, learnt_at=learnt_at, before=before, since=since))
    return sorted(found, key=lambda each: (-each.since.broken, -each.before.broken, each.id))


def _count_conversations(check: RuleCheck, conversations: Iterable[ConversationMeasures]) -> Counts:
    """Count in how many conversations a rule was followed or broken; one call that breaks it is enough for BROKEN."""
    counts = dict.fromkeys(Adherence, 0)
    for each in conversations:
        shown = {check.judge(call) for call in each.calls}
        worst = next((one for one in (Adherence.BROKEN, Adherence.FOLLOWED) if one in shown), Adherence.UNKNOWN)
        counts[worst] += 1
    return Counts(
        followed=counts[Adherence.FOLLOWED], broken=counts[Adherence.BROKEN], unknown=counts[Adherence.UNKNOWN]
    )
