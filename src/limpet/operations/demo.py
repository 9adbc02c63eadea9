"""Show a short tour in a temporary home: a simulated session, then some verbs with their real answers."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from typing import Any, NamedTuple

from limpet.model.memory import Origin
from limpet.operations import demo_session
from limpet.operations.catalogue import Param, Verb, load_verb
from limpet.operations.demo_session import DemoClock, Scene
from limpet.runtime import Caller, open_runtime
from limpet.runtime.identity import TERMINAL


class TourStep(NamedTuple):
    """A verb that the tour has run, with its command line, its answer, and a comment for the user."""

    comment: str
    command: str
    name: str
    answer: Any


def run(part: str | None = None) -> Iterator[TourStep | Scene]:
    """Yield the steps and scenes of the tour; if `part` is `session`, only those about the simulated session."""
    folder = tempfile.mkdtemp(prefix="limpet-demo-")
    project = os.path.join(folder, "shop")
    os.mkdir(project)
    clock = DemoClock()
    runtime = open_runtime(
        home=os.path.join(folder, "home"),
        cwd=project,
        caller=Caller(origin=Origin.USER, proof=TERMINAL),
        now_ms=clock.now_ms,
    )

    def step(comment: str, name: str, command: str, **values: Any) -> TourStep:
        chosen = load_verb(name)
        return TourStep(comment, f"limpet {command}", name, chosen.run(runtime, **chosen.accept(values)))

    try:
        yield from demo_session.play(runtime, clock, step)
        if part is None:
            login = f"Staging login is postgres://shop:{'hunter' + '2-Xq9'}@db/shop"
            yield step(
                "Store something yourself. Secrets never reach the disk.", "remember", f'remember "{login}"', text=login
            )
            question = "should I use pip"
            yield step("Ask in your own words.", "recall", f'recall -n 1 "{question}"', query=question, limit=1)
            yield step("Check journal, index and hash chain byte by byte.", "verify", "verify")
    finally:
        runtime.close()
        shutil.rmtree(folder, ignore_errors=True)


def shape(steps: Iterator[TourStep | Scene]) -> dict[str, Any]:
    return {
        "steps": [
            demo_session.shape_scene(step)
            if isinstance(step, Scene)
            else {"comment": step.comment, "command": step.command, "answer": load_verb(step.name).shape(step.answer)}
            for step in steps
        ]
    }


VERB = Verb(
    run=run,
    shape=shape,
    params=(
        Param(
            name="part",
            help="Only this part: a session, and what the next session is given.",
            kind="choice",
            choices=("session",),
            positional=True,
        ),
    ),
    opens_own_store=True,
    examples=("limpet demo", "limpet demo session"),
)
