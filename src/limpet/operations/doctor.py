"""Find problems in the store and in the hosts' settings and, with --fix, repair them."""

from __future__ import annotations

from limpet.care.diagnosis import diagnose
from limpet.lean.record import pick
from limpet.operations.catalogue import Param, Verb

VERB = Verb(
    run=diagnose,
    shape=lambda answer: {
        "ok": not answer.problems,
        **answer.facts,
        **pick(answer, "notes", "warnings", "problems", "mended", "proved"),
    },
    is_failure=lambda answer: bool(answer.problems),
    params=(
        Param(name="fix", help="Repair what can be repaired.", kind="flag"),
        Param(name="from_backup", help="Restore from the backup what the journal has lost.", kind="flag"),
        Param(
            name="prove",
            help="Also prove that nothing of Limpet is left running or listening, and that agents can start it.",
            kind="flag",
        ),
    ),
    examples=("limpet doctor", "limpet doctor --prove", "limpet doctor --fix", "limpet doctor --fix --from-backup"),
)
