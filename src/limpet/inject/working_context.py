"""Describe a session's working context (what was being done in it), for the model after a compaction."""

from __future__ import annotations

from collections.abc import Iterable

from limpet.doors.governor import neutralise
from limpet.guard.neutral import quote, quote_name
from limpet.guard.signs import CERTAIN
from limpet.lean.record import record
from limpet.model.event import CommandExpanded, PromptSubmitted, Reported, ToolFinished
from limpet.text.error_lines import find_error_line
from limpet.text.excerpt import shorten

_PROMPTS = 3
_FILES = 8
_LINE = 300
_NAME = 100


@record
class WorkingContext:
    """The last prompts of a session, the files changed in it, and its last failure if that has not been fixed."""

    prompts: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    failed: str = ""
    """The last command or tool that failed, if it has not succeeded since; otherwise an empty string."""
    error: str = ""
    """The line of its output that explains the failure; an empty string if there is none."""


def gather_working_context(events: Iterable[Reported]) -> WorkingContext:
    """Return the working context of a session after the given events."""
    prompts: list[str] = []
    files: dict[str, None] = {}
    failure: tuple[str, str] | None = None
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
                    failure = (event.command or event.tool, event.output)
                elif failure and failure[0] == (event.command or event.tool):
                    failure = None
    return WorkingContext(
        prompts=tuple(prompts[-_PROMPTS:]),
        files=tuple(files)[-_FILES:],
        failed=failure[0] if failure else "",
        error=find_error_line(failure[1]) if failure else "",
    )


def render_working_context(context: WorkingContext) -> str:
    """Format the working context as a list, or return an empty string if there is nothing to tell."""
    lines = [
        *(f"- the user asked: {quote(_one_line(prompt))}" for prompt in context.prompts),
        *(
            [f"- files changed: {', '.join(quote_name(shorten(each, _NAME)) for each in context.files)}"]
            if context.files
            else []
        ),
        *([f"- failed last and not seen to work since: {quote(_describe_failure(context))}"] if context.failed else []),
    ]
    return "\n".join(("What was being done in this session:", *lines)) if lines else ""


def _describe_failure(context: WorkingContext) -> str:
    """Return the failed command and its error, each shortened. The error is left out if it gives orders to a model."""
    error = context.error
    if error:
        # The output of a command may contain text from anywhere. Loaded here, because most sessions have no failure.
        from limpet.guard.engine import find_signs

        error = error if CERTAIN.isdisjoint(find_signs(error)) else ""
    return ": ".join(_one_line(each) for each in (context.failed, error) if each)


def _one_line(text: str) -> str:
    return shorten(neutralise(text, one_line=True), _LINE)
