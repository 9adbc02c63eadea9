"""One key is one answer; where a single key cannot be read, the first letter of a line is."""

from __future__ import annotations

import io
import sys

import pytest

from limpet.cli.keypress import QUIT, read_letter
from limpet.system import single_keys


@pytest.mark.parametrize(
    ("typed", "keys"),
    [("keep\nD\n", ["k", "d", QUIT]), ("\n  \nn", ["n", "n", "n", QUIT]), ("", [QUIT])],
)
def test_without_a_terminal_the_first_letter_of_a_line_counts(
    monkeypatch: pytest.MonkeyPatch, typed: str, keys: list[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    assert [read_letter() for _ in keys] == keys


@pytest.mark.parametrize(
    ("pressed", "key"), [("K", "k"), ("\x1b", QUIT), ("\x04", QUIT), ("", QUIT), (" ", "n"), ("\r", "n"), ("É", "é")]
)
def test_some_keys_mean_a_letter(monkeypatch: pytest.MonkeyPatch, pressed: str, key: str) -> None:
    monkeypatch.setattr(single_keys, "read_key", lambda: pressed)
    assert read_letter() == key


def test_ctrl_c_ends_instead_of_failing(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt() -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(single_keys, "read_key", interrupt)
    assert read_letter() == QUIT
