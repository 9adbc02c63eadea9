"""Replay the history of real repositories, and measure what `limpet check` says about each commit.

For each commit some statements are made that are true of its parent: a memory that cites five lines of a file, one that
names a path, one that names a symbol. Half of them are about files that the commit changes. Git itself says what became
of them: whether a hunk touches the lines, whether the path is gone, whether the symbol is still found in the code. A
statement that git says is untouched must not be reported.

    python -m benchmarks.check GIT_DIRECTORY … [--commits N] [--show]

`--show` prints what is reported about the repository's own CLAUDE.md, AGENTS.md and the like, for a person to judge.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from limpet.clock import now
from limpet.insight.drift.difference import CODE, Difference
from limpet.insight.drift.examine import examine_instructions, examine_memories
from limpet.model.memory import Citation, Kind, Memory, Region, Type
from limpet.workspace.citations import hash_lines, split_lines
from limpet.workspace.objects import Objects
from limpet.workspace.trees import Tree, open_tree

SPAN = 5
EACH = 6
HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? ", re.MULTILINE)
SYMBOL = re.compile(
    r"^[ \t]*(?:def|class|function|export function|func|fn)[ \t]+([A-Za-z]\w*_\w+|[A-Za-z]+[A-Z]\w+)", re.MULTILINE
)


def git(folder: str, *arguments: str) -> str:
    done = subprocess.run(["git", f"--git-dir={folder}", *arguments], capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace")


def make_memory(text: str, *citations: Citation) -> Memory:
    return Memory(
        id="mem_" + "0" * 26,
        agent="anima",
        region=Region.PROJECT,
        kind=Kind.LEARNINGS,
        type=Type.DISCOVERY,
        content=text,
        original_content=text,
        citations=citations,
        created_at=now(),
        updated_at=now(),
    )


def make_statements(
    tree: Tree, paths: list[str], chance: random.Random
) -> Iterator[tuple[str, str, str | tuple[int, int], Memory]]:
    """Yield statements about files: what kind, which file, what exactly, and the memory that says it."""
    for path in paths:
        data = tree.read(path)
        if data is None or b"\0" in data:
            continue
        lines = split_lines(data)
        if len(lines) > 2 * SPAN:
            start = chance.randrange(1, len(lines) - SPAN)
            end = start + SPAN - 1
            citation = Citation(path=path, start=start, end=end, span_hash=hash_lines(lines, start, end))
            yield "lines", path, (start, end), make_memory("This part decides what happens next", citation)
        yield "path", path, path, make_memory(f"The way in is {path} for everybody")
        names = sorted(set(SYMBOL.findall(data.decode("utf-8", "replace"))))
        if names:
            name = chance.choice(names)
            yield "symbol", path, name, make_memory(f"The work is done by `{name}` alone")


def is_touched(folder: str, parent: str, commit: str, kind: str, path: str, what: str | tuple[int, int]) -> bool:
    """Tell what git says: whether a commit touches what a statement names."""
    if kind == "path":
        return not git(folder, "ls-tree", commit, "--", path).strip()
    if kind == "symbol":
        found = subprocess.run(
            ["git", f"--git-dir={folder}", "grep", "-qw", str(what), commit, "--", *(f"*{suffix}" for suffix in CODE)],
            capture_output=True,
        )
        return found.returncode == 1
    assert isinstance(what, tuple)
    start, end = what
    renamed = dict(
        line.split("\t")[1:]
        for line in git(folder, "diff", "-M", "--diff-filter=R", "--name-status", parent, commit).splitlines()
    )
    diff = git(folder, "diff", "-U0", "-M", parent, commit, "--", path, *([renamed[path]] if path in renamed else []))
    if "\ndeleted file mode" in diff:
        return True
    for first, count in HUNK.findall(diff):
        length = int(count) if count else 1
        # An insertion of lines is between two of them; inside the span it changes the span.
        low, high = (int(first), int(first) + length - 1) if length else (int(first) + 0.5, int(first) + 0.5)
        if low <= end and high >= start:
            return True
    return False


def replay(folder: str, commits: int, counts: Counter[tuple[str, bool, bool]], shown: list[str]) -> int:
    objects = Objects(folder)
    done = 0
    for line in git(folder, "rev-list", "--no-merges", f"--max-count={commits}", "--parents", "HEAD").splitlines():
        commit, *parents = line.split()
        base, head = (open_tree(objects, parents[0]) if parents else None), open_tree(objects, commit)
        if base is None or head is None:
            continue
        done += 1
        difference = Difference(base, head)
        chance = random.Random(commit)
        code = sorted(path for path, _ in base.walk() if path.endswith(CODE))
        changed = [each.path for each in difference.changes if each.before and each.path.endswith(CODE)]
        paths = chance.sample(code, min(EACH, len(code))) + chance.sample(changed, min(EACH, len(changed)))
        for kind, path, what, memory in make_statements(base, paths, chance):
            touched = is_touched(folder, parents[0], commit, kind, path, what)
            counts[kind, touched, bool(examine_memories([memory], difference))] += 1
        for each in examine_instructions(difference)[0]:
            shown.append(f"{commit[:10]} {each.path}:{each.line} {each.falsehood.why} | {each.text[:140]}")
    objects.close()
    return done


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repositories", nargs="+")
    parser.add_argument("--commits", type=int, default=100)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    counts: Counter[tuple[str, bool, bool]] = Counter()
    shown: list[str] = []
    for folder in options.repositories:
        done = replay(str(Path(folder).resolve()), options.commits, counts, shown)
        print(f"{folder}: {done} commits")
    print(f"{'statement':<10} {'untouched':>10} {'reported':>9} {'silent':>8}   {'touched':>8} {'reported':>9}")
    for kind in ("lines", "path", "symbol"):
        calm, alarms = counts[kind, False, False], counts[kind, False, True]
        missed, caught = counts[kind, True, False], counts[kind, True, True]
        share = f"{calm / (calm + alarms):.1%}" if calm + alarms else "–"
        print(f"{kind:<10} {calm + alarms:>10} {alarms:>9} {share:>8}   {missed + caught:>8} {caught:>9}")
    print(f"lines of instruction files reported: {len(shown)}")
    for line in shown if options.show else ():
        print(line)


if __name__ == "__main__":
    main()
