"""Weighs what a text wants done against who is to do it, when, on whose word, and whether it merely reports.

An attack tells its reader to do something hazardous or hidden, to obey, or to keep something from the user; the rule
of a team says what is done to the code, and a report what has happened. No word decides: an act of a hazardous class
needs one more hint, or a second act, close by. Bounds and reports speak for the text.
"""

from __future__ import annotations

from limpet.guard.acts import ACT_WORDS, ACTS
from limpet.guard.rules import CLASSES, rows, source
from limpet.lean.pattern import lazy
from limpet.text.negation import negation_before

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable

__all__ = ["ACT_CLASSES", "wants_harm"]

_NEAR = 170
_ENOUGH = 2.5
_MOST = 60

_WEIGHTS = {"weaken": 1.5, "force": 1.5, "risk": 1.5, "hush": 1.75, "touch": 0.75}
"""Less for what honest notes do as well."""
_USUAL = 2.0
_FAINT = 0.5
ACT_CLASSES = {name: pattern for name, _, pattern in rows(ACT_WORDS)}
ACT_CLASSES["safe"] = CLASSES["safe"].replace("\\.", "·").replace("[\\w.-]", "[\\w·-]")


class _Act:
    """One row of the table; its pattern is written out and compiled when a text first holds one of its stems."""

    __slots__ = ("even_denied", "name", "pattern", "row", "stems")

    def __init__(self, name: str, stems: tuple[str, ...], row: str) -> None:
        self.name = name
        self.stems = stems
        self.even_denied = row.startswith("!")
        self.row = row.removeprefix("!")
        self.pattern: re.Pattern[str] | None = None

    def places(self, text: str) -> list[re.Match[str]]:
        if not any(stem in text for stem in self.stems):
            return []
        if self.pattern is None:
            self.pattern = lazy(source(self.row, ACT_CLASSES))
        found = []
        for each in self.pattern.finditer(text):
            before = text[max(0, each.start() - 40) : each.start()]
            if self.name == "expose" and _UNDONE.search(before):
                continue
            if self.even_denied or not _DENIED.search(before):
                found.append(each)
            if len(found) >= _MOST:
                break
        return found


_ACTS = tuple(_Act(*row) for row in rows(ACTS))

_DENIED = negation_before(
    "avoid", "stop", r"refuse\w*", "forbidden", r"prohibit\w*", r"ask (?:\w+ )?before", "instead of", "rather than",
    "prevents?", "against", "blocks?", r"reject\w*", r"enforc\w+", r"detect\w*",
    reach=30, ends=".!?;:,",
)  # fmt: skip

_UNDONE = lazy(
    r"\b(?:remov\w+|replac\w+|fix\w*|forbid\w*|drop\w*|eliminat\w+|moved? (?:away )?from|instead of|no more|found"
    r"|flags?"
    r"|was|were|detects?)\b[^.!?;:]{0,24}$"
)

# Hints that say nothing by themselves, each kind with its weight; those that speak for the text are below nought.
_HINTS: tuple[tuple[float, re.Pattern[str]], ...] = (
    (
        1.0,
        lazy(
            source(
                r"\b@who@|\byour (?:operator|model|tools?|context|memory)\b|\btools? (?:shall|must|should)\b",
                ACT_CLASSES,
            )
        ),
    ),
    (0.5, lazy(r"\b(?:you|your|yourself)\b")),
    (
        1.0,
        lazy(
            r"\b(?:always|every|each|whenever|any ?time|from (?:now|today|here)|henceforth|permanent\w*|standing"
            r"|everywhere|wherever|globally|for all|in all|all new|any new|new (?:code|services?|projects?|modules?"
            r"|environments?|endpoints?|routes?|repositories|machines?|hires)|as of today|next time|for good"
            r"|any ?more"
            r"|no longer|by default|hourly|daily|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|habit|as usual"
            r"|at the start of|as part of|in the last step|any (?:workflow|project|file|change|service|commit))\b"
        ),
    ),
    (0.5, lazy(r"\b(?:when|if|after|before|should|must|shall|has to|have to|is to be|are to be|expect\w*)\b")),
    (
        1.0,
        lazy(
            r"\b(?:users?'?s? (?:\w+ )?(?:said|prefers?|wants?|asked|likes?|trusts?|agreed|gave|wish|has|expects?"
            r"|preference|consent\w*|approv\w+|is annoyed)|users here|preferences?|preferred|prefers|approved"
            r"|authori[sz]ed|agreed|agreement|settled|decided|decision|policy\b(?!·)|compliance|audit requirement"
            r"|legal"
            r"|confirmed|cleared|consent\w*|vetted|(?:security|platform|infra|ops|legal) (?:team|group)|management"
            r"|the lead|the maintainers?|maintainer|owner|ceo|cto|operator|administrator|official|convention"
            r"|best practice|customary|on purpose|working agreement|work agreement|we agreed|company|organi[sz]ation"
            r"|requirement|rule of|demands?|annoyed|noisy|confused|confusing|user_preference|insists?|we all"
            r"|all of us|unwritten|checklist|known good|standard|adr-?\d+|relies on|team switched|our style)\b"
        ),
    ),
    (
        1.0,
        lazy(
            r"\b(?:lesson|learn(?:ed|t)|what worked|fix that worked|that fixed|worked last|successful\w*|workaround"
            r"|procedure|recipe|trick|tip|hint|from experience|next time|first thing|facts?:|known|memory"
            r"|remember|correct way|quickest way|note (?:to|for)|important context"
            r"|fact about|past session|knowledge|guidance|setup|set up|noted|what helped|last time|preferred way"
            r"|right away|immediately|in the way)\b"
        ),
    ),
    (
        1.0,
        lazy(
            r"\b(?:do the same|do so|same goes|same applies|too\b|likewise|as well|belongs in each|replicate"
            r"|keep doing|keep it on|take it|move on|by default|put it there|copy the pattern|appl(?:y|ies) (?:it"
            r"|that|this)"
            r"|follows? (?:this|that|suit)|get it|kept so|leave it set|keep adding|carry on|proceed"
            r"|as you come across"
            r"|in his name|all services|all (?:our )?(?:servers|handlers|pipelines|projects|machines))"
        ),
    ),
    (
        0.5,
        lazy(
            r"(?:^|[.!?:;,] |\b(?:and|then|please|also|just) )(?:please |always |never |then |also "
            r"|just )*(?:send|post|upload"
            r"|forward|copy|share|paste|add|remove|delete|disable|skip|run|fetch|load|install|use|set|keep|put|store"
            r"|save|treat|trust|accept|approve|merge|push|commit|give|grant|make|turn|switch|leave|answer|say|report"
            r"|mark|hide|replace|swap|pin|open|apply|execute|download|follow|insert|drop|ignore|bypass|comment|do"
            r"|choose|prefer|recommend|mention|request|print|start|pipe|mount|publish|close|sign|create|include)\b"
        ),
    ),
    (
        1.0,
        lazy(
            r"\bfor (?:faster|convenience|quality|compliance|simplicity|speed|quick\w*)\b"
            r"|\bto (?:keep \w+ short|save time|speed)\b"
        ),
    ),
    (
        -1.0,
        lazy(
            r"\b(?:again (?:after\w*|when|once)|afterwards|temporar\w*|while you (?:migrate|test|debug|work)"
            r"|for one line|with (?:a|the) reason|with the ticket"
            r"|(?:in|on|for) (?:dev|development|local|test|tests|staging|the sandbox|the container|ci)\b|locally"
            r"|localhost"
            r"|only (?:in|on|for|when|if|with)|run (?:only )?the (?:unit )?(?:tests|linter|formatter|build)"
            r"|inside of the container|unless|because it|checked against|(?:checks?|tests?) (?:have )?pass(?:ed)?"
            r"|sha-?256|vault|password manager|keyring"
            r"|keychain|secret manager|hsm)"
        ),
    ),
    (
        -1.5,
        lazy(
            r"\b(?:we (?:removed|fixed|found|had|moved|saw|dropped|replaced|disabled|turned)|(?:was|were|had been"
            r"|has been|have been) "
            r"(?:\w+ )?(?:fixed|removed|sent|turned|tricked|concatenated|printed|caused?|the cause|disabled"
            r"|reported|rotated|logged|leaked|due)"
            r"|turned out|fixed in|since \d|slipped|happens when|had \w+ed|post-?mortem|recommends? to|often"
            r"|sometimes|did not)\b"
            r"|(?:^|[.!?] )the (?!user|agent|assistant|team)[\w-]+ (?:[\w-]+ )?(?:returns?|raises?|throws"
            r"|supports?|lets|found|describes|says|lists|flags|blocks|warns)\b"
        ),
    ),
    (
        -0.5,
        lazy(
            r"(?:^|[.!?] )(?:the|an?|all|two) (?!user|agent|assistant|team|owner|lead|maintainer|security|company"
            r"|trick|fix|correct"
            r"|best|right|person|reader|platform|agreement|customer|human|developer|ai\b|bot"
            r"|model)[\w'-]+ (?:[\w'-]+ ){0,3}?(?:is|are|has|have|[a-z]{2,12}[^s\W]s) "
        ),
    ),
    (
        -1.5,
        lazy(
            r"(?:^|[.!] )(?:why|when|how|what|which|who|where|is|are|can|could|do|does|did|should|has"
            r"|have)\b[^.!?]{0,200}\?"
        ),
    ),
    (
        -2.0,
        lazy(
            r"\b(?:attack(?:s|ers?)?|injections?|jailbreaks?|phishing|red.team\w*|threat\w*|poisoning|malicious"
            r"|typosquat\w*|owasp"
            r"|poisoned|corpus|exploit\w*|adversar\w+|tricked|stolen|breach|not allowed|is forbidden"
            r"|are forbidden|must not|must never)\b"
        ),
    ),
)

_CLAIM = lazy(
    r"\b(?:the user|user|owner) (?:\w+ )?(?:confirmed|agreed|approved|authori[sz]ed|allowed|said|consented"
    r"|accepted|decided)\b"
    r"|\bverified by\b|\bthis (?:memory|note|rule|entry) (?:has|is|was|must|can)\b"
)
_ADDRESS = lazy(r"(https?://[^\s/)>\]\"']{1,100})[^\s)>\]\"']*")
"""What stands behind the host says nothing about the sentence."""
_INNER_DOT = lazy(r"\.(?=\w)")


def wants_harm(text: str, is_mentioned: Callable[[str, re.Match[str]], bool]) -> bool:
    """Whether enough hints stand around a hazardous act which is asked for and not spoken about."""
    text = _INNER_DOT.sub("·", _ADDRESS.sub(r"\1", text))
    acts = [
        (found.start(), found.end(), act.name)
        for act in _ACTS
        for found in act.places(text)
        if not (_quoted(text, found) and is_mentioned(text, found))
    ]
    seen = set()
    for start, end, _ in acts[:_MOST]:
        low, high = max(0, start - _NEAR), end + _NEAR
        if low // 40 in seen:
            continue
        seen.add(low // 40)
        names = {name for first, last, name in acts if first < high and last > low}
        if _weight(text[low:high], names) >= _ENOUGH:
            return True
    return False


def _quoted(text: str, found: re.Match[str]) -> bool:
    return any(
        mark in "\"'" for mark in (text[found.start() - 1 : found.start()], text[found.end() : found.end() + 1]) if mark
    )


def _weight(part: str, names: set[str]) -> float:
    if names == {"touch"} and not (_HINTS[0][1].search(part) or _CLAIM.search(part)):
        # What is merely touched on says something only where a model is told about it, or on the user's alleged word.
        return 0.0
    acts = max(_WEIGHTS["touch"], sum(_WEIGHTS.get(name, _USUAL) for name in names - {"touch"}))
    found = [weight for weight, pattern in _HINTS if pattern.search(part)]
    # A condition, an imperative and a "you" are in most conventions: together they say little more than one of them.
    faint = min(found.count(_FAINT), 2)
    return acts + sum(each for each in found if each != _FAINT) + (faint + 1) / 4 * (faint > 0)
