"""The line of an output that explains the error."""

from __future__ import annotations

import pytest

from limpet.text.error_lines import find_error_line


@pytest.mark.parametrize(
    ("output", "line"),
    [
        ("Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'exp'", "KeyError: 'exp'"),
        (">  x\nE   AssertionError: assert 1 == 2\n1 failed", "AssertionError: assert 1 == 2"),
        ("FAILED tests/a.py::test_b - assert 1 == 2\n1 failed", "assert 1 == 2"),
        ("npm ERR! code ERESOLVE\nnpm ERR! ERESOLVE unable to resolve", "code ERESOLVE"),
        ("error[E0382]: borrow of moved value: `x`\n --> src/main.rs:1:2", "error[E0382]: borrow of moved value: `x`"),
        ("src/a.ts(1,2): error TS2345: Argument of type", "error TS2345: Argument of type"),
        ("a.c:1:2: error: expected ';'", "error: expected ';'"),
        ("--- FAIL: TestX (0.00s)\n    x_test.go:14: got 1, want 2", "x_test.go:14: got 1, want 2"),
        ("x_test.go:14: no such user: anna\nFAIL", "no such user: anna"),
        ("src/a.py:3:1: F401 'os' imported but unused\nFound 1 error.", "F401 'os' imported but unused"),
        ("src/a.py:3:0: W0611: Unused import os", "W0611: Unused import os"),
        ("F401 `os` imported but unused\n --> src/a.py:3:8\nFound 1 error.", "F401 `os` imported but unused"),
        ("FAIL src/a.test.js\n  ● cart › adds\n\n    Expected: 3\n    Received: 2", "cart › adds"),
        ("FAIL src/a.test.js\n\n    Expected: 3\n    Received: 2", "FAIL src/a.test.js"),
        (
            "E       sqlite3.OperationalError: database is locked\n1 failed",
            "sqlite3.OperationalError: database is locked",
        ),
        ("** (DBConnection.ConnectionError) dropped\n3 failures", "DBConnection.ConnectionError) dropped"),
        ("fatal: not a git repository", "fatal: not a git repository"),
        ("bash: foo: command not found", "bash: foo: command not found"),
        ("something odd\nhappened", "happened"),
        ("Exit code 1\ncollected 3 items\nKeyError: 'tide'\n==== 1 failed, 1 passed ====", "KeyError: 'tide'"),
        ("Exit code 2", ""),
        ("Exit code: 2\nnothing to do here", "nothing to do here"),
        ("", ""),
    ],
)
def test_the_line_that_says_most_is_found(output: str, line: str) -> None:
    assert find_error_line(output) == line


def test_a_line_is_cut_to_the_limit() -> None:
    assert find_error_line(f"ValueError: {'x' * 500}") == f"ValueError: {'x' * 288}"
    assert find_error_line(f"ValueError: {'x' * 500}", 20) == f"ValueError: {'x' * 8}"
