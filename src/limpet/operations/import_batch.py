"""Write the changes of an import in batches, so that a large import needs no more memory than a small one."""

from __future__ import annotations

from collections.abc import Sequence

from limpet.curating.writing import write_admitted
from limpet.doors.admit import Admission
from limpet.errors import StoreError
from limpet.model.change import Change
from limpet.model.outcome import Outcome
from limpet.operations.import_answer import ImportAnswer
from limpet.runtime import Runtime
from limpet.store.protocol import Reading

BATCH = 2_000
"""The number of changes in a batch. A change takes about 12 kB of memory until it is written."""


class BatchWriter:
    """A writer that collects the changes of an import and writes them in batches. In a dry run, it writes nothing.

    It writes the changes that its `door` collects by admitting memories, and those that the importer adds to its list
    `more`.
    """

    def __init__(
        self,
        runtime: Runtime,
        answer: ImportAnswer,
        door: Admission,
        *,
        first: Sequence[Change] = (),
        again: str = "",
    ) -> None:
        """Make a writer for the import that `answer` reports on.

        The changes in `first` are written with the first batch, if there is one. If the import stops halfway, the error
        advises the user to import again; `again` is text to append to this advice.
        """
        self.door = door
        self.reading: Reading = runtime.reading()
        self.outcomes: list[Outcome] = []
        self.more: list[Change] = []
        self._runtime = runtime
        self._answer = answer
        self._first = list(first)
        self._again = again
        self._has_written = False
        self.is_writing = False

    def write_if_full(self) -> None:
        """Write the collected changes if there are enough for a batch."""
        if len(self.door.changes) + len(self.more) >= BATCH:
            self.write()

    def write(self) -> None:
        """Write the changes collected since the last batch; raise StoreError if the store cannot be written."""
        self.is_writing = True
        changes = [*self.door.changes, *self.more]
        if changes and not self._answer.dry_run:
            try:
                write_admitted(self._runtime, [*self._first, *changes], self.outcomes, protect=False)
            except StoreError as error:
                if not self._has_written:
                    raise
                raise type(error)(
                    f"the import stopped half way, import again{self._again} for the rest: {error}"
                ) from error
            self._has_written = True
            self._first.clear()
            self.reading = self._runtime.reading()
            self.door.start_batch(self.reading)
        self.door.changes.clear()
        self.outcomes.clear()
        self.more.clear()
        self.is_writing = False
