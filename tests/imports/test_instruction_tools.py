"""Statements of instruction files are cited with their line, and only files of the project are read."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet.imports import get_format
from limpet.imports.item import ForeignItem
from tests.imports.samples import write

RULE = "---\ndescription: Shop\nglobs: src/**\n---\n# Rules\n\n- Run the linter before you push\n"


def test_a_statement_below_front_matter_is_cited_with_its_line_in_the_file(tmp_path: Path) -> None:
    path = write(tmp_path / ".cursor" / "rules" / "shop.mdc", RULE)
    (item,) = get_format("rules").load().read(str(path))
    assert item.name == "shop.mdc:7"
    assert item.draft is not None and item.draft.source is not None and item.draft.source.line == 7


@pytest.mark.parametrize(
    "head",
    [
        "---\ndescription: Shop\nglobs: *.ts,*.tsx\nalwaysApply: false\n---",
        "---\ndescription: Shop\nnote: with: two colons here\n---",
        "\n---\ndescription: Shop\n--- ",
        "---\ndescription: Shop\n...",
    ],
)
def test_front_matter_as_people_write_it_is_no_statement(tmp_path: Path, head: str) -> None:
    path = write(tmp_path / "CLAUDE.md", f"{head}\n- Run the linter before you push\n")
    (item,) = get_format("rules").load().read(str(path))
    assert item.draft is not None and item.draft.text == "Run the linter before you push"
    assert item.name == f"CLAUDE.md:{head.count(chr(10)) + 2}" and item.draft.title == "Shop"


def test_a_stash_is_imported_without_its_front_matter(tmp_path: Path) -> None:
    write(tmp_path / "stash" / "lsp.md", "---\nsession: 4711\n---\n# Lsp\n\nWe chose a queue over threads.\n")
    (item,) = get_format("liteagents").load().read(str(tmp_path / "stash"))
    assert item.draft is not None and item.draft.text == "# Lsp\n\nWe chose a queue over threads."


def test_a_file_of_a_folder_is_named_with_the_folder(tmp_path: Path) -> None:
    write(tmp_path / "rules" / "a" / "shop.mdc", RULE)
    write(tmp_path / "rules" / "picture.png", "no rule")
    assert [item.name for item in get_format("rules").load().read(str(tmp_path / "rules"))] == ["rules/a/shop.mdc:7"]


@pytest.mark.parametrize("kind", ["index", "observation"])
def test_other_formats_count_the_lines_of_front_matter_too(tmp_path: Path, kind: str) -> None:
    head = "---\ntitle: Shop\npermalink: shop\n---\n"
    items: list[ForeignItem]
    if kind == "index":
        write(tmp_path / "MEMORY.md", f"{head}- Run the linter before you push\n")
        items = list(get_format("serena").load().read(str(tmp_path)))
    else:
        write(tmp_path / "shop.md", f"{head}- [rule] Run the linter before you push\n")
        items = list(get_format("basic-memory").load().read(str(tmp_path)))
    assert [item.name.rpartition(":")[2] for item in items] == ["5"]


def test_a_folder_that_is_a_link_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "elsewhere" / "shop.mdc", RULE)
    (tmp_path / "rules").symlink_to(tmp_path / "elsewhere")
    items = [
        *get_format("rules").load().read(str(tmp_path / "rules")),
        *get_format("serena").load().read(str(tmp_path / "rules")),
    ]
    assert [item.refused for item in items] == ["it is a symlink, which is not followed"] * 2
