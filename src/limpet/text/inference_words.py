"""Words and phrases from which `inference` infers the kind, impact, region, type and concepts of a text.

Single words are in sets, and phrases in tuples. Both are matched as whole words.
"""

from __future__ import annotations

from limpet.text.words import word_set

# A text is personal if a person is the subject of WANT, ROLES or FEELINGS, or if it has a phrase of MANNERS.
WANT = word_set("prefer like love enjoy hate dislike appreciate want adore detest")
PEOPLE = word_set("he she user boss reviewer maintainer")
ROLES = word_set("beginner expert novice newcomer designer developer engineer student senior junior vegetarian")
FEELINGS = word_set(
    "frustrated annoyed happy unhappy upset angry stressed grateful proud excited tired annoying impatient"
)
MANNERS = (
    "tone", "humour", "humor", "preamble", "preambles", "pleasantries", "apologise", "apologize", "sarcasm",
    "jokes", "politeness", "jargon", "flattery", "call me", "talk to me", "address me", "my style", "my preference",
    "my preferences", "my name", "my editor", "my shell", "my timezone", "my time zone", "my preferred",
    "my favourite", "my favorite", "i'd rather", "i'd like you", "i would rather", "i would like you", "i use",
    "i work", "i live", "i usually", "with me", "to me", "i'm a", "i'm an", "i am a", "i am an", "ask me",
    "tell me", "show me", "your answers", "your replies", "your explanations", "your responses", "your tone",
    "marketing language", "small talk", "speak plainly", "colour-blind", "color-blind", "communication style",
    "writing style", "short answers", "long answers", "short replies", "bullet points",
)  # fmt: skip
# Verbs that report finished work, with the type of a memory about such work.
COMPLETED = {
    word: happened
    for happened, words in {
        "feature": "implemented added introduced shipped launched created built delivered wrote developed",
        "bugfix": "fixed resolved patched solved hotfixed corrected repaired",
        "refactor": "refactored renamed extracted simplified restructured reorganised reorganized rewrote deduplicated "
        "inlined split moved consolidated cleaned",
        "change": "replaced upgraded released deployed migrated completed finished removed reached bumped published "
        "merged updated achieved closed landed converted deleted enabled disabled increased reduced configured done "
        "installed ported reverted improved optimised optimized",
    }.items()
    for word in words.split()
}
# A cue in DECIDED makes a text ARCHITECTURAL, otherwise one in LEARNT makes it a lesson. Without either, the words in
# SYMPTOMS are counted against those in STRUCTURE.
DECIDED = (
    "decided", "decision", "we chose", "chosen", "agreed", "go with", "going with", "policy", "convention",
    "naming", "settled on", "switched to", "switched from", "we will", "we'll", "opted for", "rule :", "our rule",
    "as a rule", "guideline", "follow the", "follows the", "from now on", "standardise on", "standardize on", "adr",
)  # fmt: skip
LEARNT = (
    "turns out", "turned out", "gotcha", "beware", "watch out", "lesson", "learned", "learnt", "found out",
    "found that", "fixed by", "solved by", "resolved by", "discovered", "realised", "realized", "noticed",
    "root cause", "caused by", "workaround", "surprisingly", "unexpectedly", "unexpected", "the trick", "pitfall",
    "footgun", "insight", "careful", "it seems", "apparently", "be aware", "note that", "the reason", "misleading",
)  # fmt: skip
SYMPTOMS = word_set(
    "fails fail failed failing failure breaks break broke broken hangs hang hung crashes crash crashed error errors "
    "bug bugs leak leaks slow slowdown slower flaky deadlock deadlocks corrupt corrupts corrupted stale wrong "
    "ignores ignored loses lost locks blocks typo issue problem problems warning unless deprecated wiped twice "
    "silently undocumented unlikely unclear whether might maybe possibly perhaps raises throws segfault timeout oom "
    "conflicts missing surprising weird odd late truncated overwritten nothing"
)
STRUCTURE = word_set(
    "architecture architectural module modules layer layers service services component components interface "
    "interfaces api endpoint endpoints database schema table tables pattern patterns structure repository "
    "repositories router routers dependency store stored config configuration lives live depends loaded bundled "
    "built frontend backend entry port default branch deploys pipeline handler handlers protocol core package "
    "monorepo middleware queue worker scheduler tenant format version environment server client cache index primary "
    "uses using class classes directory folder namespace hosted served formatted forwards shares contains queues "
    "library sdk written consists separate authentication"
)
# Verbs that begin an order. Those in COMMANDS do so only before a word of OBJECTS, because they can also be nouns.
IMPERATIVES = word_set(
    "use prefer avoid don't keep follow ensure let let's please put do stick write pin treat wrap validate regenerate"
)
COMMANDS = word_set(
    "run write add set make check return store name create test call pass wrap commit push deploy restart install "
    "log validate treat go import build open update bump mock pin rebase squash format document tag start stop "
    "remove delete rename move split read ask give send export close merge review"
)
OBJECTS = word_set(
    "the a an all every each any your our it them only new no to with from in on as for through via ` both one "
    "before after into tests code"
)
# "Key" before one of these nouns means high impact: "the key decision", but not "the key file".
KEY_NOUNS = word_set(
    "decision decisions insight insights point points finding findings lesson lessons learning learnings difference "
    "differences requirement requirements takeaway takeaways feature features constraint constraints assumption "
    "assumptions idea ideas thing things reason reasons risk risks rule rules principle principles question part "
    "concept design goal metric factor problem change"
)
# The cues of each concept.
CONCEPTS = {
    "problem-solution": (
        "fix", "fixed", "fixes", "solved", "solution", "workaround", "resolved", "root cause", "caused by",
        "patched",
    ),
    "gotcha": (
        "gotcha", "beware", "careful", "watch out", "pitfall", "footgun", "silently", "unexpectedly",
        "surprisingly", "turns out", "turned out", "note that", "trap", "be aware", "never", "must not", "don't",
        "do not",
    ),
    "trade-off": (
        "trade-off", "trade-offs", "tradeoff", "instead of", "rather than", "at the cost of", "versus", "vs",
        "downside", "drawback", "over", "cheaper", "sacrifice", "compromise",
    ),
    "why-it-exists": (
        "because", "so that", "in order to", "reason", "rationale", "due to", "to avoid", "since", "motivation",
        "purpose",
    ),
    "what-changed": (
        "changed", "added", "removed", "renamed", "migrated", "upgraded", "replaced", "switched", "no longer",
        "moved", "implemented", "released", "introduced", "refactored", "deprecated", "bumped", "dropped", "now",
    ),
    "pattern": (
        "pattern", "patterns", "convention", "conventions", "always", "naming", "idiom", "every", "consistently",
        "style", "follow", "follows", "as a rule", "prefer",
    ),
    "how-it-works": (
        "works by", "calls", "reads", "writes", "stores", "stored", "lives in", "live in", "consists", "handled by",
        "depends on", "talks to", "uses", "loaded", "is built", "flows", "goes through", "go through", "maps",
        "returns", "sends", "has", "means",
    ),
}  # fmt: skip
# Phrases for what does not work, which make a text a lesson.
INCAPABLE = (
    "does not work", "doesn't work", "do not work", "don't work", "does not support", "doesn't support",
    "not supported", "is not done", "never finished", "not implemented", "too low", "too high", "too old", "too slow",
    "too large", "times out", "timed out",
)  # fmt: skip
# Phrases for what is valid in all projects. Such a text gets the region AGENT, unless it names this project.
EVERY_PROJECT = (
    "all projects", "all my projects", "every project", "any project", "across projects", "across all projects",
    "all repos", "all my repos", "all repositories", "every repo", "whatever the project",
    "regardless of the project", "regardless of project", "other projects too",
)  # fmt: skip
# These phrases count only in an order to the agent or in a habit of the person: "we use tabs everywhere" is about one
# project.
EVERYWHERE = ("everywhere", "as a rule", "in general", "universally")
EVERYWHERE_WORDS = word_set("everywhere as a rule in general universally , : ; .")
# Words for how to work, as opposed to what the system does.
WORKING = word_set("commit commits messages branch branches pull review reviews answer answers reply replies")
HERE = (
    "this project", "this repo", "this repository", "this codebase", "this app", "this service", "this module",
    "this branch", "this team", "our repo", "our codebase", "our project", "in the project", "in the code",
    "the codebase",
)  # fmt: skip
# With a determiner, these nouns name a part of one project: "the billing service", but not "a service".
PARTS = word_set(
    "service services module modules component components endpoint endpoints table tables schema pipeline package "
    "packages worker workers queue queues handler handlers router routers server client frontend backend database api "
    "app application page screen dashboard job controller middleware scheduler tenant importer exporter export import "
    "parser migration migrations index cache gateway plugin"
)
DETERMINERS = word_set("the our this these its")
ADDRESSING = ("i", "i'm", "i'd", "my", "me", "your", "you", "user is", "he is", "she is")
REQUESTING = ("wants", "want", "needs", "need", "asked", "would like")

HEDGES = word_set("maybe perhaps possibly might whether")
STRONG = word_set("critical crucial essential vital mandatory paramount forbidden")
STRONG_PHRASES = ("under no circumstances", "non-negotiable", "is imperative", "it's imperative")
WEAK = word_set("minor trivial maybe possibly perhaps might cosmetic nit nitpick unimportant negligible someday")
WEAK_PHRASES = ("nice to have", "nice-to-have", "low priority", "not urgent")
IMPACT_LABELS = {
    **dict.fromkeys(["minor", "nit", "trivial", "cosmetic"], "LOW"),
    **dict.fromkeys(["critical", "crucial", "vital", "essential", "must"], "CRITICAL"),
    **dict.fromkeys(["important", "warning", "key"], "HIGH"),
}
# Before these nouns, words such as "minor" and "critical" belong to a technical term: "minor version".
TECHNICAL_NOUNS = word_set(
    "version versions release releases upgrade bump number section path css bit byte digit digits mode signs"
)
# After "want to", these verbs express a wish ("I want to see X"), and other verbs a task ("I want to add X").
WISHED = word_set("be see have know review approve")
# Words between the subject and the verb of a wish: "I do not really like X".
BEFORE_WISH = word_set("not do does doesn't don't really also always usually")
FEELING_VERBS = word_set("is was feels felt gets got seems became sounded finds")
COMMAND_SUBJECTS = word_set("i we you should must will shall please and or to do can may they")
AUXILIARIES = word_set("is are was were must should can cannot may will have has go get gets goes need needs")

ORDERING = tuple(
    f"{word} {link}" for word in ("critical", "crucial", "essential", "vital", "important") for link in ("that", "to")
)
# Words and phrases of reports about finished work: "we fixed", "is live".
DOERS = word_set("i we team i've we've have has been finally just")
LIVE = ("is complete", "are complete", "is now complete", "is live", "are live", "is now live", "went from")
REPAIRS = word_set("fix hotfix patch bugfix")
FIXES = word_set("fixed resolved patched solved workaround hotfix")
NOT_VERBS = word_set("size width length point price format number")
