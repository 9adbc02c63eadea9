"""Estimate offline how many tokens a text has.

A tokenizer splits a text into pieces (a word with the space before it, a number, a run of punctuation) and then looks
up each piece in its vocabulary. The way it splits is public and cheap to reproduce. The vocabulary is large and, for
current models, not public. So this module splits in the same way, and counts for each piece the average number of
tokens of pieces with its class and length. The averages were measured with the only vocabulary that Anthropic has
published. `benchmarks/tokens.py` prints the errors, and how much other vocabularies differ.

Costs are integers in hundredths of a token, so the sum is exact and the same on every machine.
"""

from __future__ import annotations

from limpet.lean.pattern import lazy

# There is one alternative for each class of pieces. The first that matches counts, and each takes linear time. A name
# in camelCase is split at its capitals, because vocabularies rarely have the whole name.
_PIECES = lazy(
    r"'(?:[stmd]|re|ve|ll)(?![a-zA-Z])"
    r"| ?[A-Z]?[a-z]+"
    r"| ?[A-Z]+(?![a-z])"
    r"| ?[^\W\d_]+"
    r"| ?\d+"
    r"| ?(?:[^\w\s]++|_++)++"
    r"|\s+(?!\S)|\s+"
)
# A piece may have letters of several scripts, such as "redis缓存", which have different costs.
_SCRIPTS = lazy(
    r"(?P<latin>[a-zA-Z\u00c0-\u024f\u1e00-\u1eff]+)"
    r"|(?P<cyrillic>[\u0400-\u052f]+)"
    r"|(?P<east>[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+)"
    r"|(?P<other>[^a-zA-Z\u00c0-\u024f\u1e00-\u1eff\u0400-\u052f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+)"
)

# The costs by the length of a piece. A short word after a space is nearly always in the vocabulary, the same word in an
# identifier less often, and a word in capitals rarely.
_SPACED = (0, 100, 100, 102, 102, 103, 108, 108, 113, 112, 121, 126, 133, 138, 145, 155)
_BARE = (0, 100, 100, 115, 109, 116, 115, 131, 132, 136, 150, 150, 195, 230, 260, 300)
_CAPITALISED = (0, 100, 100, 102, 104, 112, 119, 122, 140, 158, 162, 178, 195, 205, 215, 230)
_UPPER = (0, 100, 101, 122, 144, 144, 142, 160, 170, 190, 225, 250, 280, 310, 340, 370)
_MARKS = (0, 100, 102, 119)
_PER_LETTER_BEYOND = 36

# Of a longer text only samples are counted, because counting a megabyte would take about a second.
_COUNTED_WHOLE = 100_000
_SLICES = 25
_LONGEST_KEPT, _MOST_KEPT = 32, 5_000
"""The maximum length of a piece whose cost is cached, and the maximum number of cached costs."""


def count_tokens(text: str) -> int:
    """Return the estimated number of tokens in a text. It is 0 only if the text is empty."""
    if len(text) <= _COUNTED_WHOLE:
        return (_sum_costs(text) + 99) // 100
    step, width = len(text) // _SLICES, _COUNTED_WHOLE // _SLICES
    sampled = sum(_sum_costs(text[at * step : at * step + width]) for at in range(_SLICES))
    return sampled * len(text) // (_COUNTED_WHOLE * 100)


class _PieceCosts(dict[str, int]):
    """A cache of the costs of pieces, because most pieces of a text have occurred in earlier texts."""

    def __missing__(self, piece: str) -> int:
        cost = _piece_cost(piece)
        if len(piece) <= _LONGEST_KEPT:
            if len(self) >= _MOST_KEPT:
                self.clear()
            self[piece] = cost
        return cost


_COSTS = _PieceCosts()


def _sum_costs(text: str) -> int:
    return sum(map(_COSTS.__getitem__, _PIECES.findall(text)))


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
    # A line of dashes has one or two tokens whatever its length. What counts is how often the character changes.
    changes = sum(map(str.__ne__, word, word[1:]))
    return 90 + 40 * changes + 2 * length


def _foreign_cost(word: str) -> int:
    if not word[0].isalpha():
        return sum(_symbol_cost(ord(mark)) for mark in word)
    return sum(_script_cost(match.lastgroup or "", match.group()) for match in _SCRIPTS.finditer(word))


def _script_cost(script: str, word: str) -> int:
    length = len(word)
    if script == "latin":
        # In a language with accents, words without accents cost more than English ones too. Their cost is added here,
        # so that the estimate remains a sum over pieces.
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
