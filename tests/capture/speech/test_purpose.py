"""C3: a prompt may ask to remember something, in many ways and languages."""

from __future__ import annotations

import pytest

from limpet.capture.candidate import Candidate
from limpet.capture.speech.prompts import prompt_candidates
from limpet.capture.speech.purpose import split_request


def find_asked(typed: str) -> list[Candidate]:
    return [each for each in prompt_candidates(typed) if each.on_purpose]


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("remember that we ship on wednesdays", "We ship on wednesdays"),
        ("ok, please remember: the port is 5433", "The port is 5433"),
        ("make a note: staging has no mail", "Staging has no mail"),
        ("can you make a note that the CI has no docker", "The CI has no docker"),
        ("add to memory: branch names start with the ticket", "Branch names start with the ticket"),
        ("keep in mind for the future: no default exports", "No default exports"),
        ("don't forget that we are on node 18", "We are on node 18"),
        ("note for all sessions: answer in german", "Answer in german"),
        ("for next time, use the fake clock", "Use the fake clock"),
        ("the staging box has no swap - make a note of that", "the staging box has no swap"),
        ("merk dir: wir benutzen pnpm", "Wir benutzen pnpm"),
        ("vergiss nicht, dass wir Java 11 haben", "Wir Java 11 haben"),
        ("souviens-toi que le port est 5433", "Le port est 5433"),
        ("pour la prochaine fois : lance les tests", "Lance les tests"),
        ("recuerda que usamos pnpm", "Usamos pnpm"),
        ("no olvides que el servidor no tiene internet", "El servidor no tiene internet"),
        ("ポートは5433だと覚えておいて", "ポートは5433だ"),
        ("CIにdockerはない、メモしておいて", "CIにdockerはない"),
        ("记住：用pnpm，不要用npm", "用pnpm，不要用npm"),
        ("请记住我们只在周二发布", "我们只在周二发布"),
    ],
)
def test_what_a_prompt_asks_to_remember_stands_alone(typed: str, kept: str) -> None:
    assert [each.text for each in find_asked(typed)] == [kept]


def test_a_request_of_its_own_is_about_the_sentence_before_it() -> None:
    [asked] = find_asked("We only deploy the shop on Wednesdays. Remember that.")
    assert asked.text == "We only deploy the shop on Wednesdays."
    assert find_asked("Remember that.") == []


@pytest.mark.parametrize(
    "typed",
    [
        "don't forget to run the tests now",
        "don't forget about the footer",
        "remember when we fixed the importer?",
        "do you remember that the config is in etc?",
        "remember to push",
        "remember, to run the tests",
        "make a note field in the form",
        "add memory to the container",
        "store the result in memory",
        "make the form remember this",
        "keep in mind that I'm on the old branch",
        "for later: add tests",
        "vergiss nicht, gleich die Tests zu starten",
        "n'oublie pas de lancer les tests",
        "no olvides ejecutar los tests",
        "テストを実行するのを忘れないで",
        "别忘了运行测试",
        "记住密码功能坏了",
    ],
)
def test_other_uses_of_the_words_ask_to_remember_nothing(typed: str) -> None:
    assert find_asked(typed) == []


def test_the_rest_of_the_prompt_is_kept_apart() -> None:
    found = prompt_candidates("Remember that the port is 5433. From now on use uv here, never pip.")
    assert [(each.text, each.on_purpose) for each in found] == [
        ("The port is 5433.", True),
        ("From now on use uv here, never pip.", False),
    ]


LONG = [
    "The shop page gets a list of all orders.",
    "It shows the newest order first.",
    "{}",
    "An order opens in a drawer on the right.",
    "The total stands below the list.",
    "Write tests for all of it.",
]


@pytest.mark.parametrize(("at", "is_kept"), [(0, True), (2, False), (5, True)])
def test_within_a_long_text_the_words_have_other_uses(at: int, is_kept: bool) -> None:
    request = "Do not forget that products can have several prices."
    lines = [*LONG[:at], request, *LONG[at + 1 :]] if at != 2 else [each.format(request) for each in LONG]
    assert bool(find_asked(" ".join(each for each in lines if each != "{}"))) is is_kept


def test_a_bare_request_has_no_text() -> None:
    assert split_request("remember this!") == ""
    assert split_request("the cache is cold") is None
