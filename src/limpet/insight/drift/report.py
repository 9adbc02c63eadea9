"""Format the statements that a diff makes false as markdown for a pull request, or as SARIF 2.1.0."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from limpet.guard.neutral import neutralise
from limpet.insight.drift.claims import Cause
from limpet.insight.drift.examine import Addition, Finding
from limpet.text.excerpt import clip

_MOST_ADDED = 20
_RULES = {
    Cause.PATH: "A path that is named no longer exists.",
    Cause.COMMAND: "A command that is named no longer exists.",
    Cause.VERSION: "A version that is named is no longer the pinned one.",
    Cause.SYMBOL: "A symbol that is named no longer exists.",
    Cause.SPAN: "Lines that are cited have changed.",
}


def name_place(found: Finding | Addition) -> str:
    """Return where a statement is: the file with the line number, or the id of the memory."""
    return found.memory.id if found.memory is not None else f"{found.path}:{found.line}"


def write_markdown(findings: Sequence[Finding], added: Sequence[Addition]) -> str:
    """Return the report as markdown for a pull request."""
    lines = ["This change makes no memory and no instruction false."]
    if findings:
        lines = ["### This change makes these statements false", ""]
        lines += [f"- `{name_place(each)}`: {_quote(each.falsehood.why)}\n  > {_quote(each.text)}" for each in findings]
    if added:
        lines += ["", "### This change adds", ""]
        lines += [f"- `{name_place(each)}`: {_quote(each.text)}" for each in added[:_MOST_ADDED]]
        if len(added) > _MOST_ADDED:
            lines.append(f"- and {len(added) - _MOST_ADDED} more")
    return "\n".join(lines) + "\n"


def _quote(text: str) -> str:
    """Return a text as one line of markdown, shortened, and without user mentions or HTML tags."""
    return clip(neutralise(text, one_line=True), 200).replace("@", "@\u200b").replace("<", "&lt;")


def write_sarif(findings: Sequence[Finding], *, version: str) -> str:
    """Return the findings as a SARIF log in JSON; `version` is that of Limpet.

    A finding about a memory has no location.
    """
    rules = [{"id": cause.name.lower(), "shortDescription": {"text": text}} for cause, text in _RULES.items()]
    results = [_encode_result(each) for each in findings]
    tool = {"driver": {"name": "limpet check", "version": version, "rules": rules}}
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": tool, "results": results}],
    }
    return json.dumps(log, indent=2, ensure_ascii=False) + "\n"


def _encode_result(finding: Finding) -> dict[str, Any]:
    said = f"{finding.falsehood.why}: {clip(neutralise(finding.text, one_line=True), 200)}"
    if finding.memory is not None:
        said = f"{finding.memory.id}: {said}"
    result: dict[str, Any] = {
        "ruleId": finding.falsehood.cause.name.lower(),
        "level": "warning",
        "message": {"text": said},
    }
    if finding.path:
        place = {"artifactLocation": {"uri": finding.path}, "region": {"startLine": finding.line}}
        result["locations"] = [{"physicalLocation": place}]
    return result
