"""Find what a rule is about: the words by which a prompt can be recognised that needs the rule.

A rule about `npm` is needed by a prompt that says "npm install lodash", and a rule about logging by one that says "add
a log call". So the handles of a text are its words that name something: programs, packages, files, identifiers and
things. Words that any rule or request has ("always", "add", "change") name nothing, in any form. A program also has
the programs as handles that do the same job, because a rule about one is a rule about all of them.
"""

from __future__ import annotations

from limpet.lean.pattern import lazy
from limpet.text.commands import FAMILIES
from limpet.text.lexicon import Term, expand_for_index, list_stems, parse_terms
from limpet.text.words import STOP, split_words, word_set

_NAMES_NOTHING = word_set(
    # English
    "about actual ad add again allow also alwai am an and ani answer anybodi anymor anyon anyth ar arent as ask "
    "at awai back bad bc be becom been begin best better big bit break bring btw but by call can cannot cant "
    "chang check clean clear code codebas come consid copi correct could count creat current dai decid defin "
    "delet did didnt differ do doe doesn doesnt don done dont down each easi edit els end ensur error etc ever "
    "everi everyon everyth exist expect explain extra fail fals fast faster featur file final find first five fix "
    "follow for four from full fyi gener get give go goe gonna good got ha had handl happen have havent he help "
    "her here hi hold hour how idea implement import improv in includ insid instead into is isn isnt issu "
    "it iv just keep kind kinda know last later leav left less let like line list littl local lol long look lot "
    "mai main make mani mayb me mean might mind mine minut miss month more morn move much must my name need never "
    "new next nice night no nobodi not noth now number of off ok okai old on onli open or order origin other "
    "otherwis our out over own part pass peopl person pl place pleas plz point possibl prefer print problem "
    "project proper put question quick quickli realli reason refactor rememb remind remov renam repeat replac "
    "repo repositori return rewrit right rule run sai same save second see separ set sever she short should show "
    "side simpl simplifi singl slow slower small so some somebodi someth somewher stai start state step stick "
    "still stop straight such support sure switch system take task tell than thank that the thei their them then "
    "there these theyr thi thing think third tho those three thx titl to todai todo togeth tomorrow too touch "
    "true try turn two type under understand until up updat upload us user valu veri version visibl wa wai wanna "
    "want wasnt we week well went were what when where whether which while who whole whom whose why will with "
    "without won wont word work would write wrong ye year yesterdai yet you your "
    # German, French, Spanish, Portuguese, Italian
    "al algo all ao aqui au auch auf aux avec bei bitt ce cett che com como con cosa cuando da dan dann de dei "
    "del dell della dem den depui der desd di die dond du ein einen el ela ell ella ello em en entr er era es eso "
    "ess essa est esta esto et eu fair fait fare fazer fur gli hacer hai hier ich ici il im immer isso ist ja "
    "jamai je la le leur lo ma mach machen man mi mit mon mui na nach nada nao ne nel neu nicht nie niemal noch "
    "non notr nou nuestro nunca nur oder ohn os ou pa par para pela pelo per pero piu plu por porqu pour quand "
    "que quel quell quem qui quien sa san se sea segun sem sempr ser seu si sich sie siempr sin sind sobr son "
    "sono sont statt su sua sur tambem tambien tem tien toda tou toujour tout tre tutto um uma un una und uno "
    "unser usar utilis vom von vor vou wann warum welch welcher wenn wer wie wir wird wo ya zu zum zur "
)
"""The stems of words that name nothing, as the full-text index holds them."""
_ASKS = word_set(
    "what whats what's which who who's whose whom how why where when is are was were did does do has have show list "
    "explain tell find compare count read summarise summarize quel quelle pourquoi combien où warum wieso welche "
    "welcher welches wie wer wo was qué cuál quién dónde cuánto perché quando quem"
)
"""The words with which a message begins that asks how something is."""
_BEFORE = word_set("ok hm hmm hey please pls can could you to me so and also on for in there a")
"""Words that may stand before them."""
_MAY = word_set("can could may shall should do must")
_WORD = lazy(r"[^\W_]+")
_SHORTEST = 2


def find_handles(text: str) -> list[Term]:
    """Return the search terms of a text that name something."""
    return [
        term
        for term in parse_terms(text, even_common=False)
        if len(term.text) >= _SHORTEST
        and not term.text.isdigit()
        # Of a contraction or an elision, the parts are terms too.
        and "'" not in term.text
        and not _NAMES_NOTHING.issuperset(term.stems)
    ]


def find_rivals(handles: list[Term]) -> list[Term]:
    """Return the programs that do the same job as a program among the handles."""
    names = {term.text for term in handles}
    rivals = {name for family in FAMILIES if not family.isdisjoint(names) for name in family - names}
    return [term for name in sorted(rivals) for term in parse_terms(name)]


def stem_handles(text: str) -> list[str]:
    """Return the stems of the words of a text that name something, in their order, for `Term.share_in`."""
    words = [word for word in _WORD.findall(expand_for_index(text)) if word.lower() not in STOP]
    return [stem for stem in list_stems(" ".join(words)) if len(stem) >= _SHORTEST and stem not in _NAMES_NOTHING]


def asks_for_state(text: str) -> bool:
    """Tell whether a message asks how something is, and neither asks for work nor how to do something."""
    words = split_words(text.replace("’", "'"))
    if words[:1] and words[0] in ("can", "could", "would", "will") and words[1:2] == ["you"]:
        return words[2:3] != [] and words[2] in _ASKS
    first = next((word for word in words[:4] if word not in _BEFORE), "")
    if first not in _ASKS and not text.rstrip().endswith(("?", "？")):
        return False
    return not any(
        (one in _MAY and two in ("i", "we") and three not in ("have", "still")) or (one == "way" and two == "to")
        for one, two, three in zip(words, words[1:], [*words[2:], ""], strict=False)
    )
