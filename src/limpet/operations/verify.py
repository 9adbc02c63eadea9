"""Check the journal, the index and the signatures for damage and tampering."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from limpet.lean.record import record
from limpet.model.query import Stored
from limpet.operations.catalogue import Verb
from limpet.operations.sign import find_all_memories
from limpet.runtime import Runtime
from limpet.store.protocol import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@record
class VerifyAnswer:
    """How many changes, memories and signatures were checked, and the problems that were found."""

    records: int
    memories: int
    signed: int
    problems: tuple[Problem, ...]


def run(runtime: Runtime) -> VerifyAnswer:
    # The inspection repairs nothing, because a problem may be evidence of tampering; `doctor --fix` repairs it.
    with runtime.store.inspection():
        report = runtime.store.verify(runtime.progress)
        memories = find_all_memories(runtime)
    problems = [*report.problems, *check_signatures(memories)]
    signed = sum(bool(stored.memory.signature) for stored in memories)
    return VerifyAnswer(records=report.records, memories=report.memories, signed=signed, problems=tuple(problems))


def check_signatures(memories: Iterable[Stored]) -> list[Problem]:
    """Return a problem for each memory whose signature is wrong, or missing although memories are signed here."""
    return [
        Problem(what=stored.verdict.value, subject=stored.memory.id) for stored in memories if stored.verdict.is_warning
    ]


def encode_problem(problem: Problem) -> dict[str, Any]:
    """Return a problem as a JSON object."""
    return {
        "what": problem.what,
        "where": problem.where,
        "subject": problem.subject,
        "fixable": problem.fixable,
    }


def to_json(answer: VerifyAnswer, now: datetime) -> dict[str, Any]:
    return {
        "ok": not answer.problems,
        "records": answer.records,
        "memories": answer.memories,
        "signed": answer.signed,
        "problems": [encode_problem(problem) for problem in answer.problems],
    }


VERB = Verb(
    run=run,
    to_json=to_json,
    is_failure=lambda answer: bool(answer.problems),
    examples=("limpet verify", "limpet verify --json"),
)
