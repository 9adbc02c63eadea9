"""Purged texts leave the files that Limpet wrote, and everything else in these files stays."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from limpet.insight.distil.files import Manifest
from limpet.insight.erasure import Erasure, erase_traces, plan_erasure
from limpet.lean.digest import sha256
from tests.operations.sandbox import files_with

TEXT = "The pelican crossing is white because Ann painted it."
OTHER = "The harbour light is green."


def write(root: Path, name: str, text: str) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def erase(root: Path, *texts: str) -> Erasure:
    found = plan_erasure([str(root)], str(root / "home"), texts or [TEXT])
    erase_traces(found)
    return found


@pytest.mark.parametrize(
    "name",
    [".claude/stash/a.md", ".claude/memory/MEMORY.md", ".claude/friction/antigen_review.md", "home/stash/p/a.md"],
)
def test_only_the_line_of_the_text_goes(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, name, f"# Notes\r\n\r\n- {OTHER}\r\n- {TEXT}\r\n\r\nMy own remark.")
    path.chmod(0o640)
    assert erase(tmp_path).paths == (str(path),)
    assert path.read_bytes() == f"# Notes\r\n\r\n- {OTHER}\r\n\r\nMy own remark.".encode()
    assert path.stat().st_mode & 0o777 == 0o640
    assert erase(tmp_path).paths == ()


def test_bytes_that_are_not_utf_8_stay(tmp_path: Path) -> None:
    path = tmp_path / ".claude" / "stash" / "a.md"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"caf\xe9\n- " + TEXT.encode() + b"\n")
    erase(tmp_path)
    assert path.read_bytes() == b"caf\xe9\n"


def test_of_an_instruction_file_only_the_block_is_touched(tmp_path: Path) -> None:
    block = f"<!-- MEMORY:START -->\n- {{}}- {OTHER}\n<!-- MEMORY:END -->\n"
    own = f"My words: {TEXT}\n\n"
    path = write(tmp_path, "CLAUDE.md", own + block.format(f"{TEXT}\n"))
    erase(tmp_path)
    assert path.read_text() == f"{own}<!-- MEMORY:START -->\n- {OTHER}\n<!-- MEMORY:END -->\n"


def test_a_file_with_broken_marks_is_named_only_if_it_holds_the_text(tmp_path: Path) -> None:
    path = write(tmp_path, "CLAUDE.md", f"<!-- MEMORY:START -->\n{OTHER}\n")
    assert erase(tmp_path).failed == []
    path.write_text(f"<!-- MEMORY:START -->\n- {TEXT}\n")
    [(named, reason)] = erase(tmp_path).failed
    assert named == str(path) and "do not form one block" in reason


def test_the_words_of_a_candidate_go_with_its_quote(tmp_path: Path) -> None:
    candidates = [
        {"user_context": [f"no! {TEXT}"], "keywords": ["pelican", "brush"], "reaction": TEXT[:30] + "…", "count": 3},
        {"user_context": [OTHER], "keywords": ["white", "harbour"], "count": 1},
    ]
    name = ".claude/friction/antigen_candidates.json"
    path = write(tmp_path, name, json.dumps(candidates, ensure_ascii=False, indent=2) + "\n")
    erase(tmp_path)
    assert path.read_text() == (
        json.dumps(
            [{"user_context": ["no! "], "keywords": ["brush"], "reaction": "", "count": 3}, candidates[1]],
            ensure_ascii=False,
            indent=2,
        )
        + "\n"
    )
    assert files_with("pelican", tmp_path) == []


def test_every_line_of_raw_signals_and_every_dated_copy_is_searched(tmp_path: Path) -> None:
    lines = [json.dumps({"details": text}, ensure_ascii=False) + "\n" for text in (TEXT, OTHER)]
    raw = write(tmp_path, ".claude/friction/friction_raw.jsonl", "".join(lines))
    page = write(tmp_path, ".claude/friction/friction.html", "<p>The pelican crossing is white because Ann</p>")
    copy = write(tmp_path, ".claude/friction/reports/friction_2026-01-01_000000.json", json.dumps({"worst": TEXT}))
    assert {*erase(tmp_path).paths} == {str(raw), str(page), str(copy)}
    assert raw.read_text() == '{"details": ""}\n' + lines[1]
    assert page.read_text() == "<p></p>"
    assert json.loads(copy.read_text()) == {"worst": ""}


def test_the_keywords_of_a_section_go_with_its_quote(tmp_path: Path) -> None:
    review = (
        f"# Review\n\n## Cluster 1\n\n> {TEXT}\n\n**Keywords:** pelican, brush\n\n"
        f"## Cluster 2\n\n> {OTHER}\n\n**Keywords:** white, harbour\n"
    )
    path = write(tmp_path, ".claude/friction/antigen_review.md", review)
    erase(tmp_path)
    assert path.read_text() == review.replace(f"> {TEXT}\n", "").replace("pelican, brush", "brush")


def test_json_that_an_edit_has_broken_is_searched_too(tmp_path: Path) -> None:
    path = write(tmp_path, ".claude/friction/friction_analysis.json", f'[{{"said": "{TEXT}" oops')
    erase(tmp_path)
    assert path.read_text() == '[{"said": "" oops'


def test_a_stash_stays_marked_as_read_and_loses_a_name_that_tells(tmp_path: Path) -> None:
    body = f"- {TEXT}\n- {OTHER}\n"
    write(tmp_path, ".claude/stash/the-pelican-crossing-is-white.md", body)
    changed = write(tmp_path, ".claude/stash/changed.md", body)
    manifest = Manifest()
    manifest.stashes = {"the-pelican-crossing-is-white": sha256(body.encode()).hexdigest(), "changed": "0" * 64}
    kept = write(tmp_path, ".claude/memory/.processed", manifest.render().decode())
    erase(tmp_path)
    after = f"- {OTHER}\n"
    assert changed.read_text() == after
    assert (tmp_path / ".claude" / "stash" / "stash-1.md").read_text() == after
    found = Manifest.parse(kept.read_bytes())
    assert found.stashes == {"stash-1": sha256(after.encode()).hexdigest(), "changed": "0" * 64}
    assert files_with("pelican", tmp_path) == []


def test_a_link_is_not_followed_and_what_is_behind_it_is_named(tmp_path: Path) -> None:
    outside = write(tmp_path, "outside/a.md", f"- {TEXT}\n")
    root = tmp_path / "project"
    (root / ".claude").mkdir(parents=True)
    (root / ".claude" / "stash").symlink_to(outside.parent)
    (root / ".claude" / "friction").mkdir()
    (root / ".claude" / "friction" / "link.md").symlink_to(outside)
    [(path, reason)] = erase(root).failed
    assert path == os.path.realpath(outside) and "is a symlink" in reason
    assert outside.read_text() == f"- {TEXT}\n"


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, ".claude/stash/a.md", f"- {TEXT}\n")
    path.chmod(0o400)
    assert erase(tmp_path).failed == [(str(path), "it is write-protected")]


def test_a_project_without_files_is_left_alone(tmp_path: Path) -> None:
    found = erase(tmp_path)
    assert (found.edits, found.renamings, found.failed) == ([], [], [])
    assert list(tmp_path.iterdir()) == []
