"""Encode a report as JSON files that other tools can read: analysis, summary, raw signals and candidates.

A candidate is an objection of the user that may lead to a rule.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from limpet.insight.folder import CANDIDATES
from limpet.insight.friction.measures import ConversationMeasures, Evidence
from limpet.insight.friction.report import FrictionReport
from limpet.insight.friction.signals import ROUGH_SCORE, Quality, Signal, SignalEvent
from limpet.model.codec import format_time
from limpet.text.words import STOP, split_words

ANALYSIS = "friction_analysis.json"
SUMMARY = "friction_summary.json"
RAW = "friction_raw.jsonl"
NO_RULE = "# TODO: Write prevention instruction based on pattern above"


def encode_files(report: FrictionReport) -> dict[str, str]:
    """Return the JSON files of a report, as a dict from file name to content."""
    raw = (_encode_signal(each, event) for each in report.conversations for event in each.signals)
    return {
        ANALYSIS: _dump([encode_measures(each) for each in (*report.conversations, *report.scripted)]),
        SUMMARY: _dump(encode_summary(report)),
        RAW: "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in raw),
        CANDIDATES: _dump(encode_candidates(report)),
    }


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _encode_signal(conversation: ConversationMeasures, event: SignalEvent) -> dict[str, Any]:
    return {
        "ts": format_time(event.at),
        "source": event.signal.source.value,
        "signal": event.signal.value,
        "details": event.details,
        "turn": event.turn,
        "incident": event.incident,
        "session": conversation.name,
    }


def encode_measures(each: ConversationMeasures) -> dict[str, Any]:
    """Return the measures of one conversation as a JSON object."""
    runs = each.errors + each.successes
    return {
        "session_id": each.name,
        "session_metadata": {
            "id": each.session,
            "host": each.host,
            "project": each.project,
            "started_at": format_time(each.begins),
            "ended_at": format_time(each.ends),
            "duration_min": each.minutes,
            "turn_count": each.turns,
            "tool_count": each.tools,
            "scripted": each.is_scripted,
            "copies": each.copies,
        },
        "friction_summary": {
            "peak": each.score,
            "final": each.score,
            "total_signals": len(each.signals),
            "incidents": each.incidents,
        },
        "momentum": {
            "success_count": each.successes,
            "error_count": each.errors,
            "error_ratio": round(each.errors / runs, 2) if runs else 0,
            "refused_by_guards": each.refused,
            "checkpoints": each.checkpoints,
        },
        "quality": each.quality.value,
        "by_source": _encode_sources(each.signals),
        "friction_trajectory": _find_trajectory(each.signals),
    }


def _encode_sources(signals: Iterable[SignalEvent]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for event in signals:
        signal = event.signal
        source = found.setdefault(signal.source.value, {"total_friction": 0, "signal_count": 0, "signals": {}})
        source["total_friction"] += signal.weight
        source["signal_count"] += 1
        counted = source["signals"].setdefault(signal.value, {"count": 0, "total_weight": 0})
        counted["count"] += 1
        counted["total_weight"] += signal.weight
    return found


def _find_trajectory(signals: Iterable[SignalEvent]) -> list[float]:
    """Return the score of the conversation after each signal; only the heaviest signal of each incident counts."""
    heaviest: dict[int, float] = {}
    path: list[float] = []
    for event in signals:
        heaviest[event.incident] = max(heaviest.get(event.incident, 0.0), event.signal.weight)
        path.append(sum(heaviest.values()))
    return path


def encode_summary(report: FrictionReport) -> dict[str, Any]:
    """Return the aggregated numbers of a report as a JSON object."""
    verdict = report.verdict
    return {
        "analyzed_at": format_time(report.made_at),
        "since": format_time(report.since) if report.since else None,
        "until": format_time(report.until) if report.until else None,
        "sessions_analyzed": len(report.conversations),
        "scripted_sessions": len(report.scripted),
        "refused_by_guards": sum(each.refused for each in (*report.conversations, *report.scripted)),
        "config_used": {
            "weights": {signal.value: signal.weight for signal in Signal},
            "thresholds": {"friction_peak": ROUGH_SCORE, "long_silence_minutes": 10},
        },
        "qualities": {quality.value: count for quality, count in report.qualities.items()},
        "signals": {signal.value: count for signal, count in report.signals.items()},
        "by_project": {
            project: _aggregate([each for each in report.conversations if each.project == project])
            for project in dict.fromkeys(each.project for each in report.conversations)
        },
        "overall": _aggregate(report.conversations),
        "daily_stats": [
            {
                "date": day.label,
                "total": day.total,
                "interactive": day.interactive,
                "bad": day.bad,
                "bad_rate": _ratio(day.bad, day.interactive, 2),
                "avg_friction": _ratio(day.score, day.total, 1),
            }
            for day in report.find_trend()
        ],
        "best_session": _encode_extreme(report.best),
        "worst_session": _encode_extreme(report.worst),
        "verdict": {
            "status": verdict.status,
            "reasons": list(verdict.reasons),
            "recommended_actions": list(verdict.actions),
        },
    }


def _aggregate(found: Iterable[ConversationMeasures]) -> dict[str, Any]:
    found = list(found)
    interactive = sum(each.is_interactive for each in found)
    bad = sum(each.quality is Quality.BAD for each in found)
    return {
        "total_sessions": len(found),
        "interactive_sessions": interactive,
        "bad_sessions": bad,
        "bad_rate": _ratio(bad, interactive, 2),
        "avg_friction": _ratio(sum(each.score for each in found), len(found), 1),
        "avg_duration_min": _ratio(sum(each.minutes for each in found), len(found), 1),
        "avg_turns": _ratio(sum(each.turns for each in found), len(found), 1),
    }


def _ratio(part: float, whole: int, digits: int) -> float:
    return round(part / whole, digits) if whole else 0


def _encode_extreme(each: ConversationMeasures | None) -> dict[str, Any] | None:
    if each is None:
        return None
    return {
        "session_id": each.name,
        "quality": each.quality.value,
        "peak_friction": each.score,
        "turns": each.turns,
        "duration_min": each.minutes,
    }


def encode_candidates(report: FrictionReport) -> list[dict[str, Any]]:
    """Return a candidate for a rule as a JSON object for each reaction of the user."""
    return [_encode_candidate(each, found) for each in report.conversations for found in each.evidence]


def _encode_candidate(conversation: ConversationMeasures, found: Evidence) -> dict[str, Any]:
    counts = Counter(word for text in found.words for word in split_words(text) if len(word) > 3 and word not in STOP)
    corroborating = {
        each.signal.value
        for each in conversation.signals
        if each.incident == found.event.incident and not each.signal.is_reaction
    }
    return {
        "session_id": conversation.name,
        "conversation": conversation.session,
        "anchor_signal": found.event.signal.value,
        "anchor_ts": format_time(found.event.at),
        "reaction": found.event.details,
        "about": found.about.pattern.describe() if found.about is not None and found.words else "",
        "corroborated_by": sorted(corroborating),
        "peak_friction": conversation.score,
        "turns_in_window": found.turns,
        "files": list(found.files),
        "tool_sequence": list(found.tools),
        "errors": list(found.errors),
        "keywords": sorted(word for word, _ in counts.most_common(15)),
        "user_context": list(found.words),
        "inhibitory_instruction": NO_RULE,
    }
