"""Find stored fixes for errors whose commands a rule forbids.

It does not matter whether the fix or the rule was stored first. Such a fix must not be shown to a model.
"""

from __future__ import annotations

from datetime import datetime

from limpet.model.memory import Memory, Type
from limpet.model.reach import SUMMARIES
from limpet.model.scope import Scope
from limpet.store.protocol import Reading
from limpet.text.prohibition import denies, find_commands, forbids
from limpet.text.words import STOP, split_words

_EACH = 12
_MOST_WORDS = 6
_ERROR_TAG = "error:"
_RULES = tuple(type for type in Type if type not in (*SUMMARIES, Type.BUGFIX))
"""The types of memories that can be rules. A fix or a summary only reports what was done."""


def is_forbidden(text: str, origin_ceiling: float, *, scope: Scope, reading: Reading, now: datetime) -> bool:
    """Tell whether a text describes a fix with a command that a rule in the scope forbids.

    `origin_ceiling` is the maximum trust in the text, given its origin. A rule that is trusted less, or has expired,
    does not count.
    """
    commands = find_commands(text)
    words = _choose_words(" ".join(commands))
    for token in (scope.tokens() or ()) if words else ():
        for stored in reading.recent_with_words(token, words, each=_EACH, types=_RULES, now=now):
            rule = stored.memory
            if rule.effective_origin.ceiling < origin_ceiling:
                continue
            if any(forbids(rule.content, command) for command in commands):
                return True
    return False


def find_forbidden_fixes(rule: Memory, token: str, *, reading: Reading) -> list[Memory]:
    """Return the stored fixes with a command that a new rule forbids, except those with a more trusted origin.

    `token` names the scope. Return an empty list if the memory is not a rule that forbids something.
    """
    if rule.effective_origin.is_outside or rule.type not in _RULES or not denies(rule.content):
        return []
    found = []
    for stored in reading.recent_with_words(token, _choose_words(rule.content), each=_EACH, types=(Type.BUGFIX,)):
        fix = stored.memory
        if not is_fix(fix) or fix.effective_origin.ceiling > rule.effective_origin.ceiling:
            continue
        if any(forbids(rule.content, command) for command in find_commands(fix.content)):
            found.append(fix)
    return found


def is_fix(memory: Memory) -> bool:
    """Tell whether a memory describes an error with its fix, which is shown if the error recurs."""
    return memory.type is Type.BUGFIX and any(tag.startswith(_ERROR_TAG) for tag in memory.tags)


def _choose_words(text: str) -> list[str]:
    """Return the words to search for to find memories about a command, longest first."""
    words = dict.fromkeys(word for word in split_words(text[:1_000]) if len(word) > 1 and word not in STOP)
    return sorted(words, key=lambda word: (-len(word), word))[:_MOST_WORDS]
