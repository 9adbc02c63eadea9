"""A tiny sentence encoder with random weights, to test everything but the quality of its vectors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from limpet.text.encoder import QUESTIONS, WEIGHTS, WORDS

WIDTH = 48
LAYERS = {WEIGHTS: 3, QUESTIONS: 2}
KNOWN = (
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "the",
    "port",
    "of",
    "api",
    "##s",
    "is",
    "cache",
    "deploy",
    "##ment",
    "9090",
)


def write_tiny_encoder(folder: Path) -> Path:
    """Write words and weights in the form of the package `limpet_meaning`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "__init__.py").write_text("", "utf-8")
    (folder / WORDS).write_text("".join(f"{word}\n" for word in KNOWN), "utf-8")
    chance = np.random.default_rng(7)

    def matrix(rows: int, columns: int) -> Any:
        return chance.integers(-127, 128, (rows, columns)).astype(np.int8)

    def vector(length: int) -> Any:
        return chance.normal(0, 0.1, length).astype(np.float32)

    values: dict[str, Any] = {
        "words": matrix(len(KNOWN), WIDTH),
        "words.scale": np.full((len(KNOWN), 1), 0.01, np.float32),
        "positions": np.zeros((256, WIDTH), np.float16),
        "kind": vector(WIDTH),
        "start.gain": np.ones(WIDTH, np.float32),
        "start.shift": vector(WIDTH),
    }
    for file, count in LAYERS.items():
        for layer in range(count):
            shapes = {"query": WIDTH, "key": WIDTH, "value": WIDTH, "mixed": WIDTH, "inner": 2 * WIDTH, "outer": WIDTH}
            for name, columns in shapes.items():
                rows = 2 * WIDTH if name == "outer" else WIDTH
                values[f"{layer}.{name}"] = matrix(rows, columns)
                values[f"{layer}.{name}.scale"] = np.full((1, columns), 0.002, np.float32)
                values[f"{layer}.{name}.bias"] = vector(columns)
            for name in ("attended", "end"):
                values[f"{layer}.{name}.gain"] = np.ones(WIDTH, np.float32)
                values[f"{layer}.{name}.shift"] = vector(WIDTH)
        np.savez(folder / file, **values)
        values = {}
    return folder
