"""Write the table of vectors that the package carries, from the arrays it was distilled into.

    python scripts/embedding.py ARRAYS.npz VOCABULARY.txt MODEL_NAME

The arrays are `q` (int8, one row a word piece) and `s` (one scale a row); needs numpy.
"""

from __future__ import annotations

import sys

import numpy as np

from limpet.text.embedding import write_table


def main(arrays: str, vocabulary: str, model: str) -> None:
    found = np.load(arrays)
    rows, scales = found["q"], found["s"].reshape(-1)
    with open(vocabulary, encoding="utf-8") as file:
        words = [line.rstrip("\n") for line in file]
    special = {
        number for number, word in enumerate(words) if word.startswith("[") and word.endswith("]") and len(word) > 2
    }
    order = sorted((n for n in range(len(words)) if n not in special), key=lambda n: words[n].encode("utf-8"))
    weights = np.maximum(1, np.round(scales / scales.max() * 65_535)).astype(int)
    write_table(
        "src/limpet/text/data/static.bin",
        model,
        [words[number] for number in order],
        [int(weights[number]) for number in order],
        rows[order].tobytes(),
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
