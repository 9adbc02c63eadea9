"""Listing: filters, pages, and what is left out."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from limpet.curating.writing import build_draft, run_many
from limpet.errors import UsageError
from tests.operations.sandbox import DAY, Sandbox


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
        run_many(runtime, [build_draft(runtime, text=f"Thing number {number}") for number in range(7)])
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


def test_an_expired_memory_is_seen_only_when_everything_is_asked_for(sandbox: Sandbox) -> None:
    sandbox.remember("Gone in a day", ttl_days=1)
    assert sandbox.texts() == ["Gone in a day"]
    sandbox.ms += DAY + 1
    assert sandbox.texts() == []
    assert sandbox.texts(all=True) == ["Gone in a day"]
    assert sandbox.texts(at=sandbox.now - timedelta(days=1)) == ["Gone in a day"]


def test_a_keyword_may_be_a_sign_that_is_no_word(sandbox: Sandbox) -> None:
    full, arrow = sandbox.remember("The cache is 80 % full"), sandbox.remember("x -> y, and 100% of z")
    sandbox.remember("No sign here")
    assert sandbox.texts(keyword="%") == [arrow.content, full.content]
    assert sandbox.texts(keyword="-> %") == [arrow.content]
    assert sandbox.texts(keyword="€") == sandbox.texts(keyword="") == []
    page = sandbox.ask("list", keyword="%", limit=1, offset=1)
    assert ([each.memory.id for each in page.items], page.total, page.has_more) == ([full.id], 2, False)
