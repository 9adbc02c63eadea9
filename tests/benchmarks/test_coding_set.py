"""The coding recall set keeps its shape, and its checker notices what breaks it."""

import runpy
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

CHECK = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks/recall/coding/check.py"))
"""The set's folder holds no package: `benchmarks/recall/coding.py` has its name."""

Row = dict[str, Any]
Change = Callable[[list[Row]], object]


def find_question_faults(questions: list[Row]) -> list[str]:
    memories = CHECK["load"]("memories.jsonl")
    return [*CHECK["check_questions"](questions, memories), *CHECK["check_halves"](questions)]


@pytest.fixture(scope="module")
def stored() -> list[Row]:
    questions: list[Row] = CHECK["load"]("questions.jsonl")
    return questions


@pytest.fixture
def questions(stored: list[Row]) -> list[Row]:
    return deepcopy(stored)


def first(questions: list[Row], style: str) -> Row:
    return next(question for question in questions if question["style"] == style)


def test_the_set_has_no_fault(capsys: pytest.CaptureFixture[str]) -> None:
    assert CHECK["main"]() == 0, capsys.readouterr().out


def repeat_an_id(questions: list[Row]) -> None:
    questions[1]["id"] = questions[0]["id"]


def name_a_missing_answer(questions: list[Row]) -> None:
    first(questions, "words")["answers"] = ["m999"]


def name_an_outdated_answer(questions: list[Row]) -> None:
    first(questions, "words")["answers"] = ["m005"]


def share_a_stem(questions: list[Row]) -> None:
    reworded = first(questions, "paraphrase")
    answer = next(memory for memory in CHECK["load"]("memories.jsonl") if memory["key"] == reworded["answers"][0])
    longest = max(CHECK["words"](answer["text"]), key=len)
    reworded["question"] += f" {longest}s"


def omit_a_file(questions: list[Row]) -> None:
    next(question for question in questions if question["question"] == "tools/reconcile.py")["answers"] = ["m324"]


def move_two_questions_to_the_other_half(questions: list[Row]) -> None:
    for question in [each for each in questions if each["style"] == "nothing" and each["split"] == "kept"][:2]:
        question["split"] = "dev"


def let_the_author_check(questions: list[Row]) -> None:
    questions[0]["checked"] = questions[0]["by"]


def leave_the_checker_empty(questions: list[Row]) -> None:
    questions[0]["checked"] = ""


def omit_the_checker(questions: list[Row]) -> None:
    del questions[0]["checked"]


def omit_the_author(questions: list[Row]) -> None:
    del questions[0]["by"]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (repeat_an_id, "question ids are not unique"),
        (name_a_missing_answer, "answer m999 is unknown"),
        (name_an_outdated_answer, "answer m005 is superseded"),
        (share_a_stem, "shares ["),
        (omit_a_file, "also named by ['m322']"),
        (move_two_questions_to_the_other_half, "nothing: 38 questions for tuning, 34 kept back"),
        (let_the_author_check, "is not checked by another than its author"),
        (leave_the_checker_empty, "is not checked by another than its author"),
        (omit_the_checker, "is not checked by another than its author"),
        (omit_the_author, "nobody known wrote it"),
    ],
)
def test_a_damaged_set_has_a_fault(questions: list[Row], change: Change, fault: str) -> None:
    change(questions)

    assert [found for found in find_question_faults(questions) if fault in found]
