"""C8: pair, report and commit of the same fix are one memory."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from limpet.learning.same_fix import merge_fixes
from limpet.model.memory import Concept, Draft, Origin, Type
from tests.capture.marked import START
from tests.learning.test_worker import Worked
from tests.operations.sandbox import isolate_environment

TEST = {"command": "pytest tests/test_cart.py"}
ERROR = "Exit code 1\nsrc/cart.py:12: in total\nE   KeyError: 'discount'\n1 failed"
EDIT = {"file_path": "src/cart.py", "old_string": "d = x['discount']", "new_string": "d = x.get('discount', 0)"}
COMMIT = {"command": "git commit -am 'Fix the KeyError for orders without a discount in cart.py'"}
REPORT = (
    "Fixed the KeyError in `src/cart.py`: guests have no `discount` because the import skips that column, so `total` "
    "now falls back to 0."
)


class Shop(Worked):
    """A sandbox in which an agent mends a shopping cart."""

    def fire(self, event: str, **fields: Any) -> None:
        self.report("s1", event, **fields)

    def mend(self) -> None:
        self.fire("UserPromptSubmit", prompt="The total of the cart fails for guests, please fix it.")
        self.fire("PostToolUseFailure", tool_name="Bash", tool_input=TEST, error=ERROR)
        self.fire("PostToolUse", tool_name="Edit", tool_input=EDIT, tool_response={"filePath": "src/cart.py"})
        self.fire("PostToolUse", tool_name="Bash", tool_input=TEST, tool_response={"stdout": "5 passed"})

    def commit(self) -> None:
        out = {"stdout": "[main 1a2b3c4] Fix the KeyError for orders without a discount in cart.py"}
        self.fire("PostToolUse", tool_name="Bash", tool_input=COMMIT, tool_response=out)

    def say(self, text: str = REPORT) -> None:
        self.fire("Stop", last_assistant_message=text)

    def fixes(self) -> list[str]:
        found = self.json("list", type="bugfix", limit=100)["memories"]
        return [str(each["content"]) for each in found]


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shop:
    isolate_environment(monkeypatch, tmp_path)
    return Shop(tmp_path)


@pytest.mark.parametrize("learnt_between", [False, True], ids=["in one batch", "in several batches"])
def test_pair_report_and_commit_of_one_fix_are_one_memory(shop: Shop, learnt_between: bool) -> None:
    for step in (shop.mend, shop.commit, shop.say):
        step()
        if learnt_between:
            shop.learn()
    shop.learn()
    [fix] = shop.fixes()
    assert "Problem: `pytest tests/test_cart.py` failed: KeyError: 'discount'" in fix
    assert "because the import skips that column" in fix
    [stored] = shop.json("list", type="bugfix")["memories"]
    assert any(str(tag).startswith("error:") for tag in stored["tags"])
    assert stored["title"] == "KeyError: 'discount': fixed in src/cart.py"


def test_a_report_of_another_fix_is_a_memory_of_its_own(shop: Shop) -> None:
    shop.mend()
    shop.say(
        "Fixed the crash of the nightly `export_orders` job: it failed because the `invoices` bucket was renamed in "
        "`infra/buckets.tf`."
    )
    shop.learn()
    assert len(shop.fixes()) == 2


def draft(text: str, *, tags: tuple[str, ...] = (), why: bool = False, **more: object) -> Draft:
    concepts = (Concept.WHY_IT_EXISTS,) if why else ()
    return Draft(text=text, type=Type.BUGFIX, origin=Origin.TOOL, tags=tags, concepts=concepts, **more)  # type: ignore[arg-type]


PAIR = draft("Problem: `pytest` failed: KeyError: 'discount'\nSolution: in cart.py, added `x`", tags=("error:1",))
SAME = draft("Fixed the missing discount in cart.py because guests have none", why=True)


def test_two_pairs_are_never_one() -> None:
    other = draft(PAIR.text.replace("added `x`", "added `y`"), tags=("error:2",))
    assert len(merge_fixes([(PAIR, START), (other, START)])) == 2


def test_what_another_origin_says_is_not_merged() -> None:
    outside = draft(SAME.text, why=True)
    outside = Draft(text=outside.text, type=Type.BUGFIX, origin=Origin.EXTERNAL)
    assert len(merge_fixes([(PAIR, START), (outside, START)])) == 2


def test_a_fix_of_another_hour_is_another_one() -> None:
    assert len(merge_fixes([(PAIR, START), (SAME, START)])) == 1
    assert len(merge_fixes([(PAIR, START), (SAME, START + timedelta(hours=3))])) == 2


def test_one_name_of_the_code_is_enough_at_once_but_not_much_later() -> None:
    brief = draft("The lookup failed because the discount of guests is empty", why=True)
    assert len(merge_fixes([(PAIR, START), (brief, START)])) == 1
    assert len(merge_fixes([(PAIR, START), (brief, START + timedelta(minutes=40))])) == 2


def test_the_pair_leads_whatever_came_first() -> None:
    [(merged, _)] = merge_fixes([(SAME, START), (PAIR, START)])
    assert merged.text.startswith("Problem: ")
    assert merged.text.endswith("\nWhy: Fixed the missing discount in cart.py because guests have none")
