"""Keep the vectors of the sentence encoder in a folder between runs, so that a large set is encoded once.

The file of an encoder holds one record for each text: the SHA-256 of the text, then its vector of 384 bytes. Records
may come from any machine: with the same weights, a graphics processor computes the same vectors to within rounding.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from limpet.text.embedding import Code
from limpet.text.encoder import MODEL, Encoder

_DIGEST, _CODE = 32, 384


@contextmanager
def keep_vectors(folder: Path | None) -> Iterator[None]:
    """Let the encoder take the vectors of memories from a folder, and add to the folder those that it computes.

    The vectors of questions are computed each time, because the cost of a question is measured.
    """
    if folder is None:
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{MODEL}.codes"
    ready = _read(path)
    compute = Encoder.encode_many

    def encode_many(self: Encoder, texts: Sequence[str]) -> list[Code | None]:
        digests = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
        missing = [number for number, digest in enumerate(digests) if digest not in ready]
        fresh = dict(zip(missing, compute(self, [texts[number] for number in missing]), strict=True))
        if fresh and len(texts) > 1:
            with path.open("ab") as file:
                for number, code in fresh.items():
                    ready[digests[number]] = code or bytes(_CODE)
                    file.write(digests[number] + ready[digests[number]])
        return [fresh[number] if number in fresh else _code(ready[digest]) for number, digest in enumerate(digests)]

    Encoder.encode_many = encode_many  # type: ignore[method-assign]
    try:
        yield
    finally:
        Encoder.encode_many = compute  # type: ignore[method-assign]


def _code(stored: bytes) -> Code | None:
    return stored if any(stored) else None


def _read(path: Path) -> dict[bytes, bytes]:
    """Return the vectors of a file by the digests of their texts; a record that was cut off is removed."""
    data = path.read_bytes() if path.exists() else b""
    size = _DIGEST + _CODE
    whole = len(data) // size * size
    if whole < len(data):
        path.write_bytes(data[:whole])
    return {data[start : start + _DIGEST]: data[start + _DIGEST : start + size] for start in range(0, whole, size)}
