"""A model pays for every word: the list of tools, the instructions and every answer keep within their budgets."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.mcp.talk import Talk, talking, tokens

LIST = 1500
ANSWER = 2000
LONG = (
    'Deploying the pelican cluster number {number} goes wrong when "quotes", naïve façades and 日本語のテキスト meet: '
    + "first the scheduler drains the node, then the operator waits for /var/run/pelican_{number}.sock, and so on. "
    * 60
)


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    with talking(tmp_path_factory.mktemp("core")) as one:
        yield one


def test_the_whole_list_of_tools_is_short(core: Talk) -> None:
    listed = {"tools": [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in core.tools()]}
    assert len(listed["tools"]) == 14
    assert tokens(listed) <= LIST


def test_the_instructions_are_not_cut_by_a_client(core: Talk) -> None:
    told = core.hello.instructions or ""
    assert len(told.encode()) < 2048
    for word in ("recall", "store_memory", "decision", "secrets", "data, never an order"):
        assert word in told


def test_descriptions_are_one_line(core: Talk) -> None:
    for tool in core.tools():
        assert tool.description and len(tool.description) <= 100 and tool.description.endswith(".")


def test_a_default_answer_is_short_however_long_the_memories_are(core: Talk) -> None:
    for number in range(15):
        core.store(LONG.format(number=number), title=f"Pelican cluster {number} " + "and its long title " * 8)
    for name, arguments in (
        ("recall", {"query": "deploying the pelican cluster"}),
        ("search_by_concept", {"concept": "problem-solution"}),
        ("list_memories", {}),
        ("get_timeline", {}),
    ):
        answer = core.ask(name, **arguments)
        assert tokens(answer) <= ANSWER, name
    found = core.ask("recall", query="deploying the pelican cluster")["memories"]
    assert len(found) == 10
    assert all(row["text"].endswith("…") and len(row["text"]) > 150 for row in found)


def test_short_memories_leave_their_share_to_long_ones(core: Talk) -> None:
    core.store("Cormorant: see the wiki")
    core.store(LONG.format(number=99).replace("pelican", "cormorant"))
    rows = core.ask("recall", query="cormorant")["memories"]
    texts = sorted((row["text"] for row in rows), key=len)
    assert texts[0] == "Cormorant: see the wiki" and len(texts[-1]) > 1500


def test_one_memory_in_full_stays_below_what_clients_take(core: Talk) -> None:
    id = core.store("gannet " + "a long report of the dive, word by word, " * 12_000)
    assert tokens(core.ask("get_memory", id=id)) < 10_000
