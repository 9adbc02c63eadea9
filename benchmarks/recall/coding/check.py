"""Check the coding recall set: shapes, references, and that no paraphrase shares a word with its answer.

    python benchmarks/recall/coding/check.py

Prints the counts, then every fault; exits 1 if there is one.
"""

import json
import os
import re
import sys
from collections import Counter
from functools import cache
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))

PROJECTS = {"shop", "infra", "editor", "bikes", "game", "melt", None}
KINDS = {"EMOTIONAL", "ARCHITECTURAL", "LEARNINGS", "ACHIEVEMENTS"}
TYPES = {"bugfix", "feature", "refactor", "change", "discovery", "decision"}
IMPACTS = {"LOW", "MEDIUM", "HIGH", "CRITICAL"}
STYLES = ("words", "paraphrase", "identifier", "error", "file", "temporal", "foreign", "translated", "nothing")
MEMORY_FIELDS = {
    *("key", "project", "kind", "type", "impact", "session", "title", "text", "tags", "files", "branch", "day"),
    *("supersedes", "by"),
}
QUESTION_FIELDS = {"id", "project", "question", "answers", "style", "split", "by", "checked", "note"}
SPLITS = {"dev", "kept"}
HANDS = {"first", "second", "third"}
"""Who wrote or checked: see `by` and `checked` in the README."""
LENGTHS = (40, 1500)
LEAST_MEMORIES = {"shop": 220, "infra": 60, "editor": 30, "bikes": 40}
LEAST_QUESTIONS = 500
LEAST_NOTHING = 50
LEAST_PAIRS = 15
LEAST_FOREIGN = 12

STOP_WORDS = """
a about above after again all alone also although am an and another any anybody anyone anything are as at away
be became because become been before being below between both but by can cannot could did do does doing done
don down during each either else ever every everybody everyone everything few for from further had half has
have having he her here hers him his how however i if in into is isn it its itself just least less let like
ll many may me might mine more most much must my neither never no nobody none nor not nothing now of off often
on once one only onto or other others our ours out over own per quite rather really s same several shall she
should since so some somebody someone something still such t than that the their theirs them themselves then
there therefore these they thing things this those though through to today together too under until up upon
us very was we were what when whenever where whether which while who whom whose why will with within without
would yes yet you your yours re ve d m de en weren doesn
"""
STOP = frozenset(STOP_WORDS.split())
SUFFIXES = (
    *("ations", "ation", "ments", "ment", "ingly", "ness", "ings", "able", "ible", "ers", "ies", "ing", "ion"),
    *("est", "ity", "ive", "ous", "ful", "ed", "er", "es", "ly", "al", "or", "s", "e", "y"),
)
FOREIGN = "der|die|das|weil|mit|und|vom|nur|im|sonst|immer|el|los|las|la|con|se|una|por|est|aux|sur|les"
PATH = re.compile(r"[\w./-]*\w")
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_a-zA-Z]+|\d+")


@cache
def stem(word: str) -> str:
    """Strip suffixes until none fits, keeping three letters; then undouble the last letter (shipp → ship)."""
    changed = True
    while changed:
        changed = False
        for suffix in SUFFIXES:
            if word.endswith(suffix) and len(word) - len(suffix) >= 3:
                word = word[: -len(suffix)]
                changed = True
                break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def words(text: str) -> set[str]:
    """Return the content words; camelCase, snake_case and paths are included both whole and in parts."""
    found = {word.lower() for word in WORD.findall(text)} | set(re.findall(r"\w+", text.lower()))
    return {word for word in found if word not in STOP and len(word) > 1}


def stems(text: str) -> set[str]:
    return {stem(word) for word in words(text)}


def are_alike(one: str, other: str) -> bool:
    """Tell whether two words share a stem, the beginning of a stem (deploy, deployment) or five letters (local…)."""
    a, b = stem(one), stem(other)
    if a == b or (min(len(a), len(b)) >= 4 and (a.startswith(b) or b.startswith(a))):
        return True
    return len(other) >= 5 and one.startswith(other[:5])


def shared_words(question: str, memory: str) -> list[str]:
    """Return the words of the question that the memory has too, in any form."""
    theirs = words(memory)
    return sorted(mine for mine in words(question) if any(are_alike(mine, one) for one in theirs))


def searchable_text(memory: dict[str, Any]) -> str:
    """Return all text of a memory that a search can hit."""
    parts = [memory.get("title", ""), memory["text"], *memory.get("tags", []), *memory.get("files", [])]
    return "\n".join(parts)


def overlap(one: dict[str, Any], other: dict[str, Any]) -> float:
    """Return the share of the smaller memory's stems that the other has."""
    a, b = stems(searchable_text(one)), stems(searchable_text(other))
    return len(a & b) / max(1, min(len(a), len(b)))


def load(name: str) -> list[dict[str, Any]]:
    with open(os.path.join(HERE, name), encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def is_foreign(text: str) -> bool:
    """Tell whether a text is in another script, or has function words that only German, Spanish or French have."""
    letters = [c for c in text if c.isalpha()]
    if sum(c > "\u024f" for c in letters) > len(letters) / 4:
        return True
    return len(re.findall(rf"\b(?:{FOREIGN})\b", text.lower())) >= 2


def check_memories(memories: list[dict[str, Any]]) -> list[str]:
    faults: list[str] = []
    by_key = {m["key"]: m for m in memories}
    if len(by_key) != len(memories):
        faults.append("memory keys are not unique")
    sessions: dict[str, tuple[int, str]] = {}
    corrected: set[str] = set()
    for m in memories:
        key = m["key"]
        if extra := set(m) - MEMORY_FIELDS:
            faults.append(f"{key}: unknown fields {sorted(extra)}")
        if m["project"] not in PROJECTS or m["kind"] not in KINDS or m["type"] not in TYPES:
            faults.append(f"{key}: unknown project, kind or type")
        if m.get("by") not in HANDS:
            faults.append(f"{key}: nobody known wrote it")
        if m["impact"] not in IMPACTS or not isinstance(m["day"], int) or m["day"] < 0:
            faults.append(f"{key}: impact or day is wrong")
        if not LENGTHS[0] <= len(m["text"]) <= LENGTHS[1]:
            faults.append(f"{key}: {len(m['text'])} characters")
        day, branch = sessions.setdefault(m["session"], (m["day"], m.get("branch", "")))
        if (day, branch) != (m["day"], m.get("branch", "")):
            faults.append(f"{key}: session {m['session']} has two days or branches")
        if "supersedes" in m:
            old = by_key.get(m["supersedes"])
            if old is None or old["project"] != m["project"] or old["day"] <= m["day"]:
                faults.append(f"{key}: supersedes something unknown, foreign or newer")
            elif old["key"] in corrected:
                faults.append(f"{key}: {old['key']} is superseded twice")
            corrected.add(m["supersedes"])
    texts = Counter(" ".join(m["text"].lower().split()) for m in memories)
    faults += [f"the same text twice: {text[:60]}" for text, n in texts.items() if n > 1]
    return faults


def check_questions(questions: list[dict[str, Any]], memories: list[dict[str, Any]]) -> list[str]:
    faults: list[str] = []
    by_key = {m["key"]: m for m in memories}
    dead = {m["supersedes"] for m in memories if "supersedes" in m}
    if len({q["id"] for q in questions}) != len(questions):
        faults.append("question ids are not unique")
    if len({(q["project"], q["question"]) for q in questions}) != len(questions):
        faults.append("a question is asked twice")
    for q in questions:
        name, answers = q["id"], q["answers"]
        if extra := set(q) - QUESTION_FIELDS:
            faults.append(f"{name}: unknown fields {sorted(extra)}")
        if q["style"] not in STYLES or q["project"] not in PROJECTS - {None}:
            faults.append(f"{name}: unknown style or project")
        if q.get("split") not in SPLITS:
            faults.append(f"{name}: is neither in the half for tuning nor in the half that is kept back")
        if q.get("by") not in HANDS:
            faults.append(f"{name}: nobody known wrote it")
        if q.get("checked") not in HANDS - {q.get("by")}:
            faults.append(f"{name}: is not checked by another than its author")
        if (q["style"] == "nothing") != (not answers) or len(set(answers)) != len(answers):
            faults.append(f"{name}: answers do not fit the style")
        for key in answers:
            m = by_key.get(key)
            if m is None or m["project"] not in (q["project"], None):
                faults.append(f"{name}: answer {key} is unknown or belongs elsewhere")
            elif key in dead:
                faults.append(f"{name}: answer {key} is superseded")
            else:
                same = shared_words(q["question"], searchable_text(m))
                if q["style"] == "paraphrase" and same:
                    faults.append(f"{name}: shares {same} with {key}: {q['question']}")
                if q["style"] == "words" and not same:
                    faults.append(f"{name}: shares no word with {key}: {q['question']}")
        visible = [m for m in memories if m["project"] in (q["project"], None) and m["key"] not in dead]
        if q["style"] == "file":
            named = {m["key"] for m in visible if q["question"] in (*m.get("files", []), *PATH.findall(m["text"]))}
            if missing := named - set(answers):
                faults.append(f"{name}: also named by {sorted(missing)}")
        if q["style"] == "identifier":
            for word in re.findall(r"\w+", q["question"]):
                parts = [p.lower() for p in WORD.findall(word)]
                if len(parts) < 2:
                    continue
                plain = "".join(parts)
                hits = {m["key"] for m in visible if plain in re.sub(r"[\W_]", "", searchable_text(m).lower())}
                if not hits & set(answers):
                    faults.append(f"{name}: no answer holds {word}")
                elif more := hits - set(answers):
                    faults.append(f"{name}: {word} is also in {sorted(more)}")
    return faults


def check_halves(questions: list[dict[str, Any]]) -> list[str]:
    """Return the styles whose halves differ by more than one question."""
    sizes = Counter((q["style"], q.get("split")) for q in questions)
    return [
        f"{style}: {sizes[style, 'dev']} questions for tuning, {sizes[style, 'kept']} kept back"
        for style in STYLES
        if abs(sizes[style, "dev"] - sizes[style, "kept"]) > 1
    ]


def check_pairs(pairs: list[dict[str, Any]], memories: list[dict[str, Any]]) -> list[str]:
    faults: list[str] = []
    by_key = {m["key"]: m for m in memories}
    for pair in pairs:
        old, new = by_key.get(pair["older"]), by_key.get(pair["newer"])
        if old is None or new is None or old["project"] != new["project"] or old["day"] <= new["day"]:
            faults.append(f"pair {pair} is not an older and a newer memory of one project")
        elif overlap(old, new) < 0.3:
            faults.append(f"pair {pair} has little in common: {overlap(old, new):.2f}")
    return faults


def main() -> int:
    memories, questions = load("memories.jsonl"), load("questions.jsonl")
    pairs = load("near_duplicates.jsonl")
    by_project = Counter(m["project"] for m in memories)
    by_style = Counter(q["style"] for q in questions)
    superseding = sum("supersedes" in m for m in memories)
    elsewhere = sum(is_foreign(m["text"]) for m in memories)
    lengths = sorted(len(m["text"]) for m in memories)
    usual = sum(80 <= n <= 400 for n in lengths)

    print(f"memories   {len(memories)}: " + ", ".join(f"{p or 'agent-wide'} {n}" for p, n in by_project.most_common()))
    print(f"           in {len({m['session'] for m in memories})} sessions, {elsewhere} not in English")
    middle = lengths[len(lengths) // 2]
    print(f"           {lengths[0]} to {lengths[-1]} characters, median {middle}, {usual} of 80 to 400")
    for field in ("kind", "type", "impact"):
        print(
            f"           {field}: "
            + ", ".join(f"{v} {n}" for v, n in Counter(m[field] for m in memories).most_common())
        )
    print(f"pairs      {len(pairs)} near-duplicates, {superseding} superseded")
    print(f"questions  {len(questions)}: " + ", ".join(f"{s} {by_style[s]}" for s in STYLES))
    print(
        "           asked in "
        + ", ".join(f"{p} {n}" for p, n in Counter(q["project"] for q in questions).most_common())
    )

    for done, field in (("written", "by"), ("checked", "checked")):
        hands = Counter(q.get(field, "nobody") for q in questions)
        print(f"           {done} by " + ", ".join(f"{hand} {n}" for hand, n in hands.most_common()))

    faults = check_memories(memories) + check_questions(questions, memories) + check_halves(questions)
    faults += check_pairs(pairs, memories)
    wanted = [
        *((f"memories of {p}", by_project[p], n) for p, n in LEAST_MEMORIES.items()),
        ("memories", len(memories), 320),
        ("memories not in English", elsewhere, LEAST_FOREIGN),
        ("near-duplicate pairs", len(pairs), LEAST_PAIRS),
        ("superseded memories", superseding, LEAST_PAIRS),
        ("questions", len(questions), LEAST_QUESTIONS),
        ("paraphrases", by_style["paraphrase"], -(-len(questions) // 3)),
        ("nothing-questions", by_style["nothing"], LEAST_NOTHING),
    ]
    faults += [f"only {have} {what}, at least {least} wanted" for what, have, least in wanted if have < least]
    for fault in faults:
        print(f"fault: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
