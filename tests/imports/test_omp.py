"""The eleven conformance cases of the Open Memory Protocol's semantic core, and the result that each asks for.

The cases are those of the protocol's fixtures, with invented texts. Its words for results are `accepted` (taken),
`transformed` (changed), `unresolved` (left out) and `rejected` (refused).
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from limpet.operations.import_ import ImportAnswer
from tests.operations.sandbox import Sandbox


def make_object(
    name: str, text: str, *, revision: str = "", role: str = "human_assertion", **more: Any
) -> dict[str, Any]:
    return {
        "ref": {"authority": "source", "namespace": "memory", "local_id": name},
        "revision_id": revision or f"rev-{name}",
        "predecessor": None,
        "role": role,
        "text": text,
        "scope": {"subject": "mara", "owner": "mara", "origin_system": "source", "context": {"user": "mara"}},
        "policy": {"rules": [], "required": False},
        "recorded_at": "2026-01-01T00:00:00+00:00",
        "extensions": {},
        **more,
    }


def derived(*used: str) -> dict[str, Any]:
    return {"role": "machine_derived", "derivation": {"activity": "extraction", "used": list(used), "agent": "model-x"}}


def event(kind: str, target: str, replacement: str | None = None) -> dict[str, Any]:
    return {"event_id": f"ev-{target}", "kind": kind, "target": target, "actor": "mara", "replacement": replacement}


def policy(principal: str, *actions: str) -> dict[str, Any]:
    return {
        "policy": {
            "rules": [{"principals": [principal], "actions": list(actions), "resources": ["*"]}],
            "required": True,
        }
    }


def exchange(
    objects: list[dict[str, Any]], events: list[dict[str, Any]] | None = None, **manifest: Any
) -> dict[str, Any]:
    head = {"format_version": "cognee-draft-0.1", "source_system": "source", "complete_snapshot": False, **manifest}
    return {"manifest": head, "objects": objects, "events": events or []}


CASES: dict[str, tuple[dict[str, Any] | None, dict[str, Any], dict[str, str], list[str] | None]] = {
    "1 evidence": (
        None,
        exchange(
            [
                make_object("t", "user: I drink my tea without sugar", role="transcript"),
                make_object("m", "Mara drinks tea without sugar", **derived("rev-t")),
                make_object("o", "Mara likes rowing on Sundays", **derived("rev-missing")),
            ]
        ),
        {"rev-t": "taken", "rev-m": "taken", "rev-o": "changed"},
        ["Mara drinks tea without sugar", "Mara likes rowing on Sundays", "user: I drink my tea without sugar"],
    ),
    "2 correction": (
        None,
        exchange(
            [
                make_object("h", "Lives in Bergen"),
                make_object("h", "Lives in Bilbao", revision="rev-h2", predecessor="rev-h"),
            ],
            [event("supersede", "rev-h", "rev-h2")],
        ),
        {"rev-h": "taken", "rev-h2": "taken"},
        ["Lives in Bilbao"],
    ),
    "3 consolidation": (
        None,
        exchange(
            [
                make_object("a", "The regatta is on Tuesday"),
                make_object("b", "The regatta was moved to Friday"),
                make_object(
                    "s", "In spring the club sails on Friday, before it was Tuesday", **derived("rev-a", "rev-b")
                ),
            ],
            [event("supersede", "rev-a", "rev-b")],
        ),
        {"rev-s": "taken"},
        ["In spring the club sails on Friday, before it was Tuesday", "The regatta was moved to Friday"],
    ),
    "4 policy": (
        None,
        exchange(
            [
                make_object("p1", "The crew of the boat", **policy("mara@source", "read")),
                make_object("p2", "The pay of the crew", **policy("purser@source", "read")),
                make_object("p3", "Minutes of the board", **policy("mara@source", "read", "watermark")),
            ]
        ),
        {"rev-p1": "taken", "rev-p2": "left out", "rev-p3": "left out"},
        ["The crew of the boat"],
    ),
    "5 partial export": (
        exchange([make_object("x", "Keep this one")]),
        exchange([make_object("y", "A new arrival")]),
        {"rev-y": "taken"},
        ["A new arrival", "Keep this one"],
    ),
    "6 conflicts": (
        None,
        exchange(
            [
                make_object("c", "Version one of the plan"),
                make_object("c", "Another text of the plan"),
                make_object("c", "First replacement of it", revision="rev-c1"),
                make_object("c", "Second replacement of it", revision="rev-c2"),
            ],
            [event("supersede", "rev-c", "rev-c1"), event("supersede", "rev-c", "rev-c2")],
        ),
        {"rev-c1": "taken", "rev-c2": "taken", "rev-c": "refused"},
        None,
    ),
    "7 required extension": (
        None,
        exchange([make_object("z", "Needs a graph")], required_extensions=["acme.graph"]),
        {"rev-z": "refused"},
        [],
    ),
    "8 expiry": (
        None,
        exchange(
            [make_object("f", "Still valid today"), make_object("s", "Expired code", expires_at="2026-01-02T00:00:00Z")]
        ),
        {"rev-f": "taken", "rev-s": "taken"},
        ["Still valid today"],
    ),
    "9 resurrection": (
        exchange([], [event("tombstone", "rev-d"), event("invalidate", "rev-dd")]),
        exchange(
            [
                make_object("d", "user: my locker is number 12", role="transcript"),
                make_object("dd", "Her locker is number 12", **derived("rev-d")),
                make_object("k", "An unrelated thing"),
            ]
        ),
        {"rev-d": "refused", "rev-dd": "refused", "rev-k": "taken"},
        ["An unrelated thing"],
    ),
    "10 credentials": (
        None,
        exchange([make_object("sec", "my token is " + "sk-" + "abcdefghijklmnopqrstuvwxyz123456")]),
        {"rev-sec": "refused"},
        [],
    ),
    # Limpet keeps statements as they are, and derives a memory from a source: the mode that case 11 is about.
    "11 source": (
        None,
        exchange([make_object("src", "The handbook says to reef early.", role="source_artifact")]),
        {"rev-src": "changed"},
        ["The handbook says to reef early."],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_an_exchange_gets_the_results_that_the_protocol_asks_for(sandbox: Sandbox, name: str) -> None:
    earlier, data, expected, current = CASES[name]
    path = sandbox.folder / "exchange.json"
    if earlier is not None:
        path.write_text(json.dumps(earlier))
        sandbox.ask("import", from_="omp", file=str(path))
    path.write_text(json.dumps(data))
    answer: ImportAnswer = sandbox.ask("import", from_="omp", file=str(path))
    # Of two objects with one revision, the last report counts.
    assert {report.name: report.result.value for report in answer.objects} | expected == {
        report.name: report.result.value for report in answer.objects
    }, answer.objects
    if current is not None:
        assert sorted(each.memory.content for each in sandbox.ask("list", private=True).items) == current
    journal = sandbox.journal()
    again = sandbox.ask("import", from_="omp", file=str(path))
    assert (again.added, sandbox.journal()) == (0, journal)
    assert sandbox.ask("verify").problems == ()


def test_an_exchange_cannot_erase_what_is_here(sandbox: Sandbox) -> None:
    path = sandbox.folder / "exchange.json"
    path.write_text(json.dumps(exchange([make_object("d", "The mast is made of pine")])))
    sandbox.ask("import", from_="omp", file=str(path))
    path.write_text(json.dumps(exchange([], [event("tombstone", "rev-d")])))
    answer = sandbox.ask("import", from_="omp", file=str(path))
    assert sandbox.ask("list").total == 1
    assert "limpet purge mem_" in answer.proposed[0]


def test_a_fixture_file_is_recognised(sandbox: Sandbox) -> None:
    path = sandbox.folder / "fixture.json"
    path.write_text(json.dumps({"exchange": exchange([make_object("a", "Inside of a fixture file")]), "expect": {}}))
    assert sandbox.ask("import", file=str(path)).added == 1
