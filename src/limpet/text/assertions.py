"""Parse the clauses of a text into assertions that can be compared.

An assertion is affirmed or denied. It has items, which are the stems of its meaningful words, and values: numbers,
names, and words that exclude each other, such as Friday and Monday. A clause gives no assertion if it is hedged,
conditional, about the past, a question, or about "it".
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from limpet.lean.pattern import lazy
from limpet.lean.record import record
from limpet.text import grammar
from limpet.text.negation import is_denial
from limpet.text.vocabulary import NUMERALS, OPPOSITES, RIVALS, SYNONYMS, UNITS

__all__ = ["Assertion", "get_item_prefix", "read_assertions", "stem"]

_READ = 2_000
_CLAUSES = 12

_BREAK = lazy(r"([.;!?]++(?=\s|$)|\n++|,?\s(?=but\s)|,\s(?=now\s|(?:don't|do not|never)\s(?!(?:the|an?)\s)))")
_TOKEN = lazy(r"`[^`\n]++`|https?://[^\s>)\]]++|[~.]{0,2}/?[\w#@$][\w./:'+#%@$-]*+|,")
_NUMBER = lazy(r"[v$€]?\d++(?:[.:,]\d++)*+(%|[a-z]{0,3})\+?")
_PLACES = frozenset({"on", "in", "at", "with"})
_DATE = lazy(r"\d{4}-\d\d(?:-\d\d)?")


@record
class Assertion:
    """The parsed content of one clause."""

    denied: bool
    """Whether the clause denies something: "we do not use npm"."""
    explicit: bool
    """Whether the clause denies with a negation such as "not", rather than with an opposite such as "disabled"."""
    items: tuple[str, ...]
    """The stems of the meaningful words, and the values, in the order of the clause."""
    joined: tuple[bool, ...]
    """For each item, whether it directly follows the previous item, as in a compound noun."""
    values: dict[str, str]
    """The values, by their family, such as "database", or by the kind of their unit."""
    rejected: frozenset[str]
    """The stems of what the clause rejects: X in "instead of X" and in "from X to Y"."""
    switched: bool
    """Whether the clause says that one thing was replaced by another: "we moved from X to Y"."""
    made: bool
    """Whether the clause states a fact; False for what was only considered, will be done, or was a mistake."""
    by: frozenset[str]
    """If the clause is about a switch, the stems before the verb: "Acme" in "Acme moved from X to Y"."""
    moved: frozenset[str]
    """If the clause is about a switch, the stems of its object: "docs" in "we moved the docs from X to Y"."""
    arrived: bool
    """Whether the clause says only what was switched to: "we moved to Y"."""
    ended: bool
    """Whether the clause says that something is over: "no longer", "dropped", "stopped using"."""
    uses: bool
    """Whether the clause says that something is used, or is not used."""
    single: bool
    """Whether the clause describes a state with one value, rather than an event or one of many cases."""
    shown: dict[str, str]
    """The words as they are written in the text, by item."""


# Cached, because each new text is compared with many of the same old texts.
@lru_cache(maxsize=2048)
def read_assertions(text: str) -> tuple[Assertion, ...]:
    """Return the assertions of the clauses at the beginning of a text; clauses that cannot be parsed are left out."""
    parts = _BREAK.split(text[:_READ].replace("’", "'"))
    found: list[Assertion] = []
    for clause, end in zip(parts[::2], [*parts[1::2], ""], strict=False):
        if "?" not in end and len(found) < _CLAUSES:
            assertion = _read_clause(_TOKEN.findall(clause))
            if assertion is not None and (assertion.items or assertion.rejected):
                found.append(assertion)
    return tuple(found)


def _read_clause(tokens: list[str]) -> Assertion | None:
    tokens = [token if token[0] == "`" or token == "," else token.rstrip(".'/-") for token in tokens]
    tokens = [token for token in tokens if token]
    low = [NUMERALS.get(word, word) for word in (token.lower().rstrip(":=") or "," for token in tokens)]
    low = low[1:] if low[:1] == ["but"] else low
    tokens = tokens[len(tokens) - len(low) :]
    if tokens and tokens[0][-1] == ":" and low[0] in grammar.CLAUSE_LABELS:
        tokens, low = tokens[1:], low[1:]
    # "Since 2024 we use X" begins with a date; after the main clause, "since" gives a reason.
    if low[:1] == ["since"] and "we" in low:
        tokens, low = tokens[low.index("we") :], low[low.index("we") :]
    if any(pair in {("plan", "to"), ("plans", "to"), ("planning", "to")} for pair in pairwise(low)):
        return None
    if not low or grammar.UNREADABLE & set(low) or low[0] in grammar.PRONOUNS:
        return None
    if low[0] in grammar.POINTERS and low[1:2] and low[1] in grammar.VERBS_AFTER_POINTER:
        return None
    return _ClauseReader(tokens, low).read()


class _ClauseReader:
    """A parser of one clause. Each step removes the words that it has parsed; `low` are the tokens in lower case."""

    def __init__(self, tokens: list[str], low: list[str]) -> None:
        self.tokens, self.low = tokens, low
        self.denied = self.explicit = self.switched = self.uses = self.arrived = False
        text = " ".join(low)
        self.ended = "no longer" in text or "anymore" in low or "any more" in text
        self.rejected: set[str] = set()
        self.moved: set[str] = set()
        self.by: set[str] = set()
        self.made = grammar.NOT_MADE.isdisjoint(low) and grammar.NOT_MADE_PAIRS.isdisjoint(pairwise(low))

    def read(self) -> Assertion | None:
        for at, word in enumerate(self.low):
            if at > 0 and (word in grammar.REASONS or self.low[at : at + 2] == ["due", "to"]):
                del self.tokens[at:], self.low[at:]
                break
        is_event = any(word in grammar.EVENTS for word in self.low[:3]) or "took" in self.low
        self._read_contrast()
        self._read_switch()
        if not self._read_removal() or not self._read_negation():
            return None
        return self._build_assertion(is_event)

    def _read_contrast(self) -> None:
        """Parse "instead of X", "rather than X", "not X" or "no longer X" after a comma, or "prefer Y over X"."""
        low = self.low
        prefers = any(word.startswith("prefer") for word in low)
        for at, word in enumerate(low):
            pair = (word, low[at + 1] if at + 1 < len(low) else "")
            start = 0
            if pair in {("instead", "of"), ("rather", "than")}:
                start = at + 2
            elif pair == (",", "not") or (word == "over" and prefers):
                start = at + (2 if word == "," else 1)
                start += start < len(low) and low[start] in _PLACES  # "on Mondays, not on Fridays"
            elif low[at : at + 3] == [",", "no", "longer"] and self._is_value(at + 3):
                start, self.ended = at + 3, False
            if start:
                end = start
                while end < len(low) and end < start + 3 and low[end] not in grammar.CONTRAST_ENDS:
                    end += 1
                self.rejected.update(stem(token) for token in low[start:end] if token not in grammar.LIGHT)
                self._cut_words(at, end)
                return

    def _is_value(self, at: int) -> bool:
        """Tell whether the word at `at` is a number or the name of a tool, and not a verb as in "no longer used"."""
        return at < len(self.low) and (self.low[at] in RIVALS or _NUMBER.fullmatch(self.low[at]) is not None)

    def _read_switch(self) -> None:
        """Parse "moved from X to Y", "replaced X with Y" or "moved to Y"."""
        low = self.low
        if not grammar.SWITCHES & set(low):
            return
        verb = next(at for at, word in enumerate(low) if word in grammar.SWITCHES)
        self.made = self.made and low[verb] not in grammar.SWITCHES_TO_MAKE
        begin, target = (low.index("from"), {"to"}) if "from" in low else (verb, {"with", "by"})
        end = next((at for at in range(begin + 1, len(low)) if low[at] in target), 0)
        if end and (begin != verb or low[verb].startswith(("replac", "swap"))):
            passive = begin == verb and low[verb - 1] in {"was", "were", "been"}
            given_up = low[:verb] if passive else low[begin + 1 : end]
            self.rejected.update(stem(word) for word in given_up if word not in grammar.LIGHT)
            self.moved.update(stem(word) for word in low[verb + 1 : begin] if word not in grammar.LIGHT)
            self.by.update(stem(word) for word in low[: 0 if passive else verb] if word not in grammar.LIGHT)
            self.switched = True
            self._cut_words(0 if passive else begin, end + 1)
        elif "to" in low[verb + 1 :] and "from" not in low:
            self.arrived = True
            self.moved.update(stem(word) for word in low[verb + 1 : low.index("to", verb)] if word not in grammar.LIGHT)
        self._drop_words(grammar.SWITCHES | {"was", "were", "been"})

    def _read_removal(self) -> bool:
        """Parse "dropped X", "stopped using X" and the like.

        Return False if the clause is about the past in another way.
        """
        low, text = self.low, " ".join(self.low)
        if grammar.REMOVALS & set(low):
            self._drop_words(grammar.REMOVALS | {"was", "were", "been"})
            self.uses = "support" not in low
            self.denied = self.explicit = self.ended = True
        elif "stopped using" in text or "got rid of" in text or "used to " in text:
            if "used to" in text and ({"is", "are"} & set(low)):
                return True  # "X is used to do Y" is a purpose, not a habit given up
            self._drop_words({"stopped", "got", "rid"})
            self.denied = self.explicit = self.ended = True
            self.uses = self.uses or "got rid" in text
        return not {"was", "were"} & set(self.low)

    def _read_negation(self) -> bool:
        """Remove the negations; return False if they do not simply deny the clause."""
        low, kept = self.low, []
        denials = [is_denial(word, grammar.AVOIDING) for word in low]
        # "never this, never that" is a list of denials, not a double negation.
        if sum(denials) > (1 if "," in low else 2):
            return False
        for at, word in enumerate(low):
            following = low[at + 1] if at + 1 < len(low) else ""
            if denials[at]:
                if following in grammar.NOT_QUITE:
                    return False
                if following in grammar.BOUNDS and "than" in low[at + 2 : at + 3]:
                    continue
                self.denied = not self.denied
                self.explicit = self.explicit or word != "without"
                # "avoid X" is "do not use X".
                self.uses = self.uses or word == "avoid"
            else:
                kept.append(at)
        self.tokens, self.low = [self.tokens[at] for at in kept], [low[at] for at in kept]
        return True

    def _build_assertion(self, is_event: bool) -> Assertion:
        items: list[str] = []
        joined: list[bool] = []
        values: dict[str, str] = {}
        shown: dict[str, str] = {}
        linked = self.arrived
        skip = adjacent = False
        last = max((at for at, word in enumerate(self.low) if word not in grammar.LIGHT and word != ","), default=-1)
        for at, word in enumerate(self.low):
            token = self.tokens[at]
            if skip or word == "," or word in grammar.LIGHT or word in grammar.USING:
                self.uses = self.uses or word in grammar.USING
                linked = linked or word in grammar.USING or word in grammar.LINKING
                skip = adjacent = False
                continue
            kind, item = "", ""
            if self._is_opposite(at, last):
                self.denied = not self.denied
                word = OPPOSITES.get(word) or word[2:]
            elif _NUMBER.fullmatch(word) and not _DATE.fullmatch(word):
                kind, item, skip = self._read_quantity(at)
            elif word in RIVALS and (word != "go" or (token == "Go" and at > 0)):
                kind, item = RIVALS[word]
            elif at == last and linked and (_is_name(token, at) or (at and self.tokens[at - 1][-1] in ":=")):
                kind, item = "name", word.strip("`")
            item = item or stem(word)
            if word in grammar.PREPOSITIONS:
                adjacent = False
            if kind:
                values[kind] = f"{values[kind]} {item}" if kind in values and values[kind] != item else item
            items.append(item)
            joined.append(adjacent)
            shown.setdefault(item, f"{token} {self.tokens[at + 1]}" if skip else token.rstrip(":="))
            adjacent = word not in grammar.PREPOSITIONS
            linked = linked or token[-1] in ":=" or word in grammar.LINKING
        return Assertion(
            denied=self.denied,
            explicit=self.explicit,
            items=tuple(items),
            joined=tuple(joined),
            values=values,
            rejected=frozenset(self.rejected),
            switched=self.switched,
            made=self.made,
            by=frozenset(self.by),
            uses=self.uses,
            moved=frozenset(self.moved),
            arrived=self.arrived,
            ended=self.ended,
            single=bool(grammar.ONE_VALUED & set(items)) or not (is_event or self._has_many_values()),
            shown=shown,
        )

    def _has_many_values(self) -> bool:
        """Tell whether the clause could also hold for other values, so that one with another value does not deny it.

        For example, "supports JSON" does not rule out "supports YAML".
        """
        if grammar.MANY_VALUED & set(self.low):
            return True
        return any(word in grammar.INSTANCES and after in grammar.LIGHT for word, after in pairwise([*self.low, "is"]))

    def _is_opposite(self, at: int, last: int) -> bool:
        """Tell whether the word at `at` denies the clause because it is an opposite: "disabled", "unused".

        `last` is the position of the last meaningful word.
        """
        word = self.low[at]
        negative = word.startswith("un") and word.endswith(("ed", "able")) and len(word) > 7 and word[2:5] != "der"
        if word not in OPPOSITES and not negative:
            return False
        if word in grammar.OPPOSITE_VERBS:
            return True
        before_noun = at < last and self.low[at + 1] not in grammar.LIGHT and self.low[at + 1] != ","
        return not before_noun or bool(grammar.WANTING & set(self.low[:at]))

    def _read_quantity(self, at: int) -> tuple[str, str, bool]:
        """Return the kind of the number at `at`, its value, and whether the next word is its unit.

        The kind is an empty string if the number only names a thing: "step 3".
        """
        word = self.low[at].rstrip("+").lstrip("v$€")
        if at and self.low[at - 1] in grammar.NUMBERED:
            return "", f"#{word}", False
        match = _NUMBER.fullmatch(word)
        unit = match.group(1) if match else ""
        digits = word.removesuffix(unit)
        name = unit or (self.low[at + 1] if at + 1 < len(self.low) else "")
        # The whole word is tried first, because "ms" is not the plural of "m".
        known = UNITS.get(name) or UNITS.get(name.removesuffix("s"))
        if known is None or digits.count(".") + digits.count(":") > 1:
            return ("clock" if ":" in digits else "number"), word, False
        family, factor = known
        return family, f"{float(digits.replace(',', '').replace(':', '.')) * factor:g}", not unit

    def _drop_words(self, unwanted: set[str] | frozenset[str]) -> None:
        kept = [at for at, word in enumerate(self.low) if word not in unwanted]
        self.tokens, self.low = [self.tokens[at] for at in kept], [self.low[at] for at in kept]

    def _cut_words(self, start: int, end: int) -> None:
        del self.tokens[start:end], self.low[start:end]


def _is_name(token: str, at: int) -> bool:
    """Tell whether the token at the position `at` is a proper name, quoted code, a path or an address."""
    if token[0] == "`" or any(mark in token for mark in "./@_:") or any(char.isdigit() for char in token):
        return True
    return any(char.isupper() for char in (token if at > 0 else token[1:]))


def get_item_prefix(item: str) -> str:
    """Return a string that a text in lower case must contain if one of its assertions has this item.

    An item is a stem, whose last letter may differ from the word in the text, so this letter is removed. The result is
    an empty string if the item may come from another word, such as a synonym.
    """
    return item[:-1] if item.isascii() and item.isalpha() and item not in _OTHER_WORDS else ""


def stem(word: str) -> str:
    """Return the stem of a word, or the value that the word stands for."""
    if word in RIVALS:
        return RIVALS[word][1]
    word = word.strip("`").removesuffix("'s")
    for ending in ("ies", "ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith(("ss", "us", "is")):
            word = word[: -len(ending)] + ("i" if ending == "ies" else "")
            if ending in {"ing", "ed"} and len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    word = word[:-1] + "i" if word.endswith("y") and len(word) > 3 else word.removesuffix("e")
    return SYNONYMS.get(word, word)


_OTHER_WORDS = frozenset(
    (*SYNONYMS.values(), *(value for _, value in RIVALS.values()), *(stem(word) for word in OPPOSITES.values()))
)
"""Items that may come from words with other letters, because they replace a synonym, an alias or an opposite."""
