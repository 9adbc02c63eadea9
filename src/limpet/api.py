"""The verbs as methods: `from limpet import Limpet`."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from threading import RLock
from types import TracebackType

from limpet.lean.record import replace
from limpet.model.memory import Draft, Memory
from limpet.model.outcome import Outcome
from limpet.model.query import Hit, Page, Stored
from limpet.model.reach import Feedback
from limpet.operations.backfill import Backfilled
from limpet.operations.blame import Blame
from limpet.operations.capture import Weighed
from limpet.operations.catalogue import verb
from limpet.operations.config import Config
from limpet.operations.confirm import Confirmed
from limpet.operations.doctor import Diagnosis
from limpet.operations.export import Exported
from limpet.operations.facts import Facts
from limpet.operations.feedback import Judged
from limpet.operations.forget import Forgotten
from limpet.operations.graph import Graph
from limpet.operations.import_ import Imported
from limpet.operations.parameters import refuse_if_hidden
from limpet.operations.purge import Purged
from limpet.operations.remember import draft_from, run_many
from limpet.operations.restore import Restored
from limpet.operations.setup import Wired
from limpet.operations.show import Shown
from limpet.operations.sign import Signed
from limpet.operations.stats import Stats
from limpet.operations.timeline import Timeline
from limpet.operations.verify import Verified
from limpet.operations.why import Why
from limpet.runtime import Caller, Runtime, open_runtime
from limpet.upkeep.round import Round

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Limpet:
    """A memory, opened at a home for an agent in a project; use it as a context manager or call `close`.

    Fields take the words of the model (`kind="LEARNINGS"`) or its enums. What a program stores has the origin `agent`;
    nothing can claim more. Several threads may share one: their calls are answered one after the other.
    """

    def __init__(
        self,
        home: str | None = None,
        agent: str | None = None,
        project: str | None = None,
        *,
        session: str | None = None,
        cwd: str | None = None,
    ) -> None:
        caller = Caller.at(has_terminal=False)
        self._runtime: Runtime = open_runtime(
            home=home, agent=agent, project=project, session=session, cwd=cwd, caller=caller
        )
        # One connection and one journal writer stand behind this, and neither serves two at once.
        self._turn = RLock()

    @property
    def notices(self) -> list[str]:
        """What the store had to say: damage that it found and mended, for instance."""
        return self._runtime.store.notices

    def close(self) -> None:
        with self._turn:
            self._runtime.close()

    def __enter__(self) -> Limpet:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ask(self, name: str, **values: Any) -> Any:
        found = verb(name)
        accepted = {key: found.accept(key, value) for key, value in values.items()}
        with self._turn:
            return found.run(self._runtime, **accepted)

    def remember(self, text: str, **fields: Any) -> Outcome:
        outcome: Outcome = self._ask("remember", text=text, **fields)
        return outcome

    def remember_many(self, drafts: Iterable[Draft | str]) -> tuple[Outcome, ...]:
        """Store many with one sync: all of them are on disk when this returns."""
        made = [
            draft_from(self._runtime, text=draft) if isinstance(draft, str) else self._capped(draft) for draft in drafts
        ]
        with self._turn:
            return run_many(self._runtime, made)

    def _capped(self, draft: Draft) -> Draft:
        most = self._runtime.caller.origin
        return replace(draft, origin=most) if draft.origin.ceiling > most.ceiling else draft

    def recall(self, query: str, *, limit: int = 5, **filters: Any) -> Page[Hit]:
        page: Page[Hit] = self._ask("recall", query=query, limit=limit, **filters)
        return page

    def list(self, *, limit: int = 50, **filters: Any) -> Page[Stored]:
        page: Page[Stored] = self._ask("list", limit=limit, **filters)
        return page

    def timeline(self, *, around: str | None = None, limit: int = 20, **filters: Any) -> Timeline:
        answer: Timeline = self._ask("timeline", around=around, limit=limit, **filters)
        return answer

    def related(self, id: str, *, limit: int = 10, **options: Any) -> Page[Hit]:
        page: Page[Hit] = self._ask("related", id=id, limit=limit, **options)
        return page

    def show(self, id: str, *, at: datetime | None = None, all_projects: bool = False) -> Shown:
        shown: Shown = self._ask("show", id=id, at=at, all_projects=all_projects)
        return shown

    def get(self, id: str) -> Memory:
        """One memory by its id or the beginning of it; unlike `show`, this counts as no access."""
        with self._turn:
            return refuse_if_hidden(self._runtime, self._runtime.find(id)).memory

    def correct(self, id: str, text: str, **fields: Any) -> Outcome:
        outcome: Outcome = self._ask("correct", id=id, text=text, **fields)
        return outcome

    def forget(self, *ids: str, source: str | None = None, dry_run: bool = False, **options: Any) -> Forgotten:
        answer: Forgotten = self._ask("forget", ids=ids, source=source, dry_run=dry_run, **options)
        return answer

    def restore(self, id: str, *, archive: bool = False, all_projects: bool = False) -> Restored:
        answer: Restored = self._ask("restore", id=id, archive=archive, all_projects=all_projects)
        return answer

    def purge(self, *ids: str, source: str | None = None, yes: bool = False, **options: Any) -> Purged:
        answer: Purged = self._ask("purge", ids=ids, source=source, yes=yes, **options)
        return answer

    def pin(self, id: str, *, off: bool = False, all_projects: bool = False) -> Stored:
        stored: Stored = self._ask("pin", id=id, off=off, all_projects=all_projects).stored
        return stored

    def confirm(self, *ids: str, project: bool = False, yes: bool = False, all_projects: bool = False) -> Confirmed:
        answer: Confirmed = self._ask("confirm", ids=ids, project=project, yes=yes, all_projects=all_projects)
        return answer

    def facts(self, action: str = "query", *words: str, **filters: Any) -> Facts:
        answer: Facts = self._ask("facts", action=action, words=words, **filters)
        return answer

    def stats(self, *, projects: bool = False, all_projects: bool = False) -> Stats:
        answer: Stats = self._ask("stats", projects=projects, all_projects=all_projects)
        return answer

    def graph(self, id: str | None = None, *, limit: int = 50, **options: Any) -> Graph:
        answer: Graph = self._ask("graph", id=id, limit=limit, **options)
        return answer

    def blame(self, id: str, *, all_projects: bool = False) -> Blame:
        answer: Blame = self._ask("blame", id=id, all_projects=all_projects)
        return answer

    def why(self, id: str | None = None, *, session: str | None = None, limit: int = 20, **options: Any) -> Why:
        answer: Why = self._ask("why", id=id, session=session, limit=limit, **options)
        return answer

    def feedback(self, id: str, says: Feedback | str, *, all_projects: bool = False) -> Judged:
        answer: Judged = self._ask("feedback", id=id, says=says, all_projects=all_projects)
        return answer

    def capture(self, text: str, *, said_by: str = "user", **options: Any) -> Weighed:
        answer: Weighed = self._ask("capture", text=text, said_by=said_by, **options)
        return answer

    def sign(self, *, new_key: bool = False, yes: bool = False) -> Signed:
        answer: Signed = self._ask("sign", new_key=new_key, yes=yes)
        return answer

    def verify(self) -> Verified:
        answer: Verified = self._ask("verify")
        return answer

    def doctor(self, *, fix: bool = False, from_backup: bool = False, prove: bool = False) -> Diagnosis:
        answer: Diagnosis = self._ask("doctor", fix=fix, from_backup=from_backup, prove=prove)
        return answer

    def export(self, file: str | None = None, **options: Any) -> Exported:
        answer: Exported = self._ask("export", file=file, **options)
        return answer

    def import_(self, file: str, **options: Any) -> Imported:
        answer: Imported = self._ask("import", file=file, **options)
        return answer

    def upkeep(
        self, *, dry_run: bool = False, yes: bool = False, summarize_old: bool = False, only: str | None = None
    ) -> Round:
        answer: Round = self._ask("upkeep", dry_run=dry_run, yes=yes, summarize_old=summarize_old, only=only)
        return answer

    def backfill(
        self,
        path: str | None = None,
        *,
        since: datetime | None = None,
        host: str | None = None,
        dry_run: bool = False,
    ) -> Backfilled:
        """Sessions are of whatever project they were held in; interrupted, it answers with how far it came."""
        answer: Backfilled = self._ask("backfill", path=path, since=since, host=host, dry_run=dry_run)
        return answer

    def config(self, key: str | None = None, value: str | None = None, *, unset: bool = False) -> Config:
        answer: Config = self._ask("config", key=key, value=value, unset=unset)
        return answer

    def setup(self, host: str | None = None, *, dry_run: bool = False, project: bool = False) -> Wired:
        answer: Wired = self._ask("setup", host=host, dry_run=dry_run, project=project)
        return answer

    def uninstall(self, host: str | None = None, *, dry_run: bool = False) -> Wired:
        answer: Wired = self._ask("uninstall", host=host, dry_run=dry_run)
        return answer
