"""Tell whether a text, such as a rule of the user, forbids a command.

A rule forbids what it names after a negation: a command in backticks ("do not run `terraform force-unlock`"), a program
with its subcommand ("never git push"), a subcommand with a hyphen ("never force-unlock"), or a program alone ("never
pip"). It does not forbid a command if it only has a word in common with it: "never commit secrets" allows `git commit`.
"""

from __future__ import annotations

from collections.abc import Iterator

from limpet.lean.pattern import lazy
from limpet.text.commands import is_program
from limpet.text.negation import has_denial, is_denial
from limpet.text.words import word_set

_READ = 2_000
_SENTENCES = lazy(r"[.;!?]++(?=\s|$)|\n")
_TOKEN = lazy(r"`[^`\n]++`|[\w@./:'+-]++|,")
_RAN = lazy(r"\bran `([^`\n]++)`")
_QUOTED = lazy(r"`([^`\n ]++ [^`\n]++)`")
_CHAIN = lazy(r"&&|\|\||[;|\n]")
_ASSIGNED = lazy(r"[A-Za-z_]\w*+=\S*+")
_WRAPPERS = word_set("sudo time env command exec npx bunx uvx nohup nice doas then do")
_DENIES_MORE = word_set("avoid stop quit forbidden")
_VERBS = word_set("use run call execute invoke using running calling do ever again please just the a to be")
_AFTER_PROGRAM = word_set("here in for at any directly please again anywhere ever")
_CLAUSE_ENDS = word_set("but instead , unless except rather otherwise because since")


def denies(text: str) -> bool:
    """Tell whether a text has a negation; without one, it forbids nothing, and `forbids` need not be called."""
    words = _TOKEN.findall(text[:_READ].replace("’", "'").lower())
    return has_denial(words, _DENIES_MORE)


def find_commands(text: str) -> tuple[str, ...]:
    """Return the commands that a text recommends.

    In the text of a captured fix, these are the commands in backticks after "ran". In any other text without such
    commands, these are all texts in backticks that contain a space.
    """
    ran = _RAN.findall(text)
    return tuple(ran or _QUOTED.findall(text) if "Problem: " not in text else ran)


def forbids(rule: str, command: str) -> bool:
    """Tell whether a rule forbids a command line, or one command of its chain."""
    parts = [_strip_command(piece.split()) for piece in _CHAIN.split(command[:_READ])]
    return any(part and _begins_with(after, part) for after in _list_denied(rule) for part in parts)


def list_forbidden_programs(rule: str) -> list[str]:
    """Return words of which every command contains one that a rule forbids."""
    found = []
    for after in _list_denied(rule):
        named = _skip_verbs(after)
        words = _strip_command(named[0].strip("`").split()) if named else []
        # "Never commit secrets" names no program.
        if words and (named[0][0] == "`" or "-" in words[0] or is_program(words[0])):
            found.append(words[0])
    return found


def _list_denied(rule: str) -> Iterator[list[str]]:
    """Yield the words after each negation in a rule, up to the end of the clause."""
    for sentence in _SENTENCES.split(rule[:_READ].replace("’", "'")):
        found = (token if token[0] == "`" else token.lower().rstrip(".:") for token in _TOKEN.findall(sentence))
        tokens = [token for token in found if token]
        for at, token in enumerate(tokens):
            if is_denial(token, _DENIES_MORE):
                after = tokens[at + 1 :]
                yield after[: next((place for place, each in enumerate(after) if each in _CLAUSE_ENDS), len(after))]


def _strip_command(words: list[str]) -> list[str]:
    """Return the words of a command without wrappers such as `sudo`, assignments, and the path of the program."""
    while words and (words[0] in _WRAPPERS or _ASSIGNED.fullmatch(words[0])):
        words = words[1:]
    return [words[0].rsplit("/", 1)[-1], *words[1:]] if words else []


def _skip_verbs(after: list[str]) -> list[str]:
    """Return the words after a negation without verbs such as "run" and wrappers at their beginning."""
    return after[next((at for at, token in enumerate(after) if token not in _VERBS | _WRAPPERS), len(after)) :]


def _begins_with(after: list[str], part: list[str]) -> bool:
    """Tell whether the words after a negation begin with the name of the command `part`, or with "run" and its name."""
    if "without" in after and any(token.strip("`") in part for token in after[after.index("without") + 1 :]):
        return False
    named = _skip_verbs(after)
    if not named:
        return False
    if named[0][0] == "`":
        return _is_start(_strip_command(named[0].strip("`").split()), part)
    program, sub = part[0], next((word for word in part[1:] if not word.startswith("-")), "")
    if named[0] == sub and "-" in sub:
        return True
    if named[0] != program:
        return False
    following = named[1:]
    if following and following[0] in part:
        return all(flag in part for flag in following if flag.startswith("-"))
    # "Never pip" is about the program; "never make fun of it" only has a word that is also the name of a program.
    return not following or following[0] in _AFTER_PROGRAM


def _is_start(named: list[str], part: list[str]) -> bool:
    """Tell whether the command `part` begins with the words of `named` and has all its options, in any position."""
    if not named or named[0] != part[0]:
        return False
    words = [word for word in part if not word.startswith("-")]
    wanted = [word for word in named if not word.startswith("-")]
    flags = [word for word in named if word.startswith("-")]
    return words[: len(wanted)] == wanted and all(flag in part for flag in flags)
