"""Follow what the agent does in a recorded conversation, to find the tool calls that a user's objection is about.

The user may name a command ("don't use pip"), refer to the last one ("undo that"), name a tool or a folder, or name
only what should be used instead: "no, use pnpm" after `npm install` is about npm, because both programs do the same
job.
"""

from __future__ import annotations

from limpet.capture.reactions import Act, AgentTurn, find_meant, list_acts, note_interruption, note_prompt, track_act
from limpet.capture.tools.observe import observe
from limpet.capture.tools.shell import parse_command
from limpet.insight.friction.calls import ObjectionTarget, RelatedObjection
from limpet.lean.pattern import lazy
from limpet.model.call_pattern import CallPattern, PatternKind, follows
from limpet.model.event import CommandExpanded, Interrupted, PromptSubmitted, Reported, ToolFinished
from limpet.text.commands import FAMILIES, name_subcommand, split_commands
from limpet.text.reactions import Reaction, ReactionKind
from limpet.text.words import word_set

_MOST_CALLS = 50

_EVERYDAY_FOLDERS = word_set("src lib app apps test tests code file files main common core new old the and it web api")
_DENIED = lazy(
    r"\b(?:not|don't|dont|stop|avoid|instead of|rather than|without|never|no) (?:use |using |run |running |with )?+"
    r"`?+(\w[\w.-]*+)"
)
_WORD = lazy(r"\w[\w@.-]*+")
_SPECIAL = lazy(r"\w++[-_.@]|[^\W\d_]++\d|[A-Z][a-z]++[A-Z]")
"""The beginning of a word that is a name instead of an ordinary word: `co-authored-by`, `v2`, `WebSearch`."""


class ActFollower:
    """Follows the agent's actions in the current turn, to find the one that a user's objection is about."""

    def __init__(self) -> None:
        self._turn = AgentTurn()
        self._calls: list[ToolFinished] = []
        self._is_over = False

    def read(self, event: Reported) -> None:
        """Process the next event of the conversation."""
        if isinstance(event, PromptSubmitted | CommandExpanded):
            self._turn = note_prompt(self._turn, event.at)
            self._is_over = True
            return
        if isinstance(event, ToolFinished):
            if self._is_over:
                self._calls, self._is_over = [], False
            self._calls = [*self._calls[1 - _MOST_CALLS :], event]
        if isinstance(event, Interrupted) or (isinstance(event, ToolFinished) and event.interrupted):
            self._turn = note_interruption(self._turn, event if isinstance(event, ToolFinished) else None)
            return
        seen = observe(event)
        if seen is not None:
            self._turn = track_act(self._turn, seen)

    def relate(self, found: Reaction, typed: str) -> RelatedObjection | None:
        """Return the tool call that an objection is about, or None if the user states a rule and objects to no call.

        `typed` is the whole prompt. If the user objects to a call that cannot be found, the result has no target.
        """
        if found.kind is ReactionKind.COMPLAINT:
            # "I still see no change after make" only describes a result; "without make" objects to the command.
            return RelatedObjection(about=self._find_denied(found.words))
        meant = find_meant(found, typed, list_acts(self._turn))
        about = self._make_target(meant.act, found.words) if meant is not None and meant.act is not None else None
        finders = (self._find_tool, self._find_denied, self._find_folder)
        about = about or next((each for each in (find(found.words) for find in finders) if each is not None), None)
        if meant is None and about is None:
            return None
        return RelatedObjection(about=about or self._find_replaced(found.words))

    def _make_target(self, act: Act, words: str) -> ObjectionTarget | None:
        if act.kind == "edit":
            return ObjectionTarget(pattern=_make_file_pattern(act.what, words), call=act.what)
        wanted = (split_commands(act.what) if " " in act.what else []) or split_commands(parse_command(act.what).text)
        if len(wanted) > 1:
            # The user refers to a chain of commands, of which the most important one is meant.
            wanted = split_commands(parse_command(act.what).text)
        if not wanted:
            return None
        head = _choose_head(wanted[0], words)
        for call in reversed(self._calls):
            if any(words_of[: len(wanted[0])] == wanted[0] for words_of in split_commands(call.command)):
                return _make_command_target(head, call.command, words)
        return _make_command_target(head, act.what, words)

    def _find_tool(self, words: str) -> ObjectionTarget | None:
        """Return the last tool call whose tool the user names, as a target.

        A tool whose name is an ordinary word, such as Task, is found only as "Task tool".
        """
        for call in reversed(self._calls):
            parts = call.tool.split("__")
            name = parts[1] if call.tool.startswith("mcp__") and len(parts) > 2 else call.tool
            is_special = _SPECIAL.match(name) is not None or call.tool.startswith("mcp__")
            is_named = f"{name.casefold()} tool" in words.casefold()
            if is_named or (is_special and name.casefold() in _find_words(words)):
                matched = f"mcp__{name}" if call.tool.startswith("mcp__") else name
                return ObjectionTarget(pattern=CallPattern(kind=PatternKind.TOOL, words=(matched,)), call=call.tool)
        return None

    def _find_folder(self, words: str) -> ObjectionTarget | None:
        """Return the last edit of a file in a folder that the user names."""
        for call in reversed(self._calls):
            for file in call.files_modified:
                pattern = _make_file_pattern(file, words)
                if pattern.words != (file,):
                    return ObjectionTarget(pattern=pattern, call=file)
        return None

    def _find_denied(self, words: str) -> ObjectionTarget | None:
        """Return the last command whose program the user rejects, as in "not pip" or "instead of npm"."""
        denied = {word.rstrip(".-") for word in _DENIED.findall(words.casefold().replace("’", "'"))}
        for call in reversed(self._calls if denied else ()):
            for command in split_commands(call.command):
                if command[0] in denied:
                    return _make_command_target(_choose_head(command, words), call.command, words)
        return None

    def _find_replaced(self, words: str) -> ObjectionTarget | None:
        """Return the last command instead of which the user names another program that does the same job."""
        said = _find_words(words)
        for call in reversed(self._calls):
            for command in split_commands(call.command):
                family = next((each for each in FAMILIES if command[0] in each and said & each), None)
                if family is not None and command[0] not in said:
                    return _make_command_target((command[0],), call.command, words)
        return None


def _find_words(words: str) -> set[str]:
    return {word.rstrip(".-") for word in _WORD.findall(words.casefold())}


def _make_command_target(head: tuple[str, ...], command: str, words: str) -> ObjectionTarget:
    """Return a command as the target of an objection, without the arguments that the user did not name.

    The target is stored for longer than the transcript, and the other arguments may be private.
    """
    said = _find_words(words)
    special = {word.rstrip(".-").casefold() for word in _WORD.findall(words) if _SPECIAL.match(word.rstrip(".-"))}
    texts = tuple(sorted(word for word in special if word in command.casefold() and word not in head))
    chosen = next((each for each in split_commands(command) if follows(each, head)), list(head))
    part = name_subcommand(chosen)
    kept = [
        word.partition("=")[0]
        for word in chosen[1:]
        if word != part and (word.startswith("-") or word.casefold() in said)
    ]
    call = " ".join(dict.fromkeys(word for word in (chosen[0], part, *kept, *texts) if word))
    return ObjectionTarget(pattern=CallPattern(kind=PatternKind.COMMAND, words=head), call=call, named=texts)


def _choose_head(command: list[str], words: str) -> tuple[str, ...]:
    """Return the words that identify a command: its program, its subcommand, and the options that the user named."""
    program = command[0]
    if any(program in family for family in FAMILIES):
        return (program,)
    said = _find_words(words)
    part = name_subcommand(command)
    options = [word.partition("=")[0] for word in command[1:] if word.startswith("--")]
    named = [option for option in options if option.strip("-") in said or option.strip("-").split("-")[0] in said]
    return tuple(word for word in (program, part, *dict.fromkeys(named)) if word)


def _make_file_pattern(path: str, words: str) -> CallPattern:
    """Return a pattern for an edited file, or for a folder on its path if the user names this folder."""
    said = _find_words(words)
    *folders, _ = path.replace("\\", "/").split("/")
    named = next((each for each in reversed(folders) if each.casefold() in said - _EVERYDAY_FOLDERS), None)
    return CallPattern(kind=PatternKind.FILE, words=(f"{named}/" if named else path,))
