"""A short tour in a temporary home: a session that is learnt from, then the verbs, all with their real answers."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from limpet.model.memory import Origin
from limpet.operations import demo_session
from limpet.operations.catalogue import Param, Verb, verb
from limpet.operations.demo_session import Scene, Watch
from limpet.runtime import Caller, open_runtime


class Step(NamedTuple):
    comment: str
    command: str
    name: str
    answer: Any
    now: datetime


def run(part: str | None = None) -> Iterator[Step | Scene]:
    """All of it, or the session alone."""
    folder = tempfile.mkdtemp(prefix="limpet-demo-")
    project = os.path.join(folder, "shop")
    os.mkdir(project)
    watch = Watch()
    runtime = open_runtime(
        home=os.path.join(folder, "home"),
        cwd=project,
        caller=Caller(origin=Origin.USER, has_terminal=True),
        now_ms=watch.now_ms,
    )

    def step(comment: str, name: str, command: str, **values: Any) -> Step:
        chosen = verb(name)
        answer = chosen.run(runtime, **{key: chosen.accept(key, value) for key, value in values.items()})
        return Step(comment, f"limpet {command}", name, answer, runtime.now())

    try:
        yield from demo_session.play(runtime, watch, step)
        if part is None:
            yield from _verbs(step)
    finally:
        runtime.close()
        shutil.rmtree(folder, ignore_errors=True)


def _verbs(step: Callable[..., Step]) -> Iterator[Step]:
    login = f"Staging login is postgres://shop:{'hunter' + '2-Xq9'}@db/shop"
    yield step(
        "Tell it something yourself. Secrets never reach the disk.", "remember", f'remember "{login}"', text=login
    )
    question = "should I use pip"
    yield step("Ask in your own words.", "recall", f'recall -n 1 "{question}"', query=question, limit=1)
    yield step("Journal, index and hash chain are checked byte by byte.", "verify", "verify")


def to_json(steps: Iterator[Step | Scene], now: datetime) -> dict[str, Any]:
    return {"steps": [demo_session.to_json(step) if isinstance(step, Scene) else _encoded(step) for step in steps]}


def _encoded(step: Step) -> dict[str, Any]:
    answer = verb(step.name).to_json(step.answer, step.now)
    return {"comment": step.comment, "command": step.command, "answer": answer}


VERB = Verb(
    run=run,
    to_json=to_json,
    params=(
        Param(
            name="part",
            help="Only this part: a session, and what the next one is told.",
            kind="choice",
            choices=("session",),
            positional=True,
        ),
    ),
    opens_own_store=True,
    examples=("limpet demo", "limpet demo session"),
)
