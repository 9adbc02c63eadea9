"""Fit the table of vectors to pairs of texts that belong together, and to what the sentence encoder makes of them.

    python -m scripts.fit_table WHEEL_FOLDER PAIRS TARGET [SECONDS]

WHEEL_FOLDER has the files of the package `limpet_meaning`. PAIRS is an xz file; each line has a kind, which is a number
below `PART`, a short text and a longer one, between tabs. A line of the kind `PART` has a paragraph instead, of which
some words are asked for and the rest has to be found. The fit starts from the table that the package carries, and the
table in TARGET is a mean of the two. Needs torch, numpy and a GPU: on an NVIDIA H200 the fit takes 30 seconds, which is
enough, and preparing the texts takes as long. To repeat decision 47, put back the table from before it first.
"""

from __future__ import annotations

import lzma
import math
import random
import sys
import time
from itertools import chain, islice
from multiprocessing import Pool
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from scripts.fit_question_encoder import Stack, read_values
from scripts.meaning import LAYERS
from torch.nn import functional

from limpet.text.embedding import DIMENSIONS, Table, split_tokens, write_table
from limpet.text.encoder import Encoder

MODEL = "pairs-256-2"
SHORT, LONG = 32, 128
"""How many pieces of the short and of the long text of a pair are used."""
BATCH = 8192
PART, LEXICON = 7, 3
SHARES = {0: 0.32, 1: 0.24, 2: 0.12, LEXICON: 0.08, 4: 0.05, 5: 0.04, 6: 0.05, PART: 0.1}
"""How often a batch is of each kind: commits, headings, code, words, talks, commands, questions, parts of paragraphs
(see decision 47)."""
REWORDED_SHARE = 0.15
SOFT = 0.5
"""How much the order that the encoder gives counts beside the pairs."""
SAME = 50.0
"""How much the cosines of the encoder should be matched."""
RATE = 3e-3
NEW_SHARE = 0.6
COMMON = 120
"""This many of the most frequent pieces do not count when texts are compared for common words."""
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


class Pairs(NamedTuple):
    """Pieces of texts, one row each, and the vectors that the encoder gives them; -1 stands for no piece."""

    short: Any
    long: Any
    wanted_short: Any
    wanted_long: Any


_table: Table | None = None


def start_cutting() -> None:
    global _table
    _table = Table()


def cut(line: str) -> tuple[int, list[int], list[int]]:
    assert _table is not None
    found = _table
    kind, short, long = line.split("\t")

    def find(text: str, most: int) -> list[int]:
        return list(islice(chain.from_iterable(map(found.find_pieces, split_tokens(text))), most))

    return int(kind), find(short, LONG if int(kind) == PART else SHORT), find(long, LONG)


def fill(texts: list[list[int]], length: int) -> Any:
    rows = np.full((len(texts), length), -1, dtype=np.int16)
    for row, pieces in zip(rows, texts, strict=True):
        row[: len(pieces)] = pieces
    return torch.from_numpy(rows).to(DEVICE)


def read_rows(table: Table) -> Any:
    """Return the weighted vectors of a table, one long on the average."""
    rows = np.frombuffer(table._rows, dtype=np.int8).reshape(table.count, DIMENSIONS).astype(np.float32)
    weights = np.frombuffer(table._weights, dtype=np.uint16).astype(np.float32)
    return to_unit_mean(torch.from_numpy(rows * weights[:, None]).to(DEVICE))


def to_unit_mean(rows: Any) -> Any:
    return rows / rows.norm(dim=1).mean()


class Teacher:
    """The sentence encoder, for texts that were cut into the pieces of the table."""

    def __init__(self, folder: Path, table: Table) -> None:
        ids = Encoder(str(folder), np)._ids
        self._stack = Stack(read_values(folder, DEVICE), tuple(range(LAYERS))).requires_grad_(False)
        words = [word.decode() for word, _ in table._list_pieces()]
        self._ids = torch.tensor([ids[word] for word in words], device=DEVICE)
        self._ends = ids["[CLS]"], ids["[SEP]"]

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def encode(self, rows: Any) -> Any:
        lengths = (rows >= 0).sum(dim=1)
        order = lengths.argsort()
        found = torch.empty(len(rows), 384, dtype=torch.float16, device=DEVICE)
        for start in range(0, len(rows), 2048):
            chosen = order[start : start + 2048]
            longest = int(lengths[chosen[-1]])
            ids = torch.full((len(chosen), longest + 2), -1, device=DEVICE)
            pieces = rows[chosen, :longest].long()
            ids[:, 1:-1] = torch.where(pieces >= 0, self._ids[pieces.clamp(min=0)], -1)
            ids[:, 0] = self._ends[0]
            ids[torch.arange(len(chosen), device=DEVICE), lengths[chosen] + 1] = self._ends[1]
            with torch.autocast(DEVICE, torch.bfloat16):
                found[chosen] = self._stack(ids).to(found.dtype)
        return found


def weigh_pieces(rows: list[Any], count: int) -> tuple[Any, Any]:
    """Return how rare each piece is, from 0 to 1, and which are common."""
    counts = torch.bincount(torch.cat([each[each >= 0].long() for each in rows]), minlength=count).float()
    rarity = torch.log(counts.sum() / (counts + 50))
    common = torch.zeros(count, dtype=torch.bool, device=DEVICE)
    common[counts.argsort(descending=True)[:COMMON]] = True
    return (rarity - rarity.min()) / (rarity.max() - rarity.min()), common


def find_reworded(pairs: Pairs, texts: Any, wanted: Any, least: float, rarity: Any, common: Any) -> Pairs:
    """Return short texts, each with a text that the encoder finds similar and that shares few of its words."""
    asked = torch.randperm(len(pairs.short), device=DEVICE)[:200_000]
    pool = torch.randperm(len(texts), device=DEVICE)[:250_000]
    among = wanted[pool]
    firsts, seconds = [], []
    for start in range(0, len(asked), 2048):
        chosen = asked[start : start + 2048]
        cosines, places = (pairs.wanted_short[chosen] @ among.T).topk(min(24, len(pool)), dim=1)
        places, pieces = pool[places], pairs.short[chosen]
        shared = torch.stack([(texts[places] == pieces[:, None, at, None]).any(dim=2) for at in range(SHORT)], dim=2)
        known = pieces.long().clamp(min=0)
        weight = rarity[known] ** 2 * (pieces >= 0) * ~common[known] + 1e-4
        overlap = (shared * weight[:, None]).sum(dim=2) / weight.sum(dim=1)[:, None]
        fits = (cosines > least) & (cosines < 0.97) & (overlap < 0.34)
        value, best = torch.where(fits, cosines.float() - 0.4 * overlap, -9.0).max(dim=1)
        firsts.append(chosen[value > -1])
        seconds.append(places.gather(1, best[:, None])[:, 0][value > -1])
    first, second = torch.cat(firsts), torch.cat(seconds)
    return Pairs(pairs.short[first], texts[second], pairs.wanted_short[first], wanted[second])


def take_part(paragraphs: Any) -> tuple[Any, Any]:
    """Return some pieces in a row of each of some paragraphs, and the other pieces of each."""
    rows = paragraphs[torch.randint(len(paragraphs), (min(BATCH, len(paragraphs)),), device=DEVICE)]
    lengths = (rows >= 0).sum(dim=1)
    most = (lengths * 0.4).long().clamp(min=3)
    wanted = torch.minimum(torch.randint(6, 25, (len(rows),), device=DEVICE), most)
    start = (torch.rand(len(rows), device=DEVICE) * (lengths - wanted).clamp(min=1)).long()
    places, columns = torch.arange(LONG, device=DEVICE), torch.arange(SHORT, device=DEVICE)
    inside = (places >= start[:, None]) & (places < (start + wanted)[:, None])
    part = rows.gather(1, (start[:, None] + columns).clamp(max=LONG - 1))
    return torch.where(columns < wanted[:, None], part, -1), torch.where(inside, -1, rows)


def encode(rows: Any, pieces: Any, weights: Any) -> Any:
    """Return the sums of the vectors of pieces, each of the length one."""
    total = functional.embedding_bag(
        pieces.clamp(min=0).int(), rows, per_sample_weights=weights * (pieces >= 0), mode="sum"
    )
    return functional.normalize(total, dim=1, eps=1e-4)


@torch.no_grad()  # type: ignore[untyped-decorator]
def weigh_question(short: Any, long: Any, rarity: Any, common: Any, *, thin: bool) -> Any:
    """Return weights as a search gives them, by rarity and to a random degree; with `thin`, shared pieces weigh less.

    What shares words with its answer is found by words; the table is needed for the rest. So in half of the pairs, the
    pieces that both texts hold count little, unless fewer than two others are left.
    """
    known = short.long().clamp(min=0)
    degree = torch.rand(len(short), 1, device=DEVICE)
    weights = (1 - degree) + degree * (0.3 + 0.7 * rarity[known])
    weights = weights * (torch.rand(short.shape, device=DEVICE) > 0.1)
    if not thin:
        return weights
    shared = torch.stack([(long == short[:, at, None]).any(dim=1) for at in range(SHORT)], dim=1)
    left = ((short >= 0) & ~shared & ~common[known]).sum(dim=1)
    chosen = (torch.rand(len(short), device=DEVICE) < 0.5) & (left >= 2)
    return torch.where(chosen[:, None] & shared, weights * torch.rand(len(short), 1, device=DEVICE) * 0.3, weights)


def measure_loss(short: Any, long: Any, pairs: tuple[Any, Any] | None, scale: Any) -> Any:
    """Return how far each text is from finding the other of its pair, and from the order that the encoder gives."""
    cosines = short @ long.T
    found = cosines * scale.exp().clamp(max=60)
    own = torch.arange(len(short), device=DEVICE)
    loss = (functional.cross_entropy(found, own) + functional.cross_entropy(found.T, own)) / 2
    if pairs is None:
        return loss
    wanted = (pairs[0] @ pairs[1].T).float()
    there = ((wanted * 20).softmax(dim=1) * found.log_softmax(dim=1)).sum(dim=1).mean()
    back = ((wanted.T * 20).softmax(dim=1) * found.T.log_softmax(dim=1)).sum(dim=1).mean()
    few = min(2048, len(short))
    apart = (cosines[:few, :few] - wanted[:few, :few]).square().mean()
    return (1 - SOFT) * loss - SOFT * (there + back) / 2 + SAME * apart


def fit(
    start: Any,
    kinds: dict[int, Pairs],
    reworded: list[Pairs],
    paragraphs: Any,
    weights: tuple[Any, Any],
    seconds: float,
) -> Any:
    """Return the vectors after the fit."""
    rows = torch.nn.Parameter(start.clone())
    scale = torch.nn.Parameter(torch.tensor(math.log(15.0), device=DEVICE))
    groups = [{"params": [rows], "lr": RATE}, {"params": [scale], "lr": 1e-3}]
    optimiser = torch.optim.Adam(groups, betas=(0.9, 0.98))
    sources: list[tuple[int, Pairs | None, float]] = [(kind, each, SHARES[kind]) for kind, each in kinds.items()]
    sources += [(-1, each, REWORDED_SHARE) for each in reworded]
    if len(paragraphs):
        sources.append((PART, None, SHARES[PART]))
    began, steps, part = time.monotonic(), 0, 0.0
    while part < 1:
        part = (time.monotonic() - began) / seconds
        optimiser.param_groups[0]["lr"] = RATE * min(1, (steps + 1) / 50) * max(0.02, 1 - part)
        kind, chosen, _ = random.choices(sources, [share for *_, share in sources])[0]
        wanted = None
        if chosen is None:
            short, long = take_part(paragraphs)
        else:
            size = min(BATCH, max(8, len(chosen.short) // 2))
            at = torch.randint(len(chosen.short), (size,), device=DEVICE)
            short, long = chosen.short[at], chosen.long[at]
            wanted = chosen.wanted_short[at], chosen.wanted_long[at]
        first = encode(rows, short, weigh_question(short, long, *weights, thin=kind != LEXICON))
        second = encode(rows, long, (torch.rand(long.shape, device=DEVICE) > 0.1).float())
        loss = measure_loss(first, second, wanted, scale)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        steps += 1
    print(f"{steps} steps, loss {loss.item():.3f}", flush=True)
    return to_unit_mean(rows.detach())


def write(rows: Any, table: Table, target: str) -> None:
    values = rows.cpu().numpy()
    scale = np.maximum(np.abs(values).max(axis=1, keepdims=True), 1e-9) / 127
    weights = np.maximum(1, np.rint(scale[:, 0] / scale.max() * 65_535)).astype(int)
    words = [word.decode() for word, _ in table._list_pieces()]
    codes = np.rint(values / scale).astype(np.int8)
    write_table(target, MODEL, words, [int(weight) for weight in weights], codes.tobytes())


def main(folder: str, texts: str, target: str, seconds: str = "30") -> None:
    torch.manual_seed(1)
    random.seed(3)
    with lzma.open(texts, "rt", encoding="utf-8") as file, Pool(16, start_cutting) as pool:
        lines = [line.rstrip("\n") for line in file]
        found = pool.map(cut, [line for line in lines if line.count("\t") == 2], chunksize=4000)
    table = Table()
    teacher, start = Teacher(Path(folder), table), read_rows(table)
    kinds: dict[int, Pairs] = {}
    for kind in sorted({each[0] for each in found} - {PART}):
        both = [(short, long) for each, short, long in found if each == kind and short and long]
        short, long = fill([each for each, _ in both], SHORT), fill([each for _, each in both], LONG)
        wanted_short, wanted_long = teacher.encode(short), teacher.encode(long)
        near = (wanted_short * wanted_long).float().sum(dim=1) > 0.15
        if kind in (LEXICON, 5):
            near[:] = True
        kinds[kind] = Pairs(short[near], long[near], wanted_short[near], wanted_long[near])
    paragraphs = fill([short for kind, short, _ in found if kind == PART], LONG)
    weights = weigh_pieces([rows for each in kinds.values() for rows in each[:2]], table.count)
    joined = [each for kind, each in kinds.items() if kind not in (LEXICON, 5)]
    all_pairs = Pairs(*(torch.cat(rows) for rows in zip(*joined, strict=True)))
    long_enough = (all_pairs.short >= 0).sum(dim=1) >= 4
    all_pairs = Pairs(*(rows[long_enough] for rows in all_pairs))
    reworded = [
        find_reworded(all_pairs, all_pairs.long, all_pairs.wanted_long, 0.5, *weights),
        find_reworded(all_pairs, all_pairs.short, all_pairs.wanted_short, 0.62, *weights),
    ]
    print(f"{sum(len(each.short) for each in kinds.values())} pairs, {[len(each.short) for each in reworded]} reworded")
    fitted = fit(start, kinds, [each for each in reworded if len(each.short)], paragraphs, weights, float(seconds))
    write(NEW_SHARE * fitted + (1 - NEW_SHARE) * start, table, target)


if __name__ == "__main__":
    main(*sys.argv[1:])
