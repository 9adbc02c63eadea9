"""Find the line of a command's output that explains an error best."""

from __future__ import annotations

import re

from limpet.lean.pattern import lazy

_LINES = 160

# The most specific pattern comes first; the first one that matches is used.
_ERROR_LINES = (
    lazy(
        r"^(?:E {1,12}|\*\* \()?((?:[A-Za-z_]\w*+\.)*+[A-Z]\w*(?:Error|Exception|Warning|Exit|Interrupt|Fault"
        r"|NotFound)\b[):]? ?.*)$",
        re.M,
    ),
    lazy(r"^FAILED \S++ - (\S.*)$", re.M),
    lazy(r"^.*?\b(error(?:\[\w++\]| (?:TS|CS)\d++)\s*:? .*)$", re.M),
    lazy(r"^(?:thread .{1,80} )?(panic(?:ked at)?\b.*)$", re.M),
    lazy(r"^(E {1,12}\S.*)$", re.M),
    lazy(r"^.*?: ((?:fatal )?error: .*)$", re.M),
    lazy(r"^\s*+((?:fatal|error|ERROR|Error|FATAL)\b ?[:!\]-] ?\S.*)$", re.M),
    lazy(r"^npm (?:ERR!|error) (?!A complete log|\s*$)(.*\S.*)$", re.M),
    lazy(r"^\[ERROR\] (\S.*)$", re.M),
    lazy(r"^\s*+\S+?:\d++:\d++: ([A-Z]{1,4}\d{2,4}:? .*)$", re.M),
    lazy(r"^([A-Z]{1,4}\d{2,4} .*)\n *--> ", re.M),
    # A Go test that compares two values says nothing else, so its file is kept.
    lazy(r"^\s*+(\w\S*_test\.go:\d++: .*\b(?:got|want|expected)\b.*)$", re.M),
    lazy(r"^\s*+(?:\./)?\w\S*\.go:\d++(?::\d++)?: (.*)$", re.M),
    lazy(r"^\s*+● (\S.* › .*)$", re.M),
    lazy(r"^(FAIL \S+\.(?:test|spec)\.\w++)", re.M),
    lazy(r"^\s*+(Expected.*|Assertion.*|assert .*)$", re.M),
    lazy(r"^\s*+((?:FAILED|FAIL|--- FAIL:?|not ok \d++|✗|✕|×) .*)$", re.M),
    lazy(
        r"^(.*\b(?:error|failed|denied|refused|not found|cannot|can't|No such|unable|invalid|fehlgeschlagen|échec"
        r"|erreur)\b.*)$",
        re.I | re.M,
    ),
)
_NOISE = lazy(
    r"^\s*+(?:Error: )?Exit code:? \d++\s*+$|\b0 (?:errors?|failed|failures?)\b|A complete log of this run"
    r"|Error: Process completed|\bTests run: \d",
    re.I,
)
_WRAPPER_FAILURE = lazy(
    r"^(?:error: )?(?:script |command |Recipe |task )?.{0,40}(?:exited with|failed with) (?:exit )?(?:code|status)",
    re.I,
)


def find_error_line(text: str, limit: int = 300) -> str:
    """Return the first `limit` characters of the line that explains the error best.

    If no line explains it, return the last line; if the text is empty, return an empty string.
    """
    lines = [line for line in text.splitlines() if line.strip() and not _NOISE.search(line)]
    if not lines:
        return ""
    body = "\n".join(line[:limit] for line in (lines if len(lines) <= _LINES else lines[:40] + lines[-120:]))
    for pattern in _ERROR_LINES:
        found = [match.group(1).strip() for match in pattern.finditer(body)]
        found = [line for line in found if not _WRAPPER_FAILURE.match(line)] or found
        if found:
            # A traceback ends with the exception that was not handled; other output begins with the first cause.
            return _clean_line(found[-1] if pattern is _ERROR_LINES[0] and "Traceback" in body else found[0], limit)
    return _clean_line(lines[-1], limit)


def _clean_line(line: str, limit: int) -> str:
    return " ".join(line.split()).removeprefix("E ").strip()[:limit]
