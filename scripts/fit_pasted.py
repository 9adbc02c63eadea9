"""Fit the weights by which pasted sentences are recognised, and print how well they do on authors left out.

    python -m scripts.fit_pasted PASTED.jsonl… [--marked FILE] [--write]

A line of PASTED is a prompt with some of its passages: {"text": …, "passages": [{"text": …, "whose": "user" or
"external"}]}. The folder or name of the file stands for its author. `--marked` is the file of marked messages that
`scripts.fit_capture` describes: what is worth keeping in them, and all of the short ones, was typed. The prompts that
are put together from `pasted_prompts.txt` and those of the tests are always fitted to.

The model is a conditional random field with two states; `limpet/capture/speech/pasted.py` describes its scores. A
sentence in no passage has no mark, and both states of it are summed. For each file, the printed figures are those of
weights fitted without it. numpy is needed here, and only here.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.marked import KEPT_BACK, load_messages
from tests.capture.speech.test_pasted import LEADS, OTHER, OWN_LEADS
from tests.capture.speech.test_spans import PASTED, RULE, TYPED

from limpet.capture.speech.pasted import TABLE, find_signals, split_sentences
from limpet.capture.speech.spans import LIKELY_PASTED, LIKELY_TYPED, find_shapes
from limpet.text.tables import table_path

Array = np.ndarray[Any, np.dtype[Any]]

PARTS = Path(__file__).with_name("pasted_prompts.txt")
PARTS_OF_SIGNALS = ("own", "begins", "stays")
INVENTED, TESTS, MARKED = "invented", "tests", "marked"
EACH = 4
"""The number of prompts that are made with each invented lead."""
IMPORTANCE = {INVENTED: 0.4, TESTS: 0.6, MARKED: 0.4}
"""The weights of prompts that nobody wrote as a whole, or that nobody marked sentence by sentence."""
STEPS, RATE, PENALTY = 150, 0.12, 1.0
LONGEST, MOST = 1500, 40
"""The most characters and sentences of a marked message that is fitted to."""
SIZES = (4, 7, 12, 24, 10_000)
NEVER = -1e9
WORKERS = 2
BOUNDS = (0.1, LIKELY_TYPED, 0.5, LIKELY_PASTED)


@dataclass
class Prompt:
    """A prompt with the passages in it whose author is known, and the signals of its sentences."""

    text: str
    passages: Sequence[tuple[str, bool]]
    """Each passage, and whether it was pasted."""
    hand: str
    is_whole: bool = True
    """Whether a prompt without a pasted passage was typed as a whole."""
    fold: int = 0
    rows: tuple[list[list[float]], ...] = ()
    names: tuple[list[str], ...] = ()
    marks: list[int] = field(default_factory=list)
    """For each sentence 1 if it was pasted, 0 if it was typed, and -1 if that is unknown."""
    spans: list[tuple[int, int]] = field(default_factory=list)
    """The start and the end of each sentence in the text."""

    def __post_init__(self) -> None:
        lines = self.text.splitlines()
        starts = np.cumsum([0, *(len(line) for line in self.text.splitlines(keepends=True))])
        sentences = split_sentences(lines, find_shapes(lines))
        self.spans = [(int(starts[each.line]) + each.start, int(starts[each.line]) + each.end) for each in sentences]
        found = list(find_signals(sentences)) if len(sentences) > 1 or (sentences and sentences[0].gap) else []
        if found:
            self.names = tuple(list(getattr(found[-1], part)) for part in PARTS_OF_SIGNALS)
            self.rows = tuple(
                [[getattr(each, part).get(name, 0.0) for name in names] for each in found]
                for part, names in zip(PARTS_OF_SIGNALS, self.names, strict=True)
            )
            self.marks = self._mark_sentences()

    def _mark_sentences(self) -> list[int]:
        marks = []
        for start, end in self.spans:
            owners = {
                mark
                for first, last, mark in self.find_passages()
                if (share := min(end, last) - max(start, first)) > 0
                and (share >= 0.3 * (end - start) or share >= 0.6 * (last - first))
            }
            marks.append(owners.pop() if len(owners) == 1 else -1)
        if not any(mark for *_, mark in self.find_passages()):
            return [0] * len(marks) if self.is_whole else marks
        pasted = [at for at, mark in enumerate(marks) if mark == 1]
        for at in range(len(marks)):
            before = max((each for each in pasted if each < at), default=None)
            after = min((each for each in pasted if each > at), default=None)
            if marks[at] < 0 and before is not None and after is not None and 0 not in marks[before:after]:
                marks[at] = 1
        if marks[0] < 0:
            marks[0] = 0
        return marks

    def find_passages(self) -> Iterator[tuple[int, int, int]]:
        """Yield the start and the end of each passage, and 1 if it was pasted, else 0."""
        for text, is_pasted in self.passages:
            found = re.search(r"\s+".join(map(re.escape, text.split())), self.text)
            if found is not None:
                yield found.start(), found.end(), int(is_pasted)

    def rate_passages(self, chances: Sequence[float]) -> Iterator[tuple[bool, float]]:
        """Yield for each passage whether it was pasted, and the chance of its sentences, the worse one if they differ.

        A passage without a sentence is in lines whose form shows that they are foreign.
        """
        for first, last, mark in self.find_passages():
            own = [
                chance
                for (start, end), chance in zip(self.spans, chances, strict=True)
                if (share := min(end, last) - max(start, first)) > 0
                and (share >= 0.5 * (last - first) or share >= 0.7 * (end - start))
            ]
            yield bool(mark), (min(own) if mark else max(own)) if own else 1.0


def load_prompts(path: str) -> Iterator[Prompt]:
    """Yield the prompts of a file."""
    file = Path(path)
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        passages = [(each["text"], each["whose"] == "external") for each in row["passages"]]
        yield Prompt(row["text"], passages, f"{file.parent.name}/{file.stem}")


def load_marked(path: str) -> Iterator[Prompt]:
    """Yield marked messages: what is worth keeping in them was typed, and so were most of the short ones."""
    rows = [json.loads(line) for line in _read_lines(path)]
    for row, message in zip(rows, load_messages(path), strict=True):
        keep = row["label"]["keep"]
        if message.role == "prompt" and len(message.text) <= (3 * LONGEST if keep else LONGEST):
            passages = [(each, False) for each in keep]
            prompt = Prompt(message.text, passages, MARKED, is_whole=not keep, fold=message.fold)
            if len(prompt.marks) <= MOST:
                yield prompt


def _read_lines(path: str) -> list[str]:
    import lzma

    data = Path(path).read_bytes()
    return (lzma.decompress(data) if path.endswith(".xz") else data).decode("utf-8").splitlines()


def make_prompts() -> Iterator[Prompt]:
    """Yield prompts put together from invented parts, and those of the tests."""
    chosen = random.Random(1)
    parts: dict[tuple[str, str], list[str]] = {}
    for line in PARTS.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            name, kind, text = line.split(" ", 2)
            parts.setdefault((name, kind), []).append(text.replace("\\n", "\n"))
    for kind in "><":
        is_pasted = kind == ">"
        for lead in parts["lead", kind] * EACH:
            same = [text for text in parts["text", kind] if _find_script(text) == _find_script(lead)]
            text = chosen.choice(same if _find_script(lead) or chosen.random() < 0.6 else parts["text", kind])
            ends = lead.endswith((":", "?", "：", "？"))
            gap = chosen.choice(["\n\n", "\n\n", "\n", "\n" if "\n" in text else " "]) if ends else "\n\n"
            quoted = is_pasted and not set('"\n') & set(text) and chosen.random() < 0.25
            if quoted and chosen.random() < 0.6:
                gap = " " if ends else chosen.choice([" ", ": "])
            tail = chosen.choice(parts["tail", kind]) if chosen.random() < 0.4 else ""
            below = " " if (quoted or gap == " ") and chosen.random() < 0.5 else "\n\n"
            yield _join(lead, gap, f'"{text}"' if quoted else text, below if tail else "", tail, is_pasted=is_pasted)
    for text in parts["text", "<"]:
        yield Prompt(text, (), INVENTED)
    for text in parts["text", ">"] * 2:
        yield _join("", "", text, "\n\n", chosen.choice(parts["tail", ">"]), is_pasted=True)
    yield from (Prompt(text, [(RULE, True)], TESTS) for text in PASTED.values())
    yield from (Prompt(text, (), TESTS) for text in TYPED.values())
    for gap in ("\n", "\n\n"):
        yield from (Prompt(f"{lead}{gap}{RULE}", [(lead, False), (RULE, True)], TESTS) for lead in LEADS)
        yield from (Prompt(f"{lead}{gap}- {RULE}\n- {OTHER}", (), TESTS) for lead in OWN_LEADS)


def _join(lead: str, gap: str, text: str, below: str, tail: str, *, is_pasted: bool) -> Prompt:
    passages = [(each, False) for each in (lead, tail) if each]
    passages += [(each, is_pasted) for each in text.strip('"').split("\n") if each.strip()]
    return Prompt(f"{lead}{gap}{text}{below}{tail}", passages, INVENTED)


def _find_script(text: str) -> str:
    return "c" if re.search(r"[\u3040-\u9fff\uac00-\ud7a3]", text) else "r" if re.search("[а-я]", text) else ""


class Samples:
    """The signals of the sentences of some prompts as numbers, padded to the longest prompt."""

    def __init__(self, prompts: Sequence[Prompt]) -> None:
        size = (len(prompts), max(len(each.marks) for each in prompts))
        self.prompts = prompts
        self.signals = [np.zeros((*size, len(names))) for names in prompts[0].names]
        self.marks, self.is_there = np.full(size, -1), np.zeros(size, dtype=bool)
        for at, prompt in enumerate(prompts):
            count = len(prompt.marks)
            self.marks[at, :count], self.is_there[at, :count] = prompt.marks, True
            for signals, rows in zip(self.signals, prompt.rows, strict=True):
                signals[at, :count] = rows
        self.importance = np.array([[IMPORTANCE.get(each.hand, 1.0)] for each in prompts])

    def find_chances(self, weights: Array, marks: Array) -> tuple[Array, Array, Array]:
        """Return the chances of the sentences by some weights, in the chains that agree with the marks."""
        places = np.cumsum([each.shape[2] for each in self.signals])[:-1]
        own, begins, stays = (
            signals @ part for signals, part in zip(self.signals, np.split(weights, places), strict=True)
        )
        return find_chances(own + begins, own + stays, self.is_there, marks)

    def find_slope(self, weights: Array) -> Array:
        """Return the slope of the probability of the marks."""
        known = self.find_chances(weights, self.marks)
        free = self.find_chances(weights, np.full_like(self.marks, -1))
        return np.concatenate(
            [
                np.tensordot((one - other) * self.importance, each, 2)
                for one, other, each in zip(known, free, self.signals, strict=True)
            ]
        )

    def rate(self, weights: Array) -> Iterator[tuple[Prompt, list[float]]]:
        """Yield the prompts, each with the chances of its sentences."""
        chances = self.find_chances(weights, np.full_like(self.marks, -1))[0]
        for prompt, row in zip(self.prompts, chances, strict=True):
            yield prompt, row[: len(prompt.marks)].tolist()


def fit(prompts: Sequence[Prompt]) -> Array:
    """Return the weights fitted to some prompts."""
    # Prompts of about the same length are padded together.
    sizes = sorted({min(size for size in SIZES if size >= len(each.marks)) for each in prompts})
    parts = [[each for each in prompts if low < len(each.marks) <= size] for low, size in pairwise((0, *sizes))]
    samples = [Samples(part) for part in parts if part]
    weights = np.zeros(sum(map(len, prompts[0].names)))
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        slope = PENALTY * weights - sum(part.find_slope(weights) for part in samples)
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        rate = RATE * (1 - 0.95 * step / STEPS) / (1 - 0.9**step) * (1 - 0.99**step) ** 0.5
        weights -= rate * mean / (np.sqrt(square) + 1e-8)
    return weights


def find_chances(begins: Array, stays: Array, there: Array, marks: Array) -> tuple[Array, Array, Array]:
    """Return the chance that each sentence is pasted, that a pasted text begins at it, and that one goes on with it.

    Only chains that agree with the marks are counted.
    """
    typed_only, pasted_only = np.where(marks == 0, NEVER, 0.0), np.where(marks == 1, NEVER, 0.0)
    begins, stays = begins + typed_only, stays + typed_only
    typed, pasted = np.zeros_like(begins), np.zeros_like(begins)
    typed[:, 0], pasted[:, 0] = pasted_only[:, 0], begins[:, 0]
    for at in range(1, begins.shape[1]):
        one, other = typed[:, at - 1], pasted[:, at - 1]
        typed[:, at] = np.where(there[:, at], np.logaddexp(one, other) + pasted_only[:, at], one)
        pasted[:, at] = np.where(there[:, at], np.logaddexp(one + begins[:, at], other + stays[:, at]), other)
    below_typed, below_pasted = np.zeros_like(begins), np.zeros_like(begins)
    for at in range(begins.shape[1] - 1, 0, -1):
        one, other = below_typed[:, at] + pasted_only[:, at], below_pasted[:, at]
        below_typed[:, at - 1] = np.where(there[:, at], np.logaddexp(one, begins[:, at] + other), 0.0)
        below_pasted[:, at - 1] = np.where(there[:, at], np.logaddexp(one, stays[:, at] + other), 0.0)
    total = np.logaddexp(typed[:, -1], pasted[:, -1])[:, None]
    chance = np.exp(np.minimum(0, pasted + below_pasted - total)) * there
    start, more = np.zeros_like(begins), np.zeros_like(begins)
    start[:, 0] = chance[:, 0]
    start[:, 1:] = np.exp(np.minimum(0, typed[:, :-1] + begins[:, 1:] + below_pasted[:, 1:] - total)) * there[:, 1:]
    more[:, 1:] = np.exp(np.minimum(0, pasted[:, :-1] + stays[:, 1:] + below_pasted[:, 1:] - total)) * there[:, 1:]
    return chance, start, more


def describe(rated: Sequence[tuple[Prompt, list[float]]], structural: Sequence[Prompt]) -> dict[str, Any]:
    """Return how many passages are below each bound: pasted ones count as the user's, typed ones do not get lost."""
    passages = [each for prompt, chances in rated for each in prompt.rate_passages(chances)]
    passages += [each for prompt in structural for each in prompt.rate_passages([0.0] * len(prompt.spans))]
    found: dict[str, Any] = {}
    for name, wanted in (("pasted", True), ("typed", False)):
        chances = [chance for is_pasted, chance in passages if is_pasted is wanted]
        found[name] = {"passages": len(chances)} | {
            f"below {bound}": sum(chance < bound for chance in chances) for bound in BOUNDS
        }
    return found


def rate_strangers(prompts: Sequence[Prompt], hand: str) -> list[tuple[Prompt, list[float]]]:
    """Return the prompts of an author, rated by weights that were fitted without them.

    Marked messages have many authors, of whom those of three folds are held back.
    """
    held = [each for each in prompts if each.hand == hand and (hand != MARKED or each.fold in KEPT_BACK)]
    others = {id(each) for each in held}
    return list(Samples(held).rate(fit([each for each in prompts if id(each) not in others])))


def write_weights(weights: Mapping[str, float]) -> None:
    """Write the weights into the rows of the table."""
    path = Path(table_path(TABLE))
    text = path.read_text(encoding="utf-8")
    for name, weight in weights.items():
        text, count = re.subn(rf"(?m)^{re.escape(name)} -?[\d.]+$", f"{name} {weight:.2f}", text)
        assert count == 1, name
    path.write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pasted", nargs="+", help="files of prompts with passages")
    parser.add_argument("--marked", help="file of marked messages")
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    given = parser.parse_args()
    prompts = [prompt for path in given.pasted for prompt in load_prompts(path)]
    prompts += [*make_prompts(), *(load_marked(given.marked) if given.marked else ())]
    usable = [each for each in prompts if each.marks]
    hands = sorted({each.hand for each in prompts} - {INVENTED, TESTS})
    with ProcessPoolExecutor(WORKERS) as pool:
        fitted = pool.submit(fit, usable)
        rated = list(pool.map(partial(rate_strangers, usable), hands))
        weights = fitted.result()
    for hand, here in zip(hands, rated, strict=True):
        folds = {each.fold for each, _ in here}
        rest = [each for each in prompts if each.hand == hand and each.fold in folds and not each.marks]
        sys.stdout.write(f"{hand} {json.dumps(describe(here, rest))}\n")
    names = [f"{part}: {name}" for part, own in zip(PARTS_OF_SIGNALS, usable[0].names, strict=True) for name in own]
    named = dict(zip(names, map(float, weights), strict=True))
    sys.stdout.write(f"{json.dumps({name: round(each, 2) for name, each in named.items()})}\n")
    if given.write:
        write_weights(named)


if __name__ == "__main__":
    main()
