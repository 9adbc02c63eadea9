"""The files that a text names are cited, and nothing outside the root is opened."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.workspace import cite, hash_span
from tests.workspace.repositories import watched


@pytest.fixture
def tree(ground: Path) -> Path:
    root = ground / "root"
    (root / "src" / "a").mkdir(parents=True)
    (root / "src" / "a" / "b.py").write_text("".join(f"line {n}\n" for n in range(1, 31)))
    (root / "Makefile").write_text("all:\n")
    (root / "my notes.md").write_text("notes\n")
    (root / "empty.txt").write_text("")
    return root


def spans(text: str, root: Path, files: tuple[str, ...] = ()) -> list[tuple[str, int, int]]:
    return [(each.path, each.start, each.end) for each in cite(text, files, str(root))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The cause is in src/a/b.py.", [("src/a/b.py", 1, 30)]),
        ("see `src/a/b.py:12`, please", [("src/a/b.py", 12, 12)]),
        ("see (src/a/b.py:12-20)", [("src/a/b.py", 12, 20)]),
        ("error at ./src/a/b.py:12:7: boom", [("src/a/b.py", 12, 12)]),
        ("https://example.org/src/a/b.py and src/a/b.py#L3-L5", [("src/a/b.py", 3, 5)]),
        ("src/a/b.py:20-12", [("src/a/b.py", 12, 20)]),
        ("src/a/b.py:25-99", [("src/a/b.py", 25, 30)]),
        ("src/a/b.py:99", [("src/a/b.py", 1, 30)]),
        ("src/a/b.py:0", [("src/a/b.py", 1, 30)]),
        ("src\\a\\b.py on Windows", [("src/a/b.py", 1, 30)]),
        ("src/a/b.pyを直した。Makefileも", [("src/a/b.py", 1, 30)]),
        ("run `make` with the `Makefile`", [("Makefile", 1, 1)]),
        ("Makefile without ticks is a word", []),
        ("`cat src/a/b.py | less`", [("src/a/b.py", 1, 30)]),
        ("in `my notes.md`", [("my notes.md", 1, 1)]),
        ("an empty.txt", [("empty.txt", 1, 1)]),
        ("b.py is ambiguous without a folder", []),
        ("src/a is a folder, src/a/c.py is not there, e.g. 3.11 or v1.2", []),
        ("src/a/b.py and src/a/b.py:3 and src/a/b.py:3 and src/a/b.py", [("src/a/b.py", 1, 30), ("src/a/b.py", 3, 3)]),
    ],
)
def test_files_named_in_a_text_are_cited(tree: Path, text: str, expected: list[tuple[str, int, int]]) -> None:
    assert spans(text, tree) == expected


def test_an_absolute_name_below_the_root_is_cited(tree: Path) -> None:
    assert spans(f"open {tree}/src/a/b.py:3", tree) == [("src/a/b.py", 3, 3)]


def test_files_of_a_tool_call_are_cited_and_give_short_names_a_meaning(tree: Path, ground: Path) -> None:
    (tree / "src" / "c").mkdir()
    (tree / "src" / "c" / "b.py").write_text("x\n")
    (ground / "link").symlink_to(tree)
    one, two = str(ground / "link" / "src" / "a" / "b.py"), "src/c/b.py"
    assert spans("", tree, (one, two)) == [("src/a/b.py", 1, 30), ("src/c/b.py", 1, 1)]
    assert spans("fixed b.py:7", tree, (one,)) == [("src/a/b.py", 7, 7)]
    assert spans("fixed a/b.py:7", tree, (one, two)) == [("src/a/b.py", 7, 7), ("src/c/b.py", 1, 1)]
    assert spans("fixed b.py:7", tree, (one, two)) == [("src/a/b.py", 1, 30), ("src/c/b.py", 1, 1)]


def test_the_hash_is_that_of_the_span_whatever_the_line_endings(tree: Path) -> None:
    path = tree / "src" / "a" / "b.py"
    (cited,) = cite("src/a/b.py:2-3", (), str(tree), commit="abc")
    assert cited.span_hash == hashlib.sha256(b"line 2\nline 3").hexdigest()[:32]
    assert cited.commit == "abc"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert hash_span(str(tree), "src/a/b.py", 2, 3) == cited.span_hash
    path.write_text("line 1\nline 2\nchanged\n")
    assert hash_span(str(tree), "src/a/b.py", 2, 3) not in (None, cited.span_hash)
    path.write_text("line 1\nline 2\n")
    assert hash_span(str(tree), "src/a/b.py", 2, 3) is None
    path.unlink()
    assert hash_span(str(tree), "src/a/b.py", 2, 3) is None


def test_there_are_at_most_eight_citations(tree: Path) -> None:
    for number in range(12):
        (tree / f"f{number}.py").write_text("x\n")
    names = [f"f{number}.py" for number in range(12)]
    assert len(cite(" ".join(names), names, str(tree))) == 8
    assert len(cite("", names, str(tree))) == 8


def test_a_file_that_is_too_large_is_not_cited(tree: Path) -> None:
    (tree / "big.bin").write_bytes(b"x" * 2_000_001)
    (tree / "fits.bin").write_bytes(b"x" * 2_000_000)
    assert spans("big.bin fits.bin", tree) == [("fits.bin", 1, 1)]


def test_nothing_outside_the_root_or_in_git_is_ever_opened(tree: Path, ground: Path) -> None:
    (ground / "victim.txt").write_text("secret\n")
    (ground / "root-2").mkdir()
    (ground / "root-2" / "x.txt").write_text("secret\n")
    (tree / "out.txt").symlink_to(ground / "victim.txt")
    (tree / "up").symlink_to("..")
    (tree / ".git").mkdir()
    (tree / ".git" / "config").write_text("secret\n")
    (tree / "inner.txt").symlink_to(".git/config")
    (tree / "loop.txt").symlink_to("loop.txt")
    os.mkfifo(tree / "pipe.txt")
    names = [
        "../victim.txt",
        "src/../../victim.txt",
        f"{ground}/victim.txt",
        f"{tree}/../victim.txt",
        f"{tree}-2/x.txt",
        "../root-2/x.txt",
        "out.txt",
        "up/victim.txt",
        "up/root/../victim.txt",
        ".git/config",
        ".GIT/config",
        "src/../.git/config",
        "inner.txt",
        "loop.txt",
        "pipe.txt",
        "/etc/passwd",
        "~/.ssh/id_rsa",
        "//server/share/x.txt",
        "\\\\server\\share\\x.txt",
        "C:\\Windows\\win.ini",
        "file:///etc/passwd",
        "..\\victim.txt",
    ]
    text = " ".join(names) + " " + " ".join(f"`{name}`" for name in names) + " src/a/b.py:1"
    with watched() as seen:
        assert spans(text, tree) == [("src/a/b.py", 1, 1)]
        assert spans("", tree, tuple(names)) == []
        assert all(hash_span(str(tree), name, 1, 1) is None for name in names)
    assert all(path.startswith(f"{tree}/") and not path.startswith(f"{tree}/.git") for path in seen)
    assert str(tree / "src" / "a" / "b.py") in seen


@given(st.text(), st.lists(st.text(), max_size=3))
def test_any_text_can_be_cited_from(text: str, files: list[str]) -> None:
    assert cite(text, files, "/nonexistent/root") == []


def test_a_long_text_of_names_is_tried_only_so_far(tree: Path) -> None:
    text = " ".join(f"x{n}.py" for n in range(5000)) + " src/a/b.py"
    assert spans(text, tree) == []
    assert spans("`" * 100_000 + ":1" * 50_000, tree) == []
