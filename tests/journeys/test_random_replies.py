"""A thousand random replies to each role of a model break no promise of the store.

Nothing is deleted, nothing leaves its scope, no trust or impact rises, no sensitivity falls, and another app, another
project and the words of the user stay as they are.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from limpet.apps.conversation import converse, end
from limpet.apps.creation import settle_conversations
from limpet.errors import ModelFailed
from limpet.guard.engine import find_signs
from limpet.guard.signs import CERTAIN
from limpet.hosts.sessions import group_sessions
from limpet.insight.distil.proposals import read_proposals
from limpet.lean.record import replace
from limpet.learning.curate import CurationReport, curate_session
from limpet.llm.checks import adds_names
from limpet.llm.protocol import Reply, Request
from limpet.llm.roles import ModelRoles
from limpet.model.app import Role
from limpet.model.change import Change, ChangeKind, Status
from limpet.model.memory import Impact, Memory, Origin, Region
from limpet.model.query import Stored, query_everything
from limpet.model.scope import Scope
from limpet.runtime import Runtime
from tests.apps.talking import AppSandbox, statement
from tests.learning.sessions import Session, write
from tests.llm.replies import random_proposals, random_reply
from tests.operations.sandbox import MODEL, isolate_environment
from tests.operations.stashes import STASH, write_objections, write_stash

REPLIES = 1000
AT_ONCE = 5
"""How many random replies are joined to one that the store has to bear."""
RULE = "From now on deploy with ./ship.sh only, because the old script skips the migrations."
REPORT = "The import failed because the CSV of the bank is in latin-1. It works since the reader decodes it so."
SAID = {
    "u1": ("deploy with ./ship.sh only", "the old script skips the migrations"),
    "a2": ("the CSV of the bank is in latin-1", "the reader decodes it so"),
}
SOURCES = {
    "stash:lsp": ("We chose a queue over threads because locks were hard to test", "Never mix two search strategies"),
    "friction:c1": ("don't add docstrings unless asked",),
}
CURATE, EXTRACT = ("keep", "merge", "supersede", "doubt"), ("fact", "preference", "episode", "nothing")
ALLOWED = {"llm.provider": "claude", "llm.daily_tokens": "1000000000", "apps.model_share": "1000000"}
HARMLESS = {
    *(ChangeKind.ADMIT, ChangeKind.CORRECT, ChangeKind.KEEP, ChangeKind.DOUBT, ChangeKind.SUPERSEDE),
    *(ChangeKind.LINK, ChangeKind.SESSION, ChangeKind.CONVERSATION, ChangeKind.REFRESH),
}


class RandomModel:
    """A model whose replies are random."""

    name = "random"

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice

    def ask(self, request: Request) -> Reply:
        if self.dice.random() < 0.05:
            raise ModelFailed("the endpoint did not answer within 30 s", tokens=self.dice.choice((0, 9)))
        text = random_reply(self.dice)
        if request.schema is None:
            text = "\n".join(random_proposals(self.dice, SAID, CURATE) for _ in range(AT_ONCE))
        return Reply(text=text, tokens_in=1, tokens_out=1, is_cut=self.dice.random() < 0.05)


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppSandbox:
    isolate_environment(monkeypatch, tmp_path)
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"):
        monkeypatch.delenv(name, raising=False)
    made = AppSandbox(tmp_path)
    made.do("register", "mail")
    made.fill(3, "mail")
    made.remember("Releases go through the pipeline of Anna, never by hand.")
    made.remember("The safe of the office opens with the old key.", sensitivity="private")
    made.remember("Deploy with the old script.", as_=MODEL)
    made.remember("The old script runs the migrations before each deploy.", as_=MODEL)
    (made.folder / "other").mkdir()
    made.remember("The other shop deploys with ./ship.sh on Mondays.", cwd=made.folder / "other", as_=MODEL)
    return made


def everything(runtime: Runtime, app: str | None = None) -> dict[str, Stored]:
    """Return every memory of the store, or of an app, whatever its status."""
    scopes = (
        [Scope(agent=runtime.agent_id, app=app)]
        if app
        else [Scope(agent=runtime.agent_id, project=project.id) for project in runtime.reading().projects()]
    )
    pages = (runtime.reading().browse(query_everything(scope, now=runtime.now())).items for scope in scopes)
    return {stored.memory.id: stored for page in pages for stored in page}


def check_kept(before: dict[str, Stored], after: dict[str, Stored], *, project: str | None) -> list[Memory]:
    """Check that nothing of before was lost or raised, and return what is new."""
    assert before.keys() <= after.keys()
    for id, old in before.items():
        new = after[id]
        assert new.status in (Status.LIVE, Status.SUPERSEDED)
        same = ("content", "original_content", "origin", "impact", "importance", "sensitivity", "project", "app")
        assert all(getattr(new.memory, name) == getattr(old.memory, name) for name in same)
        assert new.memory.confidence <= old.memory.confidence and not new.memory.confirmed and not new.memory.pinned
        if old.memory.origin is Origin.USER or old.memory.project != project:
            # A model may choose to keep a note of the user's words, which adds concepts to it and changes nothing else.
            kept = {name: getattr(old.memory, name) for name in ("tier", "earned", "tags", "concepts")}
            assert (new.status, replace(new.memory, **kept)) == (old.status, old.memory), (
                "the user's word, or of another project"
            )
    return [stored.memory for id, stored in after.items() if id not in before]


def test_curate_and_sum_up(world: AppSandbox) -> None:
    session = Session(1, world.project)
    session.prompt(RULE)
    session.says("Understood. " + "I look at the importer of the shop first, then at the reader of the bank. " * 6)
    session.prompt("Why does the import of the bank's file fail?")
    session.says(REPORT)
    config = world.folder / "nobody" / ".claude"
    write(session, config)
    world.ms = int(session.at.timestamp() * 1000) + 3_600_000
    world.ask("backfill")
    (recorded,) = group_sessions(
        [("claude-code", str(path)) for path in config.rglob("*.jsonl")], failed=lambda path, error: None
    )
    written: set[str] = set()
    report = CurationReport()
    with world.open(flags=ALLOWED) as runtime:
        project = runtime.scope().project
        before, apps = everything(runtime), everything(runtime, "mail")
        context = runtime.context().open_session(str(world.project), session.id)
        context = replace(context, settings=runtime.settings)
        usual = context.write

        def write_noted(changes: Sequence[Change]) -> object:
            written.update(each.kind for each in changes)
            return usual(changes)

        context = replace(context, write=write_noted)
        model = RandomModel(random.Random(20261116))
        for _ in range(REPLIES // AT_ONCE):
            world.ms += 1000
            curate_session(context, recorded, model, report)
        after = everything(runtime)
        assert everything(runtime, "mail") == apps
    fresh = check_kept(before, after, project=project)
    assert written <= HARMLESS, written - HARMLESS
    # The session has few passages, and each is kept once.
    assert report.kept > 1 and sum(report.refused.values()) > 500
    source = f"{RULE}\n{REPORT}\n" + "\n".join(stored.memory.content for stored in before.values())
    for memory in fresh:
        assert (memory.region, memory.project, memory.app) == (Region.PROJECT, project, None)
        assert memory.impact.rank <= Impact.MEDIUM.rank and memory.importance <= 0.65
        assert memory.origin in (Origin.AGENT, Origin.TOOL) and not memory.confirmed and not memory.pinned
        assert not adds_names(memory.content, source), memory.content
        assert CERTAIN.isdisjoint(find_signs(memory.content))
    assert world.ask("verify").problems == ()


def test_sum_up_conversations_and_decide_what_makes_space(world: AppSandbox) -> None:
    dice = random.Random(20261117)
    model = RandomModel(dice)

    def ask(request: Request, role: str) -> Reply:
        return model.ask(request)

    with world.open(flags=ALLOWED) as runtime:
        before, apps = everything(runtime), everything(runtime, "mail")
        context = replace(runtime.context(), roles=lambda: ModelRoles(ask))
        for number in range(REPLIES // AT_ONCE):
            world.ms += 60_000
            said = converse(context, "calendar", statement(number), role=Role.USER)
            end(context, "calendar", said.conversation)
            settle_conversations(context, app="calendar", energy=1.0)
            if number % 50 == 0:
                assert_cap(runtime)
        assert_cap(runtime)
        found = everything(runtime, "calendar")
        assert everything(runtime) == before and everything(runtime, "mail") == apps
    sources = "\n".join(map(statement, range(REPLIES // AT_ONCE)))
    for stored in found.values():
        memory = stored.memory
        assert stored.status in (Status.LIVE, Status.SUPERSEDED)
        assert (memory.app, memory.impact) == ("calendar", Impact.MEDIUM) and memory.origin is not Origin.USER
        assert len(memory.content) <= 200 and not adds_names(memory.content, sources)
        assert find_signs(memory.content) == ()
    assert world.ask("verify").problems == ()


def assert_cap(runtime: Runtime) -> None:
    live = [stored for stored in everything(runtime, "calendar").values() if stored.status is Status.LIVE]
    assert len(live) <= 10


def batches(dice: random.Random, count: int, size: int) -> Iterator[str]:
    for _ in range(count):
        yield "\n".join(random_proposals(dice, SOURCES, EXTRACT) for _ in range(size))


def test_extract(world: AppSandbox) -> None:
    dice = random.Random(20261118)
    sources = {"stash:lsp": STASH, "friction:c1": "No, don't add docstrings unless asked"}
    accepted = 0
    for _ in range(REPLIES):
        found = read_proposals(random_proposals(dice, SOURCES, EXTRACT), sources, is_proven=lambda line: True)
        lines = [*found.facts, *((name, line) for name, each in found.episodes.items() for line in each)]
        lines += found.rules.items()
        accepted += len(lines)
        for name, line in lines:
            assert not adds_names(line, sources[name]) and len(line) <= 160 and find_signs(line) == ()
    assert accepted > 20


def test_extract_writes_nothing_but_the_project_it_was_asked_for(
    world: AppSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_stash(world, "lsp")
    write_objections(world, ("c1", "No, don't add docstrings unless asked"))
    with world.open() as runtime:
        before, apps, project = everything(runtime), everything(runtime, "mail"), runtime.scope().project
    for reply in batches(random.Random(20261119), 20, 50):
        answer: Any = world.ask("distil", proposals=reply, yes=True)
        assert answer is not None
    with world.open() as runtime:
        assert everything(runtime, "mail") == apps
        fresh = check_kept(before, everything(runtime), project=project)
    for memory in fresh:
        assert memory.impact.rank <= Impact.MEDIUM.rank and memory.project == project
        assert memory.origin is not Origin.USER and find_signs(memory.content) == ()
