"""Keep the last questions that were asked, with the memories that answered them, for the recall gate.

They are in one file of the home, readable by its owner only. They are in no journal, so they are never synced, backed
up or exported. A question that holds a secret, or something personal or private, is not kept.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress

from limpet import clock, system
from limpet.lean import quickjson
from limpet.lean.record import record
from limpet.model.memory import Memory
from limpet.secrets.personal import is_personal
from limpet.secrets.redact import redact, strip_private
from limpet.text.answers import find_answer
from limpet.workspace.files import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FILE = "questions.jsonl"
MOST_ANSWERS = 3
_LONGEST = 300
"""The maximum number of characters of a question that is kept; a longer text was pasted."""
_LARGEST = 1 << 20
_LINE = 600
"""The usual maximum of bytes of a line."""


@record
class Question:
    """A question, the scope it was asked in, and the ids of the memories that answered it, the best first."""

    text: str
    agent: str
    project: str | None
    answers: tuple[str, ...]


class Answers:
    """The memories that have answered the questions of a home; the questions are read on first use."""

    def __init__(self, home: str, *, most: int) -> None:
        self._home, self._most = home, most
        self._questions: list[Question] | None = None

    @property
    def questions(self) -> list[Question]:
        if self._questions is None:
            self._questions = load_questions(self._home, most=self._most)
        return self._questions

    @property
    def ids(self) -> frozenset[str]:
        """Return the ids of all memories that have answered a question."""
        return frozenset(id for question in self.questions for id in question.answers)

    def find(self, memory: Memory) -> list[str]:
        """Return the sentences of a memory that have answered questions; a shortened text of it must keep them."""
        asked = (each.text for each in self.questions if memory.id in each.answers)
        return list(dict.fromkeys(find_answer(memory.content, text) for text in asked))


def keep_question(home: str, question: Question, *, most: int) -> None:
    """Keep a question if it may be kept; of more than `most` questions the oldest are dropped.

    Failures are ignored. If two processes write at the same moment, a question may be lost, which is harmless.
    """
    text = " ".join(strip_private(question.text)[0].split())
    if not most or not question.answers or not 0 < len(text) <= _LONGEST:
        return
    if text != " ".join(question.text.split()) or redact(text)[1] or is_personal(text):
        return
    body = {"q": text, "agent": question.agent, "project": question.project, "ids": question.answers[:MOST_ANSWERS]}
    line = quickjson.dumps(body, is_ascii=False).encode("utf-8", "replace") + b"\n"
    path = os.path.join(home, FILE)
    with suppress(OSError):
        fd = system.open_private(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        try:
            os.write(fd, line)
            size = os.fstat(fd).st_size
        finally:
            os.close(fd)
        if size > min(_LARGEST // 2, 2 * most * _LINE):
            _rewrite(home, lambda found: found[-most:])


def load_questions(home: str, *, most: int) -> list[Question]:
    """Return the last questions, the newest first, each once; a line that is damaged is skipped."""
    return _read(home)[: -most - 1 : -1] if most else []


def forget_questions(home: str, is_gone: Callable[[Question], bool]) -> None:
    """Remove the questions for which `is_gone` returns True; a purge calls this."""
    if os.path.lexists(os.path.join(home, FILE)):
        _rewrite(home, lambda found: [each for each in found if not is_gone(each)])


def _rewrite(home: str, choose: Callable[[list[Question]], Iterable[Question]]) -> None:
    with system.lock(os.path.join(home, "locks", "questions"), clock.attempts(500), doing="keep questions"):
        lines = (
            quickjson.dumps(
                {"q": each.text, "agent": each.agent, "project": each.project, "ids": each.answers}, is_ascii=False
            )
            for each in choose(_read(home))
        )
        data = "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
        system.write_atomically(os.path.join(home, FILE), data, durable=False)


def _read(home: str) -> list[Question]:
    """Return the questions in the order in which they were asked last."""
    found: dict[tuple[str, str, str | None], Question] = {}
    for line in (read_file(os.path.join(home, FILE), _LARGEST) or b"").splitlines():
        question = _parse(line)
        if question is not None:
            key = (question.text, question.agent, question.project)
            found.pop(key, None)
            found[key] = question
    return list(found.values())


def _parse(line: bytes) -> Question | None:
    try:
        body: Any = quickjson.loads(line)
        answers = tuple(str(id) for id in body["ids"])
        project = body["project"]
        return Question(
            text=str(body["q"]),
            agent=str(body["agent"]),
            project=None if project is None else str(project),
            answers=answers,
        )
    except (ValueError, RecursionError, KeyError, TypeError):
        return None
