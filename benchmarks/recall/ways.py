"""The three ways to answer that are compared: plain full text, Limpet, and Limpet with the sentence encoder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from limpet import sentence_encoder

FLOOR, PLAIN, ENCODED = "FTS5", "limpet", "limpet[meaning]"


@contextmanager
def without_encoder() -> Iterator[None]:
    """Hide the sentence encoder if it is installed."""
    package = sentence_encoder.PACKAGE
    sentence_encoder.PACKAGE = "limpet_meaning_that_nobody_has"
    _unload()
    try:
        yield
    finally:
        sentence_encoder.PACKAGE = package
        _unload()


def _unload() -> None:
    for cached in (sentence_encoder.find_encoder, sentence_encoder.load_encoder, sentence_encoder.encode_question):
        cached.cache_clear()
