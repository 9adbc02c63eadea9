"""Tell whether a newer statement clearly contradicts an older one.

Two assertions contradict each other if one denies what the other affirms, if both affirm the same with exactly one
different value, or if the newer one rejects what the older one affirms. A false alarm lowers the confidence of a good
memory, while a missed contradiction only leaves both memories in place. So only clear cases count.
"""

from __future__ import annotations

from limpet.text import grammar
from limpet.text.assertions import Assertion, read_assertions, stem
from limpet.text.excerpt import clip
from limpet.text.vocabulary import EXCLUSIVE
from limpet.text.words import word_set

__all__ = ["OURS", "contradicts", "find_denial", "find_other_value", "find_replacement"]

# The stems of words for the project, the team and the time. A newer statement may add them, because they do not change
# what it is about.
OURS = word_set(
    "i team project repository codebas app application everyon everyth compani last week month year yesterdai recentli "
    "finalli her onward prefer"
)

_LINKS = frozenset(stem(word) for word in grammar.LINKING)


def contradicts(newer: str, older: str) -> str | None:
    """Return a short description of the contradiction if `newer` clearly contradicts `older`, else None."""
    olders = read_assertions(older)
    for new in read_assertions(newer) if olders else ():
        for old in olders:
            reason = find_denial(new, old) or find_other_value(new, old) or find_replacement(new, old)
            if reason:
                return reason
    return None


def find_denial(new: Assertion, old: Assertion) -> str | None:
    """Return a short description if one assertion affirms what the other denies, else None."""
    if new.denied == old.denied:
        return None
    no, yes = (new, old) if new.denied else (old, new)
    wide, narrow = set(no.items), set(yes.items)
    if not wide or (no.uses and not yes.uses and wide != narrow):
        return None
    # A general denial contradicts a special case. A general statement and the denial of a special case may both hold.
    if wide == narrow or (no.explicit and (no.uses or len(wide) > 1) and _is_within(no, yes)):
        return f"negated: {_show(new, new.items)}"
    return None


def _is_within(no: Assertion, yes: Assertion) -> bool:
    """Tell whether `yes` has all items of `no` in one sequence that is not a part of a longer compound noun.

    "Log secret rotations" does not affirm what "never log secrets" denies.
    """
    width = len(no.items)
    edges = (*yes.joined, False)
    return any(
        yes.items[at : at + width] == no.items and not edges[at] and not edges[at + width]
        for at in range(len(yes.items) - width + 1)
    )


def find_other_value(new: Assertion, old: Assertion) -> str | None:
    """Return a short description if both assertions affirm the same with exactly one different value, else None."""
    if new.denied or old.denied or not (new.single and old.single):
        return None
    new_values, old_values = dict(new.values), dict(old.values)
    only_new, only_old = new_values.keys() - old_values.keys(), old_values.keys() - new_values.keys()
    if len(only_new) == len(only_old) == 1 and "name" in only_new | only_old:
        # One value is of a known family and the other one is any name in the same place: "on Heroku", "on Acme Cloud".
        new_values["name"], old_values["name"] = new_values.pop(only_new.pop()), old_values.pop(only_old.pop())
    elif only_new or only_old:
        return None
    differing = [kind for kind, value in new_values.items() if old_values[kind] != value]
    if len(differing) != 1:
        return None
    kind = differing[0]
    frame = set(new.items) - {new_values[kind]}
    if frame != set(old.items) - {old_values[kind]} or not (frame or kind in EXCLUSIVE):
        return None
    if " " in new_values[kind] + old_values[kind]:  # several values of a kind: a list, not a setting
        return None
    about = _show(new, tuple(item for item in new.items if item in frame)) or kind
    return f"another value for {about}: {_show(old, (old_values[kind],))} → {_show(new, (new_values[kind],))}"


def find_replacement(new: Assertion, old: Assertion) -> str | None:
    """Return a short description if the newer assertion rejects what the older one affirms, else None.

    For example, "use pnpm instead of npm" rejects what "use npm" affirms.
    """
    if new.denied or old.denied or not new.rejected or not new.made:
        return None
    chosen, before = set(new.items), set(old.items)
    if new.switched:
        fits = new.rejected | new.moved <= before and old.uses and new.by - before <= OURS
    else:
        related = old.uses or bool(before & chosen)
        added = chosen - before - set(new.values.values())
        # "We moved to port 9000" has no verb for "listens".
        lost = before - chosen - (_LINKS if new.arrived else frozenset())
        fits = lost == new.rejected and len(chosen - before) <= 2 and related and added <= OURS
    if not fits or chosen == before:
        return None
    return f"another value: {_show(old, tuple(sorted(new.rejected)))} → {_show(new, new.items)}"


def _show(assertion: Assertion, items: tuple[str, ...]) -> str:
    text = " ".join(assertion.shown.get(item, item) for item in items)
    return clip(text, 60)
