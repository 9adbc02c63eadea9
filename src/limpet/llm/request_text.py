"""Load prompts, and put texts into a request so that no text can break out of its tags."""

from __future__ import annotations

import os

from limpet.guard.neutral import neutralise
from limpet.lean.pattern import lazy

_FOLDER = os.path.join(os.path.dirname(__file__), "prompts")
_FRAMES = lazy(r"(?im)</?\s*(?:text|memory|conversation|source|session)\b|^\s*\[[a-z]\d++\]")
_ANGLES = str.maketrans("<>[]", "‹›()")


def load_prompt(name: str) -> str:
    """Return the text of the prompt file with this name."""
    with open(os.path.join(_FOLDER, f"{name}.md"), encoding="utf-8") as file:
        return file.read()


def frame(tag: str, text: str, *, id: str = "") -> str:
    """Return a text between XML-like tags, escaped so that it cannot close them or imitate another tagged text."""
    name = f' id="{id}"' if id else ""
    return f"<{tag}{name}>\n{escape(text)}\n</{tag}>"


def escape(text: str, *, one_line: bool = False) -> str:
    """Return a text in which everything that imitates markup, a tag or a label of the request is neutralised."""
    return _FRAMES.sub(lambda found: found[0].translate(_ANGLES), neutralise(text, one_line=one_line))
