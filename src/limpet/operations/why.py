"""Show which memories an agent was given, and why, from the receipts.

A receipt records which memories were given to a model at one moment, and what came of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from limpet.curating.history import describe_decision, find_decisions
from limpet.lean.record import pick, record
from limpet.model.change import Change
from limpet.model.query import Stored, check_page
from limpet.model.receipt import UNASKED, Receipt
from limpet.model.scope import Scope
from limpet.operations.catalogue import Param, Verb
from limpet.operations.parameters import ALL_PROJECTS, limit_param
from limpet.runtime import Runtime
from limpet.runtime.permissions import find_visible, is_hidden
from limpet.store.protocol import Reading
from limpet.text.excerpt import replace_surrogates


@record
class WhyAnswer:
    """Receipts, newest first, and the memories in them that the caller may see."""

    receipts: tuple[Receipt, ...]
    memories: dict[str, Stored]
    stored: Stored | None = None
    """The memory that the user asked about, if any."""
    decisions: tuple[Change, ...] = ()
    """The changes by which a person confirmed, dropped or restored the requested memory."""
    outcomes: dict[str, str]
    """What came of each memory in each session, such as `used`.

    A key consists of a session id, a space and a memory id.
    """
    drawn_from: tuple[str, ...] = ()
    """The names of the outside sources whose words the requested memory repeats, which explain its origin."""


def run(
    runtime: Runtime,
    *,
    id: str | None = None,
    session: str | None = None,
    limit: int = 20,
    asked: bool = False,
    all_projects: bool = False,
) -> WhyAnswer:
    check_page(limit)
    reading = runtime.reading()
    stored = None
    if id is not None:
        stored = find_visible(runtime, id, every_project=all_projects, reading=reading)
    scope = runtime.scope(every_project=all_projects)
    about, most = stored.memory.id if stored else None, limit
    while True:
        # Most receipts may be of other projects, or of memories that were asked for.
        most *= 5
        found = reading.receipts(session=replace_surrogates(session), memory=about, limit=most)
        memories = _find_memories(runtime, reading, scope, found)
        shown = [receipt for receipt in found if _is_shown(receipt, memories, asked=asked)]
        if len(shown) >= limit or len(found) < most:
            break
    outcomes = {
        f"{receipt.session} {name}": outcome
        for receipt in reversed(found)
        for name, outcome in receipt.outcomes.items()
    }
    given = [change.payload.get("drawn_from") for change in reading.history(about)] if about else []
    return WhyAnswer(
        receipts=tuple(shown[:limit]),
        memories=memories,
        stored=stored,
        decisions=find_decisions(reading, stored.memory.id) if stored else (),
        outcomes=outcomes,
        drawn_from=tuple(str(name) for names in given if isinstance(names, list) for name in names),
    )


def _find_memories(runtime: Runtime, reading: Reading, scope: Scope, receipts: Sequence[Receipt]) -> dict[str, Stored]:
    """Return the memories of receipts that the caller may see, by id."""
    memories = {}
    for memory_id in dict.fromkeys(name for receipt in receipts for name in (*receipt.ids, *receipt.held_back)):
        known = reading.ids_with_prefix(memory_id, scope=scope, limit=1)
        each = reading.get(memory_id) if known else None
        if each is not None and not is_hidden(runtime, each):
            memories[memory_id] = runtime.signer.judge(each)
    return memories


def _is_shown(receipt: Receipt, memories: dict[str, Stored], *, asked: bool) -> bool:
    """Tell whether to show a receipt: the caller may see one of its memories, and nobody had asked for them.

    If `asked` is set, receipts of memories that were asked for are shown too.
    """
    if receipt.way == "outcome" or (receipt.way not in UNASKED and not asked):
        return False
    return any(name in memories for name in (*receipt.ids, *receipt.held_back))


def find_outcome(why: WhyAnswer, receipt: Receipt, memory_id: str) -> str:
    """Return what came of a memory in the session of a receipt, such as `used`, or an empty string if it is unknown."""
    return why.outcomes.get(f"{receipt.session} {memory_id}", "")


def shape(why: WhyAnswer) -> dict[str, object]:
    return {
        "memory": why.stored,
        "drawn_from": why.drawn_from,
        "decisions": [describe_decision(change) for change in why.decisions],
        "receipts": [
            {
                **pick(receipt, "id", "at", "way", "session", "tokens", "left_out"),
                "memories": [
                    {
                        "id": name,
                        "title": why.memories[name].memory.title,
                        "held_back": name in receipt.held_back,
                        "note": receipt.notes.get(name, ""),
                        "parts": receipt.parts.get(name, {}),
                        "outcome": find_outcome(why, receipt, name),
                    }
                    for name in (*receipt.ids, *receipt.held_back)
                    if name in why.memories
                ],
            }
            for receipt in why.receipts
        ],
    }


VERB = Verb(
    run=run,
    shape=shape,
    params=(
        Param(
            name="id",
            help="Id of a memory, or its first characters; the latest receipts if not given.",
            positional=True,
        ),
        Param(name="session", help="Only receipts of this session."),
        Param(name="asked", help="Include memories that were asked for, besides those given unasked.", kind="flag"),
        limit_param(20, what="receipts"),
        ALL_PROJECTS,
    ),
    details="A receipt records one injection: which memories a model was given, why, and how many tokens they took.",
    examples=("limpet why", "limpet why mem_01jz4"),
)
