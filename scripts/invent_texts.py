"""Invent planted memories and honest notes from the parts in `invented.txt`, for `scripts.fit_guard`.

Public corpora hold many jailbreaks and few sentences that are planted in a memory to be obeyed weeks later. A
classifier of words knows only the words it has seen, so the parts name as many dangerous acts as possible, in many
frames. The honest notes name the same acts the other way round: forbidden, reported, mended, bounded to a test. So the
classifier learns how the parts are put together rather than which words occur.

The format of the file is described in its first lines.
"""

from __future__ import annotations

import base64
import codecs
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

__all__ = ["invent_texts"]

PARTS = Path(__file__).with_name("invented.txt")
_PART = re.compile(r"\{([^{}]*)\}")
_BARS = str.maketrans("{}|", "\ue000\ue001\ue002")
_PLAIN_BARS = str.maketrans("\ue000\ue001\ue002", "{}|")
_HARMLESS = ("hello from the encoder test", '{"alg":"HS256","typ":"JWT"}', "admin:admin", "cursor:2025-01-01:42")
_ENCODINGS: dict[str, Callable[[str], str]] = {
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "rot13": lambda text: str(codecs.encode(text, "rot13")),
    "hex": lambda text: text.encode().hex(),
    "percent": lambda text: "".join(f"%{byte:02x}" for byte in text.encode()),
    "decimal": lambda text: " ".join(str(byte) for byte in text.encode()),
    "reversed": lambda text: text[::-1],
    "leet": lambda text: text.translate(str.maketrans("aeiost", "431057")),
    "unicode": lambda text: "".join(f"\\u{ord(letter):04x}" for letter in text),
    "entities": lambda text: "".join(f"&#{ord(letter)};" for letter in text),
}


def invent_texts(each: int, seed: int) -> Iterator[tuple[int, str, str]]:
    """Yield the label, the kind and the text of up to `each` planted texts a frame, and of three times as many others.

    The label is 1 if the text is planted.
    """
    lists: dict[str, list[str]] = {}
    frames: list[tuple[int, str, str]] = []
    for section in re.split(r"(?m)^= ", PARTS.read_text(encoding="utf-8"))[1:]:
        heading, *lines = section.strip().splitlines()
        use, _, name = heading.partition(" ")
        if use == "list":
            lists[name] = lines
        else:
            frames += [(int(use == "planted"), name, line) for line in lines]
    rng = Random(seed)
    for label, kind, frame in frames:
        for text in dict.fromkeys(_fill(frame, lists, rng).strip() for _ in range(each if label else 3 * each)):
            yield label, kind, text[:1].upper() + text[1:]


def _fill(frame: str, lists: dict[str, list[str]], rng: Random) -> str:
    """Return the frame with each of its parts replaced, the innermost first."""

    def choose(found: re.Match[str]) -> str:
        name: str = found.group(1)
        if "|" in name:
            return rng.choice(name.split("|"))
        if name in _ENCODINGS:
            text = _ENCODINGS[name](_fill("{act}", lists, rng))
        elif name == "harmless_base64":
            text = _ENCODINGS["base64"](rng.choice(_HARMLESS))
        elif name in ("number", "account"):
            text = str(rng.randrange(2, 250)) if name == "number" else f"DE{rng.randrange(10**18):020}"
        else:
            text = _fill(rng.choice(lists[name.lower()]), lists, rng)
        # The text may contain the marks of a choice, and is not to be taken for one.
        return (text[:1].upper() + text[1:] if name[0].isupper() else text).translate(_BARS)

    while _PART.search(frame):
        frame = _PART.sub(choose, frame)
    return frame.translate(_PLAIN_BARS)
