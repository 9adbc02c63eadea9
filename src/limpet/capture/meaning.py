"""The meanings of sentences and candidates: cues show them, and capture weighs them."""

from __future__ import annotations

from limpet.lean.enumeration import StrEnum


class Meaning(StrEnum):
    """One thing that a sentence can say. The members have the order of the cue table."""

    RULE = "rule"
    """Something holds from now on: "always", "we use", "never"."""
    DECISION = "decision"
    """Something was chosen: "let's go with", "we decided"."""
    CONTRAST = "contrast"
    """One thing in place of another: "instead of", "rather than"."""
    CAUSE = "cause"
    """Why something is so: "because", "the culprit"."""
    FIX = "fix"
    """Something was repaired: "fixed", "works now"."""
    GOTCHA = "gotcha"
    """A limit or a trap: "only works", "silently", "requires"."""
    MECHANISM = "mechanism"
    """How something works: "is stored in", "depends on"."""
    FEATURE = "feature"
    """Something was added: "implemented", "new endpoint"."""
    REFACTOR = "refactor"
    """Code was rearranged: "extracted", "renamed"."""
    CHANGE = "change"
    """Something was changed otherwise: "updated", "removed"."""
    MEASUREMENT = "measurement"
    """A measured result: "faster", "p95", or an amount that went from one value to another."""
    INTENT = "intent"
    """Announced, offered or guessed, so not true yet: "let me", "would you like", "probably"."""
    COMPLETION = "completion"
    """The work is over: "done", "all set"."""
    TEMPORARY = "temporary"
    """It holds only for the moment: "for now", "this time"."""
    SYMPTOM = "symptom"
    """Something does not work: "fails", "crashes", "broken"."""

    # No cue stands for these: they follow from what was done.
    SOLVED_FAILURE = "solved failure"
    """A command failed, something was changed, and it passes."""
    COMMIT = "commit"
    """A commit message."""
    FINDING = "finding"
    """A measurement or a diagnosis that a command printed."""


FINISHED_WORK = frozenset({Meaning.FIX, Meaning.FEATURE, Meaning.REFACTOR, Meaning.CHANGE})
EXPLANATIONS = frozenset({Meaning.CAUSE, Meaning.GOTCHA, Meaning.MECHANISM})
