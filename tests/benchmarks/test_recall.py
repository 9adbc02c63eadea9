"""The recall benchmark stores its sets through the product, and keeps vectors between runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from benchmarks.recall.coding import Workshop
from benchmarks.recall.vectors import keep_vectors

from limpet.text.embedding import Code
from limpet.text.encoder import MODEL, Encoder
from tests.text.encoders import write_tiny_encoder

TEXTS = ["The port of the API is 9090", "", "The cache of the API is cleared"]


def test_a_memory_of_the_coding_set_is_stored_and_found() -> None:
    memory = {"key": "m1", "project": "shop", "kind": "LEARNINGS", "text": "Orders are numbered by year", "day": 3}
    correction = {**memory, "key": "m2", "text": "Orders are numbered by month", "day": 1, "supersedes": "m1"}
    workshop = Workshop([memory, correction])
    try:
        assert workshop.ask("shop", "how are orders numbered?") == ["m2"]
    finally:
        workshop.close()


@pytest.fixture
def encoder(tmp_path: Path) -> Encoder:
    import numpy

    return Encoder(str(write_tiny_encoder(tmp_path / "weights")), numpy)


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the texts that were encoded, and not taken from the folder."""
    texts: list[str] = []
    compute = Encoder.encode_many

    def encode_many(self: Encoder, given: Sequence[str]) -> list[Code | None]:
        texts.extend(given)
        return compute(self, given)

    monkeypatch.setattr(Encoder, "encode_many", encode_many)
    return texts


def test_vectors_are_computed_once_and_are_the_same_in_the_next_run(
    encoder: Encoder, tmp_path: Path, computed: list[str]
) -> None:
    plain = encoder.encode_many(TEXTS)
    for _ in range(2):
        computed.clear()
        with keep_vectors(tmp_path / "kept"):
            assert encoder.encode_many(TEXTS) == plain
    assert computed == []


def test_a_question_is_encoded_each_time(encoder: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[int] = []
    run = Encoder._run

    def count(self: Encoder, texts: list[list[int]], layers: list[Any]) -> Any:
        runs.append(len(texts))
        return run(self, texts, layers)

    monkeypatch.setattr(Encoder, "_run", count)
    with keep_vectors(tmp_path / "kept"):
        for _ in range(2):
            assert encoder.encode_question("which port")
    assert runs == [1, 1]
    assert not any(path.stat().st_size for path in (tmp_path / "kept").iterdir())


def test_a_record_that_was_cut_off_is_computed_again(encoder: Encoder, tmp_path: Path, computed: list[str]) -> None:
    with keep_vectors(tmp_path / "kept"):
        plain = encoder.encode_many(TEXTS)
    path = tmp_path / "kept" / f"{MODEL}.codes"
    path.write_bytes(path.read_bytes()[:-1])
    computed.clear()
    with keep_vectors(tmp_path / "kept"):
        assert encoder.encode_many(TEXTS) == plain
    assert computed == [TEXTS[-1]]
