"""A conversation that Claude Code has recorded, and what backfill notes of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.learning.sessions import Session, write
from tests.operations.sandbox import Sandbox

QUESTION = "The lockfile is one of pnpm, but the README says npm. Shall I always use pnpm in this repository?"
ANSWER = "Yes, always do that from now on, because CI has no npm."
RULE = "Always run make lint before you commit anything."
REQUEST = "The login test fails on CI, please find out why."
REPORT = "It failed because the package freezegun was missing; now it passes."
TALK = (REQUEST, REPORT, "Install it.", QUESTION, ANSWER, "Understood.", RULE, "I will.")


def converse(sandbox: Sandbox, *said: str, number: int = 1) -> Path:
    """Record a conversation, in which the user speaks first, and return its file."""
    return _record(sandbox.folder / "nobody" / ".claude", sandbox.project, said or TALK, number)


def _record(config: Path, project: Path, said: Sequence[str], number: int) -> Path:
    session = Session(number, project)
    for turn, text in enumerate(said):
        (session.says if turn % 2 else session.prompt)(text)
    return write(session, config)


def fill(sandbox: Sandbox, *said: str, number: int = 1) -> Path:
    """Record a conversation, learn from it, and return its file."""
    path = converse(sandbox, *said, number=number)
    sandbox.ms += 365 * 86_400_000
    sandbox.ask("backfill")
    return path


def before(sandbox: Sandbox) -> dict[str, str]:
    """Return who said what before each listed note, by the text of the note."""
    answer = sandbox.json("inbox")
    texts = {row["id"]: row["content"] for row in answer["memories"]}
    return {texts[id]: f"{found['by']}: {found['text']}" for id, found in answer["answered"].items()}
