"""Whether a command failed, and the signature of its error."""

from __future__ import annotations

import pytest

from limpet.capture.tools.failures import (
    error_signature,
    error_tag,
    has_failed,
    has_passed,
    normalise_error,
)
from limpet.capture.tools.shell import parse_command


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("OSError: [Errno 2] No such file: '/home/a/x1.txt'", "OSError: [Errno 2] No such file: '/tmp/q.txt'"),
        ("error at src/a.py:12:4: bad token", "error at lib/b.py:99:1: bad token"),
        ("timeout after 30 s on 0x7f3a21", "timeout after 5 s on 0x99ff00"),
        ("2026-03-01 10:00:01 ERROR worker 3 died", "2025-12-31T23:59:59Z ERROR worker 14 died"),
        ("job 1b4e28ba-2fa1-11d2-883f-0016d3cca427 failed", "job 6ba7b810-9dad-11d1-80b4-00c04fd430c8 failed"),
        ('duplicate value "alice smith" for row', 'duplicate value "bob" for row'),
        ("cannot open /tmp/pytest-of-dev/pytest-12/a", "cannot open /tmp/pytest-of-ann/pytest-99/b"),
    ],
)  # fmt: skip
def test_the_same_fault_has_the_same_signature_everywhere(one: str, other: str) -> None:
    assert error_signature(one) == error_signature(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("KeyError: 'exp'", "KeyError: 'user'"),
        ("KeyError: 'exp'", "ValueError: 'exp'"),
        ("No module named 'yaml'", "No module named 'flask'"),
        ("error TS2345: Argument", "error TS2322: Argument"),
        ("request failed with status code 404", "request failed with status code 500"),
        ("ORA-00942: table", "ORA-01017: table"),
    ],
)
def test_different_faults_have_different_signatures(one: str, other: str) -> None:
    assert error_signature(one) != error_signature(other)


def test_a_signature_is_a_tag_of_twelve_characters() -> None:
    tag = error_tag("KeyError: 'exp'")
    assert tag.startswith("error:")
    assert len(tag) == len("error:") + 12
    assert error_tag("") == ""
    assert "keyerror" in normalise_error("KeyError: 'exp'")


@pytest.mark.parametrize(
    "error",
    [
        "AssertionError",
        "AssertionError: assert 5 == 6",
        "assert response.status_code == 200",
        "expect(received).toBe(expected)",
        "Command failed with exit code 1",
        "subprocess.CalledProcessError: Command 'x y' returned non-zero exit status 1.",
        "pytest failed",
        "Error: something went wrong",
        "ValueError",
        "1 failed",
        "",
    ],
)
def test_an_error_that_fits_any_fault_has_no_tag(error: str) -> None:
    assert error_tag(error) == ""


@pytest.mark.parametrize(
    "error",
    [
        "KeyError: 'exp'",
        "ModuleNotFoundError: No module named 'yaml'",
        "error[E0382]: borrow of moved value: `x`",
        "npm ERR! code ERESOLVE",
        "Error: connect ECONNREFUSED 127.0.0.1:5432",
        "bash: foo: command not found",
        "fatal: not a git repository",
        "AssertionError: the order total must include shipping",
    ],
)
def test_an_error_that_names_something_has_a_tag(error: str) -> None:
    assert error_tag(error).startswith("error:")


def test_a_pipe_does_not_hide_a_failing_test() -> None:
    run = parse_command("pytest | tail -5")
    assert has_failed(run, "1 failed, 3 passed in 0.2s", failed=False)
    assert not has_failed(run, "3 passed, 0 failed, 0 errors", failed=False)


def test_a_search_that_finds_nothing_has_not_failed() -> None:
    assert not has_failed(parse_command("grep x y"), "", failed=True)
    assert has_failed(parse_command("make"), "", failed=True)


def test_only_what_can_fail_can_pass() -> None:
    assert has_passed(parse_command("make"), "ok", failed=False)
    assert not has_passed(parse_command("ls"), "ok", failed=False)
    assert not has_passed(parse_command("make"), "ok", failed=True)


def test_a_test_run_that_counts_no_failure_has_passed_whatever_it_printed() -> None:
    run = parse_command("bun test src/ 2>&1")
    printed = "error: Item 3 failed\n      at <anonymous> (a.test.ts:314:25)\n"
    assert has_passed(run, f"{printed}\n 1216 pass\n 0 fail\nRan 1216 tests across 56 files.", failed=False)
    assert has_failed(run, f"{printed}\n 1215 pass\n 1 fail\nRan 1216 tests across 56 files.", failed=False)
    assert has_failed(run, printed, failed=False)
    assert has_failed(parse_command("mvn test"), "[ERROR] x\nTests run: 5, Failures: 1, Errors: 0", failed=False)
