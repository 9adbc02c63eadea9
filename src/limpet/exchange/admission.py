"""Admit what an import brings in, whatever it comes from, and write it in batches.

A source of an import yields arrivals. It decides what only it can know: that an object is damaged, belongs to somebody
else, or is here already. Everything else is admitted here, counted, and reported. Changes are written in batches, so
that a large import needs no more memory than a small one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from limpet.curating.writing import write_admitted
from limpet.doors.admit import Admission
from limpet.errors import StoreError
from limpet.exchange.account import ImportAnswer, ObjectReport, Result
from limpet.lean.record import record
from limpet.model.change import Change, ChangeKind
from limpet.model.codec import encode_fact
from limpet.model.fact import Fact
from limpet.model.memory import Draft, Memory, Origin
from limpet.model.outcome import Admitted, Duplicate, Outcome, Rejected
from limpet.runtime import Runtime
from limpet.store.protocol import Reading

BATCH = 2_000
"""The number of changes in a batch. A change takes about 12 kB of memory until it is written."""


@record
class Arrival:
    """One object of an import: a draft, an exported memory or a fact, or a result that its source has decided."""

    name: str
    store: str = ""
    """The file or folder of another tool that it was read from; an empty string for a line of an export."""
    result: Result | None = None
    """The result if the object is not to be admitted, with the reason in `why`."""
    why: str = ""
    known: str | None = None
    """The id of the memory or fact that is here already."""
    draft: Draft | None = None
    memory: Memory | None = None
    """A memory of an export, which keeps its id."""
    authentic: bool = False
    """Whether that memory is validly signed with a key of this machine."""
    is_live: bool = True
    fact: Fact | None = None
    changed: tuple[str, ...] = ()
    """Remarks on how it differs from the object that was read."""
    settle: Callable[[Admitted | Duplicate], Iterable[Change]] = lambda outcome: ()
    """Return more changes, to be written together with the memory that is here now according to the outcome."""


class Intake:
    """The one loop that admits what an import brings in, and writes it in batches. In a dry run, it writes nothing."""

    def __init__(
        self,
        runtime: Runtime,
        answer: ImportAnswer,
        door: Admission,
        *,
        first: Sequence[Change] = (),
        again: str = "",
    ) -> None:
        """Make the intake of the import that `answer` reports on; `door` admits its memories.

        The changes in `first` are written with the first batch, if there is one. If the import stops halfway, the error
        advises the user to import again; `again` is text to append to this advice.
        """
        self.reading: Reading = runtime.reading()
        self.more: list[Change] = []
        """Changes to write with the next batch, besides those that the door has collected."""
        self.is_writing = False
        self._runtime = runtime
        self._answer = answer
        self._door = door
        self._first = list(first)
        self._again = again
        self._outcomes: list[Outcome] = []
        self._has_written = False

    def run(self, arrivals: Iterable[Arrival]) -> None:
        """Admit the arrivals and report on each. The last batch is written by `write`."""
        for arrival in arrivals:
            result, why, id = self._take(arrival)
            if arrival.store:
                report = ObjectReport(store=arrival.store, name=arrival.name, result=result, why=why, memory=id)
                self._answer.objects.append(report)
            elif result is Result.REFUSED:
                self._answer.problems.append(f"{arrival.name}: {why}")
            if len(self._door.changes) + len(self.more) >= BATCH:
                self.write()

    def _take(self, arrival: Arrival) -> tuple[Result, str, str | None]:
        """Admit one arrival, and return the result, the reason, and the id of the memory or fact."""
        if arrival.result is not None:
            return arrival.result, arrival.why, arrival.known
        if (fact := arrival.fact) is not None:
            payload = {"fact": encode_fact(fact)}
            self.more.append(Change(kind=ChangeKind.FACT, subject=fact.id, payload=payload, lineage=fact.sources))
            self._answer.facts += 1
            return (Result.CHANGED if arrival.changed else Result.TAKEN), "; ".join(arrival.changed), fact.id
        if arrival.memory is not None:
            outcome = self._door.readmit(arrival.memory, authentic=arrival.authentic, is_live=arrival.is_live)
        else:
            assert arrival.draft is not None
            outcome = self._door.admit(arrival.draft)
        self._outcomes.append(outcome)
        if isinstance(outcome, Rejected):
            return Result.REFUSED, outcome.reason, None
        self.more += arrival.settle(outcome)
        if isinstance(outcome, Duplicate):
            self._answer.duplicates += 1
            return Result.KNOWN, "a memory says the same", outcome.memory.id
        memory, project = outcome.memory, self._runtime.project
        self._answer.added += 1
        self._answer.unconfirmed += memory.origin is Origin.IMPORT and not memory.confirmed
        self._answer.elsewhere += memory.project is not None and memory.project != (project.id if project else None)
        removed = [f"removed {kind}" for kind in dict.fromkeys(outcome.redacted)]
        why = "; ".join((*arrival.changed, *removed, *outcome.notes))
        return (Result.CHANGED if why else Result.TAKEN), why, memory.id

    def write(self) -> None:
        """Write the changes collected since the last batch; raise StoreError if the store cannot be written."""
        self.is_writing = True
        changes = [*self._door.changes, *self.more]
        if changes and not self._answer.dry_run:
            try:
                write_admitted(self._runtime, [*self._first, *changes], self._outcomes, protect=False)
            except StoreError as error:
                if not self._has_written:
                    raise
                raise type(error)(
                    f"the import stopped half way, import again{self._again} for the rest: {error}"
                ) from error
            self._has_written = True
            self._first.clear()
            self.reading = self._runtime.reading()
            self._door.start_batch(self.reading)
        self._door.changes.clear()
        self._outcomes.clear()
        self.more.clear()
        self.is_writing = False
