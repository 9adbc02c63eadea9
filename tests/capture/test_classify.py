"""C2: what could be kept of a tool's result."""

from __future__ import annotations

from typing import Any

import pytest

from limpet.capture.classify import find_candidates
from limpet.capture.tools.observe import observe
from limpet.model.memory import Concept, Origin, Type
from tests.capture.marked import make_event


def candidates_of(short: dict[str, Any]) -> list[Any]:
    seen = observe(make_event(short))
    assert seen is not None
    return find_candidates(seen)


@pytest.mark.parametrize(
    "short",
    [
        {"run": "grep -rn fix src", "out": "src/a.py:1: # fix because x breaks"},
        {"run": "npm test", "out": "12 passed, 0 failed, 0 errors"},
        {"run": "git log", "out": "fix: crash because of null"},
        {"read": "/a.md", "out": "We decided to use Kafka because of replay"},
        {"grep": "because", "out": "a.md: we use Kafka because of replay"},
        {"run": "npm install", "out": "added 12 packages"},
        {"edit": "/a.py", "old": "a", "new": "b = fix(1)"},
        {"todo": [["Fix it", "pending"]]},
    ],
)
def test_routine_leaves_nothing(short: dict[str, Any]) -> None:
    assert candidates_of(short) == []


def test_a_limit_of_the_surroundings_is_a_gotcha_and_a_bug_is_not() -> None:
    (one,) = candidates_of({"run": "npm ci", "out": "npm ERR! Unsupported engine: requires node >=20", "failed": True})
    assert (one.type, one.concepts) == (Type.DISCOVERY, (Concept.GOTCHA,))
    assert one.tags[0].startswith("error:")
    assert (
        candidates_of({"run": "python a.py", "out": "TypeError: f() missing 1 required argument", "failed": True}) == []
    )


def test_a_measurement_and_a_diagnosis_are_discoveries() -> None:
    (one,) = candidates_of({"run": "hyperfine a b", "out": "a ran\n  4.31 times faster than b"})
    assert "4.31 times faster" in one.text
    (two,) = candidates_of({"run": "kubectl describe pod x", "out": "Reason: OOMKilled"})
    assert two.real_error


def test_a_decision_written_into_its_file_is_a_decision() -> None:
    text = "We use sessions rather than JWTs, because revocation must be immediate."
    (one,) = candidates_of({"write": "/w/docs/adr/7-auth.md", "new": text})
    assert one.type is Type.DECISION
    assert candidates_of({"write": "/w/src/auth.py", "new": f"{text}\n"}) == []


def test_answers_to_the_agents_questions_are_decisions() -> None:
    (one,) = candidates_of({"ask": 'User has answered your questions: "Which database?"="PostgreSQL".'})
    assert (one.type, one.origin, one.text) == (Type.DECISION, Origin.TOOL, "Which database? → PostgreSQL")


def test_what_the_world_says_stays_external() -> None:
    (one,) = candidates_of(
        {"fetch": "https://x", "out": "The limit is 250 MB, because `/tmp` is capped; it breaks above."}
    )
    assert (one.type, one.origin) == (Type.DISCOVERY, Origin.EXTERNAL)


def test_an_edit_that_says_why_is_kept_and_one_that_does_not_is_not() -> None:
    why = "# pinned below 2 because botocore 1.29 breaks with urllib3 2.x\nurllib3<2"
    (one,) = candidates_of({"edit": "/w/requirements.txt", "old": "urllib3", "new": why})
    assert one.type is Type.CHANGE
