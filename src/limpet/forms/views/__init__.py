"""Print answers in a form for people: a function `show_<verb>` for each verb, in the module that shows its subject.

A module is loaded when one of its verbs is used, so that a command loads only what it prints with. The pieces that
several answers share are here: ids, dates, titles and counts.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from importlib import import_module

from limpet.clock import to_local
from limpet.forms.terminal import Output
from limpet.model.change import Status
from limpet.model.memory import Phase
from limpet.text.excerpt import clip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.model.memory import Memory
    from limpet.model.query import Stored

_VERBS = {
    "memories": "list recall related timeline graph facts remember correct forget pin restore confirm feedback",
    "history": "show blame why",
    "store": "stats doctor verify sign purge upkeep cost config",
    "sharing": "share unshare sync",
    "sessions": "backfill capture stash achievements distil check",
    "setup": "setup uninstall",
    "import_": "import",
}
"""The verbs of a module. Any other verb has a module of its own, with its name."""


def load_view(name: str) -> Callable[[Any, Output], None]:
    """Return the function that prints the answer of a verb."""
    module = next((module for module, verbs in _VERBS.items() if name in verbs.split()), name)
    view: Callable[[Any, Output], None] = getattr(import_module(f"limpet.forms.views.{module}"), f"show_{name}")
    return view


def short_id(id: str) -> str:
    return id[:18]


def warning_mark(stored: Stored) -> str:
    return "⚠ " if stored.warned else ""


def format_id(stored: Stored, out: Output) -> str:
    """Return the id of a memory for a listing: short on a terminal, with a mark in front if it has a warning."""
    id = stored.memory.id
    return warning_mark(stored) + (short_id(id) if out.is_terminal else id)


def format_state(stored: Stored) -> str:
    """Return the tier of a memory, noted or kept; if it is not shown to a model any more, its status or `archived`."""
    if stored.status is not Status.LIVE:
        return stored.status.value
    return "archived" if stored.memory.phase is Phase.ARCHIVED else stored.memory.tier.value


def format_headline(memory: Memory, limit: int = 200) -> str:
    """Return the title of a memory, or the beginning of its text, on one line.

    If the title is only the cut-off beginning of the text, the text is used, because more of it may fit.
    """
    title, text = (" ".join(each.split()) for each in (memory.title, memory.content))
    is_cut = title.endswith("…") and text.startswith(title.removesuffix("…"))
    return clip(text if is_cut or not title else title, limit)


def show_headline(start: str, memory: Memory, out: Output, *, style: str = "") -> None:
    """Print `start` and the headline of a memory on one line; the headline is shortened to fit."""
    out.line(start + format_headline(memory, out.width_left(len(start))), style=style)


def starts_with_title(memory: Memory) -> bool:
    """Tell whether a memory's text is short and starts with its title, so that the title need not be shown too."""
    text = " ".join(memory.content.split())
    return len(text) <= 240 and text.startswith(memory.title.removesuffix("…"))


def format_day(moment: datetime) -> str:
    return to_local(moment).strftime("%Y-%m-%d")


def format_moment(moment: datetime) -> str:
    return to_local(moment).strftime("%Y-%m-%d %H:%M:%S")


def format_time_of_day(moment: datetime) -> str:
    return to_local(moment).strftime("%H:%M")


def show_rest(seen: int, total: int, out: Output) -> None:
    """Print how many rows have not been shown yet, and the option that shows them."""
    if seen < total:
        out.remark(f"{total - seen} more: --offset {seen}", style="dim")
