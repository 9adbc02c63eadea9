"""Tell whether a newer text contradicts or replaces an older one.

Two statements are compared by their items, the stems of their meaningful words. What both have is their subject. A
newer statement contradicts an older one if it denies the same, if only the value differs, or if it gives up what the
older one affirms. It replaces the older one if it says so ("instead of", "no longer", "from X to Y", "the 0.80 was
leakage"), or if the older one has a single value, and both values are of a kind.

A false contradiction lowers the confidence of a good memory, and a false replacement hides it, while a missed one
leaves both in place. So only clear cases count, and a text of several statements is never replaced.
"""

from __future__ import annotations

from collections.abc import Iterable

from limpet.lean.pattern import lazy
from limpet.text.claims import split_claims
from limpet.text.clauses import WORDS
from limpet.text.excerpt import clip
from limpet.text.lexicon import expand_for_index
from limpet.text.retraction import LONGEST, find_retractions, retracts
from limpet.text.statements import Statement, read_statements
from limpet.text.vocabulary import ECOSYSTEMS, EXCLUSIVE, RIVALS, SYNONYMS, TECHNOLOGIES, is_adjective, stem
from limpet.text.words import split_words

LATER_VALUE = "a later value"
"""What `replaces` returns if the newer text only has another value, and does not mention a change."""
_MOST_RIVALS, _MOST_WORDS = 14, 8
_LONGEST_USE, _SHORT_USE = 6, 4
"""The maximum number of items of a statement such as "we use npm"; a longer one says more than that."""
_LONGEST_VALUE = 3

_OURS, _WHOLE = WORDS["ours"], WORDS["whole"]
_ROLES, _COORDINATES = (frozenset(map(stem, WORDS[name])) for name in ("roles", "coordinates"))
_DUTIES = frozenset(stem(verb.removesuffix("s") + "ed") for verb in WORDS["own"] | WORDS["duties"])
_NARROW = _COORDINATES | {"old", "legaci"}
_SYNONYMS = frozenset(SYNONYMS.values())
_WHERE = frozenset({"on", "in", "at", "to", "under"})

_QUANTITY = lazy(r"\d[\d.,:]*+(?:e\+\d+)?")
_ADDRESS = lazy(r"://|[a-z]\.[\w-]++\.[a-z]")


def contradicts(newer: str, older: str) -> str | None:
    """Return a short description of the contradiction if `newer` clearly contradicts `older`, else None."""
    olders = read_statements(older)
    for new in read_statements(newer) if olders else ():
        for old in olders:
            if _denies(new, old):
                return f"negated: {_show(new, new.items)}"
            if _has_other_value(new, old) or _gives_up(new, old) or _names_old_value(new, old, is_sure=False):
                added, lost = _differ(new, old)
                about = _show(new, [item for item in new.items if item not in added])
                before = _show(old, [item for item in old.items if item in lost])
                after = _show(new, [item for item in new.items if item in added])
                return f"another value{about and f' for {about}'}: {before} → {after}"
    return None


def _show(statement: Statement, items: Iterable[str]) -> str:
    return clip(" ".join(statement.shown[item] for item in items), 60)


def replaces(newer: str, older: str) -> str | None:
    """Return a short description of how `newer` replaces `older`, or None if it does not."""
    if len(newer) > LONGEST or len(older) > LONGEST:
        return None
    if retracts(newer, older):
        return "says that it was wrong" if len(split_claims(older)) == 1 else None
    # Parsing the older text costs most, so texts that have nothing in common are excluded first.
    plain = older.lower()
    found = [new for new in read_statements(newer) if _may_replace(new, plain)]
    olders = read_statements(older) if found else ()
    if len(olders) != 1 or len(split_claims(older)) != 1:
        return None
    [old] = olders
    for new in found:
        if (_gives_up(new, old) and _states_use(new, old)) or _names_old_value(new, old):
            return "says what it replaces"
        if (
            new.made
            and new.denied
            and new.ended
            and not old.denied
            and (_denies(new, old) or set(new.items) == old.slot)
        ):
            return "says that it is over"
        if _has_other_value(new, old) and _are_rivals(new, old):
            return "says what it replaces" if new.arrived else LATER_VALUE
    return None


def _may_replace(new: Statement, older: str) -> bool:
    """Tell whether a statement may replace one in a text, given in lower case, by what it mentions."""
    if not new.made or new.arrived or new.rejected or new.ended:
        return new.made
    is_exclusive = new.current or not EXCLUSIVE.isdisjoint(new.values)
    return is_exclusive or any(item in _SYNONYMS or item[:4] in older for item in new.items)


def _denies(new: Statement, old: Statement) -> bool:
    """Tell whether one statement affirms what the other denies."""
    if new.denied == old.denied:
        return False
    no, yes = (new, old) if new.denied else (old, new)
    wide, narrow = set(no.items), set(yes.items)
    if not wide or (no.uses and not (yes.uses or yes.relation == "with") and wide != narrow):
        return False
    # A general denial contradicts a special case. A general statement and the denial of a special case may both hold.
    return wide == narrow or (no.explicit and (no.uses or len(wide) > 1) and _is_within(no, yes))


def _is_within(no: Statement, yes: Statement) -> bool:
    """Tell whether `yes` has all items of `no` in one sequence that is not a part of a longer compound noun.

    "Log secret rotations" does not affirm what "never log secrets" denies.
    """
    width = len(no.items)
    edges = (*yes.joined, False)
    return any(
        yes.items[at : at + width] == no.items and not edges[at] and not edges[at + width]
        for at in range(len(yes.items) - width + 1)
    )


def _differ(new: Statement, old: Statement) -> tuple[set[str], set[str]]:
    """Return the items that only the newer statement has, and those that only the older one has."""
    added, lost = set(new.items) - set(old.items) - _OURS, set(old.items) - set(new.items)
    if new.arrived or (new.rejected and new.rejected <= lost):
        # "We moved the service to port 9000" has another verb than "the service listens on port 7000".
        added -= new.verbs if lost & _ROLES else new.verbs | (_ROLES - new.slot)
        return added, lost - old.verbs
    # "We write commits in German" and "commits are in English" differ in the language alone.
    is_same_kind = old.made and not new.verbs and not new.values.keys().isdisjoint(old.values)
    return added, lost - old.verbs if is_same_kind else lost


def _has_other_value(new: Statement, old: Statement) -> bool:
    """Tell whether both statements affirm the same with another value."""
    if new.denied or old.denied or not (new.single and old.single and new.made) or (new.arrived and old.arrived):
        return False
    added, lost = _differ(new, old)
    about = set(new.items) & set(old.items)
    if (new.arrived or new.current) and (not about or lost & old.slot):
        lost -= _WHOLE - old.slot
    if not added or not lost or (added | lost) & _COORDINATES:
        return False
    if new.relation != "is" and _are_of_other_ecosystems(added, lost):
        # A repository may well use uv and pnpm, but its gateway is written with one framework.
        return False
    kinds = [kind for kind, value in new.values.items() if {value} == added and {old.values.get(kind)} == lost]
    if kinds:
        is_moved = (new.arrived and old.uses) or (new.current and kinds[0] not in WORDS["descriptions"])
        return bool(about) or kinds[0] in EXCLUSIVE or is_moved
    is_filled = (
        added <= new.slot
        and all(new.items.count(item) == 1 for item in added)
        and lost <= old.slot
        and max(len(added), len(lost)) <= _LONGEST_VALUE
    )
    return bool(about) and is_filled and _are_alike(new, old, added, lost)


def _are_alike(new: Statement, old: Statement, added: set[str], lost: set[str]) -> bool:
    """Tell whether two values of no common family are of a kind, so that one can take the place of the other."""
    is_role = not _ROLES.isdisjoint(set(new.items) - new.slot)
    if new.relation not in (old.relation, "→") and not (new.current and {new.relation, old.relation} <= _WHERE):
        # "The main branch is master", but not "the server is Nginx" or "the mascot is a fox".
        is_plain = not old.described and all(_is_plain_word(old.shown[item]) for item in lost)
        if not (new.current and (old.relation, new.relation) == ("is", "called") and is_plain):
            return False
    numbers = {item for item in added | lost if _QUANTITY.fullmatch(item)}
    if numbers:
        # "MySQL 5" and "Postgres 16", but not "40 GB" and "Postgres", nor "320 px wide" and "180 px high".
        is_named = (added | lost) - numbers <= new.named | old.named
        is_numbered = is_role and new.relation == "is" and bool(added & numbers and lost & numbers)
        return (is_named or is_numbered) and not (added <= numbers or lost <= numbers)
    # "The API uses Redis" does not say for what.
    if new.relation == "uses" and new.items[-1] in new.slot and _find_family(added) is None:
        return False
    if added & new.named and lost & old.named:
        return new.relation not in ("in", "→") or _find_sort(added) == _find_sort(lost)
    if new.relation in _WHERE | {"from", "as"} or (new.relation == "with" and lost & old.named):
        return new.current
    words = (each.shown[item] for each, items in ((new, added), (old, lost)) for item in items - each.named)
    if any(map(is_adjective, words)) or new.described > old.described:
        return False
    if new.arrived:
        # What is moved to a place was at another one, and what is switched to something used something else.
        is_other = _find_sort(added) or any(item[0].isdigit() for item in added) or not added.isdisjoint(_ROLES)
        return old.relation != "uses" and old.verbs.isdisjoint(_DUTIES) and not (is_other or new.described)
    return new.relation == "called" or (new.relation in WORDS["states"] and (new.current or is_role))


def _is_plain_word(word: str) -> bool:
    return word.islower() and word not in TECHNOLOGIES and word not in RIVALS


def _find_sort(items: Iterable[str]) -> str:
    """Return "address" or "path" if one of the items is such a name, otherwise an empty string."""
    text = " ".join(items)
    return "address" if _ADDRESS.search(text) else "path" * ("/" in text)


def _find_family(items: Iterable[str]) -> str | None:
    return next((RIVALS[item][0] for item in items if item in RIVALS), None)


def _are_of_other_ecosystems(added: Iterable[str], lost: Iterable[str]) -> bool:
    """Tell whether two values are tools of different languages, which a project can have side by side."""
    mine, theirs = ({ECOSYSTEMS[item] for item in items if item in ECOSYSTEMS} for items in (added, lost))
    return bool(mine and theirs) and mine.isdisjoint(theirs)


def _are_rivals(new: Statement, old: Statement) -> bool:
    """Tell whether a value excludes the older one for certain; tools of different languages or families do not."""
    if new.numbered or old.numbered or not new.rejected <= set(old.items):
        return False
    added, lost = _differ(new, old)
    if _are_of_other_ecosystems(added, lost):
        return False
    one, other = _find_family(added), _find_family(lost)
    if (one is None) != (other is None) and any(map(_QUANTITY.search, added if one is None else lost)):
        # A product and the name of a machine: "the database is MySQL", "the database is heron-7".
        return False
    if (one is None) != (other is None) and (new.arrived or (new.relation in ("with", "on") and not new.current)):
        return False
    is_open = not (one and other) and (new.current or {one, other}.isdisjoint(WORDS["descriptions"]))
    return new.relation == "is" or one == other or (is_open and new.relation != "uses")


def _gives_up(new: Statement, old: Statement) -> bool:
    """Tell whether the newer statement gives up what the older one affirms, and says nothing else than its value.

    For example, "use pnpm instead of npm" gives up what "use npm" affirms.
    """
    if new.denied or old.denied or not (new.made and new.rejected):
        return False
    added, lost = _differ(new, old)
    if not new.rejected <= lost or len(added) > _LONGEST_VALUE:
        return False
    if not added <= new.slot | set(new.values.values()):
        return False
    if new.switched and added.issuperset(new.items):
        return old.uses or new.rejected == old.slot
    return lost - new.rejected <= _WHOLE


def _names_old_value(new: Statement, old: Statement, *, is_sure: bool = True) -> bool:
    """Tell whether the newer statement gives up the value of the older one, and is about the same in other words.

    If `is_sure` is set, neither of the two may be narrower than the other one.
    """
    if old.denied or not new.made or not (new.ended if new.denied else new.rejected):
        return False
    place = old.slot | set(old.values.values()) or old.named.intersection(old.items[-1:])
    rejected = {_find_whole(item, place) for item in new.rejected}
    gone = (rejected or set(new.items)) & place
    if not gone or not gone >= rejected or (set(new.items) ^ set(old.items)) & _COORDINATES:
        return False
    subject = [item for item in new.items if item not in new.slot | gone | _OURS]
    other = [item for item in old.items if item not in old.slot | gone]
    akin = [_find_akin(item, other) for item in subject]
    # A number alone says little about what it counts.
    if not any(akin) or (all(map(_QUANTITY.fullmatch, gone)) and not all(akin)):
        return False
    if not old.slot & old.named <= gone:
        return False
    if not is_sure:
        return True
    if new.denied and not all(_find_akin(item, other) for item in set(new.items) - gone - _OURS):
        return False
    is_narrow = any(not _find_akin(item, other) for item in new.scope - _OURS - gone)
    return not (is_narrow or _has_other_noun(new, other) or _has_other_noun(old, subject))


def _find_whole(item: str, names: Iterable[str]) -> str:
    """Return the name that ends with an item which has a digit: "stm32f4" for "f4"; otherwise the item."""
    is_part = len(item) > 1 and not item.isdigit() and any(map(str.isdigit, item))
    return next((name for name in names if is_part and name.endswith(item)), item)


def _find_akin(item: str, others: Iterable[str]) -> bool:
    """Tell whether one of the others is the same word, perhaps in another form."""
    start = item[: 5 if item.isascii() else 2]
    return any(item == other or (len(item) >= len(start) > 1 and other.startswith(start)) for other in others)


def _has_other_noun(statement: Statement, others: Iterable[str]) -> bool:
    """Tell whether a compound noun of a statement has only its last part in common: "billing tests" and "tests"."""
    pairs = zip(statement.items, statement.items[1:], statement.joined[1:], strict=False)
    return any(
        joined and _find_akin(second, others) and not _find_akin(first, others) and first not in _OURS
        for first, second, joined in pairs
        if first not in statement.slot | statement.verbs
    )


def _states_use(new: Statement, old: Statement) -> bool:
    """Tell whether `old` mainly says that something is used which a mere switch gives up, as "we use npm" does.

    "npm audit runs every night" and "the docs are built with npm" only mention npm.
    """
    if not new.switched or set(new.items) & set(old.items):
        return True
    if new.rejected == old.slot and len(old.items) <= _SHORT_USE and old.single and _NARROW.isdisjoint(old.items):
        return True
    at = next(at for at, item in enumerate(old.items) if item in new.rejected)
    is_compound = old.joined[at + 1 : at + 2] == (True,) and old.items[at + 1] not in new.rejected
    return old.uses and set(old.items[:at]) <= _WHOLE and not is_compound and len(old.items) <= _LONGEST_USE


def find_search_words(text: str) -> list[str]:
    """Return words to search for older statements that a text replaces without being near them in meaning.

    These are the numbers that the text calls wrong, what its statements give up, and the alternatives to what was
    adopted: "npm" for "we moved to pnpm".
    """
    if len(text) > LONGEST:
        return []
    found = [value for _, value in find_retractions(text)]
    named = set(split_words(text))
    for each in read_statements(text):
        gone = each.rejected or (each.items if each.denied and each.ended else ())
        if each.made:
            found += map(expand_for_index, sorted(gone)[:_MOST_WORDS])
        families = {kind for kind in each.values if each.arrived}
        found += [word for word, (family, _) in RIVALS.items() if family in families and word not in named][
            :_MOST_RIVALS
        ]
    return list(dict.fromkeys(found))
