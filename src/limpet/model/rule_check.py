"""Derive from the text of a rule which tool calls follow or break it.

A rule can be checked if one of its handles (`text/handles.py`) is visible in tool calls: a wanted or forbidden program,
a file that must not be edited, a forbidden tool, or a word that must not appear in a commit message.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from limpet.lean.enumeration import StrEnum
from limpet.lean.pattern import lazy
from limpet.lean.record import record
from limpet.model.call_pattern import CallPattern, PatternKind
from limpet.text.commands import FAMILIES, name_subcommand, split_commands
from limpet.text.handles import find_handles
from limpet.text.negation import is_denial
from limpet.text.prohibition import denies, forbids, list_forbidden_programs
from limpet.text.words import word_set

_READ = 1_000
_REACH = 6
"""The number of words before a handle that say what to do with it."""
_PROGRAMS = frozenset(program for family in FAMILIES for program in family)
_DENIES_MORE = word_set("avoid stop instead rather")
_USING = word_set("use using run prefer with via through")
_BESIDE = word_set("only always just the")
"""Words that may stand between a verb and its object."""
_EDITING = word_set("edit editing touch touching change changing modify modifying write overwrite")
_CALLING = word_set("use using call the ever of than")
_ADDING = word_set("add adding put any a ever")
_WORD = lazy(r"[^\W_][\w']*|[.,;:!?](?=\s)|\n")
_JOINING = tuple("/-_.@")
_CLAUSE_ENDS = frozenset(".,;:!?\n")


class Adherence(StrEnum):
    """Whether a rule was followed or broken by a call or in a conversation."""

    FOLLOWED = "followed"
    BROKEN = "broken"
    UNKNOWN = "unknown"


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

    @property
    def marks(self) -> frozenset[str]:
        """Return texts in lower case of which every call that breaks the rule contains one."""
        marks = {*self.replaced, *(pattern.mark.lower() for pattern in self.forbidden)}
        if self.word:
            marks.add(self.word)
        if self.denies_command:
            marks.update(list_forbidden_programs(self.text))
        return frozenset(marks)

    def judge(self, *, tool: str, command: str, files: Sequence[str]) -> Adherence:
        """Return whether a call follows or breaks the rule; UNKNOWN if the rule is not about it."""
        if any(pattern.matches(tool=tool, command=command, files=files) for pattern in self.forbidden):
            return Adherence.BROKEN
        found = Adherence.UNKNOWN
        for words in split_commands(command):
            part = name_subcommand(words)
            if words[0] in self.replaced or (self.denies_command and forbids(self.text, " ".join(words))):
                return Adherence.BROKEN
            if self.word and words[0] == "git" and part == "commit":
                if self.word in command.casefold():
                    return Adherence.BROKEN
                found = Adherence.FOLLOWED
            elif words[0] in self.wanted or (
                self.denies_command and part and f"{words[0]} {part}" in self.text.casefold()
            ):
                found = Adherence.FOLLOWED
        return found


def derive_check(text: str) -> RuleCheck | None:
    """Derive a test of tool calls from the text of a rule; return None if the rule cannot be checked with calls."""
    plain = text[:_READ].replace("’", "'")
    wanted: set[str] = set()
    forbidden: list[CallPattern] = []
    word = ""
    is_about_commits = "commit" in plain.casefold()
    for handle, before in _list_named(plain):
        lowered = handle.lower()
        is_denied = any(is_denial(each, _DENIES_MORE) for each in before)
        last = next((each for each in reversed(before) if each not in _BESIDE), "")
        if not is_denied:
            is_code = plain[plain.index(handle) - 1 : plain.index(handle)] == "`" and "." not in handle
            if last in _USING and (lowered in _PROGRAMS or is_code):
                wanted.add(lowered)
        elif ("/" in handle or "." in handle) and not _EDITING.isdisjoint(before):
            path = handle if "." in handle.rpartition("/")[2] else f"{handle.rstrip('/')}/"
            forbidden.append(CallPattern(kind=PatternKind.FILE, words=(path,)))
        elif (lowered.startswith("mcp__") or _is_in_humps(handle)) and _follows_denial(before, _CALLING):
            forbidden.append(CallPattern(kind=PatternKind.TOOL, words=(handle,)))
        elif is_about_commits and "-" in handle and not word and _follows_denial(before, _ADDING):
            word = lowered
    replaced = frozenset(each for family in FAMILIES if family & wanted for each in family) - wanted
    denies_command = denies(plain) and not word and not forbidden
    check = RuleCheck(
        text=plain,
        wanted=frozenset(wanted),
        replaced=replaced,
        forbidden=tuple(forbidden),
        word=word,
        denies_command=denies_command,
    )
    return check if wanted or forbidden or word or denies_command else None


def _list_named(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each handle of a text as it is written, with the words before it in its clause, in lower case."""
    lowered = text.lower()
    for term in find_handles(text):
        at = lowered.find(term.text)
        end = at + len(term.text)
        # The parts of a path or a name are handles too.
        is_part = (at > 0 and text[at - 1] in _JOINING) or (
            text[end : end + 1] in _JOINING and text[end + 1 : end + 2].isalnum()
        )
        if at < 0 or is_part:
            continue
        words = _WORD.findall(lowered[:at])
        ends = [number for number, each in enumerate(words) if each in _CLAUSE_ENDS]
        yield text[at : end + (text[end : end + 1] == "/")], words[ends[-1] + 1 if ends else 0 :][-_REACH:]


def _follows_denial(before: Sequence[str], between: frozenset[str]) -> bool:
    last = next((each for each in reversed(before) if each not in between), "")
    return is_denial(last, _DENIES_MORE)


def _is_in_humps(name: str) -> bool:
    return name[:1].isupper() and any(letter.isupper() for letter in name[2:]) and name.isalpha()
