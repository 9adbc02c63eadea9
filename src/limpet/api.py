"""The verbs as methods: `from limpet import Limpet`.

`Connection` is written by hand; `Limpet` below it is generated from the catalogue.
"""

from __future__ import annotations

from limpet.errors import UsageError
from limpet.lean.record import replace
from limpet.operations.catalogue import load_verb
from limpet.runtime import Caller, open_runtime
from limpet.runtime.exclusive import ExclusiveRuntime
from limpet.text.excerpt import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from threading import Thread
    from types import TracebackType
    from typing import Any, Self

    from limpet.model.app import App
    from limpet.model.memory import Draft, Memory
    from limpet.model.outcome import Outcome


class Connection:
    """An open store, and what a program can do with it besides the verbs."""

    def __init__(
        self,
        home: str | None = None,
        agent: str | None = None,
        project: str | None = None,
        *,
        session: str | None = None,
        cwd: str | None = None,
    ) -> None:
        place: dict[str, Any] = {"home": home, "agent": agent, "project": project, "session": session, "cwd": cwd}
        for name, value in place.items():
            if value is not None and not isinstance(value, str):
                raise UsageError(f"{name} is {quote(value)}; give a text")
        self._runtime = open_runtime(caller=Caller.at(has_terminal=False), **place)
        self._exclusive = ExclusiveRuntime(lambda: self._runtime)

    @property
    def notices(self) -> list[str]:
        """Return messages of the store, for instance about damage that it found and repaired."""
        return self._runtime.store.notices

    def close(self) -> None:
        """Close the store; closing it twice does no harm."""
        self._exclusive.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def remember_many(self, drafts: Iterable[Draft | str]) -> tuple[Outcome, ...]:
        """Store many memories with one sync to disk, which is done when this returns."""
        from limpet.curating.writing import build_draft, run_many

        if isinstance(drafts, str) or not hasattr(drafts, "__iter__"):
            raise UsageError(f"drafts is {quote(drafts)}; give a list")
        with self._exclusive.use() as runtime:
            ceiling = runtime.caller.origin
            made = [build_draft(runtime, text=each) if isinstance(each, str) else _check_draft(each) for each in drafts]
            return run_many(
                runtime,
                [replace(each, origin=ceiling) if each.origin.ceiling > ceiling.ceiling else each for each in made],
            )

    def get(self, id: str) -> Memory:
        """Return one memory by its id or its first characters; unlike `show`, this does not count as an access."""
        from limpet.runtime.permissions import find_visible

        chosen = load_verb("show").accept({"id": id})
        with self._exclusive.use() as runtime:
            return find_visible(runtime, chosen["id"]).memory

    def app(self, id: str, *, name: str = "") -> AppHandle:
        """Register an app, unless it is registered, and return a handle to its conversations and memories."""
        return AppHandle(self, self._call("apps", action="register", app=id, label=name).app)

    def settle_later(self) -> Thread:
        """Start a thread with its own store that makes the memories of ended conversations, and return the thread."""
        with self._exclusive.use() as runtime:
            home, folder, agent = runtime.settings.home, runtime.place.cwd, runtime.agent_id
        from threading import Thread

        thread = Thread(target=_settle, args=(home, folder, agent), name="limpet-apps", daemon=True)
        thread.start()
        return thread

    def _call(self, name: str, /, **values: Any) -> Any:
        """Run a verb; an optional parameter that is None is left to the verb's own default."""
        chosen = load_verb(name)
        given = chosen.accept(values)
        with self._exclusive.use() as runtime:
            return chosen.run(runtime, **given)


class AppHandle:
    """One app with its conversations and its memories, which no other app sees."""

    def __init__(self, memory: Connection, app: App) -> None:
        self._memory = memory
        self.id, self.name = app.id, app.name

    def converse(self, text: str, *, role: str = "user", conversation: str | None = None) -> str:
        """Record a message and return the id of its conversation; without one, a new conversation begins.

        `role` is user, assistant or tool. Secrets and <private> parts are removed before anything is written.
        """
        words = (text,)
        answer = self._do("converse", words=words, role=role, conversation=conversation)
        return str(answer.said.conversation)

    def end(self, conversation: str, *, energy: float | None = None) -> None:
        """End a conversation and make a memory of it; the end is on disk when this returns.

        Without a language model the memory is made before this returns. With one it is made in the background, so that
        nobody waits for the model. `energy` is the share of its energy that the app has left, from 0 to 1: below 0.2
        the memory is made later.
        """
        with self._memory._exclusive.use() as runtime:
            is_slow = bool(runtime.settings.llm.provider and runtime.settings.llm.daily_tokens)
        answer = self._do("end", words=(conversation,), later=is_slow, energy=energy)
        if is_slow and not answer.conversation.settled and (energy is None or energy >= _RESERVE):
            self._memory.settle_later()

    def context(self, conversation: str | None = None, *, point: str = "answer") -> str:
        """Return the memories as a block for a model; empty if there are none.

        `point` is answer, review or select. What was learnt from the given conversation itself is left out.
        """
        return str(self._do("context", conversation=conversation, point=point).block.text)

    def memories(self) -> tuple[Memory, ...]:
        """Return the memories of the app, the newest first."""
        return tuple(each.memory for each in self._do("memories").memories)

    def poll_energy(self) -> int:
        """Return the units of energy that making memories took since the last poll."""
        return int(self._do("energy", poll=True).energy.since_poll)

    def uninstall(self, *, purge: bool = False, code: str | None = None) -> None:
        """Uninstall the app; its memories stay unless a person has them purged, with a code from a terminal."""
        self._do("uninstall", purge=purge, yes=purge, code=code)

    def _do(self, action: str, **values: Any) -> Any:
        return self._memory._call("apps", action=action, app=self.id, **values)


_RESERVE = 0.2


def _check_draft(draft: Draft) -> Draft:
    """Return a draft with its fields in the types that `remember` declares; raise UsageError if one does not fit."""
    from limpet.model.memory import Draft

    if not isinstance(draft, Draft):
        raise UsageError(f"one of the drafts is {quote(draft)}; give a text or a Draft")
    verb = load_verb("remember")
    given = {each.name: getattr(draft, each.name) for each in verb.params if hasattr(draft, each.name)}
    return replace(draft, **verb.accept(given))


def _settle(home: str, folder: str, agent: str) -> None:
    runtime = open_runtime(home=home, cwd=folder, agent=agent, caller=Caller.at(has_terminal=False))
    try:
        load_verb("apps").run(runtime, action="work")
    finally:
        runtime.close()


# Written by scripts/api.py from the catalogue; change the verbs and run `make docs`.

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from limpet.apps.answer import AppsAnswer
    from limpet.apps.context import Point
    from limpet.care.confirmation import ConfirmAnswer
    from limpet.care.diagnosis import DoctorAnswer
    from limpet.care.purging import PurgeAnswer
    from limpet.care.signing import SignAnswer, VerifyAnswer
    from limpet.curating.antigens import AntigensAnswer
    from limpet.curating.facts import FactsAnswer
    from limpet.curating.forgetting import ForgetAnswer
    from limpet.curating.restoring import RestoreAnswer
    from limpet.curating.waiting import InboxAnswer
    from limpet.exchange.account import ImportAnswer
    from limpet.exchange.exporting import ExportAnswer
    from limpet.insight.distil.distilling import DistilAnswer
    from limpet.insight.drift.comparison import CheckAnswer
    from limpet.model.app import Role
    from limpet.model.memory import Concept, Impact, Kind, Origin, Region, Sensitivity, Tier, Type
    from limpet.model.outcome import Outcome
    from limpet.model.query import Hit, Page, Stored
    from limpet.model.reach import Feedback
    from limpet.operations.achievements import AchievementsAnswer
    from limpet.operations.backfill import BackfillAnswer
    from limpet.operations.blame import BlameAnswer
    from limpet.operations.capture import CaptureAnswer
    from limpet.operations.config import ConfigAnswer
    from limpet.operations.cost import CostAnswer
    from limpet.operations.feedback import FeedbackAnswer
    from limpet.operations.friction import FrictionAnswer
    from limpet.operations.graph import GraphAnswer
    from limpet.operations.share import ShareAnswer
    from limpet.operations.show import ShowAnswer
    from limpet.operations.stash import StashAnswer
    from limpet.operations.stats import StatsAnswer
    from limpet.operations.sync import SyncAnswer
    from limpet.operations.timeline import TimelineAnswer
    from limpet.operations.unshare import UnshareAnswer
    from limpet.operations.why import WhyAnswer
    from limpet.upkeep.round import Round
    from limpet.wiring.plans import SetupAnswer


class Limpet(Connection):
    """Long-term memory, opened at a home for an agent in a project; the verbs are its methods.

    Use it as a context manager, or call `close`. A field that has choices takes the word or the enum:
    `kind="LEARNINGS"` or `kind=Kind.LEARNINGS`. What a program stores has the origin `agent`, and no program can claim
    a more trusted one. Threads may share an instance: their calls run one after the other.
    """

    def setup(
        self,
        host: str | None = None,
        *,
        dry_run: bool = False,
        project: bool = False,
        statusline: bool = False,
    ) -> SetupAnswer:
        """Connect Limpet to the agents on this machine.

        Shows every change before it makes it, and keeps the earlier text of each file, so that `limpet uninstall` can
        restore it byte for byte. Running it again changes nothing. It also makes a signing key, unless the setting
        sign.at_setup is false.

        Args:
            host: The agent to connect; all that are found if not given. One of claude-code, codex, gemini, all.
            dry_run: Only show what would be changed.
            project: Connect it in this project only, instead of in all projects.
            statusline: Also show what was told in the status line of Claude Code, if nothing else is shown there.
        """
        answer: SetupAnswer = self._call(
            "setup",
            host=host,
            dry_run=dry_run,
            project=project,
            statusline=statusline,
        )
        return answer

    def remember(
        self,
        text: str,
        *,
        region: Region | str | None = None,
        kind: Kind | str | None = None,
        type: Type | str | None = None,
        impact: Impact | str | None = None,
        title: str | None = None,
        subtitle: str | None = None,
        tags: Sequence[str] | None = None,
        cues: str | None = None,
        concepts: Sequence[Concept | str] | None = None,
        importance: float | None = None,
        difficulty: float | None = None,
        confidence: float | None = None,
        sensitivity: Sensitivity | str | None = None,
        files: Sequence[str] | None = None,
        replaces: Sequence[str] | None = None,
        origin: Origin | str | None = None,
        pinned: bool = False,
        ttl_days: float | None = None,
    ) -> Outcome:
        """Store a memory.

        Args:
            text: What to remember.
            region: Where it applies: AGENT in all projects, PROJECT in this one. One of AGENT, PROJECT.
            kind: What it is about. One of EMOTIONAL, ARCHITECTURAL, LEARNINGS, ACHIEVEMENTS.
            type: What happened. One of bugfix, feature, refactor, change, discovery, decision, session_summary,
                compressed_summary.
            impact: How much it matters. One of LOW, MEDIUM, HIGH, CRITICAL.
            title: A title; made from the text if not given.
            subtitle: A second line below the title.
            tags: Tags; made from the text if not given.
            cues: Other words by which somebody would look for it; they are searched, not shown.
            concepts: What kind of knowledge it is. One of how-it-works, why-it-exists, what-changed, problem-solution,
                gotcha, pattern, trade-off.
            importance: The impact as a number from 0 to 1.
            difficulty: How hard it was to learn, from 0 to 1.
            confidence: How certain it is, from 0 to 1.
            sensitivity: Who may see it; decided from the text if not given. One of public, private, secret, unknown.
            files: Files it is about.
            replaces: Ids of older memories that it makes untrue; they are hidden.
            origin: Who said it, if that is less trusted than you. One of user, agent, tool, file, import, external.
            pinned: Keep it from fading.
            ttl_days: Let it expire after this many days.
        """
        answer: Outcome = self._call(
            "remember",
            text=text,
            region=region,
            kind=kind,
            type=type,
            impact=impact,
            title=title,
            subtitle=subtitle,
            tags=tags,
            cues=cues,
            concepts=concepts,
            importance=importance,
            difficulty=difficulty,
            confidence=confidence,
            sensitivity=sensitivity,
            files=files,
            replaces=replaces,
            origin=origin,
            pinned=pinned,
            ttl_days=ttl_days,
        )
        return answer

    def recall(
        self,
        query: str,
        *,
        kind: Kind | str | None = None,
        type: Type | str | None = None,
        impact: Impact | str | None = None,
        concept: Concept | str | None = None,
        tag: str | None = None,
        file: str | None = None,
        session: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        phase: int | None = None,
        tier: Tier | str | None = None,
        origin: Origin | str | None = None,
        branch: str | None = None,
        sensitivity: Sensitivity | str | None = None,
        private: bool = False,
        all_projects: bool = False,
        at: datetime | str | None = None,
        limit: int = 5,
        offset: int = 0,
        also: Sequence[str] | None = None,
        explain: bool = False,
    ) -> Page[Hit]:
        """Find memories that answer a question.

        Args:
            query: What you want to know, in any words.
            kind: Only this kind. One of EMOTIONAL, ARCHITECTURAL, LEARNINGS, ACHIEVEMENTS.
            type: Only this type. One of bugfix, feature, refactor, change, discovery, decision, session_summary,
                compressed_summary.
            impact: Only this impact. One of LOW, MEDIUM, HIGH, CRITICAL.
            concept: Only with this concept. One of how-it-works, why-it-exists, what-changed, problem-solution, gotcha,
                pattern, trade-off.
            tag: Only with this tag.
            file: Only about this file.
            session: Only from this session.
            since: Only from this date on.
            until: Only from before this date.
            phase: Only in this phase, which says how much of the text is left: 0 full, 1 hint, 2 abstract, 3 archived.
            tier: Only of this tier: what capture has noted, or what is kept. One of noted, kept.
            origin: Only from this origin: who said it. One of user, agent, tool, file, import, external.
            branch: Only from this git branch.
            sensitivity: Only of this sensitivity; the one way to see `unknown` ones. One of public, private, secret,
                unknown.
            private: Include private and secret memories.
            all_projects: Look in every project of the agent.
            at: Answer as of this date or moment.
            limit: How many memories, at most.
            offset: How many to skip.
            also: Another wording of the same question; up to 4.
            explain: Show the parts of every score.
        """
        answer: Page[Hit] = self._call(
            "recall",
            query=query,
            kind=kind,
            type=type,
            impact=impact,
            concept=concept,
            tag=tag,
            file=file,
            session=session,
            since=since,
            until=until,
            phase=phase,
            tier=tier,
            origin=origin,
            branch=branch,
            sensitivity=sensitivity,
            private=private,
            all_projects=all_projects,
            at=at,
            limit=limit,
            offset=offset,
            also=also,
            explain=explain,
        )
        return answer

    def list(
        self,
        *,
        kind: Kind | str | None = None,
        type: Type | str | None = None,
        impact: Impact | str | None = None,
        concept: Concept | str | None = None,
        tag: str | None = None,
        file: str | None = None,
        session: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        phase: int | None = None,
        tier: Tier | str | None = None,
        origin: Origin | str | None = None,
        branch: str | None = None,
        sensitivity: Sensitivity | str | None = None,
        private: bool = False,
        all_projects: bool = False,
        at: datetime | str | None = None,
        limit: int = 50,
        offset: int = 0,
        keyword: str | None = None,
        all: bool = False,
        forgotten: bool = False,
        pinned: bool = False,
    ) -> Page[Stored]:
        """Browse memories, newest first.

        Args:
            kind: Only this kind. One of EMOTIONAL, ARCHITECTURAL, LEARNINGS, ACHIEVEMENTS.
            type: Only this type. One of bugfix, feature, refactor, change, discovery, decision, session_summary,
                compressed_summary.
            impact: Only this impact. One of LOW, MEDIUM, HIGH, CRITICAL.
            concept: Only with this concept. One of how-it-works, why-it-exists, what-changed, problem-solution, gotcha,
                pattern, trade-off.
            tag: Only with this tag.
            file: Only about this file.
            session: Only from this session.
            since: Only from this date on.
            until: Only from before this date.
            phase: Only in this phase, which says how much of the text is left: 0 full, 1 hint, 2 abstract, 3 archived.
            tier: Only of this tier: what capture has noted, or what is kept. One of noted, kept.
            origin: Only from this origin: who said it. One of user, agent, tool, file, import, external.
            branch: Only from this git branch.
            sensitivity: Only of this sensitivity; the one way to see `unknown` ones. One of public, private, secret,
                unknown.
            private: Include private and secret memories.
            all_projects: Look in every project of the agent.
            at: Answer as of this date or moment.
            limit: How many memories, at most.
            offset: How many to skip.
            keyword: Only with these words.
            all: Include superseded, forgotten, expired and archived memories.
            forgotten: Only forgotten ones.
            pinned: Only pinned ones.
        """
        answer: Page[Stored] = self._call(
            "list",
            kind=kind,
            type=type,
            impact=impact,
            concept=concept,
            tag=tag,
            file=file,
            session=session,
            since=since,
            until=until,
            phase=phase,
            tier=tier,
            origin=origin,
            branch=branch,
            sensitivity=sensitivity,
            private=private,
            all_projects=all_projects,
            at=at,
            limit=limit,
            offset=offset,
            keyword=keyword,
            all=all,
            forgotten=forgotten,
            pinned=pinned,
        )
        return answer

    def inbox(
        self,
        action: str | None = None,
        *,
        keep: Sequence[str] | None = None,
        drop: Sequence[str] | None = None,
        limit: int = 10,
        offset: int = 0,
        private: bool = False,
        all_projects: bool = False,
        code: str | None = None,
    ) -> InboxAnswer:
        """Decide which notes are kept, one key each.

        A note is a memory that Limpet captured by itself and that nobody has decided about. On a terminal the notes are
        shown one after the other, ten at a sitting, first those that the next session start may tell, and one key
        decides: k keep, e edit, d drop, n next, u undo, a all the rest, q quit. Each decision is written immediately. A
        kept note counts as your own word and may be told when a session starts; a dropped one is hidden and not noted
        again. Notes that nobody decides about fade by themselves. With --json, or without a terminal, the notes are
        only listed. Only a person can decide.

        Args:
            action: Give `undo` to undo the last sitting. One of undo.
            keep: Ids of notes to keep, without asking.
            drop: Ids of notes to drop, without asking.
            limit: How many notes, at most.
            offset: How many to skip.
            private: Include private and secret memories.
            all_projects: Look in every project of the agent.
            code: A one-time code that proves without a terminal that you are a person; `--code new` shows one on a
                terminal.
        """
        answer: InboxAnswer = self._call(
            "inbox",
            action=action,
            keep=keep,
            drop=drop,
            limit=limit,
            offset=offset,
            private=private,
            all_projects=all_projects,
            code=code,
        )
        return answer

    def forget(
        self,
        *ids: str,
        source: str | None = None,
        reason: str | None = None,
        dry_run: bool = False,
        all_projects: bool = False,
    ) -> ForgetAnswer:
        """Hide memories; `restore` brings them back.

        Args:
            ids: Ids of memories, or their first characters.
            source: All memories that came from session:ID, file:PATH or origin:NAME.
            reason: The reason, which is kept in the journal.
            dry_run: Only show what would be forgotten.
            all_projects: Look in every project of the agent.
        """
        answer: ForgetAnswer = self._call(
            "forget",
            ids=ids,
            source=source,
            reason=reason,
            dry_run=dry_run,
            all_projects=all_projects,
        )
        return answer

    def why(
        self,
        id: str | None = None,
        *,
        session: str | None = None,
        asked: bool = False,
        limit: int = 20,
        all_projects: bool = False,
    ) -> WhyAnswer:
        """Show which memories an agent was given, and why.

        A receipt records one injection: which memories a model was given, why, and how many tokens they took.

        Args:
            id: Id of a memory, or its first characters; the latest receipts if not given.
            session: Only receipts of this session.
            asked: Include memories that were asked for, besides those given unasked.
            limit: How many receipts, at most.
            all_projects: Look in every project of the agent.
        """
        answer: WhyAnswer = self._call(
            "why",
            id=id,
            session=session,
            asked=asked,
            limit=limit,
            all_projects=all_projects,
        )
        return answer

    def backfill(
        self,
        path: str | None = None,
        *,
        since: datetime | str | None = None,
        host: str | None = None,
        dry_run: bool = False,
    ) -> BackfillAnswer:
        """Learn from the sessions already on disk.

        Reads the sessions that Claude Code, Codex and Gemini CLI have recorded, and notes what Limpet would have noted
        during them, with the original dates and in the right projects. It can be stopped at any time and continues when
        it is run again. Nothing is learnt twice, neither here nor from hooks.

        Args:
            path: A folder or file of sessions; all agents on this machine if not given.
            since: Only sessions that were active since this date.
            host: Only sessions of this agent. One of claude-code, codex, gemini.
            dry_run: Only show what would be noted.
        """
        answer: BackfillAnswer = self._call(
            "backfill",
            path=path,
            since=since,
            host=host,
            dry_run=dry_run,
        )
        return answer

    def doctor(
        self,
        *,
        fix: bool = False,
        from_backup: bool = False,
        prove: bool = False,
    ) -> DoctorAnswer:
        """Find problems and, with --fix, repair them.

        Args:
            fix: Repair what can be repaired.
            from_backup: Restore from the backup what the journal has lost.
            prove: Also prove that nothing of Limpet is left running or listening, and that agents can start it.
        """
        answer: DoctorAnswer = self._call(
            "doctor",
            fix=fix,
            from_backup=from_backup,
            prove=prove,
        )
        return answer

    def show(
        self,
        id: str,
        *,
        all_projects: bool = False,
        at: datetime | str | None = None,
    ) -> ShowAnswer:
        """Show one memory with its versions and links.

        Args:
            id: Id of the memory, or its first characters.
            all_projects: Look in every project of the agent.
            at: Answer as of this date or moment.
        """
        answer: ShowAnswer = self._call(
            "show",
            id=id,
            all_projects=all_projects,
            at=at,
        )
        return answer

    def timeline(
        self,
        *,
        around: str | None = None,
        kind: Kind | str | None = None,
        type: Type | str | None = None,
        impact: Impact | str | None = None,
        concept: Concept | str | None = None,
        tag: str | None = None,
        file: str | None = None,
        session: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        phase: int | None = None,
        tier: Tier | str | None = None,
        origin: Origin | str | None = None,
        branch: str | None = None,
        sensitivity: Sensitivity | str | None = None,
        private: bool = False,
        all_projects: bool = False,
        at: datetime | str | None = None,
        limit: int = 20,
        offset: int = 0,
    ) -> TimelineAnswer:
        """List memories in order of time, by episode.

        Args:
            around: Only what came shortly before and after this memory.
            kind: Only this kind. One of EMOTIONAL, ARCHITECTURAL, LEARNINGS, ACHIEVEMENTS.
            type: Only this type. One of bugfix, feature, refactor, change, discovery, decision, session_summary,
                compressed_summary.
            impact: Only this impact. One of LOW, MEDIUM, HIGH, CRITICAL.
            concept: Only with this concept. One of how-it-works, why-it-exists, what-changed, problem-solution, gotcha,
                pattern, trade-off.
            tag: Only with this tag.
            file: Only about this file.
            session: Only from this session.
            since: Only from this date on.
            until: Only from before this date.
            phase: Only in this phase, which says how much of the text is left: 0 full, 1 hint, 2 abstract, 3 archived.
            tier: Only of this tier: what capture has noted, or what is kept. One of noted, kept.
            origin: Only from this origin: who said it. One of user, agent, tool, file, import, external.
            branch: Only from this git branch.
            sensitivity: Only of this sensitivity; the one way to see `unknown` ones. One of public, private, secret,
                unknown.
            private: Include private and secret memories.
            all_projects: Look in every project of the agent.
            at: Answer as of this date or moment.
            limit: How many memories, at most.
            offset: How many to skip.
        """
        answer: TimelineAnswer = self._call(
            "timeline",
            around=around,
            kind=kind,
            type=type,
            impact=impact,
            concept=concept,
            tag=tag,
            file=file,
            session=session,
            since=since,
            until=until,
            phase=phase,
            tier=tier,
            origin=origin,
            branch=branch,
            sensitivity=sensitivity,
            private=private,
            all_projects=all_projects,
            at=at,
            limit=limit,
            offset=offset,
        )
        return answer

    def related(
        self,
        id: str,
        *,
        limit: int = 10,
        offset: int = 0,
        private: bool = False,
        all_projects: bool = False,
    ) -> Page[Hit]:
        """Find memories that are related to one memory.

        Args:
            id: Id of the memory, or its first characters.
            limit: How many memories, at most.
            offset: How many to skip.
            private: Include private and secret memories.
            all_projects: Look in every project of the agent.
        """
        answer: Page[Hit] = self._call(
            "related",
            id=id,
            limit=limit,
            offset=offset,
            private=private,
            all_projects=all_projects,
        )
        return answer

    def facts(
        self,
        action: str = "query",
        *words: str,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,
        confidence: float | None = None,
        sources: Sequence[str] | None = None,
        valid_from: datetime | str | None = None,
        at: datetime | str | None = None,
        closed: bool = False,
        private: bool = False,
        all_projects: bool = False,
        limit: int = 50,
        offset: int = 0,
    ) -> FactsAnswer:
        """Query facts, add one, or end one.

        A fact has a subject, a predicate and an object, and the time in which it is true. Adding another object for the
        same subject and predicate ends the older fact.

        Args:
            action: What to do: query (which may be left out), add, or close, which ends a fact.
            words: SUBJECT PREDICATE OBJECT, or the id of the fact to close.
            subject: Only about this subject.
            predicate: Only with this predicate.
            object: Only with this object.
            confidence: How sure it is, from 0 to 1.
            sources: Ids of the memories it is based on.
            valid_from: When it became true; now if not given.
            at: Only facts that were true at this date; with close: when it ended.
            closed: Include facts that are no longer true.
            private: Include facts that are based on private, secret or forgotten memories.
            all_projects: Look in every project of the agent.
            limit: How many facts, at most.
            offset: How many to skip.
        """
        answer: FactsAnswer = self._call(
            "facts",
            action=action,
            words=words,
            subject=subject,
            predicate=predicate,
            object=object,
            confidence=confidence,
            sources=sources,
            valid_from=valid_from,
            at=at,
            closed=closed,
            private=private,
            all_projects=all_projects,
            limit=limit,
            offset=offset,
        )
        return answer

    def graph(
        self,
        id: str | None = None,
        *,
        limit: int = 50,
        offset: int = 0,
        all_projects: bool = False,
        private: bool = False,
    ) -> GraphAnswer:
        """Draw how memories are linked.

        Args:
            id: Only memories linked to this one, directly or not.
            limit: How many memories, at most.
            offset: How many to skip.
            all_projects: Look in every project of the agent.
            private: Include private and secret memories.
        """
        answer: GraphAnswer = self._call(
            "graph",
            id=id,
            limit=limit,
            offset=offset,
            all_projects=all_projects,
            private=private,
        )
        return answer

    def stats(
        self,
        *,
        all_projects: bool = False,
        projects: bool = False,
    ) -> StatsAnswer:
        """Count memories and the space they take.

        Args:
            all_projects: Look in every project of the agent.
            projects: Also list the projects.
        """
        answer: StatsAnswer = self._call(
            "stats",
            all_projects=all_projects,
            projects=projects,
        )
        return answer

    def correct(
        self,
        id: str,
        text: str | None = None,
        *,
        region: Region | str | None = None,
        kind: Kind | str | None = None,
        type: Type | str | None = None,
        impact: Impact | str | None = None,
        title: str | None = None,
        subtitle: str | None = None,
        tags: Sequence[str] | None = None,
        cues: str | None = None,
        concepts: Sequence[Concept | str] | None = None,
        importance: float | None = None,
        difficulty: float | None = None,
        confidence: float | None = None,
        sensitivity: Sensitivity | str | None = None,
        files: Sequence[str] | None = None,
    ) -> Outcome:
        """Replace a memory with a better one; both are kept.

        Args:
            id: Id of the memory, or its first characters.
            text: The better text; can be left out with --region, which then only moves the memory.
            region: Where it applies: AGENT in all projects, PROJECT in this one. One of AGENT, PROJECT.
            kind: What it is about. One of EMOTIONAL, ARCHITECTURAL, LEARNINGS, ACHIEVEMENTS.
            type: What happened. One of bugfix, feature, refactor, change, discovery, decision, session_summary,
                compressed_summary.
            impact: How much it matters. One of LOW, MEDIUM, HIGH, CRITICAL.
            title: A title; made from the text if not given.
            subtitle: A second line below the title.
            tags: Tags; made from the text if not given.
            cues: Other words by which somebody would look for it; they are searched, not shown.
            concepts: What kind of knowledge it is. One of how-it-works, why-it-exists, what-changed, problem-solution,
                gotcha, pattern, trade-off.
            importance: The impact as a number from 0 to 1.
            difficulty: How hard it was to learn, from 0 to 1.
            confidence: How certain it is, from 0 to 1.
            sensitivity: Who may see it; decided from the text if not given. One of public, private, secret, unknown.
            files: Files it is about.
        """
        answer: Outcome = self._call(
            "correct",
            id=id,
            text=text,
            region=region,
            kind=kind,
            type=type,
            impact=impact,
            title=title,
            subtitle=subtitle,
            tags=tags,
            cues=cues,
            concepts=concepts,
            importance=importance,
            difficulty=difficulty,
            confidence=confidence,
            sensitivity=sensitivity,
            files=files,
        )
        return answer

    def restore(
        self,
        id: str,
        *,
        archive: bool = False,
        code: str | None = None,
        all_projects: bool = False,
    ) -> RestoreAnswer:
        """Undo a forget, or go back to an older version.

        Args:
            id: Id of the memory, or its first characters.
            archive: Only bring back what upkeep has shortened, merged or archived.
            code: A one-time code that proves without a terminal that you are a person; `--code new` shows one on a
                terminal.
            all_projects: Look in every project of the agent.
        """
        answer: RestoreAnswer = self._call(
            "restore",
            id=id,
            archive=archive,
            code=code,
            all_projects=all_projects,
        )
        return answer

    def purge(
        self,
        *ids: str,
        source: str | None = None,
        dry_run: bool = False,
        yes: bool = False,
        code: str | None = None,
        all_projects: bool = False,
    ) -> PurgeAnswer:
        """Erase memories for good, from every file.

        Erases all versions of the memories and what was made of them from the store, its backups and its logs, and
        their texts from the files that Limpet wrote in the folders of the project: stashes, reports of friction,
        MEMORY.md and its block in CLAUDE.md, and shared files. Other text in these files stays. Recordings of the
        agent, commits of git and files that you exported are not touched.

        Args:
            ids: Ids of memories, or their first characters.
            source: All memories that came from session:ID, file:PATH or origin:NAME.
            dry_run: Only show what would be erased.
            yes: Do not ask for confirmation.
            code: A one-time code that proves without a terminal that you are a person; `--code new` shows one on a
                terminal.
            all_projects: Look in every project of the agent.
        """
        answer: PurgeAnswer = self._call(
            "purge",
            ids=ids,
            source=source,
            dry_run=dry_run,
            yes=yes,
            code=code,
            all_projects=all_projects,
        )
        return answer

    def pin(
        self,
        id: str,
        *,
        off: bool = False,
        all_projects: bool = False,
    ) -> Stored:
        """Keep a memory from fading.

        Args:
            id: Id of the memory, or its first characters.
            off: Let it fade again.
            all_projects: Look in every project of the agent.
        """
        answer: Stored = self._call(
            "pin",
            id=id,
            off=off,
            all_projects=all_projects,
        )
        return answer

    def confirm(
        self,
        *ids: str,
        source: str | None = None,
        project: bool = False,
        device: str | None = None,
        yes: bool = False,
        code: str | None = None,
        all_projects: bool = False,
    ) -> ConfirmAnswer:
        """Vouch for a memory, or for this folder.

        A confirmed memory counts as your own word: trust and confidence rise, and earlier feedback against it is taken
        back. An imported one also gets the kind, the impact and the region that its file claims; --source origin:import
        lists all imported memories that wait, and asks once. In a folder that claims to be a known project but has none
        of its recorded commits, no memory is shown until you confirm the folder; check first where it came from.
        Memories from the shared files of a project are listed before you confirm them, each once, as are your memories
        that the files change or delete; to keep one of these as it is, confirm it by its id. Changes of a device that
        this home does not know are not used until you accept the device. Only a person can confirm.

        Args:
            ids: Ids of memories, or their first characters.
            source: All memories that came from session:ID, file:PATH or origin:NAME.
            project: Accept this folder as the project it claims to be, the agent of its AGENT.md, and its shared files.
            device: Accept what another machine has written to its folder of the journal.
            yes: Do not ask for confirmation.
            code: A one-time code that proves without a terminal that you are a person; `--code new` shows one on a
                terminal.
            all_projects: Look in every project of the agent.
        """
        answer: ConfirmAnswer = self._call(
            "confirm",
            ids=ids,
            source=source,
            project=project,
            device=device,
            yes=yes,
            code=code,
            all_projects=all_projects,
        )
        return answer

    def feedback(
        self,
        id: str,
        says: Feedback | str,
        *,
        all_projects: bool = False,
    ) -> FeedbackAnswer:
        """Rate a memory: useful, wrong, stale, or never show it again.

        `limpet confirm` takes back feedback against a memory.

        Args:
            id: Id of the memory, or its first characters.
            says: What you think of the memory. One of useful, wrong, stale, never.
            all_projects: Look in every project of the agent.
        """
        answer: FeedbackAnswer = self._call(
            "feedback",
            id=id,
            says=says,
            all_projects=all_projects,
        )
        return answer

    def sign(
        self,
        *,
        new_key: bool = False,
        yes: bool = False,
        code: str | None = None,
    ) -> SignAnswer:
        """Sign memories; makes a key if there is none.

        Args:
            new_key: Make a new key; old signatures stay valid.
            yes: Do not ask for confirmation.
            code: A one-time code that proves without a terminal that you are a person; `--code new` shows one on a
                terminal.
        """
        answer: SignAnswer = self._call(
            "sign",
            new_key=new_key,
            yes=yes,
            code=code,
        )
        return answer

    def verify(self) -> VerifyAnswer:
        """Check journal, index and signatures for tampering."""
        answer: VerifyAnswer = self._call("verify")
        return answer

    def blame(
        self,
        id: str,
        *,
        all_projects: bool = False,
    ) -> BlameAnswer:
        """Show who changed a memory, when, and from where.

        Args:
            id: Id of the memory, or its first characters.
            all_projects: Look in every project of the agent.
        """
        answer: BlameAnswer = self._call(
            "blame",
            id=id,
            all_projects=all_projects,
        )
        return answer

    def capture(
        self,
        text: str,
        *,
        said_by: str = "user",
        command: str = "",
        failed: bool = False,
        after: str = "",
    ) -> CaptureAnswer:
        """Show whether a text would be noted, and why; stores nothing.

        Args:
            text: What was said or printed.
            said_by: Who said or printed it. One of user, agent, command.
            command: The command that printed it.
            failed: The command that printed it failed.
            after: The message that came before it.
        """
        answer: CaptureAnswer = self._call(
            "capture",
            text=text,
            said_by=said_by,
            command=command,
            failed=failed,
            after=after,
        )
        return answer

    def stash(
        self,
        name: str | None = None,
        *,
        text: str | None = None,
    ) -> StashAnswer:
        """Write down what the current session is about.

        Writes what was wanted, done and decided in the current session, and what is open, to .claude/stash/NAME.md,
        which git is told to ignore. Without --text it is extracted from the recording of the session. A stash is never
        overwritten.

        Args:
            name: A name for it; made from what the session was about if not given.
            text: What to write, instead of an extract of the session.
        """
        answer: StashAnswer = self._call(
            "stash",
            name=name,
            text=text,
        )
        return answer

    def friction(
        self,
        path: str | None = None,
        *,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        compare: str | None = None,
        html: bool = False,
        rules: bool = False,
        all_projects: bool = False,
    ) -> FrictionAnswer:
        """Measure what went wrong in recorded sessions; asks no model.

        Reads every session of this project that Claude Code, Codex and Gemini CLI recorded, and counts objections,
        interruptions, errors, loops and false claims of success. No model is asked. The report is written to
        .claude/friction/, which git is told to ignore; with --all-projects to ~/.limpet/friction/.

        Args:
            path: A folder or file of sessions; all agents on this machine if not given.
            since: Only sessions that began on this date or later.
            until: Only sessions that began before this date.
            compare: Compare with the sessions of another period, given as FROM..TO.
            html: Also draw the report as a page, friction.html.
            rules: Show whether the standing rules were followed, before and after they were learnt.
            all_projects: Measure the sessions of every project.
        """
        answer: FrictionAnswer = self._call(
            "friction",
            path=path,
            since=since,
            until=until,
            compare=compare,
            html=html,
            rules=rules,
            all_projects=all_projects,
        )
        return answer

    def antigens(
        self,
        action: str = "list",
        id: str | None = None,
        *,
        rule: str | None = None,
        dry_run: bool = False,
        yes: bool = False,
        code: str | None = None,
    ) -> AntigensAnswer:
        """List recurring failures, and decide which become rules.

        An antigen is a kind of call that you have objected to in the recorded sessions of this project. Each
        conversation counts once. An antigen that was seen in five conversations can be adopted, if it matches every
        call that you objected to and none that you accepted. Its rule then becomes a memory, which every session is
        told at its start. The agent is also told the rule at a matching call, which is never blocked. `write` adds a
        permission rule that denies such calls to .claude/settings.local.json, and `unwrite` removes it. Only a person
        can decide.

        Args:
            action: What to do: list (which may be left out), show, adopt, reject, write or unwrite. One of list, show,
                adopt, reject, write, unwrite.
            id: Id of the antigen, or its first characters.
            rule: The rule in your own words; made from the calls if not given.
            dry_run: With write or unwrite: only show the permission rule.
            yes: Do not ask for confirmation.
            code: A one-time code that proves without a terminal that you are a person; `--code new` shows one on a
                terminal.
        """
        answer: AntigensAnswer = self._call(
            "antigens",
            action=action,
            id=id,
            rule=rule,
            dry_run=dry_run,
            yes=yes,
            code=code,
        )
        return answer

    def distil(
        self,
        *,
        check: bool = False,
        yes: bool = False,
        agents: bool = False,
        gemini: bool = False,
        rules: bool = False,
        gather: bool = False,
        proposals: str | None = None,
    ) -> DistilAnswer:
        """Write facts and preferences to MEMORY.md and CLAUDE.md.

        Reads the stashes in .claude/stash/ that were not read before, the user's objections that `limpet friction` has
        found, and the kept, public memories of this project. Writes .claude/memory/MEMORY.md and the block between
        MEMORY:START and MEMORY:END in CLAUDE.md; the rest of CLAUDE.md stays as it is. The changes are shown first: on
        a terminal you are asked, elsewhere --yes writes them. If `llm.provider` and `llm.daily_tokens` allow it, a
        language model extracts lines from the stashes; each line must be supported by its stash.

        Args:
            check: Only compare; the exit status is 1 if something would change.
            yes: Do not ask for confirmation.
            agents: Also write the block to AGENTS.md.
            gemini: Also write the block to GEMINI.md.
            rules: Extract by rules, also if the settings name a language model.
            gather: Only show the texts to extract from, for an agent that does it.
            proposals: What an agent has extracted: one JSON object a line, each with source and quote.
        """
        answer: DistilAnswer = self._call(
            "distil",
            check=check,
            yes=yes,
            agents=agents,
            gemini=gemini,
            rules=rules,
            gather=gather,
            proposals=proposals,
        )
        return answer

    def achievements(
        self,
        *,
        since: datetime | str | None = None,
        limit: int = 100,
        dry_run: bool = False,
    ) -> AchievementsAnswer:
        """Remember releases, features and fixes from the git history.

        Reads the commits and tags of this repository, without running git, and remembers releases, features, fixes and
        milestones, each once. Anybody who can write to the repository may have written these texts, so they are found
        when somebody asks and never told unasked until you confirm them.

        Args:
            since: Only commits from this date on.
            limit: How many new achievements, at most.
            dry_run: Only show what would be remembered.
        """
        answer: AchievementsAnswer = self._call(
            "achievements",
            since=since,
            limit=limit,
            dry_run=dry_run,
        )
        return answer

    def export(
        self,
        file: str | None = None,
        *,
        all: bool = False,
        private: bool = False,
        force: bool = False,
        all_projects: bool = False,
        to: str = "limpet",
    ) -> ExportAnswer:
        """Write memories to a file that `import` reads, or for another tool.

        Args:
            file: The file or folder to write; the records are printed if not given.
            all: Include superseded, forgotten and expired memories.
            private: Include private and secret memories.
            force: Overwrite an existing file.
            all_projects: Look in every project of the agent.
            to: The format: Limpet's own, a bundle of the Open Knowledge Format, the file of MCP server-memory, or a
                block in AGENTS.md. One of limpet, okf, server-memory, agents-md.
        """
        answer: ExportAnswer = self._call(
            "export",
            file=file,
            all=all,
            private=private,
            force=force,
            all_projects=all_projects,
            to=to,
        )
        return answer

    def import_(
        self,
        file: str | None = None,
        *,
        from_: str | None = None,
        merge: bool = False,
        dry_run: bool = False,
        remap_agent: str | None = None,
        here: bool = False,
    ) -> ImportAnswer:
        """Read memories from an export or from another tool.

        Without a file and without --from it lists the stores of other tools that are on this machine. With --from it
        reads the stores of that tool, which it finds by itself, or the file or folder that is given. Every object gets
        a result: taken, changed, known, left out or refused, with the reason. No model is told an imported memory
        unasked until you confirm it; then it gets the kind, the impact and the region that its file claims. `limpet
        confirm --source origin:import` lists all that wait, and asks once. An import can be stopped at any time; run it
        again and it continues.

        Args:
            file: An export made by `limpet export`, or a store of another tool.
            from_: The tool whose memories are read; known from the file if not given. One of limpet, claude-mem,
                basic-memory, server-memory, mcp-memory-service, mem0, serena, claude-code, codex, rules, claude-md,
                agents-md, gemini-md, cursor, windsurf, copilot, cline, okf, ltm, claude-ltm, letsgo, liteagents,
                ai-effort-regulation.
            merge: Skip memories that are here already, and import the others.
            dry_run: Only show what would happen.
            remap_agent: Give the memories to this agent.
            here: Give the project memories to the project of this folder.
        """
        answer: ImportAnswer = self._call(
            "import",
            file=file,
            from_=from_,
            merge=merge,
            dry_run=dry_run,
            remap_agent=remap_agent,
            here=here,
        )
        return answer

    def share(
        self,
        *,
        dry_run: bool = False,
        yes: bool = False,
        code: str | None = None,
    ) -> ShareAnswer:
        """Write memories to files that git and people can read.

        Writes one markdown file for each memory to .claude/ltm/memories/, to be committed with the project: only public
        memories of this project that you or the agent stored on purpose, or that you have confirmed. A text with a
        secret or an order to a model is held back. From then on, each session start and `limpet sync` bring changes of
        the files into the memories and the other way round. The list is shown first. Only a person can share.

        Args:
            dry_run: Only list what would be written.
            yes: Do not ask for confirmation.
            code: A one-time code that proves without a terminal that you are a person; `--code new` shows one on a
                terminal.
        """
        answer: ShareAnswer = self._call(
            "share",
            dry_run=dry_run,
            yes=yes,
            code=code,
        )
        return answer

    def unshare(
        self,
        *,
        dry_run: bool = False,
        yes: bool = False,
        code: str | None = None,
    ) -> UnshareAnswer:
        """Remove the shared files; the memories stay.

        Reads the last edits of the files, then removes the files that Limpet wrote to .claude/ltm/. No memory is
        forgotten, here or where others have cloned the project. A file that could not be read stays.

        Args:
            dry_run: Only list what would be removed.
            yes: Do not ask for confirmation.
            code: A one-time code that proves without a terminal that you are a person; `--code new` shows one on a
                terminal.
        """
        answer: UnshareAnswer = self._call(
            "unshare",
            dry_run=dry_run,
            yes=yes,
            code=code,
        )
        return answer

    def sync(
        self,
        *,
        with_: str | None = None,
        private: bool = False,
        status: bool = False,
        deleted: bool = False,
        code: str | None = None,
    ) -> SyncAnswer:
        """Sync memories with the shared files, or with other machines.

        Compares .claude/ltm/ with the memories of this project, as every session start does. A new or changed file
        becomes a memory with the origin `file`, which is told only on request until you run `limpet confirm --project`.
        If a file was deleted, its memory is forgotten. If a file and its memory have both changed, both are kept. After
        `limpet share`, memories are also written to their files. A file that cannot be read is named and left alone.
        With --with FOLDER, it exchanges the whole journal with other machines through a folder that all of them see: by
        Syncthing, git, a network drive or a USB stick. Each machine copies from there what it lacks, and to there what
        the others lack. Private memories stay on this machine unless you add --private. What a machine without your key
        has written is used only after `limpet confirm --device`.

        Args:
            with_: Sync the whole journal with other machines through this folder instead.
            private: With --with: let private memories leave too.
            status: With --with: only show which machine has what.
            deleted: Forget the memories of all deleted files, however many they are.
            code: A one-time code that proves without a terminal that you are a person; `--code new` shows one on a
                terminal.
        """
        answer: SyncAnswer = self._call(
            "sync",
            with_=with_,
            private=private,
            status=status,
            deleted=deleted,
            code=code,
        )
        return answer

    def check(
        self,
        range: str | None = None,
        *,
        format: str = "text",
        private: bool = False,
        no_memories: bool = False,
    ) -> CheckAnswer:
        """Tell which memories and instructions a diff makes false.

        Compares two commits and reports which lines of CLAUDE.md, AGENTS.md and other instruction files, and which
        memories, name something that the change removes: a path, a command of make, just or npm, a pinned version, a
        symbol, or lines that a memory cites. Git is not run and nothing is changed. The exit status is 1 if something
        becomes false.

        Args:
            range: The commits to compare, such as main...HEAD; the default branch and HEAD if not given.
            format: How to print it: for a terminal, for a pull request, or as SARIF. One of text, markdown, sarif.
            private: Include private and secret memories.
            no_memories: Examine the files of the repository only.
        """
        answer: CheckAnswer = self._call(
            "check",
            range=range,
            format=format,
            private=private,
            no_memories=no_memories,
        )
        return answer

    def upkeep(
        self,
        *,
        dry_run: bool = False,
        only: str | None = None,
        summarize_old: bool = False,
        agree: Sequence[str] | None = None,
        code: str | None = None,
    ) -> Round:
        """Fade, merge and expire memories that are due.

        Runs by itself in small slices, so you seldom need to call it. Memories fade only on active days, on which the
        project had a session. A text is shortened in phases: full, hint, abstract, archived. The original is kept:
        `limpet restore` brings it back in full. A job that would retire more than a fifth of a scope (the memories of a
        project, or of the agent) stops; `doctor` and the next command on a terminal say how to allow it.

        Args:
            dry_run: Only show what would be done.
            only: Only this job. One of repair, relocation, tiers, deduplication, expiry, promotion, decay, compression,
                eviction, rescan.
            summarize_old: Merge old memories of one kind, even if they are not similar.
            agree: Allow a job to retire as many memories of a scope as it named: JOB@SCOPE.
            code: A one-time code that proves without a terminal that you are a person; `--code new` shows one on a
                terminal.
        """
        answer: Round = self._call(
            "upkeep",
            dry_run=dry_run,
            only=only,
            summarize_old=summarize_old,
            agree=agree,
            code=code,
        )
        return answer

    def apps(
        self,
        action: str = "list",
        app: str | None = None,
        *words: str,
        text: str | None = None,
        label: str | None = None,
        role: Role | str = "user",
        conversation: str | None = None,
        point: Point | str = "answer",
        energy: float | None = None,
        later: bool = False,
        poll: bool = False,
        purge: bool = False,
        private: bool = False,
        yes: bool = False,
        code: str | None = None,
        limit: int = 50,
        offset: int = 0,
    ) -> AppsAnswer:
        """Manage apps: programs that have their own memory.

        An app is a program that talks with people. When one of its conversations ends, a memory of at most 200
        characters is made of it; an app keeps ten, and no other app sees them. Energy counts the work that this takes.
        `memory` carries out a command of Anthropic's memory tool on the files of an app, and `files` lists them with
        their versions.

        Args:
            action: What to do: list, register, converse, end, context, memories, conversations, energy, work, memory,
                files, restore, uninstall, purge.
            app: Id of the app.
            words: What the action needs: a message, a command of the memory tool, or ids of conversations, memories,
                files or versions.
            text: The message, instead of WORDS.
            label: Name of the app for people.
            role: Who says the message. One of user, assistant, tool.
            conversation: Id of the conversation; a message without one begins a new one.
            point: What the context is for: to answer or review a conversation, or to select one of several. One of
                answer, review, select.
            energy: Share of the daily energy that is left, from 0 to 1; below 0.2 the work waits.
            later: Only end the conversation; upkeep makes its memory.
            poll: With energy: count from 0 again after this answer.
            purge: With uninstall: erase its memories and conversations too.
            private: Include private and secret memories.
            yes: Do not ask for confirmation.
            code: A one-time code that proves without a terminal that you are a person; `--code new` shows one on a
                terminal.
            limit: How many conversations, at most.
            offset: How many to skip.
        """
        answer: AppsAnswer = self._call(
            "apps",
            action=action,
            app=app,
            words=words,
            text=text,
            label=label,
            role=role,
            conversation=conversation,
            point=point,
            energy=energy,
            later=later,
            poll=poll,
            purge=purge,
            private=private,
            yes=yes,
            code=code,
            limit=limit,
            offset=offset,
        )
        return answer

    def cost(
        self,
        *,
        days: int = 30,
    ) -> CostAnswer:
        """Count the tokens that language models have used.

        No language model is asked unless `llm.provider` names one and `llm.daily_tokens` allows it. Every call is
        counted, even if its reply could not be used.

        Args:
            days: How many days to look back.
        """
        answer: CostAnswer = self._call(
            "cost",
            days=days,
        )
        return answer

    def config(
        self,
        key: str | None = None,
        value: str | None = None,
        *,
        unset: bool = False,
    ) -> ConfigAnswer:
        """List settings and where each comes from, or change one.

        Args:
            key: One setting or section; all if not given.
            value: The new value, written to config.toml in the home.
            unset: Remove the setting from config.toml, so that its default holds again.
        """
        answer: ConfigAnswer = self._call(
            "config",
            key=key,
            value=value,
            unset=unset,
        )
        return answer

    def uninstall(
        self,
        host: str | None = None,
        *,
        dry_run: bool = False,
    ) -> SetupAnswer:
        """Remove Limpet from the agents' settings; memories stay.

        A file that is still as `limpet setup` left it is restored byte for byte. From a file that was edited since,
        only Limpet's entries are removed.

        Args:
            host: The agent to disconnect; all if not given. One of claude-code, codex, gemini, all.
            dry_run: Only show what would be changed.
        """
        answer: SetupAnswer = self._call(
            "uninstall",
            host=host,
            dry_run=dry_run,
        )
        return answer
