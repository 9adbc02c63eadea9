"""The signature of an error."""

from __future__ import annotations

import pytest

from limpet.text.error_signature import error_signature, error_tag, normalise_error


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
        ("due_test.go:12: got 3, want 2", "/p/due_test.go:40: got 7, want 1"),
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
        ("FAIL src/cart.test.js", "FAIL src/menu.test.js"),
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
        "due_test.go:12: got 3, want 2",
        "FAIL src/cart.test.js",
    ],
)
def test_an_error_that_names_something_has_a_tag(error: str) -> None:
    assert error_tag(error).startswith("error:")
