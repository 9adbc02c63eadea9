"""Turn an event into an observation: a message, or an action with its object and its result.

Limpet's own output is removed here: text that a hook injected, and results of Limpet's tools. Otherwise stored memories
would be captured again and reinforce themselves.
"""

from __future__ import annotations

from datetime import datetime

from limpet.capture.speech.spans import split_message
from limpet.capture.tools.shell import Run, parse_command
from limpet.hosts.outside import is_external
from limpet.hosts.prompt_text import INJECTED_BLOCKS, is_machine_made
from limpet.lean.pattern import lazy
from limpet.lean.record import field, record
from limpet.model.event import Action, PromptSubmitted, ToolFinished, TurnEnded
from limpet.model.memory import Origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# The beginning says what it is, the end how it went; the middle is rarely worth reading.
HEAD, TAIL = 3000, 1500
_CUT = 400
_COMMAND = 4000
_CLEANED = 12_000
_LONGEST_PROMPT = 200_000

_BLOCKS = (
    ("[LTM:", "[/LTM]"),
    ("<memory-context", "</memory-context>"),
    *INJECTED_BLOCKS,
    ("<private", "</private>"),
)
_HOOK_LINE = lazy(r"^[^\n]{0,80}\bhook (?:additional context|success|feedback)\b[^\n]*+$", 8)
# 2 is re.IGNORECASE.
_PASTE, _PASTE_END = lazy(r"<pasted_content\b", 2), lazy(r"</pasted_content>", 2)
_COLOUR = lazy(r"\x1b(?:\[[0-9;?]*+[ -/]*+[@-~]|\][^\x07\x1b]*+(?:\x07|\x1b\\)|.)")
_EXIT = lazy(r"^(?:Error: )?Exit code \d++\n?")
_REFUSED = "doesn't want to proceed with this tool use"
_OWN_PLACES = (".claude/ltm/", "/.limpet/", ".limpet/")


@record
class Observation:
    """One event of a session, prepared for judging: cleaned, and limited in length."""

    session: str
    at: datetime
    origin: Origin
    action: Action | None = None
    """The kind of action of a tool call; None for a prompt or an agent's message."""
    tool: str = ""
    run: Run | None = None
    command: str = ""
    text: str = ""
    """The output of a tool, or the text of a message. For a prompt, only the part that the user typed."""
    doubtful: str = ""
    """The text in a prompt that may be typed or pasted. What is learnt from it is told as a quotation."""
    foreign: str = ""
    """The text in a prompt that was pasted, quoted or expanded. No rule is learnt from it."""
    input: Mapping[str, Any] = field(default_factory=dict, repr=False)
    failed: bool = False
    files_read: tuple[str, ...] = ()
    files_modified: tuple[str, ...] = ()
    line: int | None = None

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.files_modified, *self.files_read)))


def observe(event: object) -> Observation | None:
    """Return the observation for an event, or None if the event is never judged."""
    if isinstance(event, PromptSubmitted):
        return _observe_prompt(event)
    if isinstance(event, TurnEnded):
        said = clean_observed(event.said)
        # The agent did not store this on purpose, so its origin is that of its commands.
        return Observation(session=event.session, at=event.at, origin=Origin.TOOL, text=said) if said else None
    return _observe_tool(event) if isinstance(event, ToolFinished) else None


def clean_observed(text: str) -> str:
    """Remove colour codes, injected blocks, pasted text and hook output, and cut out the middle of a long text."""
    return shorten_output(_remove_injected(_bound_length(_split_pastes(text)[0])))


def _remove_injected(text: str) -> str:
    """Remove colour codes, injected blocks and hook output.

    A block without an end mark extends to the end of the text.
    """
    if "\x1b" in text:
        text = _COLOUR.sub("", text)
    for opening, closing in _BLOCKS:
        text = _remove_blocks(text, opening, closing)
    if "hook " in text:
        text = _HOOK_LINE.sub("", text)
    return text.strip()


def _split_pastes(text: str) -> tuple[str, str]:
    """Return the text without its pasted part, and the pasted part.

    The pasted part extends from the first paste mark to the last one, because pasted text may itself contain such
    marks.
    """
    opening = _PASTE.search(text)
    if opening is None:
        return text, ""
    closings = [found.end() for found in _PASTE_END.finditer(text, opening.end())]
    end = closings[-1] if closings else len(text)
    return f"{text[: opening.start()]}\n{text[end:]}", text[opening.start() : end]


def _bound_length(text: str) -> str:
    """Return the beginning and the end of a very long text. The end never starts inside an injected block."""
    if len(text) <= 2 * _CLEANED:
        return text
    end = text[-_CLEANED:]
    for opening, closing in _BLOCKS:
        at, opened = end.find(closing), end.find(opening)
        if at >= 0 and not 0 <= opened < at:
            end = end[at + len(closing) :]
    return f"{text[:_CLEANED]}\n{end}"


def shorten_output(text: str) -> str:
    """Return the beginning and the end of a long text, cut at line breaks if possible. A short text is unchanged."""
    if len(text) <= HEAD + TAIL:
        return text
    head, tail = text[:HEAD], text[-TAIL:]
    # A line that is longer than this was not written by a person; it is cut between words, or anywhere.
    end = max(head.rfind("\n", HEAD - _CUT), 0) or max(head.rfind(" ", HEAD - _CUT), 0) or HEAD
    start = tail.find("\n", 0, _CUT) + 1 or tail.find(" ", 0, _CUT) + 1
    return f"{head[:end]}\n…\n{tail[start:]}"


def _remove_blocks(text: str, opening: str, closing: str) -> str:
    at = text.find(opening)
    if at < 0:
        return text
    kept = []
    start = 0
    while at >= 0:
        kept.append(text[start:at])
        end = text.find(closing, at)
        if end < 0:
            return "".join(kept)
        start = end + len(closing)
        at = text.find(opening, start)
    kept.append(text[start:])
    return "".join(kept)


def _observe_prompt(event: PromptSubmitted) -> Observation | None:
    typed = event.text.lstrip()
    if is_machine_made(typed) or (typed.startswith("/") and " " not in typed.split("\n", 1)[0]):
        return None
    # Split before it is cut: the border of a pasted text may stand in the middle.
    message = split_message(_remove_injected(_split_pastes(event.text[:_LONGEST_PROMPT])[0]))
    if not (message.typed or message.doubtful or message.foreign):
        return None
    return Observation(
        session=event.session,
        at=event.at,
        origin=Origin.USER if event.is_typed else Origin.TOOL,
        text=shorten_output(message.typed),
        doubtful=shorten_output(message.doubtful),
        foreign=shorten_output(message.foreign),
    )


def find_pasted(event: PromptSubmitted) -> tuple[str, str]:
    """Return the text in a prompt that the user did not type, and the text that the user may not have typed.

    The first is text that is marked as pasted or recognised as foreign.
    """
    text, marked = _split_pastes(event.text[:_LONGEST_PROMPT])
    message = split_message(_remove_injected(text))
    return f"{_remove_injected(marked)}\n{message.foreign}".strip(), message.doubtful


def _observe_tool(event: ToolFinished) -> Observation | None:
    if event.action is Action.MEMORY or "limpet" in event.tool.lower():
        return None
    # A tool that was not allowed did nothing. The user's reply to it is part of the tool's answer, where any tool could
    # write the same words, so it cannot be trusted as theirs.
    if event.interrupted or _REFUSED in event.output[:200]:
        return None
    # The line breaks of a command are needed to read a here-document.
    given = event.input.get("command", event.input.get("cmd")) if event.action is Action.RUN else None
    if isinstance(given, list) and len(given) == 3 and given[1] in ("-c", "-lc"):
        given = given[2]
    command = given if isinstance(given, str) and given else event.command
    run = parse_command(command[:_COMMAND]) if event.action is Action.RUN else None
    if run is not None and "limpet" in run.programs:
        return None
    touched = (*event.files_read, *event.files_modified)
    if touched and all(any(place in path for place in _OWN_PLACES) for path in touched):
        return None
    return Observation(
        session=event.session,
        at=event.at,
        origin=_find_origin(event, run),
        action=event.action,
        tool=event.tool,
        run=run,
        command=command[:_COMMAND],
        text=_EXIT.sub("", clean_observed(event.output)),
        input=event.input,
        failed=event.failed,
        files_read=event.files_read,
        files_modified=event.files_modified,
        line=event.line,
    )


def _find_origin(event: ToolFinished, run: Run | None) -> Origin:
    """Return the origin of a tool's output: external, file or tool."""
    if is_external(event):
        return Origin.EXTERNAL
    if event.action in (Action.READ, Action.SEARCH) or (run is not None and run.shows_files):
        return Origin.FILE
    return Origin.TOOL
