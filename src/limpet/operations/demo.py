"""A short tour in a temporary home: every step is the real verb, with its real answer."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from limpet.model.memory import Origin
from limpet.operations.catalogue import Verb, verb
from limpet.runtime import Caller, open_runtime


class Step(NamedTuple):
    comment: str
    command: str
    name: str
    answer: Any
    now: datetime


def run() -> Iterator[Step]:
    folder = tempfile.mkdtemp(prefix="limpet-demo-")
    project = os.path.join(folder, "shop")
    os.mkdir(project)
    runtime = open_runtime(
        home=os.path.join(folder, "home"), cwd=project, caller=Caller(origin=Origin.USER, has_terminal=True)
    )

    def step(comment: str, name: str, command: str, **values: Any) -> Step:
        chosen = verb(name)
        answer = chosen.run(runtime, **{key: chosen.accept(key, value) for key, value in values.items()})
        return Step(comment, f"limpet {command}", name, answer, runtime.now())

    def said(comment: str, text: str) -> Step:
        return step(comment, "remember", f'remember "{text}"', text=text)

    try:
        yield said("Tell it what matters. Kind, impact and tags are inferred.", "Matt prefers short answers")
        first = said("", "The default port of the API is 8080")
        yield first
        yield said("Secrets never reach the disk.", f"Staging login is postgres://shop:{'hunter' + '2-Xq9'}@db/shop")
        yield said("", "Never run migrations by hand: the deploy job takes the lock")
        port = first.answer.memory.id
        better = "The default port of the API is 9090"
        corrected = step(
            "Correct a memory: the old version is kept.",
            "correct",
            f'correct {port[:14]} "{better}"',
            id=port,
            text=better,
        )
        yield corrected
        yield step(
            "Ask in your own words.",
            "recall",
            'recall "which port does the api use"',
            query="which port does the api use",
        )
        yield step(
            "Forget it. It stays in the journal and can be restored.", "forget", f"forget {port[:14]}", ids=[port]
        )
        yield step("Now nothing answers that question.", "recall", 'recall "default port"', query="default port")
        yield step("Everything that happened to it can be asked.", "blame", f"blame {port[:14]}", id=port)
        yield step("Journal, index and hash chain are checked byte by byte.", "verify", "verify")
        yield step("What is left, newest first.", "list", "list")
    finally:
        runtime.close()
        shutil.rmtree(folder, ignore_errors=True)


def to_json(steps: Iterator[Step], now: datetime) -> dict[str, Any]:
    return {
        "steps": [
            {"comment": step.comment, "command": step.command, "answer": verb(step.name).to_json(step.answer, step.now)}
            for step in steps
        ]
    }


VERB = Verb(run=run, to_json=to_json, alone=True, examples=("limpet demo",))
