"""Tell whether a newer statement replaces an older one.

It does if it mentions the replacement ("10 retries instead of 5", "we moved to pnpm", "no longer", "the 0.80 was
leakage"), or if it gives a later value for exactly the same subject. Another contradiction is no replacement, because
two people may disagree. A false replacement hides a good memory, while a missed one leaves both in place. So the older
text must be a single statement, and all words of its subject must match.
"""

from __future__ import annotations

from functools import lru_cache

from limpet.lean.pattern import lazy
from limpet.text import grammar
from limpet.text.assertions import Assertion, get_item_prefix, read_assertions
from limpet.text.claims import split_claims, split_sentences
from limpet.text.contradiction import find_denial, find_other_value, find_replacement
from limpet.text.vocabulary import ECOSYSTEMS, EXCLUSIVE, NAMES, RIVALS, TECHNOLOGIES
from limpet.text.words import STOP, split_words, word_set

__all__ = ["LATER_VALUE", "find_search_words", "may_retract", "replaces"]

LATER_VALUE = "a later value"
"""What `replaces` returns if the newer text only has another value, and does not mention a change."""
_LONGEST = 400
"""The maximum length in characters of a text that counts as one statement."""
_MOST_RIVALS = 14
_LONGEST_USE = 6
"""The maximum number of items of a statement such as "we use npm"; a longer one says more than that."""

_NUMBER = lazy(r"(?<![\w.])\d++(?:[.,]\d++)*+%?(?![\w.]*\d)")
_RESULTS = word_set(
    "auc roc accuracy precision recall f1 score scores metric metrics loss rmse mae mse r2 bleu result results "
    "measured reaches reached achieves achieved scored benchmark latency throughput speedup p50 p95 p99"
)
_VERB = lazy(r"\b(?:was|were|is|are|came from|comes from)\b")
_TOKEN = lazy(r"\w[\w.%'-]*+[:=]?|[:=]")
_VERBS = word_set(
    "is are was were be has have had use uses keep keeps run runs listen listens take takes allow allows need needs "
    "require requires expire expires live lives must should can may will retry retries set sets go goes went wait waits"
)
_NAMES = frozenset(name.lower() for name in NAMES)
_SCOPE = lazy(r"(?s).*\b(?:in|for|on|within|inside)\s+([^,.;:]+)")
_WRONG = lazy(
    r"\b(?:wrong|incorrect|leak(?:age|ed|s)?|bogus|invalid|artefact|artifact|mistake|mistaken|miscounted|overstated"
    r"|inflated|false|a bug|an error|outdated|obsolete|not real|not valid|not true)\b"
)
_NAMELESS = STOP | word_set(
    "result results figure figures number numbers value values score scores measurement that this those these old "
    "earlier previous reported our its their only just"
)
# Stems that "we moved to X" need not repeat from the older statement, because they are about the whole project.
_WHOLE = word_set(
    "install add manag packag dependency project repository app applicat main everyth databas production code build "
    "test unit ci host deploy servic bundl bundler our team default"
)


def replaces(newer: str, older: str) -> str | None:
    """Return a short description of how `newer` replaces `older`, or None if it does not."""
    if len(newer) > _LONGEST or len(older) > _LONGEST:
        return None
    retracted, plain = _retracts(newer, older), older.lower()
    found = [new for new, parts in _find_replacing(newer) if all(part in plain for part in parts)]
    # Parsing the older text costs most, so texts that cannot be replaced are excluded first.
    if not (retracted or found) or len(split_claims(older)) != 1:
        return None
    if retracted:
        return "says that it was wrong"
    olders = read_assertions(older)
    for new in found if len(olders) == 1 else ():
        [old] = olders
        if _replaces_use(new, old) or (
            find_replacement(new, old) and _states_use(new, old) and _fits_scope(newer, older)
        ):
            return "says what it replaces"
        if new.denied and new.ended and not old.denied and find_denial(new, old):
            return "says that it is over"
        if (
            find_other_value(new, old)
            and _are_rivals(new, old)
            and not (_numbers_things(newer) or _numbers_things(older))
        ):
            return LATER_VALUE
    return None


@lru_cache(maxsize=16)
def _find_replacing(text: str) -> tuple[tuple[Assertion, tuple[str, ...]], ...]:
    """Return the assertions of a text that may replace an older one, each with strings that the older one must contain.

    For an assertion that mentions a change, there are no such strings. One that only has another value can replace only
    an assertion with the same other items, so the strings are the prefixes of these items.
    """
    found: list[tuple[Assertion, tuple[str, ...]]] = []
    for each in read_assertions(text):
        if each.made and (each.arrived or each.rejected or (each.denied and each.ended)):
            found.append((each, ()))
        elif each.made and each.values and each.single and not each.denied:
            values = frozenset(" ".join(each.values.values()).split())
            found.append((each, tuple(get_item_prefix(item) for item in each.items if item not in values)))
    return tuple(found)


def find_search_words(text: str) -> list[str]:
    """Return words to search for older statements that a text replaces without repeating their words.

    These are the numbers that the text calls wrong, and the alternatives to what was adopted: "npm" for "we moved to
    pnpm".
    """
    if len(text) > _LONGEST:
        return []
    found = [value for _, value in _find_retractions(text)]
    plain = text.lower()
    for each in read_assertions(text) if any(verb in plain for verb in grammar.SWITCHES) else ():
        families = {kind for kind in each.values if each.arrived}
        named = set(split_words(text))
        rivals = [word for word, (family, _) in RIVALS.items() if family in families and word not in named]
        found += rivals[:_MOST_RIVALS]
    return found


def _numbers_things(text: str) -> bool:
    """Tell whether a text has a number that is part of a name and not a value: "module 3 uses …", "fact 1: …".

    Such a number comes directly after a noun, before the verb. After the name of a technology, it is a version. A
    number that occurs twice counts as part of a name.
    """
    tokens = [token.lower() for token in _TOKEN.findall(text)]
    numbers = [token for token in tokens if token[0].isdigit()]
    if len(numbers) > len(set(numbers)):
        return True
    verb = next((at for at, token in enumerate(tokens) if token in _VERBS or token[-1] in ":="), len(tokens))
    return any(
        token[0].isdigit() and at > 0 and tokens[at - 1][0].isalpha() and not _is_technology(tokens[at - 1])
        for at, token in enumerate(tokens[: verb + 1])
    )


def _is_technology(word: str) -> bool:
    return word in TECHNOLOGIES or word in RIVALS or word in _NAMES


def _fits_scope(newer: str, older: str) -> bool:
    """Tell whether the older text mentions the place or purpose that the newer text names last.

    "In the API" is such a place. Return True if the newer text names none.
    """
    scope = _SCOPE.search(newer)
    named = {word for word in split_words(scope.group(1)) if word not in _NAMELESS} if scope is not None else set()
    return not named or bool(named & set(split_words(older)))


def _are_rivals(new: Assertion, old: Assertion) -> bool:
    """Tell whether the values of two assertions exclude each other; tools of different languages do not."""
    return not any(
        _differ_in_language(value, old.values[kind]) for kind, value in new.values.items() if kind in old.values
    )


def _differ_in_language(one: str, other: str) -> bool:
    mine, theirs = ECOSYSTEMS.get(one), ECOSYSTEMS.get(other)
    return mine is not None and theirs is not None and mine != theirs


def _replaces_use(new: Assertion, old: Assertion) -> bool:
    """Tell whether `new`, such as "we moved to X", replaces `old`, such as "we use Y".

    X and Y must exclude each other, and the subjects must match.
    """
    if not new.arrived or new.denied or old.denied or not (old.uses or old.single):
        return False
    for family, value in new.values.items():
        before = old.values.get(family)
        if before is None or before == value or " " in before + value or _differ_in_language(value, before):
            continue
        about, subject = set(new.items) - {value} | new.moved, set(old.items) - {before}
        if about:
            return about <= subject <= about | _WHOLE
        return subject <= _WHOLE and (family in EXCLUSIVE or old.uses)
    return False


def _states_use(new: Assertion, old: Assertion) -> bool:
    """Tell whether `old` mainly says that something is used which `new` gives up, as "we use npm" does.

    "npm audit runs every night" and "the docs are built with npm" only mention npm.
    """
    if not new.switched:
        return True
    at = next((at for at, item in enumerate(old.items) if item in new.rejected), len(old.items))
    is_compound = any(
        joined and item not in new.rejected
        for item, joined in zip(old.items[at + 1 :][:1], old.joined[at + 1 :], strict=False)
    )
    before = set(old.items[:at]) - new.by - new.moved - set(new.items)
    return before <= _WHOLE and not is_compound and len(old.items) <= _LONGEST_USE


def may_retract(newer: str, older: str) -> bool:
    """Tell whether the newer text calls a number wrong that the older text has.

    The two numbers may be about different things.
    """
    return max(len(newer), len(older)) <= _LONGEST and _retracts(newer, older, is_sure=False)


def _retracts(newer: str, older: str, *, is_sure: bool = True) -> bool:
    """Tell whether the newer text says that a number in the older one was wrong: "the 0.80 AUC was leakage".

    If the newer text names what the number measured ("AUC"), the older text must have all of these words. If it names
    only the number, the number must be distinctive (0.80, not 12). If `is_sure` is set, the older text must then also
    be about a result.
    """
    retractions = _find_retractions(newer)
    words = set(split_words(older)) if retractions else set()
    for about, value in retractions:
        is_there = any(_same_number(value, match.group()) for match in _NUMBER.finditer(older))
        if not is_there or not about <= words:
            continue
        if about or (_is_distinctive(value) and (not is_sure or _RESULTS & words)):
            return True
    return False


def _is_distinctive(number: str) -> bool:
    """Tell whether a number is unlikely to occur in another meaning: 0.80 is, 12 is not."""
    digits = number.rstrip("%").replace(".", "").replace(",", "").lstrip("0")
    return len(digits) > 1 and not number.isdigit()


# Cached, because one text is compared with many.
@lru_cache(maxsize=16)
def _find_retractions(text: str) -> tuple[tuple[frozenset[str], str], ...]:
    """Return the numbers that a text calls wrong, each after the words for what it measured.

    For "the 0.80 AUC was leakage", these are {"auc"} and "0.80".
    """
    found = []
    for sentence in split_sentences(" ".join(text.lower().split())):
        if sentence.endswith("?") or grammar.UNREADABLE & set(split_words(sentence)):
            continue
        verb = _VERB.search(sentence)
        if verb is None or not _WRONG.search(sentence, verb.end()):
            continue
        subject = sentence[: verb.start()]
        numbers = [match.group() for match in _NUMBER.finditer(subject)]
        if len(numbers) == 1:
            rest = subject.replace(numbers[0], " ")
            about = frozenset(word for word in split_words(rest) if word not in _NAMELESS and not word.isdigit())
            found.append((about, numbers[0]))
    return tuple(found)


def _same_number(one: str, other: str) -> bool:
    """Tell whether two numbers in text form are equal. Those with several dots, such as versions, must be identical."""
    if one == other:
        return True
    if one.endswith("%") != other.endswith("%") or one.count(".") > 1 or other.count(".") > 1:
        return False
    return float(one.rstrip("%").replace(",", "")) == float(other.rstrip("%").replace(",", ""))
