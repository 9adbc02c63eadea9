"""Decide whether a command really failed.

A pipe may hide the exit code, and output such as "0 errors" does not mean failure. So both the reported status and the
output are checked.
"""

from __future__ import annotations

import re

from limpet.capture.tools.shell import Run
from limpet.lean.pattern import lazy

_LONGEST = 300
_LINES = 160

# What a failing test or build prints, even if a pipe hides its exit code.
_FAILURE = lazy(
    r"\b[1-9]\d*+ (?:failed|failing|failures?|errors?)\b|\b(?:Failures|Errors|failed): ?[1-9]|^FAILED\b|^FAIL\b"
    r"|^--- FAIL"
    r"|^not ok \d|Traceback \(most recent|^error(?:\[\w++\])?:|\berror (?:TS|CS)\d++|BUILD FAIL(?:URE|ED)|^npm ERR!"
    r"|^npm error|panicked at|^panic:|Segmentation fault|^E {3}|: (?:fatal )?error:|^make(?:\[\d\])?: \*\*\*"
    r"|test result: FAILED|^Error: |^\[ERROR\]|^Uncaught |^\s*+● .* › ",
    re.MULTILINE,
)
# The count at the end of a test run is decisive: tests of error handling print errors and pass.
_COUNT = lazy(r"(?i)\b(\d++) (?:fail(?:ed|ing|ures?)?|errors?)\b|\b(?:failures|errors|failed|fail): ?(\d++)")
# Programs whose exit code 1 means "nothing found", not a failure.
_EXIT_CODE_ANSWERS = frozenset(
    [
        "grep",
        "rg",
        "ag",
        "ack",
        "diff",
        "cmp",
        "test",
        "[",
        "[[",
        "which",
        "pgrep",
        "find",
        "ls",
        "cat",
        "head",
        "tail",
        "stat",
        "type",
        "command",
        "fd",
    ]
)


def has_failed(run: Run | None, text: str, *, failed: bool) -> bool:
    """Tell whether a command really failed, given its output and the `failed` status that the agent client reported."""
    if run is None:
        return failed
    if failed:
        return run.program not in _EXIT_CODE_ANSWERS
    if run.kind == "test" and _counts_no_failure(text):
        return False
    return run.kind in ("test", "build", "lint", "install") and bool(_FAILURE.search(text))


def has_passed(run: Run | None, text: str, *, failed: bool) -> bool:
    """Tell whether a command succeeded. Commands that only show something, such as `ls`, do not count."""
    return run is not None and not failed and run.kind != "look" and not has_failed(run, text, failed=False)


def _counts_no_failure(text: str) -> bool:
    """Tell whether the last line of the output that gives a number of failures gives zero."""
    for line in reversed(text.splitlines()[-_LINES:]):
        counts = [found.group(1) or found.group(2) for found in _COUNT.finditer(line[:_LONGEST])]
        if counts:
            return not any(map(int, counts))
    return False
