"""Estimate offline how many tokens a text costs.

A tokenizer cuts text into pieces (a word with the space before it, a number, a run of marks) and
then looks each piece up in its vocabulary. The cutting is public and cheap; the vocabulary is large and,
for current models, not public. So this module cuts the same way and charges each piece what pieces of its
class and length cost on average. The averages were measured against the one vocabulary Anthropic published;
`benchmarks/tokens.py` prints the errors and how far other vocabularies lie from it.

Costs are whole hundredths of a token, so the sum is exact and the same on every machine.
"""

from __future__ import annotations

from limpet.lean.pattern import lazy

__all__ = ["count_tokens"]

# One alternative per class; the order decides, and each is linear on any input. In camelCase every
# hump is one piece, because vocabularies rarely hold the whole.
_PIECES = lazy(
    r"'(?:[stmd]|re|ve|ll)(?![a-zA-Z])"
    r"| ?[A-Z]?[a-z]+"
    r"| ?[A-Z]+(?![a-z])"
    r"| ?[^\W\d_]+"
    r"| ?\d+"
    r"| ?(?:[^\w\s]++|_++)++"
    r"|\s+(?!\S)|\s+"
)
# Letters of one script only: "redis缓存" must not be charged as eleven characters of one kind.
_SCRIPTS = lazy(
    r"(?P<latin>[a-zA-Z\u00c0-\u024f\u1e00-\u1eff]+)"
    r"|(?P<cyrillic>[\u0400-\u052f]+)"
    r"|(?P<east>[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+)"
    r"|(?P<other>[^a-zA-Z\u00c0-\u024f\u1e00-\u1eff\u0400-\u052f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+)"
)

# By length: a small word with the space before it is nearly always in the vocabulary; the same word in the
# middle of an identifier less often; capitals seldom.
_SPACED = (0, 100, 100, 102, 102, 103, 108, 108, 113, 112, 121, 126, 133, 138, 145, 155)
_BARE = (0, 100, 100, 115, 109, 116, 115, 131, 132, 136, 150, 150, 195, 230, 260, 300)
_CAPITALISED = (0, 100, 100, 102, 104, 112, 119, 122, 140, 158, 162, 178, 195, 205, 215, 230)
_UPPER = (0, 100, 101, 122, 144, 144, 142, 160, 170, 190, 225, 250, 280, 310, 340, 370)
_MARKS = (0, 100, 102, 119)
_PER_LETTER_BEYOND = 36

# Beyond this length a sample is counted and scaled: a megabyte must not cost a second.
_COUNTED_WHOLE = 100_000
_SLICES = 25


def count_tokens(text: str) -> int:
    """Return the estimated number of tokens of `text`; 0 only for the empty text."""
    if len(text) <= _COUNTED_WHOLE:
        return (_sum_costs(text) + 99) // 100
    step, width = len(text) // _SLICES, _COUNTED_WHOLE // _SLICES
    sampled = sum(_sum_costs(text[at * step : at * step + width]) for at in range(_SLICES))
    return sampled * len(text) // (_COUNTED_WHOLE * 100)


def _sum_costs(text: str) -> int:
    counts: dict[str, int] = {}
    for piece in _PIECES.findall(text):
        counts[piece] = counts.get(piece, 0) + 1
    return sum(times * _piece_cost(piece) for piece, times in counts.items())


def _piece_cost(piece: str) -> int:
    spaced = piece[0] == " " and len(piece) > 1
    word = piece[1:] if spaced else piece
    if word.isspace():
        return 100 + len(word) // 2
    if not word.isascii():
        return _foreign_cost(word)
    length = len(word)
    if word.isalpha():
        if word.isupper():
            table = _UPPER
        elif word.islower():
            table = _SPACED if spaced else _BARE
        else:
            table = _CAPITALISED
        return table[length] if length < 16 else table[15] + (length - 15) * _PER_LETTER_BEYOND
    if word.isdigit():
        return 100 if length < 4 else 20 + 38 * length
    if length < 4:
        return _MARKS[length]
    # A ruler of dashes is one or two tokens however long it is: what counts is how often the mark changes.
    changes = sum(map(str.__ne__, word, word[1:]))
    return 90 + 40 * changes + 2 * length


def _foreign_cost(word: str) -> int:
    if not word[0].isalpha():
        return sum(_symbol_cost(ord(mark)) for mark in word)
    return sum(_script_cost(match.lastgroup or "", match.group()) for match in _SCRIPTS.finditer(word))


def _script_cost(script: str, word: str) -> int:
    length = len(word)
    if script == "latin":
        # An accent betrays a language whose plain words, too, cost more than English ones of their length:
        # charging it here keeps the count a sum over pieces.
        return 100 + 30 * length if word.isascii() else 290 + 35 * length
    if script == "cyrillic":
        return 55 + 53 * length
    if script == "east":
        return 97 * length
    return 125 * length


def _symbol_cost(code: int) -> int:
    if code < 0x2190:
        return 110 if code > 0x7F else 60
    if code < 0x2600 or 0x3000 <= code < 0x3040 or 0xFF00 <= code < 0xFFF0:
        return 120
    return 260
