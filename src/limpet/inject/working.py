"""The working context: what was being done in a session, told again after its conversation was cut short."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from limpet.doors.governor import neutralise
from limpet.inject.render import quoted
from limpet.lean.record import record
from limpet.model.event import CommandExpanded, PromptSubmitted, Reported, ToolFinished
from limpet.text.excerpt import shorten

_PROMPTS = 3
_FILES = 8
_LINE = 300


@record
class Working:
    prompts: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    trouble: str = ""
    """The last thing that failed and has not been seen to work since."""


def working(events: Iterable[Reported]) -> Working:
    prompts: list[str] = []
    files: dict[str, None] = {}
    trouble: tuple[str, str] | None = None
    for event in events:
        match event:
            case PromptSubmitted():
                prompts.append(event.text)
            case CommandExpanded() if event.arguments:
                prompts.append(f"/{event.name} {event.arguments}")
            case ToolFinished():
                for path in event.files_modified:
                    files.pop(path, None)
                    files[path] = None
                if event.failed and not event.interrupted:
                    trouble = (event.command or event.tool, event.output)
                elif trouble and trouble[0] == (event.command or event.tool):
                    trouble = None
            case _:
                pass
    return Working(
        prompts=tuple(prompts[-_PROMPTS:]),
        files=tuple(files)[-_FILES:],
        trouble=f"{trouble[0]}: {_telling(trouble[1])}" if trouble else "",
    )


def told(now: Working) -> str:
    """As facts, one a line; empty when nothing is known."""
    lines = [
        *(f"- the user asked: {quoted(_plain(prompt))}" for prompt in now.prompts),
        *([f"- files changed: {_plain(', '.join(now.files))}"] if now.files else []),
        *([f"- failed last and not seen to work since: {quoted(_plain(now.trouble))}"] if now.trouble else []),
    ]
    return "\n".join(("What was being done in this session:", *lines)) if lines else ""


def _telling(output: str) -> str:
    lines: Sequence[str] = [each.strip() for each in output.splitlines() if each.strip()]
    named = [each for each in lines if "error" in each.lower() or "fail" in each.lower()]
    return (named or lines or [""])[-1]


def _plain(text: str) -> str:
    return shorten(neutralise(text, one_line=True), _LINE)
