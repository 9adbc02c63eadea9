"""The meanings that a sentence can have, such as a rule, a decision or a cause."""

from __future__ import annotations

from limpet.lean.enumeration import StrEnum


class Meaning(StrEnum):
    """A meaning that a sentence can have, shown by cue phrases such as "because".

    The members are in the order of the cue table.
    """

    RULE = "rule"
    """A rule that holds from now on: "always", "we use", "never"."""
    DECISION = "decision"
    """A choice that was made: "let's go with", "we decided"."""
    CONTRAST = "contrast"
    """One thing chosen in place of another: "instead of", "rather than"."""
    CAUSE = "cause"
    """The reason for something: "because", "the culprit"."""
    FIX = "fix"
    """A repair: "fixed", "works now"."""
    GOTCHA = "gotcha"
    """A limit or a trap: "only works", "silently", "requires"."""
    MECHANISM = "mechanism"
    """How something works: "is stored in", "depends on"."""
    FEATURE = "feature"
    """Something that was added: "implemented", "new endpoint"."""
    REFACTOR = "refactor"
    """Code that was rearranged: "extracted", "renamed"."""
    CHANGE = "change"
    """Any other change: "updated", "removed"."""
    MEASUREMENT = "measurement"
    """A measured result: "faster", "p95", or an amount before and after."""
    INTENT = "intent"
    """Something that is only announced, offered or guessed: "let me", "would you like", "probably"."""
    COMPLETION = "completion"
    """A report that the work is finished: "done", "all set"."""
    TEMPORARY = "temporary"
    """Something that holds only for the moment: "for now", "this time"."""
    SYMPTOM = "symptom"
    """Something that does not work: "fails", "crashes", "broken"."""

    # No cue stands for these: they follow from what was done.
    SOLVED_FAILURE = "solved failure"
    """A command that first failed and, after a change, passed."""
    COMMIT = "commit"
    """A commit message."""
    FINDING = "finding"
    """A measurement or a diagnosis that a command printed."""


FINISHED_WORK = frozenset({Meaning.FIX, Meaning.FEATURE, Meaning.REFACTOR, Meaning.CHANGE})
EXPLANATIONS = frozenset({Meaning.CAUSE, Meaning.GOTCHA, Meaning.MECHANISM})
