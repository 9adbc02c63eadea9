"""Fit the small encoder for questions, which gives a question nearly the vector that the six layers give it.

    python -m scripts.fit_question_encoder WHEEL_FOLDER TEXTS TARGET [LAYERS [INNER [SECONDS]]]

WHEEL_FOLDER has the files of the package `limpet_meaning`, and TEXTS is an xz file with one text per line; any texts
will do, as nothing is learnt from them but what the six layers make of them. The words and positions stay as they are,
so both encoders share them. Needs torch, numpy and a GPU; seven minutes on an NVIDIA H200 gave `questions.npz`.
"""

from __future__ import annotations

import lzma
import sys
import time
from itertools import islice
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import numpy as np
import torch
from scripts.meaning import LAYERS, round_rows
from torch import nn
from torch.nn import functional

from limpet.text.encoder import HEADS, WEIGHTS, Encoder

LONGEST = 48
"""How many pieces of a text are used; questions are rarely longer."""
KEPT_BACK = 4096
BATCH = 4096
MATRICES = ("query", "key", "value", "mixed", "inner", "outer")
START_LAYERS = {1: (0,), 2: (0, 5), 3: (0, 2, 5)}
"""The layers of the six from which a fit starts."""


class Layer(nn.Module):  # type: ignore[misc]  # torch is not installed where types are checked
    """One layer of the encoder."""

    def __init__(self, values: dict[str, Any], layer: int) -> None:
        super().__init__()
        own = {name.partition(".")[2]: value for name, value in values.items() if name.startswith(f"{layer}.")}
        self.values = nn.ParameterDict({name.replace(".", "_"): nn.Parameter(value) for name, value in own.items()})

    def forward(self, state: Any, mask: Any) -> Any:
        count, length, width = state.shape
        parts = [self._project(state, name).view(count, length, HEADS, -1) for name in ("query", "key", "value")]
        query, key, value = (part.transpose(1, 2) for part in parts)
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        seen = seen.transpose(1, 2).reshape(count, length, width)
        state = self._normalise(state + self._project(seen, "mixed"), "attended")
        inner = functional.gelu(self._project(state, "inner"), approximate="tanh")
        return self._normalise(state + self._project(inner, "outer"), "end")

    def _project(self, state: Any, name: str) -> Any:
        return state @ self.values[name] + self.values[f"{name}_bias"]

    def _normalise(self, state: Any, name: str) -> Any:
        gain, shift = self.values[f"{name}_gain"], self.values[f"{name}_shift"]
        return functional.layer_norm(state, state.shape[-1:], gain, shift, eps=1e-12)


class Stack(nn.Module):  # type: ignore[misc]
    """Some layers over the words and positions of the encoder, which stay as they are."""

    def __init__(self, values: dict[str, Any], layers: tuple[int, ...]) -> None:
        super().__init__()
        self.fixed = {name: value for name, value in values.items() if not name[0].isdigit()}
        self.layers = nn.ModuleList(Layer(values, layer) for layer in layers)

    def forward(self, ids: Any) -> Any:
        fixed, there = self.fixed, ids >= 0
        state = fixed["words"][ids.clamp(min=0)] + fixed["positions"][: ids.shape[1]] + fixed["kind"]
        gain, shift = fixed["start.gain"], fixed["start.shift"]
        state = functional.layer_norm(state, state.shape[-1:], gain, shift, eps=1e-12)
        for layer in self.layers:
            state = layer(state, there[:, None, None, :])
        total = (state * there[:, :, None]).sum(dim=1)
        return functional.normalize(total, dim=1)


def read_values(folder: Path, device: str) -> dict[str, Any]:
    """Return the arrays of the encoder as 32-bit numbers."""
    with np.load(folder / WEIGHTS) as stored:
        found = {}
        for name in stored.files:
            if not name.endswith(".scale"):
                value = stored[name].astype(np.float32)
                scale = f"{name}.scale"
                found[name] = torch.tensor(value * stored[scale] if scale in stored.files else value, device=device)
    return found


def narrow(values: dict[str, Any], inner: int) -> dict[str, Any]:
    """Return a copy of the arrays of which each layer has fewer inner columns: those with the largest weights."""
    found = {name: value.clone() for name, value in values.items()}
    for layer in range(LAYERS):
        into, bias, out = (found[f"{layer}.{name}"] for name in ("inner", "inner.bias", "outer"))
        chosen = (into.norm(dim=0) * out.norm(dim=1)).topk(inner).indices
        found |= {f"{layer}.inner": into[:, chosen], f"{layer}.inner.bias": bias[chosen], f"{layer}.outer": out[chosen]}
    return found


_encoder: Encoder | None = None


def start_cutting(folder: str) -> None:
    global _encoder
    _encoder = Encoder(folder, np)


def cut(text: str) -> list[int]:
    assert _encoder is not None
    return _encoder._cut(text)[: LONGEST * 2]


def sample(rows: Any, lengths: Any, first: int, last: int) -> Any:
    """Return a batch of texts, half of them cut to a part that is about as long as a question."""
    device = rows.device
    chosen = torch.randint(len(rows), (BATCH,), device=device)
    wanted = torch.randint(3, 25, (BATCH,), device=device)
    wanted[: BATCH // 2] = LONGEST - 2
    wanted = torch.minimum(wanted, lengths[chosen])
    start = (torch.rand(BATCH, device=device) * (lengths[chosen] - wanted + 1)).long()
    place = torch.arange(LONGEST, device=device) - 1
    columns = (start[:, None] + place).clamp(0, rows.shape[1] - 1)
    ids = rows[chosen[:, None], columns].long()
    ids[:, 0] = first
    ids[place == wanted[:, None]] = last
    ids[place > wanted[:, None]] = -1
    return ids


def pad(texts: list[list[int]], device: str, kind: Any = np.int64) -> Any:
    length = max(map(len, texts))
    rows = np.full((len(texts), length), -1, dtype=kind)
    for row, ids in zip(rows, texts, strict=True):
        row[: len(ids)] = ids
    return torch.from_numpy(rows).to(device, non_blocking=True)


def fit(teacher: Stack, student: Stack, pieces: list[list[int]], ends: tuple[int, int], seconds: float) -> None:
    """Fit the student to the vectors of the teacher, and print how near it is on texts that it has not seen."""
    device = "cuda"
    kept = pad([[ends[0], *found[: LONGEST - 2], ends[1]] for found in pieces[:KEPT_BACK]], device)
    rows = pad(pieces[KEPT_BACK:], device, np.int32)
    lengths = (rows >= 0).sum(dim=1)
    optimiser = torch.optim.AdamW(student.parameters(), lr=1e-3, weight_decay=0.01)
    began, steps, part = time.monotonic(), 0, 0.0
    while part < 1:
        part = (time.monotonic() - began) / seconds
        for group in optimiser.param_groups:
            group["lr"] = 8e-4 * min(1, (steps + 1) / 300) * max(0.0, 1 - part)
        ids = sample(rows, lengths, *ends)
        with torch.autocast("cuda", torch.bfloat16):
            with torch.no_grad():
                wanted = teacher(ids).float()
            given = student(ids).float()
        near = (given * wanted).sum(dim=1)
        few = wanted[:1024]
        apart = (given @ few.T - wanted @ few.T).square().mean()
        loss = (1 - near).mean() + 10 * apart
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(student.parameters(), 1.0)
        optimiser.step()
        steps += 1
        if steps % 500 == 0 or part >= 1:
            with torch.no_grad():
                near = (student(kept) * teacher(kept)).sum(dim=1).mean().item()
            print(f"{steps} steps, {part:.0%}: cosine {near:.4f} on texts kept back", flush=True)


def write(student: Stack, target: Path) -> None:
    """Write the layers as signed bytes, as `meaning.py` writes those of the encoder."""
    found: dict[str, Any] = {}
    for number, layer in enumerate(student.layers):
        for name, value in layer.values.items():
            array = value.detach().cpu().numpy()
            ours = f"{number}.{name.replace('_', '.')}"
            if name in MATRICES:
                matrix, scale = round_rows(array.T)
                found[ours], found[f"{ours}.scale"] = np.ascontiguousarray(matrix.T), scale.T
            else:
                found[ours] = array.astype(np.float16)
    np.savez_compressed(target, **found)


def main(folder: str, texts: str, target: str, layers: str = "2", inner: str = "512", seconds: str = "400") -> None:
    torch.manual_seed(1)
    with lzma.open(texts, "rt", encoding="utf-8") as file, Pool(16, start_cutting, [folder]) as pool:
        lines = (line.strip() for line in islice(file, 2_000_000))
        pieces = [found for found in pool.map(cut, lines, chunksize=2000) if len(found) > 1]
    print(f"{len(pieces)} texts", flush=True)
    start_cutting(folder)
    assert _encoder is not None
    ends = (_encoder._ids["[CLS]"], _encoder._ids["[SEP]"])
    values = read_values(Path(folder), "cuda")
    teacher = Stack(values, tuple(range(LAYERS))).requires_grad_(False)
    student = Stack(narrow(values, int(inner)), START_LAYERS[int(layers)])
    fit(teacher, student, pieces, ends, float(seconds))
    write(student, Path(target))


if __name__ == "__main__":
    main(*sys.argv[1:])
