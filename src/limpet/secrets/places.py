"""Patterns that find the value of a label: after it, in an entry beside it, or in a block, list or section below it.

Every pattern runs in linear time. `values.py` judges the values that they find.
"""

from __future__ import annotations

# What stands between a label and its value: an assignment in some language, a call or a pair, a sentence, a space.
# Character classes beyond Latin take long to compile, so they are used only for text with such characters.
_VERBS = (
    r"is|was|are|be|becomes|to|as|equals|now|currently|set|still|just|simply|from|changed|updated|rotated|reset"
    r"|ist|est|es|lautet|heisst|war|luidt|era|foi"
)
_ASSIGN = r"=>|:=|={1,3}+|!=|:{1,2}+|->|>(?!@)"


def _join_pattern(assign: str, copula: str, quotes: str) -> str:
    return (
        rf"(?:['’]s(?=[ \t])|(?:\\{{0,3}}[{quotes}]|[\])*]){{0,4}}+)"
        r"(?:(?P<call>\([ \t]?(?=[\"'])|[ \t]?,[ \t]?(?=[\"'])|[ \t]?:?=[ \t]?(?:new )?[\w.:]{1,40}+\((?=[\"']))"
        r"|(?P<assign>"
        r"(?:(?:[ \t]?:)?[ \t]?&?(?:'static )?(?:str|string|bytes|text|secretstr|optional\[str\])"
        r"(?: ?\| ?\w{4,9})?(?=[ \t]?=))?+"
        rf"[ \t]{{0,12}}+(?:{assign})(?:(?=[ \t\r]*+\n)\s{{1,12}}+(?![\w.-]{{1,60}}+[=:])|[ \t]{{0,12}}+)"
        r"|[\"']?[ \t]?[,{]?\s{0,12}+\\{0,3}[\"']?(?:value|default)\\{0,3}[\"']?[ \t]{0,3}+[:=][ \t]{0,4}+)"
        rf"|(?P<prose>(?:(?:[ \t]++(?:{_VERBS})(?!\w)){{1,4}}+|[ \t]?(?:{copula})|[ \t]\|)[ \t:]*+)"
        r"|(?P<space>[ \t]++\(?))"
        rf"(?P<open>[fbru@]?(?P<escape>\\{{0,3}})(?P<quote>[{quotes}]))?+(?!\[redacted:)"
    )


JOIN = _join_pattern(_ASSIGN, r"-(?=[ \t])", r"\"'`")
FOREIGN_JOIN = _join_pattern(
    _ASSIGN + "|→|：|＝", r"-(?=[ \t])|è|é|heißt|是|为|為|は|는|은|가|が|это|—|–", r"\"'`“”‘’「«"
)
# The sentence between a label and the verb before its value.
ABOUT = (
    r"(?:for|of|on|in|at|from|to|für|fuer|von|vom|zu|zum|zur|auf|im|am|bei|des|der|de|du|del|della|di|do|da|para|pour"
    r"|per|van|voor|op)[ \t][^\n.;!?=]{1,60}?(?:[ \t](?:is|was|ist|lautet|war|est|es|è|é|era):?[ \t]|:[ \t]|=)([\"'`])?"
)
# A value that is apart from its name, in another object or entry: `"db_password": {"type": "string",
# "value": …}`, `- name: DB_PASSWORD` and `value: …` in the next line, `[db.password]` and `value = …`. Between the two
# there may be a few other entries of the same object, but none that opens another one.
_VALUE_KEY = r"[\"']?[a-z_-]{0,24}?(?:value|default|plaintext|content)[\"']?[ \t]{0,4}+[:=][ \t]{0,4}+"
_SIBLING = (
    rf"(?!{_VALUE_KEY})[\"']?[\w.-]{{1,40}}+[\"']?[ \t]{{0,4}}+[:=][ \t]{{0,4}}+"
    r"(?:\"[^\"\n]{0,160}+\"|[^\n,{}\[\]]{1,160}+)[,\n]\s{0,80}+"
)
APART = (
    r"[\"'\])\\]{0,4}+(?:"
    rf"[ \t]{{0,4}}+[:=]?+[ \t]{{0,4}}+[,{{]?+\s{{0,80}}+(?:{_SIBLING}){{0,6}}+{_VALUE_KEY}"
    r"|</[\w.-]{1,40}+>\s{0,80}+<[\w.-]{0,20}value[^<>\n]{0,40}+>"
    r"|[ \t]{0,4}+=[ \t]{0,4}+(?:\"{3}|'{3})\s{0,12}+"
    r")(?P<quote>[\"'`])?+"
)
# The other way round: the value comes first and its name follows.
BEFORE = (
    r"value[\"']?[ \t]{0,4}+[:=][ \t]{0,4}+[\"']?(?P<value>[^\s\"',]{1,200}+)[\"']?[,\s]\s{0,40}+"
    r"[\"']?[a-z]{0,12}?(?:name|key|id)[\"']?[ \t]{0,4}+[:=][ \t]{0,4}+[\"']?[\w.-]{0,60}"
)
# A block of lines or a list below a label: `password: |`, `tokens:` with `- …` lines, `"tokens": ["…", "…"]`.
BLOCK = r"[\"']?[ \t]{0,4}+:[ \t]{0,4}+[|>][+-]?[0-9]?[ \t]*+\n"
BLOCK_LINE = r"[ \t]{1,40}+([^\n]{1,400}+)(?:\n|$)"
LIST = r"[\"']?[ \t]{0,4}+[:=][ \t]{0,4}+(?:\[\s{0,40}+|\n(?=[ \t]{0,40}-[ \t]))"
LIST_ITEM = r"[ \t,\n]{0,40}+(?:-[ \t]{1,4}+)?[\"']?([^\s\"',\[\]]{1,400}+)[\"']?(?=[ \t]*[,\n\]]|[ \t]*$)"
# An entry of a section in which every value is a secret.
SECTION_LINE = (
    r"[ \t]{0,40}+[\"']?[\w.-]{1,80}+[\"']?[ \t]{0,8}+[:=][ \t]{0,8}+[\"']?([^\s\"'#]{1,400}+)[^\n]{0,80}+(?:\n|$)"
)
# What stands between the heading of a list of codes and its first code, and one code of it.
CODE_START = r"[\"'*_]{0,4}+(?:[^\n:]{0,40}+:|[ \t]*+(?=\n))"
CODE_ITEM = (
    r"[\s,;|\"'\[\](*•–-]{0,40}+(?:[0-9]{1,2}[.)][ \t]{1,4}+)?"
    r"([A-Za-z0-9]{4,12}+(?:[ -][A-Za-z0-9]{4,12}+){0,7}+)(?![\w-])"
)
# A comma or semicolon belongs to a value unless a space or another name follows; so does a backslash before no escape.
_BARE = r"[^\s\"'`,;<>\\|]"
_BARE_VALUE = rf"{_BARE}*+(?:(?:[,;](?![\s\"'\\]|$|[\w ]{{1,30}}+[=:])|\\(?![nrt\"'\\])){_BARE}*+)*+"
# Latin, Greek and Cyrillic letters may be part of a password; typographic marks and East Asian text end it.
LAST_LETTER = "\u200f"
_CLOSING = {"“": "”", "‘": "’", "「": "」", "«": "»"}


def value_pattern(quote: str | None, escaped: bool) -> str:
    """Return the pattern of a value after this opening quotation mark, or of an unquoted value if `quote` is None.

    `escaped` is true if there is a backslash before the quotation marks.
    """
    if quote is None:
        return _BARE_VALUE
    if escaped:
        return rf"(?:[^{quote}\\\n]|\\(?!{quote})[^\n])++"
    return rf"(?:[^{_CLOSING.get(quote, quote)}\\\n]|\\[^\n])++"
