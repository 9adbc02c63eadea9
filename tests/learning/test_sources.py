"""A file of the queue as a source: the entries after a position, and the earlier ones if they are needed again."""

from __future__ import annotations

from pathlib import Path

from limpet.learning.sources import QueueSource, decode_entry
from limpet.model.event import PromptSubmitted
from limpet.queue import files as queue

NOW = 1_800_000_000_000


def fill(home: Path, *prompts: str) -> str:
    for number, prompt in enumerate(prompts):
        payload = {"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": prompt, "cwd": "/somewhere"}
        record = {"at": NOW + number, "host": "claude-code", "dir": "/work", "payload": payload}
        queue.append(str(home), "s", record, now_ms=NOW)
    return queue.name_of("s", NOW)


def prompts(source: QueueSource, *, earlier: bool = False) -> list[str]:
    entries = source.earlier_entries() if earlier else source
    return [entry.event.text for entry in entries if isinstance(entry.event, PromptSubmitted)]


def test_a_source_goes_on_where_another_one_stopped(home: Path) -> None:
    name = fill(home, "one", "two", "three")
    first = QueueSource(str(home), name)
    entries = iter(first)
    next(entries), next(entries)
    rest = QueueSource(str(home), name, first.cursor[name])
    assert prompts(rest) == ["three"]
    assert prompts(QueueSource(str(home), name, first.cursor[name]), earlier=True) == ["one", "two"]
    assert rest.cursor[name] == queue.size_of(str(home), name)


def test_an_entry_says_where_it_happened(home: Path) -> None:
    [entry] = QueueSource(str(home), fill(home, "one"))
    assert entry.folder == "/work"
    assert decode_entry({"at": NOW, "payload": {"cwd": "/somewhere"}}).folder == "/somewhere"


def test_a_record_of_another_form_has_no_event() -> None:
    for record in ({}, {"payload": 5, "at": NOW}, {"payload": {}, "at": "today"}):
        assert decode_entry(record).event is None
