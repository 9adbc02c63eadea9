"""The last questions are kept for their owner only, and what is secret, personal or purged is not."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from limpet.recall.questions import FILE, Answers, Question, forget_questions, keep_question, load_questions
from tests.model.making import memory


@pytest.fixture
def home(tmp_path: Path) -> str:
    (tmp_path / "locks").mkdir()
    return str(tmp_path)


def ask(home: str, text: str, *, answers: tuple[str, ...] = ("mem_1",), project: str = "p", most: int = 50) -> None:
    keep_question(home, Question(text=text, agent="anima", project=project, answers=answers), most=most)


def texts(home: str, most: int = 50) -> list[str]:
    return [each.text for each in load_questions(home, most=most)]


def test_the_newest_question_is_first_and_each_is_kept_once(home: str) -> None:
    for text in ("how do we deploy", "where are the logs", "how do we deploy"):
        ask(home, text)
    assert texts(home) == ["how do we deploy", "where are the logs"]
    assert texts(home, most=1) == ["how do we deploy"]
    assert texts(home, most=0) == []


def test_only_the_owner_can_read_them(home: str) -> None:
    ask(home, "how do we deploy")
    assert stat.S_IMODE((Path(home) / FILE).stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "text",
    [
        "is ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8 the token of the bot",
        "what is <private>the salary of Ann</private>",
        "what is the phone number +49 151 23456789 for",
        "x" * 301,
        "  ",
    ],
)
def test_what_is_secret_private_personal_or_pasted_is_not_kept(home: str, text: str) -> None:
    ask(home, text)
    assert texts(home) == []


def test_a_question_without_an_answer_is_not_kept(home: str) -> None:
    ask(home, "how do we deploy", answers=())
    assert texts(home) == []


def test_old_questions_are_dropped_and_the_file_stays_small(home: str) -> None:
    for number in range(200):
        ask(home, f"how do we deploy service {number} {'to the cluster ' * 15}", most=10)
    assert len(texts(home, most=10)) == 10 and "service 199" in texts(home)[0]
    assert (Path(home) / FILE).stat().st_size < 30_000


def test_damaged_lines_and_a_link_cost_nothing(home: str, tmp_path: Path) -> None:
    ask(home, "how do we deploy")
    with (Path(home) / FILE).open("ab") as file:
        file.write(b'{"q": 1}\n\xff\xfe\n[]\n{"q": "x", "agent": "a", "project": null, "ids"')
    assert texts(home) == ["how do we deploy"]
    (Path(home) / FILE).unlink()
    (Path(home) / FILE).symlink_to(tmp_path / "elsewhere")
    ask(home, "how do we deploy")
    assert not (tmp_path / "elsewhere").exists()


def test_questions_can_be_removed(home: str) -> None:
    forget_questions(home, lambda question: True)
    ask(home, "how do we deploy", answers=("mem_1",))
    ask(home, "where are the logs", answers=("mem_2",))
    forget_questions(home, lambda question: "mem_1" in question.answers)
    assert texts(home) == ["where are the logs"]


def test_the_sentences_that_answered_are_found(home: str) -> None:
    made = memory(content="We deploy with ship. Logs are in the bucket.")
    answers = Answers(home, most=10)
    ask(home, "where are the logs", answers=(made.id,))
    assert answers.find(made) == ["Logs are in the bucket."]
    assert answers.ids == {made.id}
