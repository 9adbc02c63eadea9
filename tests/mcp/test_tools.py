"""Each tool does what it says, in the words a model uses."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from limpet.hosts import own_names
from limpet.mcp.tools import CORE, TOOLS, Tool, describe_tool
from limpet.model.memory import Draft, Origin
from limpet.model.outcome import Admitted
from limpet.operations.catalogue import CATALOGUE, load_verb
from limpet.runtime import open_runtime
from tests.mcp.client import Client, connect, json_tokens

CORE_NAMES = [
    *("store_memory", "recall", "list_memories", "get_memory", "update_memory", "forget", "review_notes"),
    *(
        "search_by_file",
        "search_by_concept",
        "get_timeline",
        "store_fact",
        "query_facts",
        "ltm_status",
        "ltm_check",
        "ltm_fix",
    ),
]
ID = re.compile(r"mem_[0-9a-z]{26}")
LIST_TOKENS = 1500


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_tool_translates_an_operation(tool: Tool) -> None:
    assert tool.operation in {each.name for each in CATALOGUE}
    known = {param.name for param in load_verb(tool.operation).params} | {"auto_tag"}
    named = [*tool.takes, *tool.also, *(name for name in tool.preset if name != "by_model")]
    assert {tool.names.get(name, name) for name in named} <= known
    assert set(tool.required) <= set(tool.takes)
    assert len(tool.takes) + len(tool.also) == len({*tool.takes, *tool.also})


def test_the_core_is_offered_alone_and_the_rest_on_demand() -> None:
    assert [tool.name for tool in CORE] == CORE_NAMES
    assert TOOLS[: len(CORE)] == CORE
    assert len({tool.name for tool in TOOLS}) == len(TOOLS)
    assert {"search_memories", "delete_memory", "purge_expired", "show_related"} <= {tool.name for tool in TOOLS}


def test_no_answer_of_ours_is_learnt_again_whatever_the_server_is_called() -> None:
    assert {tool.name for tool in TOOLS} == own_names.TOOLS


def test_no_tool_can_erase_or_vouch_for_anything() -> None:
    assert {tool.operation for tool in TOOLS}.isdisjoint({"purge", "confirm", "sign", "restore", "import", "config"})


def test_every_tool_says_whether_it_changes_anything(client: Client) -> None:
    told = {tool.name: tool for tool in client.tools()}
    for tool in TOOLS:
        hints = told[tool.name].annotations
        assert hints is not None and hints.open_world_hint is False
        assert bool(hints.read_only_hint) == tool.read_only
        assert tool.read_only or hints.destructive_hint is tool.destructive
        assert bool(hints.idempotent_hint) == (tool.idempotent and not tool.read_only)
    changing = {tool.name for tool in TOOLS if not tool.read_only}
    assert changing == {
        *("store_memory", "update_memory", "forget", "delete_memory", "store_fact", "pin_memory", "ltm_fix"),
        *("purge_expired", "summarize_old", "give_feedback", "review_notes"),
        *("measure_friction", "list_antigens", "detect_achievements", "stash_session", "commit_distil"),
    }
    assert {tool.name for tool in TOOLS if tool.destructive} == {"forget", "delete_memory"}


def test_three_tools_are_always_loaded(client: Client) -> None:
    always = [tool.name for tool in client.tools() if (tool.meta or {}).get("anthropic/alwaysLoad")]
    assert always == ["store_memory", "recall", "get_memory"]


def test_the_list_of_core_tools_is_short() -> None:
    listed = [describe_tool(tool) for tool in CORE]
    assert len(listed) == 15
    assert json_tokens({"tools": listed}) <= LIST_TOKENS


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_description_is_one_short_sentence(tool: Tool) -> None:
    assert tool.description and len(tool.description) <= 100 and tool.description.endswith(".")


def test_store_memory_takes_what_a_model_knows(client: Client) -> None:
    answer = client.ask(
        "store_memory",
        content="We chose Kafka over RabbitMQ because consumers must replay",
        topic="Message broker",
        tags=["kafka"],
        kind="architectural",
        impact="HIGH",
        difficulty=0.7,
        type="decision",
        concepts=["trade-off"],
        files=["src/queue.py"],
        region="PROJECT",
    )
    assert answer["outcome"] == "stored" and ID.fullmatch(answer["id"])
    memory = client.ask("get_memory", id=answer["id"])["memory"]
    assert memory["title"] == "Message broker" and memory["tags"] == "kafka"
    assert (memory["kind"], memory["impact"], memory["type"]) == ("ARCHITECTURAL", "HIGH", "decision")
    assert (memory["difficulty"], memory["concepts"], memory["files"]) == (0.7, ["trade-off"], "src/queue.py")
    again = client.ask("store_memory", content="We chose Kafka over RabbitMQ because consumers must replay")
    assert (again["outcome"], again["id"]) == ("duplicate", answer["id"])


def test_tags_are_made_of_the_text_unless_that_is_not_wanted(client: Client) -> None:
    text = "The nightly docker build of {} fails when the disk of the runner is full"
    tagged = client.store(text.format("billing"), auto_tag=True)
    bare = client.store(text.format("shipping"), auto_tag=False)
    assert client.ask("get_memory", id=tagged)["memory"]["tags"]
    assert "tags" not in client.ask("get_memory", id=bare)["memory"]
    listed = client.store(text.format("returns"), auto_tag=False, tags="one, two")
    assert client.ask("get_memory", id=listed)["memory"]["tags"] == "one, two"


def test_recall_answers_a_question_with_short_rows(client: Client) -> None:
    id = client.store("Invoices are rounded half to even, as the auditors demand")
    found = client.ask("recall", query="how are invoices rounded")
    row = next(row for row in found["memories"] if row["id"] == id)
    assert "half to even" in row["text"]
    assert {"kind", "type", "age", "trust"} <= set(row) and "signature" not in row and "content_hash" not in row
    nearest = client.ask("recall", query="zebra crossing velocity of swallows")["memories"]
    assert all(each["weak"] for each in nearest)


def test_recall_gives_ten_unless_told_otherwise(client: Client) -> None:
    for number in range(12):
        client.store(f"Flamingo habitat note number {number}: the pond has {number} birds")
    assert len(client.ask("recall", query="flamingo habitat")["memories"]) == 10
    assert len(client.ask("recall", query="flamingo habitat", limit=3)["memories"]) == 3
    assert len(client.ask("recall", query="flamingo habitat", limit=3.0)["memories"]) == 3


def test_a_listing_pages_and_counts(client: Client) -> None:
    for number in range(5):
        client.store(f"Walrus fact {number}: tusk length is {number} metres", tags=["walrus"])
    first = client.ask("list_memories", tag="walrus", limit=2)
    assert (len(first["memories"]), first["total"], first["has_more"]) == (2, 5, True)
    last = client.ask("list_memories", tag="walrus", limit=2, offset=4)
    assert (len(last["memories"]), last["total"], last["has_more"]) == (1, 5, False)
    assert client.ask("list_memories", keyword="walrus tusk")["total"] == 5
    assert client.ask("list_memories", keyword="walrus flamingo")["total"] == 0
    assert client.ask("list_memories", tag="walrus", phase=0)["total"] == 5
    assert client.ask("list_memories", tag="walrus", phase=2)["total"] == 0
    assert all("text" not in row and row["title"] for row in first["memories"])


def test_an_update_keeps_the_old_version(client: Client) -> None:
    old = client.store("The staging cluster lives in Frankfurt")
    new = client.ask("update_memory", id=old, content="The staging cluster lives in Dublin")["id"]
    shown = client.ask("get_memory", id=new)
    assert shown["memory"]["version"] == 2
    assert [version["id"] for version in shown["versions"]] == [old, new]
    assert client.ask("get_memory", id=old)["memory"]["status"] == "superseded"


def test_what_is_forgotten_is_not_found(client: Client) -> None:
    id = client.store("The gopher mascot poster hangs in the lobby")
    answer = client.ask("forget", id=id, reason="taken down")
    assert answer["forgotten"] and "limpet restore" in answer["note"]
    assert "gopher" not in str(client.ask("recall", query="gopher mascot poster")["memories"])


def test_files_and_concepts_are_searched(client: Client) -> None:
    id = client.store("The parser of dates needs the C locale", files=["lib/deep/dates.py"], concepts=["gotcha"])
    assert [row["id"] for row in client.ask("search_by_file", file="dates.py")["memories"]] == [id]
    assert client.ask("search_by_file", file="other.py")["memories"] == []
    assert id in [row["id"] for row in client.ask("search_by_concept", concept="gotcha")["memories"]]
    assert "choose from" in client.expect_error("search_by_concept", concept="banana")


def test_the_timeline_goes_forward_and_around(client: Client) -> None:
    ids = [client.store(f"Milestone {word} of the orca project was reached") for word in ("one", "two", "three")]
    answer = client.ask("get_timeline", limit=3)
    assert [row["id"] for episode in answer["episodes"] for row in episode["memories"]] == ids
    around = client.ask("get_timeline", around=ids[1], limit=2)
    assert ids[1] in [row["id"] for episode in around["episodes"] for row in episode["memories"]]
    assert "out of range" in client.expect_error("get_timeline", since="0001-01-01T00:00:00+23:59")


def test_a_newer_fact_ends_the_older_one(client: Client) -> None:
    first = client.ask("store_fact", subject="gateway", predicate="port", object="8080")
    second = client.ask("store_fact", subject="gateway", predicate="port", object="9090")
    assert second["closed"] == [first["facts"][0]["id"]]
    [fact] = client.ask("query_facts", subject="gateway")["facts"]
    assert (fact["object"], fact["confidence"]) == ("9090", 1.0)
    assert "object" in client.expect_error("store_fact", subject="gateway", predicate="port")


def test_the_status_counts_by_phase_and_says_where(client: Client) -> None:
    client.store("One more for the count of the narwhals")
    status = client.ask("ltm_status")
    assert status["total"] == sum(status["by_phase"].values()) > 0
    assert status["sessions"] == 0 and status["path"].endswith("home")


def test_a_check_finds_nothing_and_a_fix_mends_nothing(client: Client) -> None:
    assert client.ask("ltm_check")["ok"] and client.ask("ltm_fix")["ok"]


def test_the_rare_tools_work_too(client: Client) -> None:
    id = client.store("The heron service talks to the egret service over gRPC", files=["heron.go"])
    other = client.store("The heron service needs port 50051", files=["heron.go"])
    found = client.ask("search_memories", query="heron service", file="heron.go", limit=5)
    assert {row["id"] for row in found["memories"]} == {id, other}
    assert other in [row["id"] for row in client.ask("show_related", id=id)["memories"]]
    assert client.ask("pin_memory", id=id)["pinned"] and not client.ask("pin_memory", id=id, off=True)["pinned"]
    assert client.ask("purge_expired")["changed"] == 0
    assert client.ask("summarize_old")["changed"] == 0
    assert client.ask("give_feedback", id=id, says="useful")["feedback"] == "useful"


def test_a_model_extracts_what_is_distilled(tmp_path: Path) -> None:
    with connect(tmp_path, "--tools", "all") as client:
        text = "We chose a queue over threads.\n"
        client.ask("stash_session", text=text)
        gathered = client.ask("gather_for_distil")
        [source] = gathered["sources"]
        assert source["id"] == "stash:we-chose-a-queue-over-threads" and "not instructions" in gathered["how"]
        assert source["trust"] == "untrusted: from a file, not confirmed"
        fact = {"do": "fact", "source": source["id"], "quote": "a queue over threads", "text": "Queues replace threads"}
        shown = client.ask("commit_distil", proposals=json.dumps(fact))
        assert shown["changed"] and not shown["written"] and "+- We chose a queue over threads." in shown["diff"]
        assert not (tmp_path / "shop" / "CLAUDE.md").exists()
        assert client.ask("commit_distil", proposals=json.dumps(fact), yes=True)["written"]
    assert "- We chose a queue over threads." in (tmp_path / "shop" / "CLAUDE.md").read_text("utf-8")


def test_delete_memory_is_a_forget(client: Client) -> None:
    id = client.store("The albatross flag is off in production")
    assert client.ask("delete_memory", id=id)["forgotten"]
    assert "albatross" not in str(client.ask("recall", query="albatross flag")["memories"])
    gone = client.ask("get_memory", id=id)["memory"]
    assert gone["status"] == "forgotten" and "limpet restore" in gone["withheld"]
    assert "albatross" not in str(gone)


def test_expired_memories_are_archived_and_kept(client: Client) -> None:
    id = client.store("This puffin note holds for a blink", ttl_days=1e-9)
    answer = client.ask("purge_expired")
    assert answer["changed"] == 1 and "nothing is erased" in answer["note"]
    assert client.ask("purge_expired")["changed"] == 0
    assert client.ask("get_memory", id=id)["memory"]["text"] == "This puffin note holds for a blink"


def test_errors_say_what_to_do_in_the_tools_own_words(client: Client) -> None:
    assert client.expect_error("recall") == "recall needs 'query'; it takes query, also, limit"
    assert client.expect_error("recall", query="x", colour="red").startswith("recall has no 'colour'; it takes query")
    assert client.expect_error("store_memory", content=5) == "content is 5; give a text"
    assert "there are store_memory, recall" in client.expect_error("remember_everything")
    assert "choose from EMOTIONAL" in client.expect_error("store_memory", content="x", kind="FOO")
    assert "empty" in client.expect_error("store_memory", content="   ")
    assert "no memory here" in client.expect_error("get_memory", id="mem_0000")
    assert "limit is 0" in client.expect_error("recall", query="x", limit=0)


def capture(folder: Path, text: str, origin: Origin = Origin.USER) -> str:
    """Capture a note in the project of a server, as the worker does, and return its id."""
    runtime = open_runtime(home=str(folder / "home"), cwd=str(folder / "shop"))
    door = runtime.admission(actor="capture:anima")
    outcome = door.admit(Draft(text=text, origin=origin))
    runtime.write(door.changes)
    runtime.close()
    assert isinstance(outcome, Admitted)
    return outcome.memory.id


def test_notes_are_listed_kept_and_dropped_and_no_trust_is_raised(tmp_path: Path) -> None:
    with connect(tmp_path) as client:
        rule, page = capture(tmp_path, "Use uv here, never pip"), capture(tmp_path, "Buy now", Origin.EXTERNAL)
        task = capture(tmp_path, "The button is blue now")
        listed = client.ask("review_notes")
        assert {row["id"]: row["trust"].partition(":")[0] for row in listed["memories"]} == {
            rule: "user",
            task: "user",
            page: "untrusted",
        }
        decided = client.ask("review_notes", keep=[rule, page], drop=[task])
        assert (decided["kept"], decided["dropped"], decided["memories"]) == ([rule, page], [task], [])
        assert client.ask("get_memory", id=page)["memory"]["origin"] == "external"
        assert "is not a note that waits" in client.expect_error("review_notes", keep=[rule])
        assert "has no 'code'" in client.expect_error("review_notes", keep=[rule], code="x")
        assert "has no 'by_model'" in client.expect_error("review_notes", by_model=False)
        assert [row["id"] for row in client.ask("list_memories", tier="kept")["memories"]] == [page, rule]


def test_reading_a_note_for_a_decision_is_no_use_of_it(tmp_path: Path) -> None:
    with connect(tmp_path) as client:
        capture(tmp_path, "Use uv here, never pip")
        client.ask("review_notes")
    runtime = open_runtime(home=str(tmp_path / "home"), cwd=str(tmp_path / "shop"))
    assert runtime.reading().receipts() == ()
    runtime.close()


def test_storing_names_what_is_known_on_the_subject(client: Client) -> None:
    older = client.store("The default port of the reef service is 8080")
    answer = client.ask("store_memory", content="The default port of the reef service is 9090")
    [row] = answer["older"]
    assert (row["id"], row["text"]) == (older, "The default port of the reef service is 8080")
    assert row["relation"] in ("contradicts", "replaces")
    again = client.ask("store_memory", content="The default port of the reef service is 9090")
    assert (again["outcome"], again["id"]) == ("duplicate", answer["id"])


def test_a_model_says_what_a_text_replaces_that_no_rule_could_tell(client: Client) -> None:
    older = client.store("The reef service keeps its sessions in Redis")
    text = "Sessions of the reef service live in Postgres these days, the cache box is gone"
    answer = client.ask("store_memory", content=text)
    assert older in [row["id"] for row in answer["older"]]
    assert "replaces=[its id]" in answer["ask"]
    again = client.ask("store_memory", content=text, replaces=[older])
    assert (again["outcome"], again["id"]) == ("duplicate", answer["id"])
    assert f"replaces {older}" in again["notes"][0]
    shown = client.ask("list_memories", limit=100)
    assert older not in str(shown) and answer["id"] in str(shown)


def test_storing_a_text_again_as_secret_hides_it_here_too(client: Client) -> None:
    text = "The lighthouse rotates every twelve seconds"
    id = client.store(text, tags=["tower"], impact="LOW")
    assert client.store(text, tags=["sea"], impact="HIGH", confidence=0.5) == id
    shown = client.ask("get_memory", id=id)
    assert "HIGH" in str(shown) and "sea" in str(shown)
    client.ask("store_memory", content=text, sensitivity="secret")
    assert text not in str(client.ask("list_memories", limit=100))
    assert client.expect_error("get_memory", id=id)
