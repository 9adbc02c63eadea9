"""Count the files and hops that four everyday requests take through the package.

A hop is a call from one file of the package into another. A reader who follows a request in the code turns as many
pages, so both numbers should stay small. Each request runs once before it is measured, so that imports do not count.

    python -m benchmarks.walks [--hops REQUEST]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import limpet
from limpet import Limpet, clock
from limpet.hooks.answer import answer
from limpet.learning.worker import learn_from_queue
from limpet.queue import files as queue
from limpet.queue.tidy import tidy_payload
from limpet.runtime import open_runtime

PACKAGE = os.path.dirname(limpet.__file__) + os.sep
RULES = (
    "From now on always run the linter with --fix before committing, because CI fails otherwise.",
    "From now on never deploy on Fridays, since nobody is around at the weekend to watch the dashboards.",
)
NOTES = (
    "Use pnpm in the web folder, npm breaks the lock file",
    "The staging database is called heron-7 and resets every night",
)


class Walk:
    """The files that were entered and the hops between them."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.hops: Counter[tuple[str, str]] = Counter()

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        file = frame.f_code.co_filename
        if event != "call" or not file.startswith(PACKAGE):
            return
        self.files.add(file)
        caller = frame.f_back
        while caller is not None and not caller.f_code.co_filename.startswith(PACKAGE):
            caller = caller.f_back
        origin = caller.f_code.co_filename if caller else ""
        if origin != file:
            self.hops[origin.removeprefix(PACKAGE), file.removeprefix(PACKAGE)] += 1


def measure(request: Callable[[int], object]) -> Walk:
    """Run a request twice and return the walk of the second time."""
    request(0)
    walk = Walk()
    sys.setprofile(walk)
    try:
        request(1)
    finally:
        sys.setprofile(None)
    return walk


def requests(home: str, project: str) -> dict[str, Callable[[int], object]]:
    """Return the requests by name; each takes the number of the run."""

    def remember(run: int) -> None:
        with Limpet(home=home, cwd=project) as memory:
            memory.remember(NOTES[run])

    def recall(run: int) -> None:
        with Limpet(home=home, cwd=project) as memory:
            memory.recall("how do migrations run")

    def start(run: int) -> None:
        payload = {"session_id": f"start{run}", "cwd": project, "source": "startup"}
        assert answer(payload | {"hook_event_name": "SessionStart"}, "SessionStart", "claude-code")

    def learn(run: int) -> None:
        payload = {"session_id": "s", "cwd": project, "hook_event_name": "UserPromptSubmit", "prompt": RULES[run]}
        now = clock.now_ms()
        record = {"at": now, "host": "claude-code", "dir": project, "payload": tidy_payload(payload)}
        queue.append(home, "s", record, now_ms=now)
        runtime = open_runtime(home=home, cwd=project)
        assert learn_from_queue(runtime.context()).kept == 1
        runtime.close()

    return {"remember": remember, "recall": recall, "session start": start, "queue to memory": learn}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hops", help="list the hops of this request")
    asked = parser.parse_args().hops
    with tempfile.TemporaryDirectory() as folder:
        home, project = os.path.join(folder, "home"), os.path.join(folder, "project")
        Path(project).mkdir()
        os.environ["LIMPET_HOME"] = home
        with Limpet(home=home, cwd=project) as memory:
            memory.remember("Migrations run with alembic, never by hand")
        print(f"{'request':<16} {'files':>5} {'hops':>5}")
        for name, request in requests(home, project).items():
            walk = measure(request)
            print(f"{name:<16} {len(walk.files):>5} {walk.hops.total():>5}")
            for (origin, file), count in walk.hops.most_common() if name == asked else ():
                print(f"  {count:>4}  {origin or 'outside'} -> {file}")


if __name__ == "__main__":
    main()
