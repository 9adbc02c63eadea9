"""Store a memory."""

from __future__ import annotations

from limpet.curating.writing import build_draft, run_many
from limpet.model.memory import Origin
from limpet.model.outcome import Outcome, Rejected
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import FIELDS, REGION
from limpet.runtime import Runtime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def run(runtime: Runtime, *, text: str, **fields: Any) -> Outcome:
    return run_many(runtime, [build_draft(runtime, text=text, **fields)])[0]


VERB = Verb(
    run=run,
    is_failure=lambda outcome: isinstance(outcome, Rejected),
    params=(
        Param(name="text", help="What to remember.", positional=True, required=True, free_text=True),
        REGION,
        *FIELDS,
        Param(name="origin", help="Who said it, if that is less trusted than you.", kind="choice", choices=Origin),
        Param(name="pinned", help="Keep it from fading.", kind="flag"),
        Param(name="ttl_days", help="Let it expire after this many days.", kind="number"),
    ),
    examples=(
        'limpet remember "Migrations run with alembic, never by hand"',
        'limpet remember --kind EMOTIONAL --impact HIGH "Matt prefers short answers"',
        "git log -1 --format=%B | limpet remember -",
    ),
)
