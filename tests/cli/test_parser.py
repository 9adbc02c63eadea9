"""What can be typed: words, lists, options in any place, and text from standard input."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.cli.shell import Shell


def test_global_options_may_stand_before_the_command(shell: Shell) -> None:
    other = str(shell.folder / "other")
    assert shell.say("--home", other, "--json", "remember", "Kept elsewhere").json["outcome"] == "admitted"
    assert shell.say("--json", f"--home={other}", "list").json["total"] == 1
    assert shell.ask("list")["total"] == 0
    assert shell.say("--agent", "Crab", "--project", "shop", "list", "--home", other).code == 0


def test_words_need_no_quotes_and_dashes_are_text_after_two_dashes(shell: Shell) -> None:
    assert shell.ask("remember", "Migrations", "run", "with", "alembic")["memory"]["content"] == (
        "Migrations run with alembic"
    )
    assert shell.say("remember", "--json", "--", "--help", "is", "a", "flag").json["memory"]["content"] == (
        "--help is a flag"
    )


def test_lists_are_given_with_commas_or_again_and_again(shell: Shell) -> None:
    memory = shell.ask("remember", "Something", "-t", "a,b", "--tags", "c", "--files", "x.py,y.py")["memory"]
    assert (memory["tags"], memory["files_read"]) == (["a", "b", "c"], ["x.py", "y.py"])


@pytest.mark.parametrize(
    ("data", "code", "said"),
    [
        (b"Migrations run with alembic\n", 0, "remembered mem_"),
        ("Ünï\r\ncode".encode(), 0, "remembered mem_"),
        (b"\xff\xfe not utf-8", 2, "standard input is not UTF-8 (byte 0); convert it and try again"),
        (b"", 1, "the text is empty"),
        (b"x" * 3_000_000, 1, "1,000,000 are allowed"),
        (b"a\0b", 1, "control character"),
    ],
)
def test_a_dash_reads_the_text_from_standard_input(shell: Shell, data: bytes, code: int, said: str) -> None:
    done = shell.start("remember", "-", stdin=data)
    assert done.code == code
    assert said in (done.err if code else done.out)
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("remember", b"bad \xff byte"), 1),
        (("recall", b"\xff"), 0),
        (("list", "--tag", b"\xff"), 0),
        (("list", "--file", b"\xff"), 0),
        (("list", "--project", b"\xff"), 2),
        (("list", "--agent", b"\xff"), 2),
        (("list", "--session", b"\xff"), 0),
        (("remember", "x", "--session", b"\xff"), 2),
        (("show", b"\xff"), 1),
        (("facts", b"\xff"), 0),
        (("config", b"\xff"), 2),
        (("import", b"\xff.jsonl"), 2),
        (("export", b"\xff.jsonl"), 0),
        ((b"\xff",), 2),
    ],
)
def test_arguments_that_are_not_utf_8_are_no_reason_to_fail(
    shell: Shell, words: tuple[str | bytes, ...], code: int
) -> None:
    done = shell.say(*(word if isinstance(word, str) else os.fsdecode(word) for word in words))
    assert done.code == code
    assert "something went wrong" not in done.err
    (done.out + done.err).encode()


def test_reading_from_a_closed_standard_input_is_said(shell: Shell) -> None:
    command = f"exec 0<&-; exec '{sys.executable}' -m limpet remember -"
    done = subprocess.run(
        ["/bin/sh", "-c", command], env=shell.environment({}), cwd=shell.cwd, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"there is no standard input to read" in done.stderr
