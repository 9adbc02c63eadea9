"""Listing, finding, showing: filters, pages, accesses, and any text as a question."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from limpet.errors import Refused, UsageError
from limpet.model.memory import Kind
from limpet.model.query import Page, Stored
from limpet.operations.remember import draft_from, run_many
from tests.operations.sandbox import DAY, MODEL, Sandbox, git_folder


@pytest.fixture
def shelf(sandbox: Sandbox) -> Sandbox:
    """Five memories that differ in every respect."""
    git_folder(sandbox.project, branch="main", born="x")
    (sandbox.project / "src").mkdir()
    (sandbox.project / "src" / "app.py").write_text("x = 1\n")
    sandbox.remember("Alembic runs the migrations", kind="ARCHITECTURAL", type="decision", impact="HIGH", tags=["db"])
    sandbox.ms += DAY
    sandbox.remember(
        "The crash was caused by a stale lock in src/app.py", kind="LEARNINGS", type="bugfix", session="s-1"
    )
    sandbox.ms += DAY
    sandbox.remember("Matt likes green", kind="EMOTIONAL", concepts=["trade-off"], region="PROJECT")
    sandbox.ms += DAY
    git_folder(sandbox.project, branch="tide", born="x")
    sandbox.remember("Shipped the importer", kind="ACHIEVEMENTS", origin="tool")
    sandbox.remember("The gate is kept shut", sensitivity="private", kind="LEARNINGS")
    return sandbox


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"kind": "ARCHITECTURAL"}, ["Alembic"]),
        ({"type": "bugfix"}, ["The crash"]),
        ({"impact": "HIGH"}, ["Alembic"]),
        ({"concept": "trade-off"}, ["Matt"]),
        ({"tag": "DB"}, ["Alembic"]),
        ({"file": "src/app.py"}, ["The crash"]),
        ({"file": "app.py"}, ["The crash"]),
        ({"file": "pp.py"}, []),
        ({"of_session": "s-1"}, ["The crash"]),
        ({"origin": "tool"}, ["Shipped"]),
        ({"branch": "tide"}, ["Shipped"]),
        ({"sensitivity": "private"}, ["The gate"]),
        ({"since": "2026-03-04"}, ["Shipped"]),
        ({"until": "2026-03-02"}, ["Alembic"]),
        ({"since": "2026-03-02", "until": "2026-03-04"}, ["Matt", "The crash"]),
        ({"phase": 0, "kind": "EMOTIONAL"}, ["Matt"]),
        ({"phase": 2}, []),
        ({"kind": "EMOTIONAL", "tag": "db"}, []),
    ],
)
def test_memories_are_found_by_what_they_are(shelf: Sandbox, filters: dict[str, Any], found: list[str]) -> None:
    texts = shelf.texts(**filters)
    assert [next(text for text in texts if text.startswith(start)) for start in found] == texts
    asked = {"query": "alembic crash Matt green importer gate kept shut migrations lock", "limit": 50}
    assert set(shelf.texts("recall", **asked, **filters)) <= set(texts)


def test_a_listing_is_newest_first_and_paged_without_gaps(sandbox: Sandbox) -> None:
    with sandbox.open() as runtime:
        run_many(runtime, [draft_from(runtime, text=f"Thing number {number}") for number in range(7)])
    assert sandbox.texts() == [f"Thing number {number}" for number in reversed(range(7))]
    whole = [stored.memory.id for stored in sandbox.ask("list").items]
    pages = [sandbox.ask("list", limit=3, offset=offset) for offset in (0, 3, 6, 9)]
    assert [stored.memory.id for page in pages for stored in page.items] == whole
    assert [(page.total, page.offset, page.has_more) for page in pages] == [
        (7, 0, True),
        (7, 3, True),
        (7, 6, False),
        (7, 9, False),
    ]


@pytest.mark.parametrize("name", ["list", "recall", "timeline"])
@pytest.mark.parametrize("values", [{"limit": 0}, {"limit": -1}, {"limit": 1001}, {"offset": -1}, {"phase": 4}])
def test_a_page_out_of_range_is_refused(sandbox: Sandbox, name: str, values: dict[str, Any]) -> None:
    asked = {"query": "x"} if name == "recall" else {}
    with pytest.raises(UsageError, match="give"):
        sandbox.ask(name, **asked, **values)


@pytest.mark.parametrize(
    "query",
    [
        *("", " ", '"', '""', "'", "user's", "a AND", "OR", "NOT x", "NEAR(a b, 2)", "(", ")", "title:x", "*", "^a"),
        *("foo.py", "half-life", "C++", "日本", "naïve", "😀", "\0", "\x1b[2J", "\ud800", "a" * 100_000, "' OR 1=1 --"),
        *('"; DROP TABLE memory; --', "{title}", "col : x", "+", "\\", "%", "_", "\n", "<script>", "../../etc", "-x"),
    ],
)  # fmt: skip
def test_any_text_is_a_legal_question(sandbox: Sandbox, query: str) -> None:
    sandbox.remember("Alembic runs the migrations")
    sandbox.ask("recall", query=query)
    assert sandbox.texts() == ["Alembic runs the migrations"]


def test_a_question_that_nothing_answers_gets_nothing(shelf: Sandbox) -> None:
    assert shelf.texts("recall", query="which colour has the submarine of the queen") == []


def test_what_is_out_of_sight_never_answers(sandbox: Sandbox) -> None:
    old = sandbox.remember("The walrus port is 8080")
    sandbox.ask("correct", id=old.id, text="The walrus harbour is closed")
    sandbox.remember("The walrus expires", ttl_days=1)
    gone = sandbox.remember("The walrus is forgotten")
    sandbox.ask("forget", ids=[gone.id])
    sandbox.remember("The walrus is private", sensitivity="private")
    sandbox.ms += 2 * DAY
    assert sandbox.texts("recall", query="walrus", limit=50) == ["The walrus harbour is closed"]
    assert sandbox.texts() == ["The walrus harbour is closed"]


def test_an_expired_memory_is_seen_only_when_everything_is_asked_for(sandbox: Sandbox) -> None:
    sandbox.remember("Gone in a day", ttl_days=1)
    assert sandbox.texts() == ["Gone in a day"]
    sandbox.ms += DAY + 1
    assert sandbox.texts() == []
    assert sandbox.texts(all=True) == ["Gone in a day"]
    assert sandbox.texts(at=sandbox.now - timedelta(days=1)) == ["Gone in a day"]


def accesses(sandbox: Sandbox, id: str) -> int:
    """As a listing says it, which counts as no access itself."""
    page: Page[Stored] = sandbox.ask("list")
    return next(stored.standing.access_count for stored in page.items if stored.memory.id == id)


def test_what_is_handed_out_or_opened_is_accessed_and_probes_are_not(sandbox: Sandbox) -> None:
    memory = sandbox.remember("Alembic runs the migrations")
    for name in ("list", "graph", "stats", "doctor", "verify", "export"):
        sandbox.ask(name)
    sandbox.ask("blame", id=memory.id)
    assert accesses(sandbox, memory.id) == 0
    sandbox.ask("recall", query="alembic migrations", session="s-1")
    assert accesses(sandbox, memory.id) == 1
    sandbox.ask("show", id=memory.id)
    assert accesses(sandbox, memory.id) == 2
    sandbox.ask("recall", query="alembic migrations", at=sandbox.now)
    sandbox.ask("recall", query="nothing of this sort")
    assert accesses(sandbox, memory.id) == 2
    shown = sandbox.json("list")["memories"][0]
    assert (shown["last_session"], shown["last_accessed"][:10]) == ("s-1", "2026-03-01")
    assert shown["updated_at"] == shown["created_at"]


def test_a_model_sees_no_private_version_of_a_public_memory(sandbox: Sandbox) -> None:
    first = sandbox.remember("Ann keeps the gate key", sensitivity="private")
    second = sandbox.ask("correct", id=first.id, text="The gate has a key", sensitivity="public").memory
    assert "Ann" not in str(sandbox.json("show", id=second.id, as_=MODEL))
    assert "Ann" not in str(sandbox.json("graph", as_=MODEL))
    assert "Ann" in str(sandbox.json("show", id=second.id))


def test_a_model_does_not_reach_a_private_version_by_way_of_a_public_one(sandbox: Sandbox) -> None:
    first = sandbox.remember("The gate has a key")
    second = sandbox.ask("correct", id=first.id, text="Ann keeps the gate key", sensitivity="private").memory
    before = sandbox.journal()
    for name, values in (("correct", {"text": "Mine now"}), ("restore", {}), ("pin", {})):
        with pytest.raises(Refused, match="shown to their owner only"):
            sandbox.ask(name, id=first.id, as_=MODEL, **values)
    assert sandbox.journal() == before
    assert [node["id"] for node in sandbox.json("graph", id=second.id)["nodes"]] == [second.id, first.id]


def test_a_graph_shows_the_links_between_memories(sandbox: Sandbox) -> None:
    first = sandbox.remember("The default port of the API is 8080", kind="ARCHITECTURAL")
    second = sandbox.remember("The default port of the API is 9090", kind="ARCHITECTURAL")
    third = sandbox.ask("correct", id=second.id, text="The default port of the API is 7070").memory
    found = sandbox.json("graph")
    edges = {(edge["from"], edge["relation"], edge["to"]) for edge in found["edges"]}
    assert {(second.id, "follows", first.id), (second.id, "contradicts", first.id)} <= edges
    assert (third.id, "corrects", second.id) in edges
    assert len(found["nodes"]) == found["total"] == 3


def test_a_graph_around_a_memory_finds_even_the_oldest(sandbox: Sandbox) -> None:
    first = sandbox.remember("The first of all", kind="LEARNINGS")
    sandbox.ms += 1000
    with sandbox.open() as runtime:
        run_many(runtime, [draft_from(runtime, text=f"Thing number {n}", kind=Kind.LEARNINGS) for n in range(60)])
    sandbox.remember("Quite apart", kind="EMOTIONAL")
    assert first.id not in {node["id"] for node in sandbox.json("graph")["nodes"]}
    found = sandbox.json("graph", id=first.id, limit=3)
    assert first.id in {node["id"] for node in found["nodes"]}
    assert (len(found["nodes"]), found["total"]) == (3, 61)
    assert {edge["to"] for edge in found["edges"]} <= {node["id"] for node in found["nodes"]}


def test_statistics_count_what_is_there(shelf: Sandbox) -> None:
    found = shelf.json("stats")
    assert found["status"] == {"live": 5}
    assert found["kind"] == {"ACHIEVEMENTS": 1, "ARCHITECTURAL": 1, "EMOTIONAL": 1, "LEARNINGS": 2}
    assert found["sensitivity"] == {"private": 1, "public": 4}
    assert (found["agent"], found["project"], found["home"]) == ("Anima", "shop", str(shelf.home))
    assert found["bytes"]["journal"] > 0 and found["bytes"]["index"] > 0
    assert found["projects"] == []
    assert shelf.json("stats", projects=True)["projects"][0]["memories"] == 5
