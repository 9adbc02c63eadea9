"""Find what a rule is about: the words by which a prompt can be recognised that needs the rule.

A rule about `npm` is needed by a prompt that says "npm install lodash", and a rule about logging by one that says "add
a log call". So the handles of a text are its words that name something: programs, packages, files, identifiers and
things. Words that any rule or request has ("always", "add", "change") name nothing. A program also has the programs as
handles that do the same job, because a rule about one is a rule about all of them.
"""

from __future__ import annotations

from limpet.text.commands import FAMILIES
from limpet.text.lexicon import Term, parse_terms
from limpet.text.words import word_set

__all__ = ["find_handles"]

_NAMES_NOTHING = word_set(
    # English
    "actually add added adding allow allowed always answer anymore anything ask asked asking away back bad become "
    "begin best better big break bring call change changed changes changing check clean clear code come consider "
    "copy correct count create creating current day days decide decided define delete deleted different doesn don "
    "done down each easy edit else end ensure error errors etc ever everyone everything exist expect explain "
    "extra fail failed fails false fast faster feature file files final find first five fix fixed follow "
    "following four from full fyi general goes going good handle handling happen help here hold hour idea "
    "implement important improve include inside instead isn issue keep kind last later leave left less line lines "
    "list listed little local long look looks lot lots main make making me mean means mind minute missing month "
    "more morning move name need needs never new next nice night nobody nothing number off old open order "
    "original out over own part parts pass people person place point possible prefer print problem project proper "
    "put question quick quickly reason refactor remove rename repeat replace return returns rewrite right rule "
    "run running same save second see separate set several short side simple simplify single slow slower small "
    "somebody start started state stay step stick still stop straight support sure switch system task tell thing "
    "things think third three title today today's todo todos together tomorrow touch true try turn two type under "
    "understand until up update upload used user users using value version visible want wanted week whole without "
    "won word work working works write writes writing wrong year yesterday "
    # German, French, Spanish, Portuguese, Italian
    "al algo alle alles ao aos aqui aquí até au auch auf aus aux avec bei bitte ce ces cette che com como con "
    "cosa cuando da dann dans das de dei del della delle dem den depuis der des desde di die do donde dos du dès "
    "dónde e ein eine einen el ela ele ella elle ellos em en entre er era es eso essa esse est esta este esto "
    "está et eu faire fait fare fazer für gli ha hacer hay hier ich ici il ils im immer in isso ist jamais je já "
    "la las le les leur lo los mach machen mai mais man mas mes mi mit mon muy más na nach nada nas ne nel neu "
    "nicht nie niemals no noch non nos notre nous nuestro nunca nur não nós o oder ohne on os ou où par para pas "
    "pela pelo per pero più plus por porque pour quand que quel quelle quem qui quién qué sa sans se sea según "
    "sem sempre ser ses seu si sich sie siempre sin sind sobre son sono sont statt su sua sur sus también também "
    "tem tiene toda todas toujours tous tout très tutto um uma un una unas und une uno unos uns unser usar usare "
    "utiliser vom von vor vous wann warum was welche welcher welches wenn wer wie wir wird wo y ya zu zum zur è "
)
_SHORTEST = 2


def find_handles(text: str) -> list[Term]:
    """Return the search terms of a text that name something, with the programs that do the job of a named one."""
    terms = {
        term.text: term
        for term in parse_terms(text, even_common=False)
        if len(term.text) >= _SHORTEST and not term.text.isdigit() and term.text not in _NAMES_NOTHING
    }
    rivals = {name for family in FAMILIES if family & terms.keys() for name in family if name not in terms}
    return [*terms.values(), *(term for name in sorted(rivals) for term in parse_terms(name))]
