"""C8: a failure and the success that follows it are one memory."""

from __future__ import annotations

from typing import Any

import pytest

from limpet.capture.state import decode_segment_state
from limpet.model.memory import Concept, Draft, Origin, Type
from limpet.text.error_signature import error_tag
from tests.capture.marked import judge_session
from tests.capture.tools.fix_stories import TRAPS, TRUE_FIXES, Story

FAILS = {"run": "pytest tests/test_cart.py", "out": "Exit code 1\nE   KeyError: 'discount'\n1 failed", "failed": True}
PASSES = {"run": "pytest tests/test_cart.py -q", "out": "5 passed"}
EDIT = {"edit": "/home/dev/shop/src/cart.py", "old": "d = x['discount']", "new": "d = x.get('discount', 0)"}


def pair_of(*shorts: dict[str, Any]) -> Draft | None:
    kept = [
        each.draft
        for each in judge_session(list(shorts))[-1].kept
        if Concept.PROBLEM_SOLUTION in (each.draft.concepts or ())
    ]
    return kept[0] if kept else None


def test_a_failure_and_its_fix_are_remembered_as_problem_and_solution() -> None:
    draft = pair_of(FAILS, EDIT, PASSES)
    assert draft is not None
    assert draft.type is Type.BUGFIX
    assert draft.origin is Origin.TOOL
    assert "KeyError: 'discount'" in draft.text
    assert "d = x.get('discount', 0)" in draft.text
    assert "Now passes: `pytest tests/test_cart.py -q`" in draft.text
    assert draft.tags == (error_tag("KeyError: 'discount'"),)
    assert draft.title == "KeyError: 'discount': fixed in shop/src/cart.py"
    assert draft.files_modified == ("/home/dev/shop/src/cart.py",)


def test_a_failure_alone_is_not_kept_but_waits() -> None:
    judged = judge_session([FAILS])[-1]
    assert not judged.kept
    assert judged.dropped is not None
    assert [each.name for each in judged.state.pending] == ["pytest"]


def test_what_was_looked_at_in_between_is_no_part_of_the_solution() -> None:
    draft = pair_of(FAILS, {"read": "/a.py", "out": "x"}, {"run": "git diff", "out": "y"}, EDIT, PASSES)
    assert draft is not None
    assert "git diff" not in draft.text


def test_a_command_run_in_between_is_the_solution_too() -> None:
    draft = pair_of(FAILS, {"run": "pip install attrs", "out": "ok"}, PASSES)
    assert draft is not None
    assert "ran `pip install attrs`" in draft.text


def test_a_command_that_had_to_be_called_otherwise_is_a_solution() -> None:
    draft = pair_of({"run": "pytest", "out": "E   ModuleNotFoundError: No module named 'shop'", "failed": True},
                    {"run": "python -m pytest -p no:randomly", "out": "5 passed"})  # fmt: skip
    assert draft is not None
    assert "instead of `pytest`" in draft.text


def test_a_longer_edit_is_told_line_by_line_and_says_what_it_leaves_out() -> None:
    lines = [f"step_{number} = discount({number})" for number in range(20)]
    draft = pair_of(FAILS, EDIT | {"new": "\n".join(lines)}, PASSES)
    assert draft is not None
    assert lines[11] in draft.text
    assert lines[12] not in draft.text
    assert "… (8 more lines)" in draft.text


def test_a_state_saved_by_an_older_version_still_waits() -> None:
    old = {"name": "pytest", "kind": "test", "command": "pytest a.py", "errors": ["KeyError: 'a'"], "changes": ["x"]}
    [waiting] = decode_segment_state({"pending": [old]}).pending
    assert (waiting.command, waiting.steps) == ("pytest a.py", ())


def test_what_passes_again_by_itself_has_taught_nothing() -> None:
    assert pair_of(FAILS, FAILS | {"out": "5 passed", "failed": False}) is None


def test_later_errors_on_the_way_are_told_and_tagged() -> None:
    second = FAILS | {"out": "E   TypeError: unsupported operand"}
    draft = pair_of(FAILS, EDIT, second, EDIT | {"new": "d = int(x.get('discount', 0))"}, PASSES)
    assert draft is not None
    assert "TypeError" in draft.text
    assert len(draft.tags or ()) == 2
    assert "after 2 failures" in draft.text


@pytest.mark.parametrize(
    ("fails", "passes"),
    [
        ("pytest tests/test_a.py", "pytest tests/test_b.py"),
        ("python -c 'import a'", "python -c 'print(1)'"),
        ("npm run build", "npm test"),
        ("curl http://localhost:1/a", "curl http://localhost:1/b"),
    ],
)
def test_another_command_does_not_solve_it(fails: str, passes: str) -> None:
    assert pair_of({"run": fails, "out": "Error: no", "failed": True}, EDIT, {"run": passes, "out": "ok"}) is None


@pytest.mark.parametrize(
    ("fails", "passes"),
    [
        ("pytest tests/test_a.py::test_x", "pytest"),
        ("npm test 2>&1 | tail -3", "npm test"),
        ("docker compose up -d", "docker compose up"),
        ("python tools/load.py a.csv", "python3 tools/load.py a.csv"),
    ],
)
def test_the_same_command_or_file_solves_it(fails: str, passes: str) -> None:
    first = {"run": fails, "out": "Error: no such thing in src/cart.py\n1 failed", "failed": True}
    assert pair_of(first, EDIT, {"run": passes, "out": "ok"}) is not None


def test_the_looks_of_code_are_not_a_problem() -> None:
    assert pair_of({"run": "ruff check", "out": "F401 unused", "failed": True}, EDIT, {"run": "ruff check"}) is None


def test_a_solved_failure_is_solved_once() -> None:
    assert pair_of(FAILS, EDIT, PASSES, EDIT, PASSES) is None


def test_only_a_few_failures_wait_at_once() -> None:
    failures = [{"run": f"tool{n} go", "out": f"Error: no {n}", "failed": True} for n in range(30)]
    assert len(judge_session(failures)[-1].state.pending) == 8


def fixes_of(story: Story) -> list[str]:
    kept = (each.draft for judged in judge_session(story.events, through_json=True) for each in judged.kept)
    return [draft.text for draft in kept if Concept.PROBLEM_SOLUTION in (draft.concepts or ())]


@pytest.mark.parametrize("story", TRUE_FIXES, ids=lambda story: story.name)
def test_a_true_fix_names_what_made_the_difference_in_full(story: Story) -> None:
    [text] = fixes_of(story)
    assert [name for name in story.names if name not in text] == []
    assert [name for name in story.lacks if name in text] == []


@pytest.mark.parametrize("story", TRAPS, ids=lambda story: story.name)
def test_what_only_looks_like_a_fix_is_none(story: Story) -> None:
    assert fixes_of(story) == []


def test_there_are_enough_stories() -> None:
    assert len(TRUE_FIXES) + len(TRAPS) >= 25


@pytest.mark.parametrize("text", ["a-" * 2_000, "a/" * 2_000, "a." * 2_000, "aA" * 2_000, "'a" * 2_000, "x_" * 2_000])
def test_hostile_output_is_read_in_no_time(text: str) -> None:
    draft = pair_of(*[FAILS | {"out": text}] * 20, EDIT | {"new": text}, PASSES)
    assert draft is None or len(draft.text) < 1_000
