"""Fold the changes of a file, in any order and with foreign ones among them."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from limpet.model.change import Change, ChangeKind
from limpet.model.file import fold_file, fold_file_versions
from limpet.model.ids import new_id


def change(ms: int, **payload: Any) -> Change:
    return Change(
        kind=ChangeKind.FILE,
        subject="file:file_1",
        payload={"app": "a", **payload},
        id=new_id("chg", 1_700_000_000_000 + ms),
    )


def test_any_order_of_arrival_gives_the_same_file() -> None:
    changes = [
        change(1, path="/memories/x", text="one"),
        change(2, text="two"),
        change(3, path="/memories/y"),
        change(4, deleted=True),
    ]
    found = {str(fold_file(each)) for each in permutations(changes)}
    assert len(found) == 1
    file = fold_file(changes)
    assert file is not None
    assert (file.id, file.path, file.text, file.version, file.is_deleted) == ("file_1", "/memories/y", "two", 4, True)
    versions = fold_file_versions(changes)
    assert [each.text for each in versions] == ["one", "two", "two", None]
    assert [each.operation for each in versions] == ["created", "modified", "modified", "deleted"]


def test_a_change_that_cannot_be_understood_has_no_effect() -> None:
    first = change(1, path="/memories/x", text="one")
    odd = [
        change(2, app="b", text="theirs"),
        change(3, app=None),
        Change(kind="later", subject="file:file_1", id="chg_z"),
    ]
    file = fold_file([first, *odd, change(4, text=7, path=None, signs="no")])
    assert file is not None and (file.app, file.path, file.text) == ("a", "/memories/x", "one")
    assert fold_file([change(1, text="no path")]) is None
    assert fold_file([]) is None
