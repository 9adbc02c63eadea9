"""Events of sessions, each marked by hand: worth keeping or not, and as which type.

`corpus/*.jsonl` holds one event or one session per line in a short form, with the events before it where they matter.
Half of the single events, chosen by hash, and all sessions were looked at while the rules were written. The other half
is only counted.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from limpet.capture.judge import Judgement, judge
from limpet.capture.state import SegmentState, decode_segment_state, encode_segment_state
from limpet.model.event import Action, Event, PromptSubmitted, ToolFinished, TurnEnded

CORPUS = Path(__file__).parent / "corpus"
START = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Marked:
    """An event with the mark whether it is worth keeping, and the events before it."""

    where: str
    event: dict[str, Any]
    keep: bool
    type: str | None = None
    before: list[dict[str, Any]] = field(default_factory=list)

    @property
    def unseen(self) -> bool:
        """Whether it belongs to the half that nobody looked at."""
        if self.where.startswith("sessions"):
            return False
        digest = hashlib.sha256(json.dumps(self.event, sort_keys=True, ensure_ascii=False).encode()).digest()
        return bool(digest[0] & 1)


def load_marked() -> Iterator[Marked]:
    """Yield every marked event of the corpus."""
    for path in sorted(CORPUS.glob("*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            row = json.loads(line)
            where = f"{path.name}:{number}"
            if "session" in row:
                yield from session_events(where, row["session"])
            else:
                yield Marked(where=where, **row)


def session_events(where: str, events: list[dict[str, Any]]) -> Iterator[Marked]:
    """Yield every event of a session, each with all that came before it."""
    before: list[dict[str, Any]] = []
    for number, each in enumerate(events):
        event = {name: value for name, value in each.items() if name not in ("keep", "type")}
        yield Marked(where=f"{where}/{number}", event=event, keep=each["keep"], type=each.get("type"), before=[*before])
        before.append(event)


def make_event(short: dict[str, Any], *, minute: int = 0, session: str = "s1") -> Event:
    """Return the event that a host would report."""
    at = START + timedelta(minutes=minute)
    out = short.get("out", "")
    if "prompt" in short:
        return PromptSubmitted(session=session, at=at, text=short["prompt"])
    if "said" in short:
        return TurnEnded(session=session, at=at, said=short["said"])
    common: dict[str, Any] = {"session": session, "at": at, "output": out, "failed": short.get("failed", False)}
    if "run" in short:
        line = " ".join(short["run"].split())
        return ToolFinished(tool="Bash", action=Action.RUN, input={"command": short["run"]}, command=line, **common)
    if "task" in short:
        return ToolFinished(tool=short["task"], action=Action.PLAN, input=short["input"], **common)
    if "read" in short:
        path = short["read"]
        return ToolFinished(tool="Read", action=Action.READ, input={"file_path": path}, files_read=(path,), **common)
    if "edit" in short:
        path, new = short["edit"], short["new"]
        given = {"file_path": path, "old_string": short["old"], "new_string": new}
        return ToolFinished(
            tool="Edit", action=Action.EDIT, input=given, files_modified=(path,), **{**common, "output": new}
        )
    if "write" in short:
        path, new = short["write"], short["new"]
        given = {"file_path": path, "content": new}
        return ToolFinished(
            tool="Write", action=Action.EDIT, input=given, files_modified=(path,), **{**common, "output": new}
        )
    return _make_other_event(short, common)


def _make_other_event(short: dict[str, Any], common: dict[str, Any]) -> Event:
    if "grep" in short:
        return ToolFinished(tool="Grep", action=Action.SEARCH, command=short["grep"], **common)
    if "fetch" in short:
        url = short["fetch"]
        return ToolFinished(tool="WebFetch", action=Action.FETCH, input={"url": url}, command=url, **common)
    if "search" in short:
        return ToolFinished(tool="WebSearch", action=Action.FETCH, command=short["search"], **common)
    if "mcp" in short:
        return ToolFinished(tool=short["mcp"], action=Action.OTHER, input=short.get("input", {}), **common)
    if "memory" in short:
        return ToolFinished(tool=short["memory"], action=Action.MEMORY, **common)
    if "ask" in short:
        return ToolFinished(tool="AskUserQuestion", action=Action.PLAN, **{**common, "output": short["ask"]})
    if "agent" in short:
        return ToolFinished(tool="Agent", action=Action.DELEGATE, command=short["agent"], **common)
    if "todo" in short:
        todos = [{"content": content, "status": status} for content, status in short["todo"]]
        return ToolFinished(tool="TodoWrite", action=Action.PLAN, input={"todos": todos}, **common)
    return ToolFinished(tool="ExitPlanMode", action=Action.PLAN, input={"plan": short["plan"]}, **common)


def judge_marked(each: Marked, novelty: Callable[[str], float] | None = None) -> Judgement:
    """Judge a marked event after those before it."""
    state = SegmentState()
    for minute, short in enumerate(each.before):
        state = judge(state, make_event(short, minute=minute), novelty=novelty).state
    return judge(state, make_event(each.event, minute=len(each.before)), novelty=novelty)


def judge_session(shorts: list[dict[str, Any]], *, through_json: bool = False) -> list[Judgement]:
    """Judge the events of a session one after the other, with the state encoded and decoded in between if asked."""
    state, found = SegmentState(), []
    for minute, short in enumerate(shorts):
        found.append(judge(state, make_event(short, minute=minute)))
        state = found[-1].state
        if through_json:
            state = decode_segment_state(json.loads(json.dumps(encode_segment_state(state))))
    return found


@functools.cache
def long_session() -> list[dict[str, Any]]:
    """Return one session made of a third of the corpus."""
    return [short for each in list(load_marked())[::3] for short in (*each.before, each.event)]


@functools.cache
def judge_long_session() -> list[Judgement]:
    """Judge the long session; this takes seconds, so that several tests share the outcome."""
    return judge_session(long_session())


@dataclass
class Tally:
    """Counters of what was judged right and wrong."""

    right: int = 0
    missed: int = 0
    junk: int = 0
    dropped: int = 0
    typed: int = 0
    mistakes: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + self.junk)

    @property
    def recall(self) -> float:
        return self.right / max(1, self.right + self.missed)

    @property
    def accuracy(self) -> float:
        return self.typed / max(1, self.right)


def tally(events: list[Marked], novelty: Callable[[str], float] | None = None) -> Tally:
    """Judge marked events and count the mistakes."""
    found = Tally()
    for each in events:
        result = judge_marked(each, novelty)
        kept = result.kept
        if each.keep and kept:
            found.right += 1
            if any(one.draft.type == each.type for one in kept):
                found.typed += 1
            else:
                found.mistakes.append(f"type   {each.where} {kept[0].draft.type} for {each.type}: {each.event}")
        elif each.keep:
            found.missed += 1
            found.mistakes.append(f"missed {each.where} {result.dropped}: {each.event}")
        elif kept:
            found.junk += 1
            found.mistakes.append(f"junk   {each.where} {kept[0].why} {kept[0].memorability}: {each.event}")
        else:
            found.dropped += 1
    return found
