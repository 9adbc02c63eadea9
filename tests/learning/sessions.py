"""Sessions like the recorded ones, as many as wanted: each is made from its number alone, so it is always the same.

A session has prompts, commands that fail and then pass, decisions, edits, commits, and now and then a sub-agent, a
compaction, or a secret that slipped into an output.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

BEGIN = datetime(2026, 2, 1, 9, tzinfo=UTC)
SECRET = "sk-ant-api03-" + "Qx7Zp2Lm9Rt4Vb8Nc3Wd6" * 4

TOPICS = ("login", "importer", "invoice", "search", "cache", "billing", "export", "calendar", "mailer", "session")
TOOLS = ("pnpm", "uv", "ruff", "vitest", "poetry", "cargo", "esbuild", "docker", "terraform", "bazel")
PACKAGES = ("freezegun", "httpx", "pydantic", "lxml", "tzdata", "redis", "psycopg", "numpy", "orjson", "pillow")
REASONS = (
    "because the old one is too slow on CI",
    "since two people have broken it twice",
    "because the customer needs it offline",
    "since its licence does not fit",
    "because start-up counts",
)


class Session:
    """The records of one session."""

    def __init__(self, number: int, project: Path) -> None:
        self.number, self.project = number, project
        self.id = f"{number:08x}-1111-4222-8333-{number:012x}"
        self.random = random.Random(number)
        self.at = BEGIN + timedelta(hours=7 * number)
        self.calls = 0
        self.records: list[dict[str, Any]] = []

    def record(self, kind: str, content: Any, **more: Any) -> None:
        self.at += timedelta(seconds=self.random.randint(2, 40))
        self.records.append(
            {
                "parentUuid": None,
                "isSidechain": False,
                "type": kind,
                "message": {"role": kind, "id": f"msg_{len(self.records)}", "content": content},
                "uuid": f"{self.id}-{len(self.records)}",
                "timestamp": self.at.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
                "cwd": str(self.project),
                "sessionId": self.id,
                "gitBranch": "main",
                **more,
            }
        )

    def prompt(self, text: str) -> None:
        self.record("user", text)

    def says(self, text: str) -> None:
        self.record("assistant", [{"type": "text", "text": text}])

    def tool(self, name: str, given: dict[str, Any], answer: str, *, failed: bool = False, **more: Any) -> None:
        self.calls += 1
        id = f"toolu_{self.number}_{self.calls}"
        self.record("assistant", [{"type": "tool_use", "id": id, "name": name, "input": given}], **more)
        block = {"type": "tool_result", "tool_use_id": id, "content": answer, "is_error": failed}
        self.record("user", [block], **more)

    def run(self, command: str, answer: str, *, failed: bool = False, **more: Any) -> None:
        said = f"Exit code 1\n{answer}" if failed else answer
        self.tool("Bash", {"command": command}, said, failed=failed, **more)

    def compacted(self, text: str) -> None:
        self.record("user", text, isCompactSummary=True, isVisibleInTranscriptOnly=True)


def story(session: Session) -> None:
    """Write a day's work: one task or several, each in different words."""
    for task in range(session.random.choice((1, 1, 2, 3, 8))):
        _task(session, session.number * 10 + task)


def _task(session: Session, number: int) -> None:
    pick = session.random
    topic, tool, package = pick.choice(TOPICS), pick.choice(TOOLS), pick.choice(PACKAGES)
    file = f"{session.project}/src/{topic}_{number}.py"
    session.prompt(f"The {topic} test of module {number} fails on CI, please find out why and fix it.")
    session.run("git status", "nothing to commit, working tree clean")
    test = f"pytest tests/test_{topic}_{number}.py"
    error = f"E   ModuleNotFoundError: No module named '{package}{number}'\n1 failed in 0.{number % 90 + 10}s"
    session.run(test, error, failed=True)
    session.tool(
        "Read", {"file_path": file}, f"def {topic}_{number}(value):\n    return value\n" * pick.randint(5, 400)
    )
    session.run(f"pip install {package}{number}", f"Successfully installed {package}{number}")
    session.run(test, f"{pick.randint(2, 40)} passed in 1.2s")
    for turn in range(pick.randint(2, 12)):
        session.tool("Edit", {"file_path": file, "old_string": "1", "new_string": f"{turn}"}, "The file was updated.")
        session.run(test, f"{turn + 3} passed in 0.3s")
    session.says(f"The {topic} test of module {number} failed as {package}{number} was not installed; now it passes.")
    reason = pick.choice(REASONS)
    session.prompt(f"From now on always use {tool} for the {topic} module number {number}, {reason}.")
    if number % 4 == 0:
        session.compacted(f"Summary: the {topic} test was mended by installing {package}{number}.")
    if number % 5 == 0:
        session.run("env", f"HOME=/home/dev\nANTHROPIC_API_KEY={SECRET}\n")
        session.prompt(f"Remember that the key for the {topic} service is {SECRET}, do not print it.")
    message = f"Use {tool} for {topic} {number}\n\nThe old way did not work {reason}."
    session.run(f"git commit -am '{message}'", f"[main {number:07x}] Use {tool} for {topic} {number}")
    session.says(f"Done: {topic} number {number} now uses {tool}.")


def write(session: Session, config: Path) -> Path:
    """Write the session where Claude Code keeps it and return its file."""
    folder = config / "projects" / str(session.project).replace(os.sep, "-")
    path = folder / f"{session.id}.jsonl"
    _save(path, session.records, session.at)
    return path


def _save(path: Path, records: list[dict[str, Any]], at: datetime) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(each, separators=(",", ":")) + "\n" for each in records)
    path.write_text(text, encoding="utf-8")
    os.utime(path, (at.timestamp(), at.timestamp()))


def subagent(session: Session, config: Path) -> Path:
    """Write a sub-agent of the session, in a separate file."""
    name = f"a{session.number:015x}"
    helper = Session(session.number, session.project)
    helper.at = BEGIN + timedelta(hours=7 * session.number, seconds=30)
    sub: dict[str, Any] = {"isSidechain": True, "agentId": name}
    helper.calls = 1000
    helper.record("user", "Look for every use of the old mailer", **sub)
    check = f"mypy src/module_{session.number}.py"
    wrong = f"error: Name 'Mailer{session.number}' is not defined  [name-defined]"
    helper.run(check, f"src/module_{session.number}.py:4: {wrong}", failed=True, **sub)
    fix = {"file_path": f"{session.project}/src/module_{session.number}.py", "old_string": "a", "new_string": "b"}
    helper.tool("Edit", fix, "The file was updated.", **sub)
    helper.run(check, "Success: no issues found in 1 source file", **sub)
    folder = config / "projects" / str(session.project).replace(os.sep, "-") / session.id / "subagents"
    path = folder / f"agent-{name}.jsonl"
    _save(path, helper.records, helper.at)
    return path


def make(config: Path, projects: list[Path], count: int, *, first: int = 0) -> list[Session]:
    """Write `count` sessions, in turn in each of the projects."""
    made = []
    for number in range(first, first + count):
        session = Session(number, projects[number % len(projects)])
        story(session)
        write(session, config)
        if number % 3 == 1:
            subagent(session, config)
        made.append(session)
    return made


def endless(session: Session, size: int) -> Iterator[str]:
    """Yield the lines of a session until it has this many bytes: mostly output that nobody reads again."""
    written = 0
    while written < size:
        session.records.clear()
        number = session.calls
        session.prompt(f"Now look at part {number} of the log and tell what stands out.")
        for part in range(8):
            session.run(f"sed -n {number},{part}p build.log", f"{number} {part} compiled without a word\n" * 6_000)
        session.run(f"make part{number}", f"make: *** [part{number}] Error {number}", failed=True)
        session.run(f"make part{number}", "ok")
        session.says(f"Part {number} failed as its folder was missing; a second run passes.")
        for record in session.records:
            line = json.dumps(record, separators=(",", ":")) + "\n"
            written += len(line)
            yield line
