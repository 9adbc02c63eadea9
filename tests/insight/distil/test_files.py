"""The manifest and the edits of files: read back the same, checked before they are written."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.errors import Refused
from limpet.insight.distil.files import MAX_BYTES, Edit, Manifest, read_project_file, show_diff, write_edit

NAMES = st.text("abc-é ", min_size=1).map(str.strip).filter(bool).map(lambda name: " ".join(name.split()))


@given(st.dictionaries(NAMES, st.just("0af1")), st.sets(st.just("mem_1")), st.sets(NAMES), st.sets(NAMES))
def test_a_manifest_is_read_back_the_same(
    stashes: dict[str, str], memories: set[str], speaking_for: set[str], speaking_against: set[str]
) -> None:
    manifest = Manifest(stashes=stashes, memories=memories)
    manifest.set_evidence({"Use tabs": (frozenset(speaking_for), frozenset(speaking_against))})
    again = Manifest.parse(manifest.render())
    assert (again.stashes, again.memories) == (stashes, memories)
    assert again.find_evidence("Use tabs") == (frozenset(speaking_for), frozenset(speaking_against))
    assert again.render() == manifest.render()


def test_a_manifest_holds_no_text_of_a_preference() -> None:
    manifest = Manifest()
    manifest.set_evidence({"Call Ruth about the wedding": (frozenset({"c1"}), frozenset())})
    assert b"Ruth" not in manifest.render()


def test_a_stash_that_changed_is_new_again() -> None:
    manifest = Manifest.parse(b"stash 0af1 one\n.claude/stash/two.md\n")
    assert manifest.has_stash("one", "0af1") and not manifest.has_stash("one", "0af2")
    assert manifest.has_stash("two", "anything") and not manifest.has_stash("three", "0af1")


def test_the_diff_shows_new_files_and_missing_ends_of_lines() -> None:
    new = Edit(root="/p", name="a.md", before=None, after=b"one\n")
    old = Edit(root="/p", name="b.md", before=b"one\r\ntwo", after=b"one\r\ntwo\r\n")
    assert show_diff([new, old]) == (
        "--- /dev/null\n+++ b/a.md\n@@ -0,0 +1 @@\n+one\n"
        "--- a/b.md\n+++ b/b.md\n@@ -1,2 +1,2 @@\n one\n-two\n\\ No newline at end of file\n+two\n"
    )


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    with open(tmp_path / "CLAUDE.md", "wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(Refused, match="nothing was written"):
        read_project_file(str(tmp_path), "CLAUDE.md")


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("x", "utf-8")
    with pytest.raises(Refused, match=r"taken/CLAUDE\.md cannot be written"):
        write_edit(Edit(root=str(tmp_path), name="taken/CLAUDE.md", before=None, after=b"x"))
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]
