"""Find what a rule is about: the words by which a prompt can be recognised that needs the rule.

A rule about `npm` is needed by a prompt that says "npm install lodash", and a rule about logging by one that says "add
a log call". So the handles of a text are its words that name something: programs, packages, files, identifiers and
things. Words that any rule or request has ("always", "add", "change") name nothing. A program also has the programs as
handles that do the same job, because a rule about one is a rule about all of them.
"""

from __future__ import annotations

from collections.abc import Iterable

from limpet.text.commands import FAMILIES
from limpet.text.lexicon import Term, parse_terms
from limpet.text.words import word_set

__all__ = ["find_handles"]

_NAMES_NOTHING = word_set(
    "add adding added allow always answer ask asking asked back bad become before begin best better big break bring "
    "call change changes changing changed check clean clear code come consider copy correct create creating current "
    "decide decided define delete deleted different don't done each easy edit end ensure etc every everything exist "
    "expect explain extra false feature final find first fix fixed follow following full general go goes going good "
    "handle happen have help here hold idea implement important improve include inside instead issue keep kind last "
    "later leave left less line list little long look looks lot main make making mean means mind missing more move "
    "name need needs never new next nice nothing number old open order original own part people place point possible "
    "prefer print problem project proper put question quick quickly reason refactor remove rename repeat replace "
    "return returns review rewrite right rule run running same save second see separate set several short simple "
    "simplify single small start state stay step stick still stop support sure switch system task thing things think "
    "time today together touch true try turn type understand up update use used user users using value version want "
    "wanted way week whole without word work working works write writing written wrong year "
    "alles bitte immer machen mach neu nie niemals nicht statt verwenden hier aber auch dann wenn "
    "toujours jamais ici faire utiliser siempre nunca aquí hacer usar sempre qui fare usare aqui fazer"
)
_SHORTEST = 2


def find_handles(text: str) -> list[Term]:
    """Return the search terms of a text that name something, with the programs that do the job of a named one."""
    terms = {term.text: term for term in parse_terms(text, even_common=False) if _names_something(term.text)}
    rivals = [name for family in FAMILIES if family & terms.keys() for name in family if name not in terms]
    return [*terms.values(), *_parse_all(rivals)]


def _parse_all(names: Iterable[str]) -> list[Term]:
    return [term for name in sorted(names) for term in parse_terms(name)]


def _names_something(word: str) -> bool:
    return len(word) >= _SHORTEST and not word.isdigit() and word not in _NAMES_NOTHING
