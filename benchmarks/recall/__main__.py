"""`python -m benchmarks.recall [FILE …]`: our coding set, and any LongMemEval or LoCoMo files that are given."""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path

from benchmarks.recall import conversations
from benchmarks.recall.sets import load

HERE = Path(__file__).parent
SHARED = HERE.parents[2] / "shared" / "bench"


def main(arguments: list[str]) -> None:
    most = int(arguments.pop(0).removeprefix("--first=")) if arguments and arguments[0].startswith("--first=") else None
    files = [Path(argument) for argument in arguments] or sorted(SHARED.glob("*.json*"))
    if (HERE / "coding" / "questions.jsonl").exists() and not arguments:
        from benchmarks.recall import coding

        coding.run(HERE / "coding")
    for path in files:
        print(f"\n{path.name}")
        conversations.run(islice(load(path), most))


if __name__ == "__main__":
    main(sys.argv[1:])
