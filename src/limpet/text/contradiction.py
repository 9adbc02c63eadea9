"""Does a newer statement plainly contradict an older one?

Every clause is read as a claim: a sign (said or denied), a subject matter (the stems of its meaningful words) and
values (numbers, names, and words that have rivals, such as Friday and Monday). Two claims contradict when they are
about the same and differ in sign, or agree in sign and differ in exactly one value. A wrong "contradicts" lowers
confidence in a good memory, a missed one merely leaves both standing; so whatever is hedged, conditional, historical,
asked, or about "it" is not read as a claim at all.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from limpet.lean.pattern import lazy
from limpet.lean.record import record
from limpet.text.excerpt import clip
from limpet.text.negation import is_denial
from limpet.text.vocabulary import EXCLUSIVE, NUMERALS, OPPOSITES, RIVALS, SYNONYMS, UNITS
from limpet.text.words import STOP, listed

__all__ = ["contradicts"]

_READ = 2_000
_CLAUSES = 12

_BREAK = lazy(r"([.;!?]++(?=\s|$)|\n++|,?\s(?=but\s)|,\s(?=now\s|(?:don't|do not|never)\s(?!(?:the|an?)\s)))")
_TOKEN = lazy(r"`[^`\n]++`|https?://[^\s>)\]]++|[~.]{0,2}/?[\w#@$][\w./:'+#%@$-]*+|,")
_NUMBER = lazy(r"[v$€]?\d++(?:[.:,]\d++)*+(%|[a-z]{0,3})\+?")
_DATE = lazy(r"\d{4}-\d\d(?:-\d\d)?")

_AVOIDING = listed("avoid")
# After "not" these make something weaker than a denial, or no denial at all.
_NOT_QUITE = listed("only just all every always necessarily sure clear yet everyone")
_UNREADABLE = listed(
    "maybe perhaps possibly might could consider considering if unless except whether propose proposed proposal "
    "idea planned todo until previously formerly originally initially historically once none nothing nobody nowhere "
    "would wonder hope wish unlike"
)
_PRONOUNS, _POINTERS = listed("it they he she"), listed("this that these those")
_VERBS_AFTER_POINTER = listed("is are does do has have can will should must isn't doesn't works")
_REASONS = listed("because since so which thus hence otherwise")
_BOUNDS = listed("more less later fewer earlier sooner")
_CONTRAST_ENDS = listed(", for in on to when while as at with and by")

_LIGHT = STOP | listed(
    "now currently today still already just please anymore any more longer also really very ever all each every both "
    "always should must shall can may will need needs do does did doing done make sure ensure get gets only when "
    "while where within via through per under by about new instead s"
)
_USING = listed(
    "use uses used using utilise utilises utilize utilizes employ employs run runs running rely relies adopt adopted "
    "choose chose chosen set sets configured defined pick picked written host hosts hosted serve served based "
    "store stored"
)
# Said of many values at once: "supports JSON" and "supports XML" are both true.
_MANY = listed(
    "support supports supported supporting accept accepts accepted work works working include includes included "
    "contain contains read reads parse parses export exports import imports open tested offer offers provide provides "
    "handle handles fail fails pass passes crash crashes known mention mentions covers review reviews see available "
    "compatible"
)
# Of these there are many: "the bug is in a.py" and "the bug is in b.py" speak of two.
_INSTANCES = listed("bug issue problem error failure regression fix task cause reason change example examples")
# Of these there is one, whatever else the clause says: "minimum supported version".
_SINGULAR = listed("default minimum maximum min max")
_LABELS = listed("update note reminder fyi decision correction important rule convention preference")
_PREPOSITIONS = listed("after before during since against between without across into")
_LINKING = listed("is are live lives listen listens located named called")
# What follows these is wanted, so an adjective after them says how it is wanted: "prefers short answers". Elsewhere
# an adjective before its noun only tells which one is meant: "private methods need no docstring".
_WANTING = listed("prefer prefers want wants like likes love loves write keep give answer reply")
_OPPOSITE_VERBS = listed("disable disables exclude excludes forbid prohibit ban disallow dislike dislikes hate hates")
_EVENTS = listed(
    "released shipped fixed merged deployed completed finished achieved added upgraded published landed closed "
    "implemented reached measured took found discovered tried created wrote built launched spent resolved updated "
    "refactored installed learned learnt noticed saw met"
)
# A number after these tells which one is meant.
_NUMBERED = listed(
    "issue pr ticket bug step phase chapter section line commit task story number no build job sprint milestone "
    "release iteration attempt page rule adr rfc week case figure table error status code http version option"
)
_SWITCHES = listed(
    "switched switch moved move migrated migrate changed change renamed rename bumped raised increased lowered reduced "
    "went replaced replace swapped converted"
)
_REMOVALS = listed("removed dropped deleted abandoned ditched retired decommissioned")


@record
class _Claim:
    denied: bool
    explicit: bool  # denied by a word of denial, not by an opposite
    items: tuple[str, ...]  # stems and values, in order
    joined: tuple[bool, ...]  # directly after the item before, as in a compound noun
    values: dict[str, str]  # family or unit → value
    rejected: frozenset[str]  # what the clause itself turns away: "instead of X"
    switched: bool
    moved: frozenset[str]  # what was switched, where the clause says it: "moved the docs from X to Y"
    uses: bool
    single: bool  # says a state that holds one value, not an event or one of many
    shown: dict[str, str]  # item → the word as written


def contradicts(newer: str, older: str) -> str | None:
    """A short reason when `newer` plainly contradicts `older`, else None."""
    olders = _claims(older)
    for new in _claims(newer) if olders else ():
        for old in olders:
            reason = _denial(new, old) or _other_value(new, old) or _replacement(new, old)
            if reason:
                return reason
    return None


def _denial(new: _Claim, old: _Claim) -> str | None:
    if new.denied == old.denied:
        return None
    no, yes = (new, old) if new.denied else (old, new)
    wide, narrow = set(no.items), set(yes.items)
    if not wide or (no.uses and not yes.uses and wide != narrow):
        return None
    # What is denied in general is denied in particular; the other way round both can hold.
    if wide == narrow or (no.explicit and (no.uses or len(wide) > 1) and _within(no, yes)):
        return f"negated: {_show(new, new.items)}"
    return None


def _within(no: _Claim, yes: _Claim) -> bool:
    """Does `yes` say what `no` denies, plus a modifier? "Log secret rotations" is not about logging secrets."""
    width = len(no.items)
    edges = (*yes.joined, False)
    return any(
        yes.items[at : at + width] == no.items and not edges[at] and not edges[at + width]
        for at in range(len(yes.items) - width + 1)
    )


def _other_value(new: _Claim, old: _Claim) -> str | None:
    if new.denied or old.denied or not (new.single and old.single):
        return None
    new_values, old_values = dict(new.values), dict(old.values)
    only_new, only_old = new_values.keys() - old_values.keys(), old_values.keys() - new_values.keys()
    if len(only_new) == len(only_old) == 1 and "name" in only_new | only_old:
        # "on Heroku" and "on Fly.io": one is known to have rivals, the other is just a name in the same place.
        new_values["name"], old_values["name"] = new_values.pop(only_new.pop()), old_values.pop(only_old.pop())
    elif only_new or only_old:
        return None
    differing = [kind for kind, value in new_values.items() if old_values[kind] != value]
    if len(differing) != 1:
        return None
    kind = differing[0]
    frame = set(new.items) - {new_values[kind]}
    if frame != set(old.items) - {old_values[kind]} or not (frame or kind in EXCLUSIVE):
        return None
    if " " in new_values[kind] + old_values[kind]:  # several values of a kind: a list, not a setting
        return None
    about = _show(new, tuple(item for item in new.items if item in frame)) or kind
    return f"another value for {about}: {_show(old, (old_values[kind],))} → {_show(new, (new_values[kind],))}"


def _replacement(new: _Claim, old: _Claim) -> str | None:
    if new.denied or old.denied or not new.rejected:
        return None
    chosen, before = set(new.items), set(old.items)
    if new.switched:
        fits = new.rejected | new.moved <= before and old.uses
    else:
        related = old.uses or bool(before & chosen)
        fits = before - chosen == new.rejected and len(chosen - before) <= 2 and related
    if not fits or chosen == before:
        return None
    return f"another value: {_show(old, tuple(sorted(new.rejected)))} → {_show(new, new.items)}"


def _show(claim: _Claim, items: tuple[str, ...]) -> str:
    text = " ".join(claim.shown.get(item, item) for item in items)
    return clip(text, 60)


@lru_cache(maxsize=64)
def _claims(text: str) -> tuple[_Claim, ...]:
    """Kept for a while: whoever lets a text in compares it with many, and with most of them again for the next."""
    parts = _BREAK.split(text[:_READ].replace("’", "'"))
    claims: list[_Claim] = []
    for clause, end in zip(parts[::2], [*parts[1::2], ""], strict=False):
        if "?" not in end and len(claims) < _CLAUSES:
            claim = _read(_TOKEN.findall(clause))
            if claim is not None and (claim.items or claim.rejected):
                claims.append(claim)
    return tuple(claims)


def _read(tokens: list[str]) -> _Claim | None:
    tokens = [token if token[0] == "`" or token == "," else token.rstrip(".'/-") for token in tokens]
    tokens = [token for token in tokens if token]
    low = [NUMERALS.get(word, word) for word in (token.lower().rstrip(":=") or "," for token in tokens)]
    low = low[1:] if low[:1] == ["but"] else low
    tokens = tokens[len(tokens) - len(low) :]
    if tokens and tokens[0][-1] == ":" and low[0] in _LABELS:
        tokens, low = tokens[1:], low[1:]
    if low[:1] == ["since"] and "we" in low:  # a date in front, not a reason behind
        tokens, low = tokens[low.index("we") :], low[low.index("we") :]
    if any(pair in {("plan", "to"), ("plans", "to"), ("planning", "to")} for pair in pairwise(low)):
        return None
    if not low or _UNREADABLE & set(low) or low[0] in _PRONOUNS:
        return None
    if low[0] in _POINTERS and low[1:2] and low[1] in _VERBS_AFTER_POINTER:
        return None
    return _Reader(tokens, low).claim()


class _Reader:
    """Takes one clause apart; each step removes what it has understood."""

    def __init__(self, tokens: list[str], low: list[str]) -> None:
        self.tokens, self.low = tokens, low
        self.denied = self.explicit = self.switched = self.uses = False
        self.rejected: set[str] = set()
        self.moved: set[str] = set()

    def claim(self) -> _Claim | None:
        for at, word in enumerate(self.low):
            if at > 0 and (word in _REASONS or self.low[at : at + 2] == ["due", "to"]):
                del self.tokens[at:], self.low[at:]
                break
        event = any(word in _EVENTS for word in self.low[:3]) or "took" in self.low
        self._contrast()
        self._switch()
        if not self._removal() or not self._negation():
            return None
        return self._gather(event)

    def _contrast(self) -> None:
        low = self.low
        prefers = any(word.startswith("prefer") for word in low)
        for at, word in enumerate(low):
            pair = (word, low[at + 1] if at + 1 < len(low) else "")
            start = 0
            if pair in {("instead", "of"), ("rather", "than")}:
                start = at + 2
            elif pair == (",", "not") or (word == "over" and prefers):
                start = at + (2 if word == "," else 1)
            if start:
                end = start
                while end < len(low) and end < start + 3 and low[end] not in _CONTRAST_ENDS:
                    end += 1
                self.rejected.update(_item(token) for token in low[start:end] if token not in _LIGHT)
                self._cut(at, end)
                return

    def _switch(self) -> None:
        low = self.low
        if not _SWITCHES & set(low):
            return
        verb = next(at for at, word in enumerate(low) if word in _SWITCHES)
        begin, target = (low.index("from"), {"to"}) if "from" in low else (verb, {"with", "by"})
        end = next((at for at in range(begin + 1, len(low)) if low[at] in target), 0)
        if end and (begin != verb or low[verb].startswith(("replac", "swap"))):
            passive = begin == verb and low[verb - 1] in {"was", "were", "been"}
            given_up = low[:verb] if passive else low[begin + 1 : end]
            self.rejected.update(_item(word) for word in given_up if word not in _LIGHT)
            self.moved.update(_item(word) for word in low[verb + 1 : begin] if word not in _LIGHT)
            self.switched = True
            self._cut(0 if passive else begin, end + 1)
        self._drop(_SWITCHES | {"was", "were", "been"})

    def _removal(self) -> bool:
        low, text = self.low, " ".join(self.low)
        if _REMOVALS & set(low):
            self._drop(_REMOVALS | {"was", "were", "been"})
            self.uses = "support" not in low
            self.denied = self.explicit = True
        elif "stopped using" in text or "got rid of" in text or "used to " in text:
            if "used to" in text and ({"is", "are"} & set(low)):
                return True  # "X is used to do Y" is a purpose, not a habit given up
            self._drop({"stopped", "got", "rid"})
            self.denied = self.explicit = True
            self.uses = self.uses or "got rid" in text
        return not {"was", "were"} & set(self.low)

    def _negation(self) -> bool:
        low, kept = self.low, []
        # "never this, never that" is a list of denials, not a denial denied.
        if sum(is_denial(word, _AVOIDING) for word in low) > (1 if "," in low else 2):
            return False
        for at, word in enumerate(low):
            following = low[at + 1] if at + 1 < len(low) else ""
            if is_denial(word, _AVOIDING):
                if following in _NOT_QUITE:
                    return False
                if following in _BOUNDS and "than" in low[at + 2 : at + 3]:
                    continue
                self.denied = not self.denied
                self.explicit = self.explicit or word != "without"
                # "avoid X" is "do not use X".
                self.uses = self.uses or word == "avoid"
            else:
                kept.append(at)
        self.tokens, self.low = [self.tokens[at] for at in kept], [low[at] for at in kept]
        return True

    def _gather(self, event: bool) -> _Claim:
        items: list[str] = []
        joined: list[bool] = []
        values: dict[str, str] = {}
        shown: dict[str, str] = {}
        linked = skip = adjacent = False
        last = max((at for at, word in enumerate(self.low) if word not in _LIGHT and word != ","), default=-1)
        for at, word in enumerate(self.low):
            token = self.tokens[at]
            if skip or word == "," or word in _LIGHT or word in _USING:
                self.uses = self.uses or word in _USING
                linked = linked or word in _USING or word in _LINKING
                skip = adjacent = False
                continue
            kind, item = "", ""
            if self._is_opposite(at, last):
                self.denied = not self.denied
                word = OPPOSITES.get(word) or word[2:]
            elif _NUMBER.fullmatch(word) and not _DATE.fullmatch(word):
                kind, item, skip = self._quantity(at)
            elif word in RIVALS and (word != "go" or (token == "Go" and at > 0)):
                kind, item = RIVALS[word]
            elif at == last and linked and (_is_name(token, at) or (at and self.tokens[at - 1][-1] in ":=")):
                kind, item = "name", word.strip("`")
            item = item or _item(word)
            if word in _PREPOSITIONS:
                adjacent = False
            if kind:
                values[kind] = f"{values[kind]} {item}" if kind in values and values[kind] != item else item
            items.append(item)
            joined.append(adjacent)
            shown.setdefault(item, f"{token} {self.tokens[at + 1]}" if skip else token.rstrip(":="))
            adjacent = word not in _PREPOSITIONS
            linked = linked or token[-1] in ":=" or word in _LINKING
        return _Claim(
            denied=self.denied,
            explicit=self.explicit,
            items=tuple(items),
            joined=tuple(joined),
            values=values,
            rejected=frozenset(self.rejected),
            switched=self.switched,
            uses=self.uses,
            moved=frozenset(self.moved),
            single=bool(_SINGULAR & set(items)) or not (event or _MANY & set(self.low) or self._has_instance()),
            shown=shown,
        )

    def _has_instance(self) -> bool:
        return any(word in _INSTANCES and after in _LIGHT for word, after in pairwise([*self.low, "is"]))

    def _is_opposite(self, at: int, last: int) -> bool:
        word = self.low[at]
        negative = word.startswith("un") and word.endswith(("ed", "able")) and len(word) > 7 and word[2:5] != "der"
        if word not in OPPOSITES and not negative:
            return False
        if word in _OPPOSITE_VERBS:
            return True
        before_noun = at < last and self.low[at + 1] not in _LIGHT and self.low[at + 1] != ","
        return not before_noun or bool(_WANTING & set(self.low[:at]))

    def _quantity(self, at: int) -> tuple[str, str, bool]:
        word = self.low[at].rstrip("+").lstrip("v$€")
        if at and self.low[at - 1] in _NUMBERED:
            return "", f"#{word}", False
        match = _NUMBER.fullmatch(word)
        unit = match.group(1) if match else ""
        digits = word.removesuffix(unit)
        following = self.low[at + 1].removesuffix("s") or "s" if at + 1 < len(self.low) else ""
        known = UNITS.get(unit or following)
        if known is None or digits.count(".") + digits.count(":") > 1:
            return ("clock" if ":" in digits else "number"), word, False
        family, factor = known
        return family, f"{float(digits.replace(',', '').replace(':', '.')) * factor:g}", not unit

    def _drop(self, unwanted: set[str] | frozenset[str]) -> None:
        kept = [at for at, word in enumerate(self.low) if word not in unwanted]
        self.tokens, self.low = [self.tokens[at] for at in kept], [self.low[at] for at in kept]

    def _cut(self, start: int, end: int) -> None:
        del self.tokens[start:end], self.low[start:end]


def _is_name(token: str, at: int) -> bool:
    """A proper name, something quoted as code, a path or an address; not an ordinary word."""
    if token[0] == "`" or any(mark in token for mark in "./@_:") or any(char.isdigit() for char in token):
        return True
    return any(char.isupper() for char in (token if at > 0 else token[1:]))


def _item(word: str) -> str:
    """The stem of a word, or the value it stands for."""
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
