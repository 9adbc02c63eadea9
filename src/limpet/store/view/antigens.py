"""Query antigens (recurring failures, with the rules that prevent them), and sessions with purged incidents."""

from __future__ import annotations

from limpet.lean import quickjson
from limpet.model.change import INCIDENTS_PREFIX
from limpet.model.scope import Scope
from limpet.store.view.conditions import facts_seen_by
from limpet.store.view.rows import RowSource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.model.antigen import Antigen


def antigens(source: RowSource, scope: Scope | None) -> tuple[Antigen, ...]:
    """Return the antigens of a scope, or all antigens if `scope` is None.

    The antigens that were seen in the most conversations come first.
    """
    where, values = facts_seen_by(scope) if scope else ("1", [])
    rows = source.run(f"SELECT m.body FROM antigen m WHERE {where}", values).fetchall()
    if not rows:
        return ()
    # Loaded here, because most stores have no antigen.
    from limpet.model.antigen import decode_antigen

    found = (decode_antigen(quickjson.loads(str(row[0]))) for row in rows)
    return tuple(sorted(found, key=lambda each: (-each.conversations, each.id)))


def purged_sessions(source: RowSource) -> frozenset[str]:
    """Return the ids of the sessions whose incidents were all erased by a purge."""
    # The end of the range is the prefix with its last character raised to the next one.
    end = INCIDENTS_PREFIX[:-1] + chr(ord(INCIDENTS_PREFIX[-1]) + 1)
    rows = source.run("SELECT subject FROM purged WHERE subject >= ? AND subject < ?", (INCIDENTS_PREFIX, end))
    return frozenset(str(row[0]).removeprefix(INCIDENTS_PREFIX) for row in rows)
