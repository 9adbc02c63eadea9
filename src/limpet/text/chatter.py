"""Remove words without information from the beginning of a sentence: greetings, assent, praise, fillers, symbols.

Words that may change the meaning are kept. "No, use pnpm" loses its first word, but "No tests were run" and "Just use
pnpm" do not. An expression of doubt such as "I think" is never removed.
"""

from __future__ import annotations

from limpet.lean.pattern import lazy

_LEAST = 8
"""A sentence is not changed if at most this many characters would be left."""

# These symbols forbid something. Without them, an item of a list would say the opposite.
_FORBIDDING = "❌✗✘✖🚫⛔👎"

_CHATTER = lazy(
    # Punctuation and symbols, but not those that begin a quotation, a path, a name, an option or an amount.
    rf"(?:[\s,!:;—–]|[.-](?=\s)|[^\w\s`\"'“«„‘(\[{{/@#.$<>~\\+=*%&|?^€£-](?<![{_FORBIDDING}])"
    # Words that are removed only before a comma, a full stop or a dash.
    r"|(?:no|nope|nah|nein|non|нет|done|right|correct|exactly|absolutely|definitely|understood|got it|i see|good|nice"
    r"|cool|good (?:idea|catch|point|call)|great (?:idea|catch|point|question)|thanks|thank you|thx|danke|merci|gracias"
    r"|спасибо|hi|hello|hey|hallo|bonjour|hola|привет|short answer|wait|sorry|great|perfect|awesome|excellent|sure"
    r"|alright|well)"
    r"(?: (?:claude|codex|gemini|there|all|everyone|everybody|team|again|so much|a lot))?(?=\s*+[,.!:;—–]|\s-\s)"
    # "No" before a pronoun or an article: "no the port is 5433".
    r"|(?:no|nope)(?=\s(?:i|i'd|i'm|we|you|it|it's|the|this|that|that's|they|don't|dont|please|actually)\s)"
    # Words that are always removed.
    r"|(?:ok|okay|yes|yep|yeah|yup|wow|hm++|oh|ah|please|pls|plz|bitte|btw|fyi|by the way|anyway|actually|basically|so"
    r"|also|and|but|(?:it turns out|(?:please )?note)(?: that)?|just to recap|to (?:sum up|summari[sz]e|recap)"
    r"|as (?:you know|mentioned|discussed|said)(?: (?:above|before|earlier))?|ja|oui|sí|да|好的|ちなみに)"
    r"(?:(?<=[^\x00-\x7f])|(?![\w'’/.-])))++",
    2,  # re.IGNORECASE
)


def strip_chatter(sentence: str) -> str:
    """Remove greetings, assent, praise and fillers from the beginning of a sentence, and capitalise what is left.

    A sentence without such words, or of which too little would be left, is returned unchanged.
    """
    found = _CHATTER.match(sentence)
    if found is None or len(sentence) - found.end() <= _LEAST:
        return sentence
    return capitalise(sentence[found.end() :])


def capitalise(text: str) -> str:
    """Make the first letter of a text upper case, unless the text begins with a path or another name."""
    capital = text[:1].upper()
    # In upper case, some letters become two: "ß" becomes "SS".
    return text if begins_with_name(text) or len(capital) != 1 else capital + text[1:]


def begins_with_name(text: str) -> bool:
    """Tell whether a text begins with a name whose spelling must not change: a path, a function, a setting."""
    first = text.split(" ", 1)[0]
    return any(mark in first for mark in "/._(`") or first[1:] != first[1:].lower()
