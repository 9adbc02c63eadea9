"""Killed at any step of settling, an app has its ten memories, and the conversation is settled exactly once."""

from __future__ import annotations

import json
import random
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from limpet.store.journal.segments import list_segments, path_of
from tests.apps.talking import statement
from tests.faults import scale
from tests.faults.processes import Child, Nursery, limpet, load_checked
from tests.llm.scripted import Said, Server, serve

STEPS = (
    "begins",
    "asks for a memory",
    "has a memory",
    "asks what makes space",
    "knows what makes space",
    "has begun to write",
    "has written",
)


class Endpoint:
    """A scripted endpoint that answers well, and says what it was asked and has answered."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.asked = {name: threading.Event() for name in ("memory", "space")}
        self.answered = {name: threading.Event() for name in ("memory", "space")}
        self.held: str | None = None
        """What is not answered."""
        server.script = self._answer

    def reset(self, held: str | None) -> None:
        self.held = held
        for event in (*self.asked.values(), *self.answered.values()):
            event.clear()

    def _answer(self, form: str, body: dict[str, Any]) -> Said:
        text = body["messages"][1]["content"]
        name = "memory" if "<conversation>" in text else "space"
        self.asked[name].set()
        if self.held == name:
            return Said("never", pause=30.0)
        self.answered[name].set()
        if name == "memory":
            said = text.partition("person: ")[2].partition("\n")[0]
            return Said(json.dumps({"memory": said, "importance": 5, "tags": []}))
        choice = {"action": "delete", "targetMemoryId": "m4", "withMemoryId": "", "newContent": "", "reason": "old"}
        return Said(json.dumps(choice))


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    with serve() as server:
        given = {"PROVIDER": "openai", "URL": server.url, "MODEL": "small", "DAILY_TOKENS": "10000000"}
        for name, value in given.items():
            monkeypatch.setenv(f"LIMPET_LLM__{name}", value)
        monkeypatch.setenv("LIMPET_APPS__MODEL_SHARE", "1000000")
        yield Endpoint(server)


def apps(*words: str) -> Any:
    done = limpet("apps", *words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def talk(app: str, text: str, *options: str) -> str:
    """Hold a conversation of one message, end it, and return its id."""
    id = str(apps("converse", app, text)["conversation"])
    apps("end", app, id, *options)
    return id


def texts(app: str) -> list[str]:
    return sorted(each["content"] for each in apps("memories", app)["memories"])


def journal(home: str) -> bytes:
    """Return the journal without the receipts, which are written as soon as a model has answered."""
    names = sorted(name for name, _, _ in list_segments(home))
    kept = [name for name in names if not name.rpartition("/")[2].startswith("r")]
    return b"".join(Path(path_of(home, name)).read_bytes() for name in kept)


def kill_at(step: str, child: Child, home: str, endpoint: Endpoint, delay: float) -> None:
    """Kill a process that settles, once it has come to a step."""
    size = len(journal(home))

    def wait_until(happened: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 30
        while not happened() and not child.has_said() and time.monotonic() < deadline:
            time.sleep(0.0005)

    match step:
        case "asks for a memory":
            wait_until(endpoint.asked["memory"].is_set)
        case "has a memory":
            wait_until(endpoint.answered["memory"].is_set)
        case "asks what makes space":
            wait_until(endpoint.asked["space"].is_set)
        case "knows what makes space":
            wait_until(endpoint.answered["space"].is_set)
        case "has begun to write":
            wait_until(lambda: len(journal(home)) > size)
        case "has written":
            wait_until(lambda: b'"settled"' in journal(home)[size:])
    time.sleep(delay)
    child.kill_after(0)


def test_a_process_killed_at_any_step_of_settling_leaves_ten_memories_and_settles_once(
    home: str, nursery: Nursery, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch, measured: Callable[[str], None]
) -> None:
    for app in ("calendar", "mail"):
        apps("register", app)
    for number in range(10):
        talk("calendar", statement(number))
    for number in range(3):
        talk("mail", statement(number + 20))
    eleventh = talk("calendar", statement(10), "--later")
    before, old, others = f"{home}-before", texts("calendar"), texts("mail")
    shutil.copytree(home, before)
    expected = sorted(statement(number) for number in range(11) if number != 3)
    chance = random.Random("kills of settling")
    unsettled = 0
    for cycle in range(scale.KILLS_OF_SETTLING):
        step = STEPS[cycle % len(STEPS)]
        place = f"{home}-{cycle}"
        shutil.copytree(before, place)
        monkeypatch.setenv("LIMPET_HOME", place)
        held = {"asks for a memory": "memory", "asks what makes space": "space"}.get(step)
        endpoint.reset(held)
        kill_at(step, nursery.command("apps", "work"), place, endpoint, chance.choice((0, 0, 0.002, 0.02)))
        endpoint.reset(None)
        was_settled = b'"settled"' in journal(place)[len(journal(before)) :]
        unsettled += not was_settled
        assert texts("calendar") == (expected if was_settled else old), step
        for _ in range(2):
            apps("work")
        assert texts("calendar") == expected and texts("mail") == others, step
        settled = [line for line in journal(place).splitlines() if eleventh.encode() in line and b'"settled"' in line]
        assert len(settled) == 1, step
        (conversation,) = (
            each for each in apps("conversations", "calendar")["conversations"] if each["id"] == eleventh
        )
        assert conversation["settled"] and conversation["memory"]
        load_checked(place)
        shutil.rmtree(place)
    assert 4 <= unsettled < scale.KILLS_OF_SETTLING
    measured(
        f"settling: {scale.KILLS_OF_SETTLING} kills at {len(STEPS)} steps, {unsettled} before it was written, "
        "10 memories each time, settled once"
    )
