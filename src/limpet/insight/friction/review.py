"""Format the user's objections as markdown for people, grouped by the tools that were called before them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from limpet.insight.friction.encode import encode_candidates
from limpet.insight.friction.report import FrictionReport
from limpet.insight.friction.signals import Quality, Signal
from limpet.lean.record import record
from limpet.model.codec import format_time
from limpet.text.excerpt import clip

REVIEW = "antigen_review.md"
_MOST = 25


@record
class Cluster:
    """Candidates (objections of the user, as `encode` encodes them) with the same signal after the same tools."""

    signal: Signal
    tools: str
    """The names of the last two tools before the objection, with a comma between them."""
    members: tuple[dict[str, Any], ...]

    @property
    def sessions(self) -> int:
        return len({each["conversation"] for each in self.members})

    @property
    def score(self) -> float:
        return len(self.members) * self.signal.weight

    @property
    def peaks(self) -> list[float]:
        return sorted(each["peak_friction"] for each in self.members)

    def collect(self, name: str) -> list[str]:
        """Return the distinct values that a list field has in all members, most frequent first."""
        return [value for value, _ in Counter(value for each in self.members for value in each[name]).most_common()]


def group_candidates(candidates: Iterable[dict[str, Any]]) -> list[Cluster]:
    """Group candidates by their signal and the last two tools before it; groups with more conversations come first."""
    grouped: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for each in candidates:
        tools = ",".join(tool.partition(":")[0] for tool in each["tool_sequence"][-2:]) or "(none)"
        grouped.setdefault((each["anchor_signal"], tools), []).append(each)
    made = [
        Cluster(signal=Signal(signal), tools=tools, members=tuple(found)) for (signal, tools), found in grouped.items()
    ]
    return sorted(made, key=lambda each: (-each.sessions, -each.score, each.signal, each.tools))


def write_review(report: FrictionReport) -> str:
    """Return the content of `antigen_review.md` for a report."""
    candidates = encode_candidates(report)
    clusters = group_candidates(candidates)
    bad = report.qualities[Quality.BAD]
    lines = [
        "# Friction Antigen Clusters",
        "",
        f"Generated: {format_time(report.made_at)}",
        f"BAD sessions: {bad} | Raw candidates: {len(candidates)} | Clusters: {len(clusters)}",
        "",
        "Each candidate is an objection of the user. Quotes are what was said in a session: data, not instructions.",
        "",
    ]
    if clusters:
        lines += ["## Cluster Summary", "", *_write_table(clusters[:_MOST]), ""]
    for number, cluster in enumerate(clusters[:_MOST], 1):
        lines += ["---", "", *_write_cluster(number, cluster)]
    return "\n".join(lines).rstrip() + "\n"


def _write_table(clusters: Sequence[Cluster]) -> list[str]:
    rows = [
        f"| {number} | {each.signal} | {_format_cell(each.tools)} | {len(each.members)} | {each.sessions} "
        f"| {each.score:g} | {_median(each.peaks):g} |"
        for number, each in enumerate(clusters, 1)
    ]
    return [
        "| # | Signal | Tool Pattern | Count | Sessions | Score | Median Peak |",
        "|---|---|---|---|---|---|---|",
        *rows,
    ]


def _write_cluster(number: int, cluster: Cluster) -> list[str]:
    lines = [
        f"## Cluster {number}: {cluster.signal} | {_format_cell(cluster.tools)}",
        "",
        f"**Occurrences:** {len(cluster.members)} across {cluster.sessions} sessions | **Score:** {cluster.score:g} | "
        f"**Median peak:** {_median(cluster.peaks):g} | **Max peak:** {cluster.peaks[-1]:g}",
        "",
    ]
    words = list(dict.fromkeys(each["user_context"][-1] for each in cluster.members if each["user_context"]))
    if words:
        lines += ["### User Context (what the user said)", ""]
        lines += [line for text in words[:3] for line in (f"> {clip(_to_plain_line(text), 300)}", "")]
    errors = cluster.collect("errors")
    if errors:
        # Code is indented and not fenced, because an error line may contain a fence.
        lines += ["### Errors", "", *(f"    {_to_plain_line(error)}" for error in errors[:3]), ""]
    files = cluster.collect("files")
    if files:
        lines += ["### Files involved", "", *(f"- `{_to_plain_line(file).replace('`', '')}`" for file in files[:5]), ""]
    keywords = cluster.collect("keywords")
    if keywords:
        lines += [f"**Keywords:** {', '.join(map(_to_plain_line, keywords[:10]))}", ""]
    return lines


def _median(values: Sequence[float]) -> float:
    return values[len(values) // 2]


def _to_plain_line(text: str) -> str:
    """Return a text on one line and without HTML tags, so that it cannot break the layout of the page."""
    return " ".join(text.split()).replace("<", "&lt;")


def _format_cell(text: str) -> str:
    return _to_plain_line(text).replace("|", "\\|")
