"""Remove the words in front of a sentence that say nothing: a greeting, a nod, praise, a filler, an ornament.

A word that could change the meaning stays: "No, use pnpm" loses its first word, "No tests were run" and "Just use pnpm"
do not, and a doubt such as "I think" is never removed.
"""

from __future__ import annotations

from limpet.lean.pattern import lazy

_LEAST = 8
"""A sentence that would have fewer characters left is not changed."""

# Signs that forbid: without them, an item of a list would say the opposite.
_FORBIDDING = "❌✗✘✖🚫⛔👎"

_CHATTER = lazy(
    # Marks and ornaments, but not what begins a quotation, a path, a name, an option or an amount.
    rf"(?:[\s,!:;—–]|[.-](?=\s)|[^\w\s`\"'“«„‘(\[{{/@#.$<>~\\+=*%&|?^€£-](?<![{_FORBIDDING}])"
    # Said alone, before a comma or a full stop.
    r"|(?:no|nope|nah|nein|non|нет|done|right|correct|exactly|absolutely|definitely|understood|got it|i see|good|nice"
    r"|cool|good (?:idea|catch|point|call)|great (?:idea|catch|point|question)|thanks|thank you|thx|danke|merci|gracias"
    r"|спасибо|hi|hello|hey|hallo|bonjour|hola|привет|short answer|wait|sorry|great|perfect|awesome|excellent|sure"
    r"|alright|well)"
    r"(?: (?:claude|codex|gemini|there|all|everyone|everybody|team|again|so much|a lot))?(?=\s*+[,.!:;—–]|\s-\s)"
    # A nod before a pronoun or an article: "no the port is 5433".
    r"|(?:no|nope)(?=\s(?:i|i'd|i'm|we|you|it|it's|the|this|that|that's|they|don't|dont|please|actually)\s)"
    # Never part of what is said.
    r"|(?:ok|okay|yes|yep|yeah|yup|wow|hm++|oh|ah|please|pls|plz|bitte|btw|fyi|by the way|anyway|actually|basically|so"
    r"|also|and|but|(?:it turns out|(?:please )?note)(?: that)?|just to recap|to (?:sum up|summari[sz]e|recap)"
    r"|as (?:you know|mentioned|discussed|said)(?: (?:above|before|earlier))?|ja|oui|sí|да|好的|ちなみに)"
    r"(?:(?<=[^\x00-\x7f])|(?![\w'’/.-])))++",
    2,  # re.IGNORECASE
)


def strip_chatter(sentence: str) -> str:
    """Return a sentence without the words in front of it that say nothing, with a capital if any were removed."""
    found = _CHATTER.match(sentence)
    if found is None or len(sentence) - found.end() <= _LEAST:
        return sentence
    return capitalise(sentence[found.end() :])


def capitalise(text: str) -> str:
    """Return a text with a capital at its beginning, unless it begins with a name."""
    capital = text[:1].upper()
    # The capital of some letters is more than one letter: "ß" becomes "SS".
    return text if begins_with_name(text) or len(capital) != 1 else capital + text[1:]


def begins_with_name(text: str) -> bool:
    """Tell whether a text begins with a name that must keep its spelling: a path, a function, a setting."""
    first = text.split(" ", 1)[0]
    return any(mark in first for mark in "/._(`") or first[1:] != first[1:].lower()
