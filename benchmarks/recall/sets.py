"""Read question sets into one shape: LongMemEval, LoCoMo, REALTALK, NL2Bash, Neural Code Search, and our coding set.

Ids and evidence flags are for judging only; nothing of them reaches the index.
"""

from __future__ import annotations

import json
import lzma
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to remember; the judge identifies it by its `key`."""

    key: str
    text: str
    session: str
    fields: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    id: str
    kind: str
    text: str
    answers: frozenset[str]
    """Keys of items that are evidence."""
    sessions: frozenset[str]
    """Sessions that hold evidence."""


@dataclass(frozen=True, slots=True)
class Case:
    """A store's content and the questions asked of it."""

    name: str
    items: tuple[Item, ...]
    questions: tuple[Question, ...]


def load(path: Path) -> Iterator[Case]:
    """Yield the cases of a set, which is known by its form."""
    if path.is_dir():
        return _realtalk(sorted(path.glob("Chat_*.json")))
    if path.suffix == ".nl":
        return _nl2bash(path)
    opener = lzma.open if path.suffix == ".xz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        found = json.load(file)
    if isinstance(found, dict) and "sessions" in found and "questions" in found:
        return _compact_longmemeval(found)
    if isinstance(found, list) and found and "haystack_sessions" in found[0]:
        return _longmemeval(found)
    if isinstance(found, list) and found and "conversation" in found[0]:
        return _locomo(found)
    if isinstance(found, list) and found and "stackoverflow_id" in found[0]:
        return _code_search(found)
    raise SystemExit(f"{path} is neither LongMemEval, LoCoMo, REALTALK (a folder), NL2Bash (all.nl) nor Code Search")


def _compact_longmemeval(found: dict[str, Any]) -> Iterator[Case]:
    for question in found["questions"]:
        sessions = {id: found["sessions"][id] for id in question["haystack_session_ids"]}
        yield _longmemeval_case(question, sessions)


def _longmemeval(found: list[dict[str, Any]]) -> Iterator[Case]:
    for question in found:
        ids = question["haystack_session_ids"]
        yield _longmemeval_case(question, dict(zip(ids, question["haystack_sessions"], strict=True)))


def _longmemeval_case(question: dict[str, Any], sessions: dict[str, Any]) -> Case:
    # Evidence sessions are recognisable by their ids, so the index gets numbers instead.
    names = {id: f"session {number}" for number, id in enumerate(sessions)}
    items = [
        Item(f"{names[id]}/{number}", turn["content"], names[id], {})
        for id, turns in sessions.items()
        for number, turn in enumerate(turns)
        if turn["content"].strip()
    ]
    evidence = [
        f"{names[id]}/{number}"
        for id, turns in sessions.items()
        for number, turn in enumerate(turns)
        if turn.get("has_answer")
    ]
    evidence += [f"{names[id]}/{number}" for id, number in question.get("answer_turns", ())]
    if question["question_id"].endswith("_abs"):
        return Case(question["question_id"], tuple(items), ())
    asked = Question(
        question["question_id"],
        question["question_type"],
        question["question"],
        frozenset(evidence),
        frozenset(names[id] for id in question["answer_session_ids"]),
    )
    return Case(question["question_id"], tuple(items), (asked,))


def _nl2bash(path: Path) -> Iterator[Case]:
    """Yield one store of 2,500 shell commands with a description; 500 of them are asked for in other words."""
    described: dict[str, set[str]] = defaultdict(set)
    with path.open(encoding="utf-8") as texts, path.with_suffix(".cm").open(encoding="utf-8") as commands:
        for text, command in zip(texts, commands, strict=True):
            if text.strip() and command.strip():
                described[command.strip()].add(text.strip())
    chance = random.Random(5)
    names = sorted(described)
    chance.shuffle(names)
    pairs = []
    for command in [name for name in names if len(described[name]) > 1][:500]:
        texts_of_it = sorted(described[command])
        chance.shuffle(texts_of_it)
        pairs.append((command, f"{texts_of_it[0]}\n`{command}`", texts_of_it[1]))
    alone = [name for name in names if len(described[name]) == 1][:2000]
    items = [Item(command, text, "", {}) for command, text, _ in pairs]
    items += [Item(command, f"{min(described[command])}\n`{command}`", "", {}) for command in alone]
    yield _flat_case("NL2Bash", items, [(question, command) for command, _, question in pairs])


def _code_search(found: list[dict[str, Any]]) -> Iterator[Case]:
    """Yield one store of answers in code, and the question of each."""
    items = [Item(str(each["stackoverflow_id"]), each["answer"], "", {}) for each in found]
    yield _flat_case("Neural Code Search", items, [(each["question"], str(each["stackoverflow_id"])) for each in found])


def _flat_case(name: str, items: list[Item], asked: list[tuple[str, str]]) -> Case:
    """Return a case without sessions; every other question is kept back, the first of them too."""
    questions = [
        Question(f"{name}/{number}", "for tuning" if number % 2 else "kept back", text, *(2 * (frozenset({key}),)))
        for number, (text, key) in enumerate(asked)
    ]
    return Case(name, tuple(items), tuple(questions))


_LOCOMO_KINDS = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}


def _locomo(found: list[dict[str, Any]]) -> Iterator[Case]:
    for number, sample in enumerate(found):
        talk = sample["conversation"]
        items = []
        for name in sorted(
            (key for key in talk if key.startswith("session_") and isinstance(talk[key], list)), key=_number
        ):
            for turn in talk[name]:
                text = turn.get("text", "")
                if turn.get("blip_caption"):
                    text += f" [shares {turn['blip_caption']}]"
                items.append(Item(turn["dia_id"], text, name, {"speaker": turn["speaker"]}))
        sessions = {item.key: item.session for item in items}
        questions = []
        for position, asked in enumerate(sample["qa"]):
            evidence = frozenset(key for key in _evidence(asked) if key in sessions)
            if not evidence or asked.get("category") == 5:
                continue
            kind = _LOCOMO_KINDS.get(asked.get("category"), "other")
            within = frozenset(sessions[key] for key in evidence)
            questions.append(Question(f"{number}/{position}", kind, asked["question"], evidence, within))
        yield Case(f"conversation {number}", tuple(items), tuple(questions))


def _realtalk(paths: list[Path]) -> Iterator[Case]:
    """Yield the chats of pairs of people, a turn with its speaker as one item; every other chat is kept back."""
    for number, path in enumerate(paths):
        talk = json.loads(path.read_text("utf-8"))
        items = []
        for name in sorted(
            (key for key in talk if key.startswith("session_") and isinstance(talk[key], list)), key=_number
        ):
            for turn in talk[name]:
                text = turn["clean_text"] or ""
                if turn.get("blip_caption"):
                    text += f" [shares {turn['blip_caption']}]"
                if text.strip():
                    items.append(Item(turn["dia_id"], f"{turn['speaker']}: {text}", name, {}))
        sessions = {item.key: item.session for item in items}
        questions = []
        for position, asked in enumerate(talk["qa"]):
            evidence = frozenset(key for key in _evidence(asked) if key in sessions)
            if evidence:
                within = frozenset(sessions[key] for key in evidence)
                kind = "for tuning" if number % 2 else "kept back"
                questions.append(Question(f"{number}/{position}", kind, asked["question"], evidence, within))
        yield Case(path.stem, tuple(items), tuple(questions))


def _number(name: str) -> int:
    return int(name.split("_")[1])


def _evidence(asked: dict[str, Any]) -> list[str]:
    return [part.strip() for each in asked.get("evidence", []) for part in str(each).replace(";", ",").split(",")]


def coding(folder: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    def read(name: str) -> list[dict[str, Any]]:
        with (folder / name).open(encoding="utf-8") as file:
            return [json.loads(line) for line in file if line.strip()]

    return read("memories.jsonl"), read("questions.jsonl")
