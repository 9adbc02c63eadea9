"""Find the memory candidates in an observation, each with its type.

Listings, searches, reads, and builds and installs that succeed are routine. They yield no candidates, because they can
be repeated at any time. Candidates come from prompts and reports, and from commits with a meaningful message,
measurements, diagnoses, environment limits, decisions written into a file, and explanations given by sub-agents or
fetched pages.
"""

from __future__ import annotations

import re

from limpet.capture.candidate import Candidate, Memorability, find_concepts
from limpet.capture.meaning import Meaning
from limpet.capture.score import score_routine
from limpet.capture.speech.choices import choice_candidate
from limpet.capture.speech.prompts import prompt_candidates, read_prompt
from limpet.capture.speech.reports import report_candidate, score_report, text_candidate
from limpet.capture.speech.statements import candidate_from_statements, parse_statements
from limpet.capture.speech.turn import Turn
from limpet.capture.tools.commits import commit_candidate
from limpet.capture.tools.failures import has_failed
from limpet.capture.tools.observe import Observation, shorten_output
from limpet.lean.pattern import lazy
from limpet.lean.record import replace
from limpet.model.event import Action
from limpet.model.memory import Origin, Type
from limpet.text.error_lines import find_error_line
from limpet.text.error_signature import error_tag
from limpet.text.excerpt import shorten_line
from limpet.text.words import word_set

_SMALL_EDIT = 40  # lines: a new file explains itself, a small edit that gives a reason has taught something

# Files that record decisions.
_DECISION_FILE = lazy(
    r"(?:^|[/\\])(?:CLAUDE|AGENTS|GEMINI|CONTRIBUTING|CONVENTIONS|DECISIONS?)(?:\.\w+)?\.md$|\.cursorrules$"
    r"|[/\\]\.?(?:adrs?|decisions?|rfcs?)[/\\][^/\\]+\.(?:md|rst|txt)$",
    re.I,
)
_COMMENT = lazy(r"^\s*+(?:#++!?|//[/!]?|--|/?\*++|<!--|;;|%)\s*+(\S.{15,})$", re.MULTILINE)
_DIAGNOSIS = lazy(
    r"\bOOMKilled\b|\bCrashLoopBackOff\b|\bImagePullBackOff\b|first bad commit|\btoo many (?:connections"
    r"|open files)\b|deadlock detected"
    r"|\bSeq Scan on \w+|\bdefinitely lost: [1-9]|\bout of memory\b|\bNo space left\b"
    r"|\bcertificate (?:has )?expired\b|\bORA-\d+"
    r"|\bconnection refused\b|\bmax_connections\b|\bpermission denied\b|\bthrottl\w+|\brate limit\w*|\bslow query\b",
    re.I,
)
# Programs that are asked what is wrong with a system, not with a line of code.
_DIAGNOSES = word_set(
    "kubectl docker podman docker-compose journalctl dmesg systemctl psql mysql sqlite3 mongosh redis-cli "
    "strace valgrind aws gcloud az helm heroku fly git openssl nomad"
)
_MEASURE = lazy(
    r"\btimes faster than\b|\bRequests/sec|\b\d[\d.,]* ?ns/op\b|\bLatency\b.*\d|\btime:\s+\[|\bTime \(mean"
    r"|\bExecution Time: \d|\bops/s(?:ec)?\b"
    r"|\bp(?:50|90|95|99)\b.{0,12}\d|\bthroughput\b.{0,20}\d|\b(?:faster|slower) (?:than|by)\b"
    r"|\b\d+(?:\.\d+)?% (?:faster|slower|less|more|smaller)\b"
    r"|\b(?:Change|change):\s+[+-]?\d|\bcum(?:ulative|time)\b",
    re.I,
)
_LIMIT = lazy(
    r"\b(?:requires?|needs?|expected) .{0,60}\d|\bincompatible\b|\bnot supported\b|\bunsupported (?!operand)"
    r"|\bdeprecated\b|\bnot allowed\b|\bquota\b"
    r"|\brate limit|\bprotected branch\b|\bexceeds\b|\btoo (?:many|large|long|old)\b|\bERESOLVE\b|\bEBADENGINE\b"
    r"|\bpeer (?:dep|react|\w+@)|\bno matching manifest\b"
    r"|\bmust (?:be|have|use)\b|\bminimum\b|\bat least\b|\bread-only\b|\bexternally-managed\b"
    r"|\bis not (?:available|permitted|authorized)\b|\bdenied\b",
    re.I,
)
_ANSWERED = lazy(r"\"([^\"]{3,300}+)\" ?= ?\"([^\"]{1,300}+)\"")
_LANGUAGE_ERROR = lazy(
    r"(?:[\w.]+\.)?(?:Type|Value|Key|Index|Attribute|Name|Syntax|Indentation|Assertion|Reference|Range|Import"
    r"|ModuleNotFound)Error\b|E0\d+|error\[E|error TS"
)


def find_candidates(seen: Observation, turn: Turn | None = None) -> list[Candidate]:
    """Return the memory candidates in an observation, or an empty list for routine work."""
    if seen.action is None:
        if seen.origin is Origin.USER:
            chosen = choice_candidate(seen.text, turn.options if turn is not None else ())
            typed = prompt_candidates(seen.text, turn)
            if chosen is not None:
                # The same answer, with the question instead of the option before it.
                typed = [each for each in typed if each.origin is Origin.USER]
            # These words may be somebody else's, so they are told as a quotation until the user confirms them.
            doubtful = prompt_candidates(seen.doubtful, turn) if seen.doubtful else []
            doubtful = [replace(each, origin=Origin.TOOL, on_purpose=False) for each in doubtful]
            pasted = _pasted_candidate(seen.foreign)
            found = [*typed, *doubtful, *([pasted] if pasted is not None else [])]
            return found if chosen is None else [chosen, *found]
        return _add_files(seen, report_candidate(seen.text, seen.origin, turn))
    match seen.action:
        case Action.RUN:
            return _add_files(seen, _run_candidate(seen))
        case Action.EDIT:
            return _add_files(seen, None if seen.failed else _edit_candidate(seen))
        case Action.FETCH:
            return _add_files(seen, None if seen.failed or _is_web_search(seen) else _external_candidate(seen, least=2))
        case Action.DELEGATE:
            return _add_files(seen, None if seen.failed else text_candidate(seen.text, Origin.TOOL, least=2))
        case Action.PLAN:
            return _add_files(seen, _plan_candidate(seen))
        case Action.OTHER:
            return _add_files(seen, None if seen.failed else _external_candidate(seen, least=3))
        case _:
            return []


def score_rest(seen: Observation) -> Memorability:
    """Return the memorability score of an observation that has no memory candidate.

    The score is only shown to explain why nothing was stored.
    """
    if seen.action is not None:
        return score_routine(routine_type(seen))
    return read_prompt(seen.text).score() if seen.origin is Origin.USER else score_report(parse_statements(seen.text))


def explain_rest(seen: Observation, *, waits: bool) -> str:
    """Tell why an observation has no memory candidate. `waits` tells whether it is a failure that waits for its fix."""
    if waits:
        return "a failure alone, noted with its fix if one follows"
    if seen.action is not None:
        return "routine"
    said = parse_statements(seen.text)
    states = any(each.content and not each.asks and Meaning.INTENT not in each.meanings for each in said)
    return "it says too little on its own" if states else "it states nothing"


def _is_web_search(seen: Observation) -> bool:
    """Tell whether a fetch was only a web search: it names no URL, so no page was read."""
    return not isinstance(seen.input.get("url"), str) and "://" not in seen.command


def routine_type(seen: Observation) -> Type:
    """Return the type with which routine work is scored: a discovery if it only reads or searches, else a change."""
    if seen.action in (Action.READ, Action.SEARCH, Action.FETCH) or (seen.run is not None and seen.run.kind == "look"):
        return Type.DISCOVERY
    return Type.CHANGE


def _add_files(seen: Observation, found: Candidate | None) -> list[Candidate]:
    if found is None:
        return []
    return [replace(found, files_read=seen.files_read, files_modified=found.files_modified or seen.files_modified)]


def _run_candidate(seen: Observation) -> Candidate | None:
    run = seen.run
    if run is None or run.shows_files:
        return None
    if has_failed(run, seen.text, failed=seen.failed):
        return _limit_candidate(seen)
    if run.kind in ("commit", "share"):
        return commit_candidate(seen)
    if seen.failed or run.kind in ("install", "lint"):
        return None
    if run.kind == "fetch":
        return None
    return _finding_candidate(seen)


def _find_output_origin(seen: Observation) -> Origin:
    """Return the origin of a command's output: external if the command contacted another machine, else tool."""
    return Origin.EXTERNAL if seen.origin is Origin.EXTERNAL else Origin.TOOL


def _limit_candidate(seen: Observation) -> Candidate | None:
    """Return a memory candidate if a command failed because of an environment limit, or None.

    A limit, such as a required version, is worth remembering even before a solution is known. An ordinary bug is not.
    """
    assert seen.run is not None
    error = find_error_line(seen.text)
    if seen.run.kind in ("test", "lint", "look") or not _LIMIT.search(error) or _LANGUAGE_ERROR.match(error):
        return None
    said = parse_statements(error)
    text = f"`{shorten_line(seen.run.text, 120)}` fails: {error}"
    return Candidate(
        text=text,
        type=Type.DISCOVERY,
        origin=_find_output_origin(seen),
        title=shorten_line(f"{seen.run.name} fails: {error.replace('`', '')}", 100),
        concepts=find_concepts(frozenset({Meaning.GOTCHA}), Type.DISCOVERY),
        tags=tuple(filter(None, (error_tag(error),))),
        meanings=frozenset({Meaning.GOTCHA}),
        content=8,
        concrete=sum(each.concrete for each in said),
        amounts=sum(each.amounts for each in said),
        real_error=True,
        why="a limit of the environment",
    )


def _finding_candidate(seen: Observation) -> Candidate | None:
    """Return a memory candidate for a measurement or a diagnosis that a command printed, or None."""
    assert seen.run is not None
    if seen.run.kind in ("build", "other") and seen.run.program != "git":
        return None
    lines = [" ".join(line.split()) for line in seen.text.splitlines()]
    measured = [line for line in lines if _MEASURE.search(line) and any(char.isdigit() for char in line)]
    diagnosed = [line for line in lines if _DIAGNOSIS.search(line)] if seen.run.program in _DIAGNOSES else []
    if seen.run.program == "git" and seen.run.part != "bisect":
        return None
    shown = (diagnosed or measured)[:3]
    if not shown:
        return None
    text = f"`{shorten_line(seen.run.text, 120)}` shows: {'; '.join(shorten_line(line, 160) for line in shown)}"
    said = parse_statements(" ".join(shown))
    return Candidate(
        text=text,
        type=Type.DISCOVERY,
        origin=_find_output_origin(seen),
        title=shorten_line(f"{seen.run.name} shows: {shown[0]}", 100),
        concepts=find_concepts(frozenset({Meaning.GOTCHA} if diagnosed else {Meaning.MECHANISM}), Type.DISCOVERY),
        meanings=frozenset({Meaning.FINDING}),
        content=6,
        concrete=1 + sum(each.concrete for each in said),
        amounts=len(measured),
        real_error=bool(diagnosed),
        why="a diagnosis" if diagnosed else "a measurement",
    )


def _edit_candidate(seen: Observation) -> Candidate | None:
    """Return a memory candidate for an edit, or None.

    An edit counts if it changes a file that records decisions, such as CONTRIBUTING.md, or if it is small and one of
    its comments gives a reason.
    """
    new = seen.input.get("new_string")
    written = shorten_output(new) if isinstance(new, str) else seen.text
    path = seen.files_modified[0] if seen.files_modified else ""
    if _DECISION_FILE.search(path):
        found = text_candidate(written, Origin.TOOL, least=2)
        said = prompt_candidates(written) if found is None else []
        if said:
            found = replace(said[0], origin=Origin.TOOL, message=None)
        return None if found is None else replace(found, type=Type.DECISION)
    if written.count("\n") > _SMALL_EDIT:
        return None
    comments = " ".join(match.group(1) for match in _COMMENT.finditer(written))
    said_why = [
        each
        for each in parse_statements(comments)
        if Meaning.CAUSE in each.meanings and each.content > 3 and each.concrete
    ]
    if not said_why:
        return None
    return candidate_from_statements(said_why[:2], type=Type.CHANGE, origin=Origin.TOOL, why="an edit that says why")


def _external_candidate(seen: Observation, *, least: int) -> Candidate | None:
    """Return a memory candidate for explanations in the output of an external source, or None.

    `least` is the minimum score of a sentence.
    """
    if seen.origin is not Origin.EXTERNAL:
        return None
    found = text_candidate(seen.text, Origin.EXTERNAL, least=least)
    return None if found is None else replace(found, type=Type.DISCOVERY)


def _pasted_candidate(foreign: str) -> Candidate | None:
    """Return a memory candidate for explanations in text that the user pasted, or None. Its origin is external."""
    found = text_candidate(foreign, Origin.EXTERNAL, least=3) if foreign else None
    return None if found is None else replace(found, type=Type.DISCOVERY)


def _answer_candidate(seen: Observation) -> Candidate | None:
    """Return a memory candidate for the user's answers in a question dialog that the agent opened, or None."""
    chosen = _ANSWERED.findall(seen.text) if "answered" in seen.text[:80] else []
    if not chosen:
        return None
    text = "; ".join(f"{question.strip()} → {answer.strip()}" for question, answer in chosen[:6])
    return Candidate(
        text=text,
        type=Type.DECISION,
        # The question is the agent's, and so is the wording.
        origin=Origin.TOOL,
        title=shorten_line(f"Chosen: {', '.join(answer for _, answer in chosen[:4])}", 90),
        subtitle=shorten_line(chosen[0][0], 140),
        concepts=find_concepts(frozenset({Meaning.DECISION}), Type.DECISION),
        meanings=frozenset({Meaning.DECISION}),
        content=4 * len(chosen),
        concrete=len(chosen),
        why="answers to the agent's questions",
    )


def _plan_candidate(seen: Observation) -> Candidate | None:
    chosen = _answer_candidate(seen)
    if chosen is not None:
        return chosen
    plan = seen.input.get("plan")
    if not isinstance(plan, str):
        return None
    kept = [
        each
        for each in parse_statements(plan[:6000])
        if (Meaning.DECISION in each.meanings or Meaning.CONTRAST in each.meanings)
        and not each.asks
        and each.content > 2
    ]
    if not kept:
        return None
    return candidate_from_statements(kept[:4], type=Type.DECISION, origin=Origin.TOOL, why="a plan that decides")
