"""Check the pages against the program: run every transcript again, follow every link, look for banned words.

A transcript is a `console` block: lines after `$ ` are commands, the others are what they print on a terminal. The
transcripts of one page are one story, run in order in one temporary home. Ids, dates and scores differ at every run, so
they are compared by their order: the same id in the page must be the same id in the output. A line that is just `…`
stands for any lines. `# press k, q` after a command names the keys that are pressed. A `python` block is run as a
program; a `text` block right after it is its output.

`python -m tests.test_docs` writes what the commands print today into the pages and keeps the ids of the pages.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
YOU = "/home/you"
PYTHON = "/usr/bin/python3"

PAGES = sorted(path for path in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")))
STORIES = [path for path in PAGES if "```console" in path.read_text(encoding="utf-8")]
DECISIONS = sorted((ROOT / "docs" / "explanation" / "decisions").glob("*.md"))

GAP = re.compile(r"(?m)^ *…\n?")
PRESS = re.compile(r"# press (\w(?:, \w)*)$")
STYLE = re.compile(r"\x1b\[[0-9;]*m")
ID = re.compile(r"\b(?:(?:mem|fact|prj|file)_[0-9a-z]{6,26}|d[0-9a-f]{12})\b")
# What differs between two runs without meaning anything, and what it is called in a comparison.
VARIABLE = (
    (re.compile(r"\bpython +\d+\.\d+\.\d+.*"), "python"),
    (re.compile(r"\b\d{8}T\d{6}\b"), "STAMP"),
    (re.compile(r"\b\d{4}-\d\d-\d\d(?: \d\d:\d\d(?::\d\d)?)?"), "DATE"),
    (re.compile(r"\b\d+\.\d+\.\d+\b"), "VERSION"),
    (re.compile(r"\b[0-9a-f]{16}\b"), "KEY"),
    (re.compile(r"\b[01]\.\d\d\b"), "SCORE"),
    (re.compile(r"\b\d+(?:\.\d)? (?:B|kB|MB)\b"), "SIZE"),
    # The number of tokens of an id depends on its letters.
    (re.compile(r"\b\d+ tokens\b"), "TOKENS"),
)


class Block(NamedTuple):
    language: str
    text: str
    start: int
    """Where the text begins in the page."""


class Step(NamedTuple):
    command: str
    output: str


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def blocks(page: str) -> list[Block]:
    return [Block(found[1], found[2], found.start(2)) for found in re.finditer(r"(?ms)^```(\w*)\n(.*?)^```$", page)]


def steps(block: str) -> list[Step]:
    parts = re.split(r"(?m)^\$ (.*)\n", block)
    assert not parts[0], f"a transcript begins with a command, not with {parts[0]!r}"
    return [Step(command, output) for command, output in zip(parts[1::2], parts[2::2], strict=True)]


class Ids:
    """Ids numbered in order of appearance, so that two runs can be compared; a prefix of an id counts as that id."""

    def __init__(self) -> None:
        self.known: list[str] = []

    def number(self, text: str) -> int:
        for number, known in enumerate(self.known):
            if known.startswith(text):
                return number
        self.known.append(text)
        return len(self.known) - 1

    def compared(self, text: str) -> str:
        text = ID.sub(lambda found: f"ID-{self.number(found[0])}", text)
        for pattern, name in VARIABLE:
            text = pattern.sub(name, text)
        return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())

    def translated(self, text: str, into: Ids) -> str:
        """Return the text with each id replaced by the one at its position in `into`, cut to the same length."""

        def other(found: re.Match[str]) -> str:
            number = self.number(found[0])
            return into.known[number][: len(found[0])] if number < len(into.known) else found[0]

        return ID.sub(other, text)


class Machine:
    """A home, a project folder and a terminal, all of them new."""

    def __init__(self, folder: str) -> None:
        self.home = os.path.realpath(folder)
        self.folder = os.path.join(self.home, "shop")
        os.mkdir(self.folder)
        binaries = os.path.join(self.home, ".bin")
        os.mkdir(binaries)
        command = os.path.join(binaries, "limpet")
        Path(command).write_text(f'#!/bin/sh\nexec "{sys.executable}" -m limpet "$@"\n', encoding="utf-8")
        os.chmod(command, 0o700)
        self.environment = {
            "PATH": os.pathsep.join((binaries, os.path.dirname(sys.executable), *_folders_without_agents())),
            "HOME": self.home,
            "PYTHONPATH": str(ROOT / "src"),
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "TERM": "xterm",
            "NO_COLOR": "1",
            # The lines would break elsewhere in another folder.
            "COLUMNS": "1000",
            "GIT_CONFIG_GLOBAL": os.devnull,
        }

    def shell(self, command: str) -> str:
        """Return what the command prints on a terminal; a `cd` stays in effect."""
        import pty
        import termios

        place = os.path.join(self.home, ".place")
        ours, theirs = pty.openpty()
        modes = termios.tcgetattr(theirs)
        modes[1] &= ~termios.OPOST
        modes[3] &= ~termios.ECHO
        termios.tcsetattr(theirs, termios.TCSANOW, modes)
        process = subprocess.Popen(
            ["sh", "-c", f"{command}\npwd > '{place}'"],
            cwd=self.folder,
            env=self.environment,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        pressed = PRESS.search(command)
        # The last key ends the input, so that no question waits for ever.
        os.write(ours, "".join(pressed[1].split(", ")).encode() + b"\x04" if pressed else b"\x04")
        printed = b"".join(iter(lambda: _read(ours), b""))
        os.close(ours)
        process.wait()
        self.folder = Path(place).read_text(encoding="utf-8").strip()
        return STYLE.sub("", printed.decode("utf-8")).replace(self.home, YOU).replace(sys.executable, PYTHON)

    def python(self, program: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.replace(self.home, YOU)


def _folders_without_agents() -> list[str]:
    """Return the folders of the tester's path that hold no agent: `setup` would offer to ask its model."""
    folders = os.environ.get("PATH", "").split(os.pathsep)
    return [each for each in folders if not any(os.path.exists(f"{each}/{name}") for name in ("claude", "codex"))]


def _read(fd: int) -> bytes:
    try:
        return os.read(fd, 65536)
    except OSError:  # how Linux says that nobody has the terminal open any more
        return b""


class Ran(NamedTuple):
    start: int
    """Where the expected output begins in the page."""
    said: str
    printed: str
    same: bool


def perform(page: str, machine: Machine) -> Iterator[Ran]:
    """Run the story of a page and compare what it prints with what the page says."""
    written, real = Ids(), Ids()
    everything = blocks(page)
    for number, block in enumerate(everything):
        if block.language == "console":
            start = block.start
            for step in steps(block.text):
                start += len(f"$ {step.command}\n")
                written.compared(step.command)
                printed = machine.shell(written.translated(step.command, real).replace(YOU, machine.home))
                yield _compared(start, step.output, printed, written, real)
                start += len(step.output)
        elif block.language == "python":
            printed = machine.python(block.text)
            following = everything[number + 1] if number + 1 < len(everything) else None
            if following is not None and following.language == "text":
                yield _compared(following.start, following.text, printed, written, real)
            else:
                assert not printed, f"a program of the page prints {printed!r} and the page does not say so"


def _compared(start: int, said: str, printed: str, written: Ids, real: Ids) -> Ran:
    expected, actual = written.compared(said), real.compared(printed)
    parts = [re.escape(part) for part in GAP.split(expected)]
    same = re.fullmatch("(?s:.*)".join(parts), actual) is not None if len(parts) > 1 else expected == actual
    return Ran(start, said, printed if same else real.translated(printed, written), same)


needs_a_terminal = pytest.mark.skipif(sys.platform == "win32", reason="transcripts need a POSIX terminal")


@needs_a_terminal
@pytest.mark.parametrize("path", STORIES, ids=name_of)
def test_the_page_shows_what_the_commands_print(path: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="limpet-docs-") as folder:
        for ran in perform(path.read_text(encoding="utf-8"), Machine(folder)):
            assert ran.same, f"{name_of(path)} says\n{ran.said}\nbut this is printed\n{ran.printed}"


def test_the_readme_opens_with_a_transcript() -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    line = page[: page.index("```console")].count("\n")
    assert line < 12
    assert "make run" in page
    assert "make test" in page


def test_the_reference_is_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "reference.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


# Links

REPOSITORY = re.compile(r"https://github\.com/limpet-memory/limpet/(?:blob|tree)/main/")
"""The README is also shown by package indexes, so its links name the repository; here they lead into this tree."""


def links(path: Path) -> Iterator[str]:
    """Yield the targets of the links on a page, those into the repository relative to the page's folder."""
    page = re.sub(r"(?ms)^```.*?^```$", "", path.read_text(encoding="utf-8"))
    root = os.path.relpath(ROOT, path.parent)
    for target in re.findall(r"\[[^\]]*\]\(([^)\s]+)\)", page):
        yield REPOSITORY.sub(f"{root}/", target)


def anchors(page: str) -> set[str]:
    without_code = re.sub(r"(?ms)^```.*?^```$", "", page)
    headings = re.findall(r"(?m)^#+ +(.+?) *$", without_code)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_links_lead_somewhere(path: Path) -> None:
    dead = []
    for target in links(path):
        if target.startswith(("https://", "mailto:")):
            continue
        place, _, anchor = target.partition("#")
        there = (path.parent / place).resolve() if place else path
        inside = there.exists() and there.is_relative_to(ROOT)
        if not inside or (anchor and anchor not in anchors(there.read_text(encoding="utf-8"))):
            dead.append(target)
    assert dead == []


def test_the_map_of_the_code_names_files_that_exist() -> None:
    page = (ROOT / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
    named = [each for each in re.findall(r"`([\w./]+)`", page) if each.endswith((".py", "/")) or "/" in each]
    assert len(named) > 50
    package = ROOT / "src" / "limpet"
    assert [each for each in named if not (ROOT / each).exists() and not any(package.rglob(each))] == []


def test_the_links_of_the_readme_work_wherever_it_is_shown() -> None:
    page = re.sub(r"(?ms)^```.*?^```$", "", (ROOT / "README.md").read_text(encoding="utf-8"))
    targets = re.findall(r"\]\(([^)\s]+)\)", page)
    assert targets
    assert [target for target in targets if not target.startswith(("https://", "#"))] == []


def test_every_page_can_be_reached_from_the_readme() -> None:
    start = ROOT / "README.md"
    reached, queue = {start}, [start]
    while queue:
        here = queue.pop()
        for place in filter(None, (target.partition("#")[0] for target in links(here))):
            there = (here.parent / place).resolve()
            found = sorted(there.glob("*.md")) if there.is_dir() else [there]
            for page in found:
                if page.suffix == ".md" and page.exists() and page not in reached:
                    reached.add(page)
                    queue.append(page)
    assert [name_of(path) for path in PAGES if path not in reached] == []


# Decisions


@pytest.mark.parametrize("path", DECISIONS, ids=name_of)
def test_a_decision_names_what_was_decided_why_and_what_was_rejected(path: Path) -> None:
    page = path.read_text(encoding="utf-8")
    assert page.startswith(f"# {int(path.name[:4])}. ")
    if "\nSuperseded by [" in page:
        assert len(page.split()) <= 60, "a superseded decision only says what replaced it"
        return
    for section in ("**Decided.**", "**Why.**", "**Rejected.**"):
        assert section in page
    assert len(page.split()) <= 300, "a decision takes half a page; figures belong on an explanation page"


def test_decisions_are_numbered_without_gaps() -> None:
    assert [int(path.name[:4]) for path in DECISIONS] == list(range(1, len(DECISIONS) + 1))


# Words that do not belong in the repository; taken apart here, since this file is in it too

BANNED = {
    "a path of one machine": re.compile(r"(?<![\w}.~/-])/" + "work/"),
    "a name of a passing worker": re.compile("helper" + "-"),
    "the host of a package index": re.compile("pypi" + r"\.org|" + "python" + "hosted"),
    "a document that is not here": re.compile(r"\b(?:SPEC|STYLE|SAFETY|PLATFORM|STACK|ORIGINS|PAINS)" + r"\.md\b"),
}


def tracked() -> list[Path]:
    """Return the files that are or will be in the repository; without git, those in the source folders."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            check=True,
        ).stdout
        found = [ROOT / os.fsdecode(name) for name in listed.split(b"\0") if name]
    except (OSError, subprocess.CalledProcessError):
        folders = ("src", "tests", "docs", "scripts", "benchmarks")
        found = [path for folder in folders for path in (ROOT / folder).rglob("*") if "__pycache__" not in path.parts]
    return [path for path in found if path.is_file()]


def test_the_repository_speaks_of_the_product_alone() -> None:
    found = []
    for path in tracked():
        text = path.read_text(encoding="utf-8", errors="replace")
        found += [
            f"{name_of(path)}:{text.count(chr(10), 0, hit.start()) + 1} holds {what}"
            for what, pattern in BANNED.items()
            for hit in pattern.finditer(text)
        ]
    assert found == []


def test_the_changelog_knows_this_version() -> None:
    from limpet import __version__

    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def rewrite(path: Path) -> str:
    """Write what the commands print today into the page and return a report. A `…` needs an author."""
    page = fresh = path.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="limpet-docs-") as folder:
        different = [ran for ran in perform(page, Machine(folder)) if not ran.same]
    for ran in reversed(different):
        if GAP.search(ran.said):
            return f"rewrite this by hand:\n{ran.said}it prints:\n{ran.printed}"
        fresh = fresh[: ran.start] + ran.printed.strip("\n") + "\n" + fresh[ran.start + len(ran.said) :]
    path.write_text(re.sub(r"(?m) +$", "", fresh), encoding="utf-8")
    return "rewritten" if different else "as it was"


if __name__ == "__main__":
    for story in STORIES:
        print(f"{name_of(story)}: {rewrite(story)}")
