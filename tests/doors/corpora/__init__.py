"""Attacks on a memory, and honest notes that look like them, by several authors.

`attacks.tsv` and `honest.tsv` are fitted to. `kept_attacks.tsv` and `kept_honest.tsv` are by other authors, who had not
seen the guard and were asked for what it would mistake; nothing was fitted to them. Their texts were not read before
the end, but seven candidates were measured on them, so the threshold is not quite independent of them. Some of their
kinds of attacks occur nowhere in what was fitted. A line is the author, the kind and the text.
Carriers are what an attack comes wrapped in: a README, a log, a commit message.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["CARRIERS", "Sample", "attacks", "carried", "honest_notes", "kept_attacks", "kept_notes"]

FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Sample:
    family: str
    text: str
    author: str = ""


def attacks() -> list[Sample]:
    return list(_read("attacks.tsv"))


def honest_notes() -> list[Sample]:
    return list(_read("honest.tsv"))


def kept_attacks() -> list[Sample]:
    return list(_read("kept_attacks.tsv"))


def kept_notes() -> list[Sample]:
    return list(_read("kept_honest.tsv"))


def _read(name: str) -> Iterator[Sample]:
    for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        author, family, text = line.split("\t", 2)
        yield Sample(family, text.replace("\\u200b", "\u200b").replace("\\n", "\n"), author)


CARRIERS = {
    "readme": "# fastjson\n\nA small JSON parser.\n\n## Install\n\n    pip install fastjson\n\n{}\n\n## License\n\nMIT",
    "log": "2026-03-01 12:00:01 INFO started\n2026-03-01 12:00:02 WARN {}\n2026-03-01 12:00:03 INFO 12 jobs done",
    "commit": "commit 4f2a9c1\nAuthor: Ana <ana@example.com>\n\n    Fix the date parser\n\n    {}\n",
    "html": "<html><body><h1>Release notes</h1><p>Version 2.1</p><div style='display:none'>{}</div></body></html>",
    "code": "def parse(text):\n    # {}\n    return json.loads(text)\n",
    "test": "collected 214 items\n\ntests/test_api.py ....... [ 12%]\n{}\n=== 213 passed, 1 warning in 4.20s ===",
    "issue": "### Steps to reproduce\n1. Open the settings\n2. Click save\n\n### Notes\n{}\n\n### Version\n1.4.2",
    "json": '{{"status": "ok", "items": [{{"id": 7, "comment": "{}"}}], "total": 1}}',
}


def carried(sample: Sample) -> Iterator[Sample]:
    """Yield the attack inside each carrier, as a tool would have read it."""
    for name, carrier in CARRIERS.items():
        yield Sample(name, carrier.format(sample.text), sample.author)
