"""Read what a text states: the statements that `replacement` compares.

A statement is one clause: what it is about, a value, whether it affirms or denies, and what it says to be given up. The
value is what another statement about the same thing can have instead: the complement of the verb, such as "Redis" in
"the session store is Redis" and "fly.io" in "we deploy to fly.io". A clause states nothing if it is hedged,
conditional, about the past, a question, or about "it".
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from limpet.lean.pattern import lazy
from limpet.lean.record import record
from limpet.text.clauses import VERBS, WORDS, split_clauses
from limpet.text.negation import is_denial
from limpet.text.vocabulary import NUMERALS, OPPOSITES, is_name, read_value, stem
from limpet.text.words import STOP, word_set

USING, LIGHT = WORDS["using"], STOP | WORDS["light"]
_PLACES = WORDS["places"]
_VALUE_ENDS = _PLACES | WORDS["prepositions"] | word_set(", → for when while that which")
_SPEAKERS = (["we"], ["i"], ["they"], ["you"])
_SCOPES = word_set("for in on at within inside during")
_THEM = word_set("it them that those these this")
_PASSIVE = word_set("was were been got")
_OWNS = WORDS["own"] | WORDS["duties"]
_MEANS = dict.fromkeys(("through", "via", "by", "using"), "with")

_CLAUSES = 12
_TOKEN = lazy(r"`[^`\n]++`|https?://[^\s>)\]]++|[~.]{0,2}/?[\w#@$*<][\w./:'+#%@$*<>-]*+|→|->|=>|,")
_ARROWS = frozenset({"→", "->", "=>"})


@record
class Statement:
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
    """The values of a known kind, by their family, such as "database", or by the kind of their unit."""
    slot: frozenset[str]
    """The items in the place of the value."""
    scope: frozenset[str]
    """The items that tell for what, where or when, beside the value: "uploads" in "use 10 retries for uploads"."""
    described: bool
    """Whether the value begins with an article, as a description does, and a name does not."""
    relation: str
    """How the value is connected: "is", "uses", or the preposition before it; an empty string if there is no value."""
    verbs: frozenset[str]
    """The items that only connect the value: "ship" in "logs are shipped to Loki"."""
    rejected: frozenset[str]
    """The items that the clause gives up: X in "instead of X" and in "from X to Y"."""
    switched: bool
    """Whether the clause says that one thing was replaced by another: "we moved from X to Y"."""
    arrived: bool
    """Whether the clause says only what was switched to: "we moved to Y"."""
    made: bool
    """Whether the clause states a fact; False for what was only considered, will be done, or was a mistake."""
    ended: bool
    """Whether the clause says that something is over: "no longer", "dropped", "stopped using"."""
    uses: bool
    """Whether the clause says that something is used, or is not used."""
    single: bool
    """Whether the clause describes a state with one value, rather than an event or one of many cases."""
    current: bool
    """Whether the clause says that it holds now, as if something else had held before."""
    numbered: bool
    """Whether the clause has a number that is part of a name: "module 3 uses …"."""
    named: frozenset[str]
    """The items that are names: code, paths, names of technologies, and words with a capital letter."""
    shown: dict[str, str]
    """The words as they are written in the text, by item."""


# Cached, because each new text is compared with many of the same old texts.
@lru_cache(maxsize=2048)
def read_statements(text: str) -> tuple[Statement, ...]:
    """Return the statements of the clauses at the beginning of a text; clauses that cannot be parsed are left out."""
    found: list[Statement] = []
    for clause in split_clauses(text):
        statement = _read_clause(_TOKEN.findall(clause)) if len(found) < _CLAUSES else None
        if statement is not None and (statement.items or statement.rejected):
            found.append(statement)
    return tuple(found)


def _read_clause(tokens: list[str]) -> Statement | None:
    """Return the statement of a clause, or None if it states nothing."""
    tokens = [token if token[0] == "`" or token in _ARROWS else token.rstrip(".'-") for token in tokens]
    words = [(token, token.lower().rstrip(":=") or ",") for token in tokens if token]
    words = [(token, NUMERALS.get(low, low)) for token, low in words]
    if words and (words[0][1] == "but" or (words[0][0][-1] == ":" and words[0][1] in WORDS["labels"])):
        del words[0]
    low = [word for _, word in words]
    if not low or low[0] in WORDS["pronouns"] or WORDS["unreadable"] & set(low):
        return None
    if low[-1] in _THEM and low[-2:-1] == ["for"]:
        return None
    # "Before 2021 we used X" is about the past, and "run it before you commit" about something that is named before.
    if low[0] == "before" or low[1:2] == ["it"]:
        return None
    is_list = "," in low and sum(word in {"is", "are"} for word in low) > 1
    if is_list or (low[0] in WORDS["pointers"] and low[1:2] and low[1] in WORDS["after a pointer"]):
        return None
    return _Reader(_put_value_last(words)).read()


def _put_value_last(words: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Turn "Redis is our session store" and "Ben owns the parser" round, so that the value comes last."""
    at = next((at for at, (_, low) in enumerate(words[:4]) if low in {"is", "are"} or low in _OWNS), 0)
    subject = [each for each in words[:at] if each[1] != "now"]
    if not subject or not all(is_name(token, 1) for token, _ in subject):
        return words
    verb, rest = words[at], [each for each in words[at + 1 :] if each[1] not in {"now", ","}]
    if verb[1] in _OWNS:
        end = next((at for at, (_, low) in enumerate(words) if low == ","), len(words))
        rest, aside = words[at + 1 : end], words[end:]
        # "Ben reviews the migrations" is a duty, and "Ben reviews the parser" may be something that he does today.
        if not rest or (verb[1] in WORDS["duties"] and not rest[-1 - (rest[-1][1] == "now")][1].endswith("s")):
            return words
        return [*rest, ("is", "is"), ("owned", verb[1].rstrip("s") + "ed"), ("by", "by"), *subject, *aside]
    low = [word for _, word in rest]
    is_role = any(word in {"the", "our", "my", "your"} for word in low[:3]) and not WORDS["roles"].isdisjoint(low)
    return [*rest, verb, *subject] if is_role else words


class _Reader:
    """A parser of one clause. Each step removes the words that it has parsed; `words` are tokens with their lower case.

    "From X to Y" and the like are replaced by an arrow before Y.
    """

    def __init__(self, words: list[tuple[str, str]]) -> None:
        self.words = words
        self.denied = self.explicit = self.switched = self.uses = self.arrived = False
        self.rejected: set[str] = set()
        self.made = WORDS["not made"].isdisjoint(self.low)
        self.current = not {"now", "actually", "currently"}.isdisjoint(self.low)

    @property
    def low(self) -> list[str]:
        return [word for _, word in self.words]

    def read(self) -> Statement | None:
        for at, word in enumerate(self.low):
            if at > 0 and (word in WORDS["reasons"] or self.low[at : at + 2] == ["due", "to"]):
                del self.words[at:]
                break
        is_event = any(word in WORDS["events"] for word in self.low[:3]) or "took" in self.low
        self._read_contrast()
        self._read_change()
        self.ended = "anymore" in self.low or ("no", "longer") in pairwise(self.low)
        if not self._read_removal() or not self._read_negation():
            return None
        return self._build_statement(is_event)

    def _read_contrast(self) -> None:
        """Parse "instead of X", "rather than X", "not X" or "no longer X" after a comma, or "prefer Y over X"."""
        low = self.low
        prefers = any(word.startswith("prefer") for word in low)
        for at, word in enumerate(low):
            start = 0
            if low[at : at + 2] in (["instead", "of"], ["rather", "than"], [",", "not"]):
                start = at + 2
            elif low[at : at + 3] == [",", "no", "longer"]:
                start = at + 3
            elif word == "over" and prefers:
                start = at + 1
            if start and low[start : start + 1] and low[start] not in WORDS["less than a denial"]:
                while start < len(low) and (low[start] in _PLACES or low[start] == "the"):
                    start += 1
                end = start
                while end < min(len(low), start + 3) and low[end] not in WORDS["ends a contrast"] | WORDS["objects"]:
                    end += 1
                self._reject(low[start:end])
                end += low[end : end + 1] == ["anymore"]
                del self.words[at:end]
                return

    def _reject(self, words: list[str]) -> None:
        is_unit = False
        for at, word in enumerate(words):
            if is_unit or word in LIGHT or word in USING or word == ",":
                is_unit = False
            else:
                _, item, is_unit = read_value(words, at)
                self.rejected.add(item)

    def _read_change(self) -> None:
        """Parse "X → Y", "moved from X to Y", "replaced X with Y" or "moved to Y"."""
        low = self.low
        arrow = next((at for at, word in enumerate(low) if word in _ARROWS), 0)
        verb = next((at for at, word in enumerate(low) if word in WORDS["switches"]), -1)
        if arrow:
            ends = (at for at in range(arrow) if self.words[at][0][-1] in ":=," or low[at] in WORDS["states"])
            start = 1 + max(ends, default=-1)
            self.switched = start == 0
            self._reject(low[start:arrow])
            self.words[start : arrow + 1] = [("→", "→")]
        if arrow or verb < 0:
            return
        self.made = self.made and low[verb] not in WORDS["plain switches"]
        begin, target = (low.index("from"), {"to", "into", "onto"}) if "from" in low else (verb, {"with", "by", "for"})
        end = next((at for at in range(begin + 1, len(low)) if low[at] in target), 0)
        if end and (begin != verb or low[verb].startswith(("replac", "swap"))):
            is_passive = begin == verb and low[verb - 1] in _PASSIVE | {"is", "are"}
            self._reject(low[: verb - 1] if is_passive else low[begin + 1 : end])
            self.switched = True
            self.words[0 if is_passive else begin : end + 1] = [("→", "→")]
        elif (to := "in" if low[verb] in {"rewritten", "rewrote"} else "to") in low[verb + 1 :] and "from" not in low:
            self.arrived = True
            self.words[low.index(to, verb)] = ("→", "→")
        self._drop_words(WORDS["switches"] | _PASSIVE)

    def _read_removal(self) -> bool:
        """Parse "dropped X", "stopped using X" and the like.

        Return False if the clause is about the past in another way.
        """
        low, text = self.low, " ".join(self.low)
        if WORDS["removals"] & set(low):
            self._drop_words(WORDS["removals"] | _PASSIVE)
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
        denials = [is_denial(word, WORDS["avoiding"]) for word in low]
        # "never this, never that" is a list of denials, not a double negation.
        if sum(denials) > (1 if "," in low else 2):
            return False
        for at, word in enumerate(low):
            following = low[at + 1] if at + 1 < len(low) else ""
            if not denials[at]:
                kept.append(self.words[at])
            elif following in WORDS["less than a denial"]:
                return False
            elif following not in WORDS["bounds"] or low[at + 2 : at + 3] != ["than"]:
                self.denied = not self.denied
                self.explicit = self.explicit or word != "without"
                # "avoid X" is "do not use X".
                self.uses = self.uses or word == "avoid"
        self.words = kept
        return True

    def _find_value(self) -> tuple[int, int, str, range]:
        """Return the start and end of the value, how it is connected, and the positions of what connects it."""
        low, verbs = self.low, range(0)
        colon = next((at + 1 for at, (token, _) in enumerate(self.words[:-1]) if token[-1] in ":="), 0)
        state = next((at for at, word in enumerate(low) if word in WORDS["states"]), -1)
        used = next((at for at, word in enumerate(low) if word in WORDS["objects"] and low[at - 1 : at] != ["is"]), -1)
        place = next((at for at, word in enumerate(low) if word in _PLACES and at > max(state, 0)), -1)
        if "→" in low:
            start, relation = low.index("→") + 1, "→"
        elif colon:
            start, relation = colon, "is"
        elif used >= 0 and (state < 0 or used < state):
            start, relation = used + 1, "uses"
        elif place >= 0 and (state < 0 or all(map(_is_participle, low[state + 1 : place]))):
            is_written = low[place] == "in" and "written" in low[:place]
            start, relation = place + 1, "as" if is_written else _MEANS.get(low[place], low[place])
            verbs = range(state + 1, place) if state >= 0 else verbs
        elif state >= 0:
            start, relation = state + 1, "called" if {"called", "named"} & set(low) else "is"
        else:
            return 0, 0, "", verbs
        return start, next((at for at in range(start, len(low)) if low[at] in _VALUE_ENDS), len(low)), relation, verbs

    def _build_statement(self, is_event: bool) -> Statement:
        items: list[str] = []
        joined: list[bool] = []
        values: dict[str, str] = {}
        shown: dict[str, str] = {}
        slot, scope, named, verbs = set[str](), set[str](), set[str](), set[str]()
        start, end, relation, connecting = self._find_value()
        low = self.low
        numbers = [word for word in low if word[0].isdigit()]
        # A number that occurs twice is a part of a name.
        numbered = is_repeated = len(numbers) > len(set(numbers))
        verb = next(
            (at for at, (t, word) in enumerate(self.words) if word in WORDS["verbs"] or t[-1] in ":="), len(low)
        )
        last = max((at for at, word in enumerate(low) if word not in LIGHT and word not in ",→"), default=-1)
        is_unit = adjacent = is_scope = False
        for at, (token, word) in enumerate(self.words):
            is_scope = word in _SCOPES or (is_scope and word not in _VALUE_ENDS and word not in VERBS)
            is_linking = word in WORDS["linking"] and (token != "Go" or at == 0)
            if is_unit or word in ",→" or word in LIGHT or word in USING or is_linking:
                self.uses = self.uses or word in USING
                is_unit = adjacent = False
                continue
            if self._is_opposite(at, last):
                self.denied = not self.denied
                word = OPPOSITES.get(word) or word[2:]
                kind, item = "", stem(word)
            else:
                kind, item, is_unit = read_value(low, at)
            if word[0].isdigit() and at <= verb and not start <= at < end:
                before, name = low[at - 1 : at], self.words[at - 1][0]
                is_noun = before and before[0][0].isalpha() and before[0] not in LIGHT | _VALUE_ENDS
                numbered = numbered or bool(is_noun and not is_name(name, at - 1))
            if kind:
                values[kind] = f"{values[kind]} {item}" if kind in values and values[kind] != item else item
            if start <= at < end:
                slot.add(item)
            elif at in connecting or low[at - 1 : at] in _SPEAKERS:
                verbs.add(item)
            elif is_scope:
                scope.add(item)
            if kind or is_name(token, at):
                named.add(item)
            items.append(item)
            joined.append(adjacent and word not in WORDS["prepositions"])
            shown.setdefault(item, f"{token} {self.words[at + 1][0]}" if is_unit else token.rstrip(":="))
            adjacent = word not in WORDS["prepositions"]
        # "Supports JSON" does not rule out "supports YAML". "The support address is …" has a noun like such a verb.
        many = WORDS["adding"] & set(low) or WORDS["many values"] & set(low[verb if verb < len(low) else 0 :])
        instances = (word in WORDS["instances"] and after in LIGHT for word, after in pairwise([*low, "is"]))
        return Statement(
            denied=self.denied,
            explicit=self.explicit,
            items=tuple(items),
            joined=tuple(joined),
            values=values,
            slot=frozenset(slot),
            scope=frozenset(scope),
            described=low[start : start + 1] in (["a"], ["an"], ["the"]),
            relation=relation,
            verbs=frozenset(verbs - slot),
            rejected=frozenset(self.rejected),
            switched=self.switched,
            arrived=self.arrived,
            made=self.made,
            ended=self.ended,
            uses=self.uses,
            single=not WORDS["one value"].isdisjoint(items)
            or (
                not (is_event or many or any(instances) or is_repeated)
                and (start == 0 or start < end or low[start : start + 1] != ["for"])
            ),
            current=self.current,
            numbered=numbered,
            named=frozenset(named),
            shown=shown,
        )

    def _is_opposite(self, at: int, last: int) -> bool:
        """Tell whether the word at `at` denies the clause because it is an opposite: "disabled", "unused".

        `last` is the position of the last meaningful word.
        """
        low = self.low
        word = low[at]
        negative = word.startswith("un") and word.endswith(("ed", "able")) and len(word) > 7 and word[2:5] != "der"
        if word not in OPPOSITES and not negative:
            return False
        before_noun = at < last and low[at + 1] not in LIGHT and low[at + 1] != ","
        return word in WORDS["opposite verbs"] or not before_noun or not WORDS["wanting"].isdisjoint(low[:at])

    def _drop_words(self, unwanted: Iterable[str]) -> None:
        self.words = [each for each in self.words if each[1] not in unwanted]


def _is_participle(word: str) -> bool:
    return word in LIGHT or word in USING or word in WORDS["participles"] or word.endswith(("ed", "en"))
