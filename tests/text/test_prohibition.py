"""Which rules forbid which commands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.text.prohibition import denies, find_commands, forbids

UNLOCK = "terraform force-unlock -force 7f3a"


@pytest.mark.parametrize(
    ("rule", "command"),
    [
        ("Do not run `terraform force-unlock`: the user objected to it.", UNLOCK),
        ("Never run terraform force-unlock.", f"cd infra && {UNLOCK}"),
        ("never force-unlock the state, ask ops first", UNLOCK),
        ("Use uv here, never pip", "pip install freezegun"),
        ("We don't use npm here.", "npm install --force"),
        ("do not use `git push --force`", "git push --force origin main"),
        ("Please don't git push", "git push origin main"),
        ("Never run terraform force-unlock without asking", UNLOCK),
        ("Don’t run sudo rm -rf build", "rm -rf build"),
    ],
)
def test_a_rule_forbids_what_it_names(rule: str, command: str) -> None:
    assert forbids(rule, command)


@pytest.mark.parametrize(
    ("rule", "command"),
    [
        ("Never commit secrets", "git commit -m 'Add the menu'"),
        ("Run terraform force-unlock only after asking", UNLOCK),
        ("Never use npm", "pnpm install"),
        ("do not use `git push --force`", "git push origin main"),
        ("Never edit the lock file, run `uv lock`", "uv lock"),
        ("Never run pytest without -n0", "pytest -n0 tests"),
        ("Don't use npm but `pnpm install`", "pnpm install"),
        ("The pip cache is not shared", "pip install x"),
        ("Never push to main", "git push origin feature"),
        ("No module named 'freezegun': fixed by running pip install freezegun.", "pip install freezegun"),
        ("It does not help that terraform force-unlock is slow", UNLOCK),
        ("", UNLOCK),
        ("never", ""),
    ],
)
def test_a_rule_that_only_names_a_word_of_it_forbids_nothing(rule: str, command: str) -> None:
    assert not forbids(rule, command)


def test_most_texts_deny_nothing() -> None:
    assert denies("Use uv here, never pip")
    assert denies("We don't use npm")
    assert not denies("Use uv for everything")


def test_the_commands_of_a_solution_are_found() -> None:
    text = "Problem: `a b` failed: x\nSolution: ran `c d`; in x.py, `p` became `q`; ran `e` instead of `f`"
    assert find_commands(text) == ("c d", "e")
    assert find_commands("Fixed the lock with `terraform force-unlock`, see `x.tf`.") == ("terraform force-unlock",)
    assert find_commands("Problem: `make all` failed: x\nSolution: in x.py, added `a = 1`") == ()


def test_a_hostile_text_takes_no_time() -> None:
    for rule in ("never " * 20_000, "`" * 50_000, "not `a` " * 5_000):
        assert not forbids(rule[:20_000], "x" * 1_000 + " y" * 200)


@pytest.mark.parametrize("rule", ["Never use ... pip", "Do not : run", "never .", "don't `` it"])
def test_marks_alone_are_no_words_of_a_rule(rule: str) -> None:
    assert not forbids(rule, "make test")


WORDS = st.lists(
    st.sampled_from(
        [
            *("never", "not", "do", "don't", "run", "use", "`a b`", "`", "a", "b", "-f", "'x'", ""),
            *("without", "but", ",", ".", ":", "...", "git", "push"),
        ]
    )
)


@given(WORDS.map(" ".join), WORDS.map(" ".join))
def test_any_rule_and_any_command_get_an_answer(rule: str, command: str) -> None:
    assert forbids(rule, command) in (True, False)
    assert forbids(rule[1:], f"{command}\n;;&&|{rule}") in (True, False)
