"""Word lists for parsing clauses into assertions, by the role of a word in a clause; see `assertions`."""

from __future__ import annotations

from limpet.text.words import STOP, word_set

AVOIDING = word_set("avoid")
# "Not" before one of these words is less than a denial, or no denial: "not always", "not only".
NOT_QUITE = word_set("only just all every always necessarily sure clear yet everyone")
# A clause with one of these words is not read as an assertion.
UNREADABLE = word_set(
    "maybe perhaps possibly might could consider considering if unless except whether propose proposed proposal "
    "idea planned todo until previously formerly originally initially historically once none nothing nobody nowhere "
    "would wonder hope wish unlike"
)
PRONOUNS, POINTERS = word_set("it they he she"), word_set("this that these those")
VERBS_AFTER_POINTER = word_set("is are does do has have can will should must isn't doesn't works")
REASONS = word_set("because since so which thus hence otherwise")
BOUNDS = word_set("more less later fewer earlier sooner")
CONTRAST_ENDS = word_set(", for in on to when while as at with and by")

LIGHT = STOP | word_set(
    "now currently today still already just please anymore any more longer also really very ever all each every both "
    "always should must shall can may will need needs do does did doing done make sure ensure get gets only when "
    "while where within via through per under by about new instead s"
)
USING = word_set(
    "use uses used using utilise utilises utilize utilizes employ employs run runs running rely relies adopt adopted "
    "choose chose chosen set sets configured defined pick picked written host hosts hosted serve served based "
    "store stored"
)
# Verbs that can be true of several values: "supports JSON" and "supports XML".
MANY_VALUED = word_set(
    "support supports supported supporting accept accepts accepted work works working include includes included "
    "contain contains read reads parse parses export exports import imports open tested offer offers provide provides "
    "handle handles fail fails pass passes crash crashes known mention mentions covers review reviews see available "
    "compatible"
)
# Nouns for one of many: "the bug is in a.py" and "the bug is in b.py" are about two bugs.
INSTANCES = word_set("bug issue problem error failure regression fix task cause reason change example examples")
# Words for the only one of its kind, even if another word of the clause means several: "minimum supported version".
ONE_VALUED = word_set("default minimum maximum min max")
CLAUSE_LABELS = word_set("update note reminder fyi decision correction important rule convention preference")
PREPOSITIONS = word_set("after before during since against between without across into")
LINKING = word_set("is are live lives listen listens located named called")
# After these verbs, an adjective before a noun is what the clause asserts: "prefers short answers". Otherwise it only
# tells which thing is meant: "private methods need no docstring".
WANTING = word_set("prefer prefers want wants like likes love loves write keep give answer reply")
OPPOSITE_VERBS = word_set("disable disables exclude excludes forbid prohibit ban disallow dislike dislikes hate hates")
EVENTS = word_set(
    "released shipped fixed merged deployed completed finished achieved added upgraded published landed closed "
    "implemented reached measured took found discovered tried created wrote built launched spent resolved updated "
    "refactored installed learned learnt noticed saw met"
)
# Nouns after which a number is a name, not a value: "step 3".
NUMBERED = word_set(
    "issue pr ticket bug step phase chapter section line commit task story number no build job sprint milestone "
    "release iteration attempt page rule adr rfc week case figure table error status code http version option"
)
SWITCHES = word_set(
    "switched switch moved move migrated migrate changed change renamed rename bumped raised increased lowered reduced "
    "went replaced replace swapped converted"
)
# Words for a change that was only considered, is still to come, or happened by mistake, so that nothing has changed.
NOT_MADE = word_set(
    "will won't shall considered rejected refused declined discussed debated evaluated suggested tried attempted "
    "wanted intend intends intended mistakenly accidentally wrongly erroneously almost nearly soon eventually someday "
    "tomorrow"
)
NOT_MADE_PAIRS = frozenset(
    {("going", "to"), ("about", "to"), ("by", "mistake"), ("by", "accident")}
    | {("next", period) for period in ("week", "month", "quarter", "year", "sprint", "release")}
)
SWITCHES_TO_MAKE = word_set("switch move migrate change rename replace")
REMOVALS = word_set("removed dropped deleted abandoned ditched retired decommissioned")
