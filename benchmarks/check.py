"""Replay the history of real repositories, and measure what `limpet check` says about each commit.

For each commit some statements are made that are true of its parent: a memory that cites five lines of a file, one that
names a path, one that names a symbol, one that names a version, one that names a command. Half of the first three are
about files that the commit changes. Git itself says what became of them: whether a hunk touches the lines, whether the
path is gone, whether the symbol is still found in the code. Versions and commands are read from the manifests of both
commits, here and without the code under test: a version is untouched as long as one manifest still has it. A statement
that is untouched must not be reported.

    python -m benchmarks.check GIT_DIRECTORY … [--commits N] [--manifests] [--show]

`--manifests` replays only commits that change a manifest, which are rare among all commits.

`--show` prints what is reported about the repository's own CLAUDE.md, AGENTS.md and the like, and each version and
command on which check and manifests differ, for a person to judge.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import re
import subprocess
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
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

MANIFESTS = (":(glob)**/package.json", ":(glob)**/pyproject.toml", "Makefile", ":(glob)**/requirements*.txt")
REQUIREMENTS = re.compile(r"requirements[\w-]*\.txt")
TARGET = re.compile(r"^([a-z][\w-]*):(?!=)", re.MULTILINE)
PIN = re.compile(r"^([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?\s*(?:==|~=|>=)\s*([0-9][\w.]*)", re.MULTILINE)
NUMBER = re.compile(r"\d+(?:\.\d+){0,3}")
VERSIONS = (
    "We use {package} {version} here",
    "{package} is pinned to {package}=={version} for everybody",
    "The build needs {package} v{version} or it stops",
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


def read_manifests(folder: str, commit: str) -> tuple[set[tuple[str, str]], set[str]]:
    """Return the versions that the manifests of a commit pin, and the commands that can be run at its root."""
    versions: set[tuple[str, str]] = set()
    commands: set[str] = set()
    for path in git(folder, "ls-tree", "-r", "--name-only", commit).splitlines():
        name = path.rpartition("/")[2]
        if name not in ("package.json", "pyproject.toml", "Makefile") and not REQUIREMENTS.fullmatch(name):
            continue
        text = git(folder, "show", f"{commit}:{path}")
        pins: list[tuple[str, str]] = []
        with contextlib.suppress(ValueError, AttributeError, TypeError):
            if name == "package.json":
                data = json.loads(text)
                parts = ("dependencies", "devDependencies", "peerDependencies", "engines")
                pins = [pin for part in parts for pin in data.get(part, {}).items()]
                commands |= {f"npm run {script}" for script in data.get("scripts", {})} if path == name else set()
            elif name == "Makefile":
                commands |= {f"make {each}" for each in TARGET.findall(text)} if path == name else set()
            elif name == "pyproject.toml":
                data = tomllib.loads(text)
                project = data.get("project", {})
                extras = (
                    *project.get("optional-dependencies", {}).values(),
                    *data.get("dependency-groups", {}).values(),
                )
                listed = [each for pins in (project.get("dependencies", ()), *extras) for each in pins]
                pins = [found for each in listed if isinstance(each, str) for found in PIN.findall(each)]
                pins.append(("python", project.get("requires-python", "")))
            else:
                pins = PIN.findall(text)
        for package, wanted in pins:
            number = NUMBER.search(wanted)
            if number is not None:
                versions.add((package.lower(), number[0]))
    return versions, commands


def state_manifests(folder: str, parent: str, commit: str, chance: random.Random) -> Iterator[tuple[str, bool, Memory]]:
    """Yield statements about versions and commands of the parent, and whether the commit touches what they say."""
    (old, runs), (new, still) = read_manifests(folder, parent), read_manifests(folder, commit)
    for versions, is_gone in ((sorted(old & new), False), (sorted(old - new), True)):
        for package, version in chance.sample(versions, min(EACH, len(versions))):
            text = chance.choice(VERSIONS).format(package=package, version=version)
            yield "version", is_gone, make_memory(text)
            short = version.partition(".")[0]
            if is_gone and any(name == package and each.partition(".")[0] == short for name, each in new):
                yield "version", False, make_memory(f"Here we build on {package} {short} only")
    for names, is_gone in ((sorted(runs & still), False), (sorted(runs - still), True)):
        for command in chance.sample(names, min(EACH, len(names))):
            yield "command", is_gone, make_memory(f"Before a push, run `{command}` and read what it says")


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


def replay(
    folder: str, commits: int, counts: Counter[tuple[str, bool, bool]], shown: list[str], *, only: Sequence[str] = ()
) -> int:
    objects = Objects(folder)
    done = 0
    chosen = git(folder, "rev-list", "--no-merges", f"--max-count={commits}", "HEAD", "--", *only)
    for line in git(folder, "rev-list", "--no-walk", "--parents", *chosen.split()).splitlines():
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
        for kind, touched, memory in state_manifests(folder, parents[0], commit, chance):
            found = examine_memories([memory], difference)
            counts[kind, touched, bool(found)] += 1
            if bool(found) != touched:
                shown.append(f"{commit[:10]} {kind} touched={touched} | {memory.content}")
        for each in examine_instructions(difference)[0]:
            shown.append(f"{commit[:10]} {each.path}:{each.line} {each.falsehood.why} | {each.text[:140]}")
    objects.close()
    return done


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repositories", nargs="+")
    parser.add_argument("--commits", type=int, default=100)
    parser.add_argument("--manifests", action="store_true")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    counts: Counter[tuple[str, bool, bool]] = Counter()
    shown: list[str] = []
    for folder in options.repositories:
        only = MANIFESTS if options.manifests else ()
        done = replay(str(Path(folder).resolve()), options.commits, counts, shown, only=only)
        print(f"{folder}: {done} commits")
    print(f"{'statement':<10} {'untouched':>10} {'reported':>9} {'silent':>8}   {'touched':>8} {'reported':>9}")
    for kind in ("lines", "path", "symbol", "version", "command"):
        calm, alarms = counts[kind, False, False], counts[kind, False, True]
        missed, caught = counts[kind, True, False], counts[kind, True, True]
        share = f"{calm / (calm + alarms):.1%}" if calm + alarms else "–"
        print(f"{kind:<10} {calm + alarms:>10} {alarms:>9} {share:>8}   {missed + caught:>8} {caught:>9}")
    print(f"lines of instruction files reported, and versions and commands judged otherwise: {len(shown)}")
    for line in shown if options.show else ():
        print(line)


if __name__ == "__main__":
    main()
