"""Show the guided tour of `limpet demo`: comments, commands with their answers, and the texts a model would read."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from shutil import which

from limpet.forms.terminal import Output
from limpet.forms.views import load_view

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.operations.demo import TourStep
    from limpet.operations.demo_session import Moment, Scene

_WIDEST = 88
"""The maximum width of a line; longer lines are hard to read, even on a wide terminal."""

_INSTALL = ("uv tool install .", "makes limpet a command; or: pipx install .")
_NEXT = (
    ("limpet setup", "connects Claude Code, Codex and Gemini CLI"),
    ("limpet backfill", "learns from the sessions you have had so far"),
    ("limpet help all", "shows everything else"),
)


def show_demo(steps: Iterator[TourStep | Scene], out: Output) -> None:
    from limpet.operations.demo_session import Scene

    out.is_transcript = True
    width = min(_WIDEST, out.width_left(0))
    for number, step in enumerate(steps):
        if step.comment:
            if number:
                out.line()
            _show_wrapped(out, f"# {step.comment}", width, indent="# ", style="green")
        if isinstance(step, Scene):
            _show_scene(out, step, width)
            continue
        out.line(f"$ {step.command}", style="bold")
        load_view(step.name)(step.answer, out)
    out.line()
    out.line("That was a temporary home, deleted now. Yours is ~/.limpet. Next:", style="bold")
    for command, what in _NEXT if which("limpet") else (_INSTALL, *_NEXT):
        out.line(f"  {command:<17}  {what}")


def _show_scene(out: Output, scene: Scene, width: int) -> None:
    for moment in scene.moments:
        _show_moment(out, moment, width)
    for row in scene.told.splitlines():
        _show_wrapped(out, row, width, indent="    ", style="cyan")
    if scene.remark:
        _show_wrapped(out, scene.remark, width, indent="", style="dim")


def _show_moment(out: Output, moment: Moment, width: int) -> None:
    _show_wrapped(out, f"{moment.who:<5}  {moment.did}", width, indent=" " * 7, style="")
    if moment.came:
        out.line(f"       {moment.came}", style="dim")
    for memory in moment.kept:
        how = memory.tier if memory.corrects is None else "completed"
        _show_wrapped(out, f"  {how} {memory.label} {memory.title}", width, indent=" " * 7, style="bold")


def _show_wrapped(out: Output, text: str, width: int, *, indent: str, style: str) -> None:
    """Print a text wrapped between words, with all lines but the first indented.

    Without this, a terminal would break lines inside words.
    """
    rows = textwrap.wrap(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    for row in rows or [""]:
        out.line(row, style=style)
