"""Check the journal, the index and the signatures for damage and tampering."""

from __future__ import annotations

from collections.abc import Iterable

from limpet.lean.record import pick, record
from limpet.model.query import Stored
from limpet.operations.catalogue import Verb
from limpet.operations.sign import find_all_memories
from limpet.runtime import Runtime
from limpet.store.protocol import Problem


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


VERB = Verb(
    run=run,
    shape=lambda answer: {"ok": not answer.problems, **pick(answer)},
    is_failure=lambda answer: bool(answer.problems),
    examples=("limpet verify", "limpet verify --json"),
)
