"""Load the instructions for a role, and put texts into a request so that none can end its frame."""

from __future__ import annotations

import os

from limpet.guard.neutral import neutralise
from limpet.lean.pattern import lazy

_FOLDER = os.path.join(os.path.dirname(__file__), "prompts")
_FRAMES = lazy(r"(?im)</?\s*(?:text|memory|conversation|source|session)\b|^\s*\[[a-z]\d++\]")
_ANGLES = str.maketrans("<>[]", "‹›()")


def load_prompt(name: str) -> str:
    """Return the instructions of a role, which are a file of its name."""
    with open(os.path.join(_FOLDER, f"{name}.md"), encoding="utf-8") as file:
        return file.read()


def frame(tag: str, text: str, *, id: str = "") -> str:
    """Return a text between tags, escaped so that it cannot end them or imitate another text."""
    name = f' id="{id}"' if id else ""
    return f"<{tag}{name}>\n{escape(text)}\n</{tag}>"


def escape(text: str, *, one_line: bool = False) -> str:
    """Return a text that can stand inside a frame."""
    return _FRAMES.sub(lambda found: found[0].translate(_ANGLES), neutralise(text, one_line=one_line))
