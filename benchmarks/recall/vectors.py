"""Keep the vectors of the sentence encoder in a folder between runs, so that a large set is encoded once.

The file of an encoder holds one record for each text: the SHA-256 of the text, the length of its vector, the vector.
Records may come from any machine: with the same weights, a graphics processor computes the same vectors to within
rounding.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from limpet.text.embedding import Code
from limpet.text.encoder import MODEL, Encoder

_HEAD = struct.Struct("<32sH")


@contextmanager
def keep_vectors(folder: Path | None) -> Iterator[None]:
    """Let the encoder take the vectors of memories from a folder, and add to the folder those that it computes.

    The vector of a question is not kept, because the cost of a question is measured.
    """
    if folder is None:
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{MODEL}.codes"
    known = _read(path)
    compute = Encoder.encode_many

    def encode_many(self: Encoder, texts: Sequence[str]) -> list[Code | None]:
        digests = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
        missing = [number for number, digest in enumerate(digests) if digest not in known]
        fresh = dict(zip(missing, compute(self, [texts[number] for number in missing]), strict=True))
        if fresh:
            with path.open("ab") as file:
                for number, code in fresh.items():
                    known[digests[number]] = code
                    file.write(_HEAD.pack(digests[number], len(code or b"")) + (code or b""))
        return [fresh[number] if number in fresh else known[digest] for number, digest in enumerate(digests)]

    Encoder.encode_many = encode_many  # type: ignore[method-assign]
    try:
        yield
    finally:
        Encoder.encode_many = compute  # type: ignore[method-assign]


def _read(path: Path) -> dict[bytes, Code | None]:
    """Return the vectors of a file by the digests of their texts; a record that was cut off is removed."""
    data = path.read_bytes() if path.exists() else b""
    known: dict[bytes, Code | None] = {}
    start = 0
    while start + _HEAD.size <= len(data):
        digest, length = _HEAD.unpack_from(data, start)
        end = start + _HEAD.size + length
        if end > len(data):
            break
        known[digest] = data[start + _HEAD.size : end] or None
        start = end
    if start < len(data):
        path.write_bytes(data[:start])
    return known
