"""From what happened to an observation: what was done, on what, with what result, without our own voice in it.

Whatever Limpet has said itself, what a hook has injected and what its own tools have answered is taken out here, so
that no memory can feed on itself.
"""

from __future__ import annotations

import re
from datetime import datetime

from limpet.capture.tools.shell import Run, parse_command
from limpet.hosts.prompts import INJECTED_BLOCKS, is_machine_made
from limpet.hosts.tools import is_external
from limpet.lean.pattern import lazy
from limpet.lean.record import field, record
from limpet.model.event import Action, PromptSubmitted, ToolFinished, TurnEnded
from limpet.model.memory import Origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# The beginning says what it is, the end how it went; what lies between is rarely read by anybody.
HEAD, TAIL = 3000, 1500
_COMMAND = 4000
_CLEANED = 12_000

_BLOCKS = (
    ("[LTM:", "[/LTM]"),
    ("<memory-context", "</memory-context>"),
    *INJECTED_BLOCKS,
    ("<private", "</private>"),
)
_HOOK_LINE = lazy(r"^[^\n]{0,80}\bhook (?:additional context|success|feedback)\b[^\n]*+$", 8)
_PASTE, _PASTE_END = lazy(r"<pasted_content\b", re.I), lazy(r"</pasted_content>", re.I)
_COLOUR = lazy(r"\x1b(?:\[[0-9;?]*+[ -/]*+[@-~]|\][^\x07\x1b]*+(?:\x07|\x1b\\)|.)")
_EXIT = lazy(r"^(?:Error: )?Exit code \d++\n?")
_REFUSED = "doesn't want to proceed with this tool use"
_OWN_PLACES = (".claude/ltm/", "/.limpet/", ".limpet/")


@record
class Observation:
    """One thing seen in a session, cut and cleaned; what it is worth is decided elsewhere."""

    session: str
    at: datetime
    origin: Origin
    action: Action | None = None
    """None where somebody spoke."""
    tool: str = ""
    run: Run | None = None
    command: str = ""
    text: str = ""
    input: Mapping[str, Any] = field(default_factory=dict, repr=False)
    failed: bool = False
    files_read: tuple[str, ...] = ()
    files_modified: tuple[str, ...] = ()
    line: int | None = None

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.files_modified, *self.files_read)))


def observe(event: object) -> Observation | None:
    """What there is to judge in an event, or None where there never is."""
    if isinstance(event, PromptSubmitted):
        return _prompt(event)
    if isinstance(event, TurnEnded):
        said = clean_text(event.said)
        # Nobody stored this on purpose: it is captured, as the agent's commands are.
        return Observation(session=event.session, at=event.at, origin=Origin.TOOL, text=said) if said else None
    return _tool(event) if isinstance(event, ToolFinished) else None


def clean_text(text: str) -> str:
    """`text` without colours, injected blocks, pastes and hook output; a block that was cut off ends with the text."""
    text = _bounded(_without_pastes(text))
    if "\x1b" in text:
        text = _COLOUR.sub("", text)
    for opening, closing in _BLOCKS:
        text = _without(text, opening, closing)
    if "hook " in text:
        text = _HOOK_LINE.sub("", text)
    return shorten_output(text.strip())


def _without_pastes(text: str) -> str:
    """What a host marks as pasted goes, from the first mark to the last: what was pasted may hold such marks itself."""
    opening = _PASTE.search(text)
    if opening is None:
        return text
    closings = [found.end() for found in _PASTE_END.finditer(text, opening.end())]
    return f"{text[: opening.start()]}\n{text[closings[-1] :] if closings else ''}"


def _bounded(text: str) -> str:
    """As much of a very long text as is worth cleaning; an end that begins inside a block begins after it."""
    if len(text) <= 2 * _CLEANED:
        return text
    end = text[-_CLEANED:]
    for opening, closing in _BLOCKS:
        at, opened = end.find(closing), end.find(opening)
        if at >= 0 and not 0 <= opened < at:
            end = end[at + len(closing) :]
    return f"{text[:_CLEANED]}\n{end}"


def shorten_output(text: str) -> str:
    if len(text) <= HEAD + TAIL:
        return text
    return f"{text[:HEAD]}\n…\n{text[-TAIL:]}"


def _without(text: str, opening: str, closing: str) -> str:
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


def _prompt(event: PromptSubmitted) -> Observation | None:
    typed = event.text.lstrip()
    if is_machine_made(typed) or (typed.startswith("/") and " " not in typed.split("\n", 1)[0]):
        return None
    text = clean_text(event.text)
    return Observation(session=event.session, at=event.at, origin=Origin.USER, text=text) if text else None


def _tool(event: ToolFinished) -> Observation | None:
    if event.action is Action.MEMORY or "limpet" in event.tool.lower():
        return None
    # A tool that was not allowed did nothing. What the person said to it stands in the tool's answer, where any tool
    # could write the same words, so it is nobody's.
    if event.interrupted or _REFUSED in event.output[:200]:
        return None
    command = _script(event) or event.command
    run = parse_command(command[:_COMMAND]) if event.action is Action.RUN else None
    if run is not None and "limpet" in run.programs:
        return None
    touched = (*event.files_read, *event.files_modified)
    if touched and all(any(place in path for place in _OWN_PLACES) for path in touched):
        return None
    return Observation(
        session=event.session,
        at=event.at,
        origin=_origin(event, run),
        action=event.action,
        tool=event.tool,
        run=run,
        command=command[:_COMMAND],
        text=_EXIT.sub("", clean_text(event.output)),
        input=event.input,
        failed=event.failed,
        files_read=event.files_read,
        files_modified=event.files_modified,
        line=event.line,
    )


def _script(event: ToolFinished) -> str:
    """The command as it was given, with its lines: a message in a here-document needs them."""
    given = event.input.get("command", event.input.get("cmd")) if event.action is Action.RUN else None
    if isinstance(given, list) and len(given) == 3 and given[1] in ("-c", "-lc"):
        given = given[2]
    return given if isinstance(given, str) else ""


def _origin(event: ToolFinished, run: Run | None) -> Origin:
    """Text of a file is the file's, and what somebody outside answered is theirs; only the rest is the agent's."""
    if is_external(event):
        return Origin.EXTERNAL
    if event.action in (Action.READ, Action.SEARCH) or (run is not None and run.shows_files):
        return Origin.FILE
    return Origin.TOOL
