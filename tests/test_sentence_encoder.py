"""The sentence encoder of the extra `limpet[meaning]`: who loads it, and what becomes of its vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy
import pytest

from limpet import sentence_encoder
from limpet.care.tending import encode_waiting
from limpet.text import encoder
from tests.operations.sandbox import Sandbox
from tests.recall.searching import told
from tests.text.encoders import WIDTH, write_tiny_encoder

NOTES = (
    "The port of the API is 9090",
    "The cache of the API is cleared at every deployment",
    "Deployments of the cache need a port",
    "The API has a cache",
    "A deployment is cached by the port of the day",
    "Matt prefers short answers without emoji",
)


@pytest.fixture(autouse=True)
def unloaded() -> Iterator[None]:
    unload()
    yield
    unload()


def unload() -> None:
    sentence_encoder.find_encoder.cache_clear()
    sentence_encoder.load_encoder.cache_clear()
    sentence_encoder.encode_question.cache_clear()


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = write_tiny_encoder(tmp_path / "site" / sentence_encoder.PACKAGE)
    monkeypatch.syspath_prepend(str(folder.parent))
    return folder


def codes(sandbox: Sandbox) -> list[bytes]:
    with sandbox.open() as runtime:
        runtime.reading()
        view = runtime.store._current.shared
        assert view is not None
        return [row[0] for row in view.run("SELECT code FROM sentence ORDER BY key")]


def test_without_the_extra_nothing_is_loaded_and_nothing_is_kept(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sentence_encoder, "PACKAGE", "limpet_meaning_that_nobody_has")
    sandbox.remember("The port of the API is 9090")
    assert sandbox.texts("recall", query="which port") == ["The port of the API is 9090"]
    sandbox.ask("upkeep")
    assert sentence_encoder.loaded_encoder() is None
    assert codes(sandbox) == []
    assert "encoder" not in sandbox.ask("doctor").facts["meaning"]


@pytest.mark.usefixtures("installed")
def test_upkeep_encodes_every_memory_and_doctor_says_so(sandbox: Sandbox) -> None:
    sandbox.remember("The port of the API is 9090")
    sandbox.remember("The cache is cleared at every deployment")
    assert "has encoded 0 of 2" in sandbox.ask("doctor").facts["meaning"]
    sandbox.ask("upkeep")
    assert [len(code) for code in codes(sandbox)] == [WIDTH, WIDTH]
    assert "has encoded 2 of 2" in sandbox.ask("doctor").facts["meaning"]
    assert len(sandbox.texts("recall", query="which port has the api")) == 2


@pytest.mark.usefixtures("installed")
def test_memories_that_have_no_vector_of_the_table_yet_are_encoded_too(sandbox: Sandbox) -> None:
    for text in NOTES:
        sandbox.remember(text)
    with sandbox.open() as runtime:
        runtime.reading()
        view = runtime.store._current.shared
        assert view is not None
        for command in ("DELETE FROM vector", "DELETE FROM sketch", "INSERT INTO unembedded SELECT key FROM memory"):
            view.run(command)
        with sandbox.open() as other:
            encode_waiting(other, budget_ms=60_000)
            assert other.store.count_sentences() == (len(NOTES), len(NOTES))


@pytest.mark.usefixtures("installed")
def test_what_nobody_asked_for_does_not_wait_for_the_encoder(sandbox: Sandbox) -> None:
    sandbox.remember("The port of the API is 9090")
    assert told(sandbox, "which port has the API") == ["The port of the API is 9090"]
    assert sentence_encoder.loaded_encoder() is None
    sandbox.ask("recall", query="which address has the API")
    assert sentence_encoder.loaded_encoder() is not None


def parts_of(sandbox: Sandbox, query: str) -> dict[str, float]:
    """Return the part of the score that is meaning, by text."""
    return {hit.memory.content: hit.parts["meaning"] for hit in sandbox.ask("recall", query=query).items}


@pytest.mark.usefixtures("installed")
def test_until_all_candidates_are_encoded_the_order_is_that_of_the_table(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cosines of the two cannot be compared: a half-encoded store was worse than one without the encoder."""
    for text in NOTES:
        sandbox.remember(text)
    question = "how did we set up the port"
    with monkeypatch.context() as without:
        without.setattr(sentence_encoder, "PACKAGE", "limpet_meaning_that_nobody_has")
        table = parts_of(sandbox, question)
    unload()
    sandbox.ask("upkeep")
    assert len(codes(sandbox)) == len(NOTES)
    assert parts_of(sandbox, question) != table
    with sandbox.open() as runtime:
        runtime.reading()
        view = runtime.store._current.shared
        assert view is not None
        view.run("DELETE FROM sentence WHERE key % 2")
        assert parts_of(sandbox, question) == table
    sandbox.ask("upkeep")
    assert parts_of(sandbox, question) != table


@pytest.mark.usefixtures("installed")
def test_a_question_that_one_memory_covers_with_its_words_does_not_wait_for_the_encoder(sandbox: Sandbox) -> None:
    """An encoder does not read identifiers as words, and made those in another spelling hard to find."""
    sandbox.remember("`get_user_by_id` reads the cache first")
    sandbox.remember("The port of the API is 9090")
    assert sandbox.texts("recall", query="getUserById")[0] == "`get_user_by_id` reads the cache first"
    assert sentence_encoder.loaded_encoder() is None
    sandbox.ask("recall", query="where does it listen")
    assert sentence_encoder.loaded_encoder() is not None


@pytest.mark.usefixtures("installed")
def test_a_question_that_is_asked_again_is_not_encoded_again(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox.remember("The port of the API is 9090")
    sandbox.ask("upkeep")
    encoded: list[str] = []
    real = encoder.Encoder.encode_question

    def encode(self: encoder.Encoder, text: str) -> bytes | None:
        encoded.append(text)
        return real(self, text)

    monkeypatch.setattr(encoder.Encoder, "encode_question", encode)
    for _ in range(3):
        sandbox.ask("recall", query="where does it listen")
    assert encoded == ["where does it listen"]


@pytest.mark.usefixtures("installed")
def test_the_vector_goes_with_its_memory(sandbox: Sandbox) -> None:
    kept = sandbox.remember("The port of the API is 9090")
    gone = sandbox.remember("The cache is cleared at every deployment")
    sandbox.ask("upkeep")
    sandbox.ask("forget", ids=[gone.id])
    assert len(codes(sandbox)) == 1
    sandbox.ask("correct", id=kept.id, text="The port of the API is 7070")
    sandbox.ask("upkeep")
    assert len(codes(sandbox)) == 1


@pytest.mark.usefixtures("installed")
def test_vectors_of_another_encoder_are_made_anew(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox.remember("The port of the API is 9090")
    sandbox.ask("upkeep")
    with sandbox.open() as runtime:
        runtime.reading()
        view = runtime.store._current.shared
        assert view is not None
        view.run("UPDATE sentence SET code = zeroblob(3)")
    monkeypatch.setattr(encoder, "MODEL", "a newer one")
    sandbox.remember("The cache is cleared at every deployment")
    sandbox.ask("upkeep")
    assert [len(code) for code in codes(sandbox)] == [WIDTH, WIDTH]


def write_arrays(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    with numpy.load(path) as stored:
        values = dict(stored)
    change(values)
    numpy.savez(path, **values)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "missing": Path.unlink,
    "empty": lambda path: path.write_bytes(b""),
    "no archive": lambda path: path.write_bytes(b"no archive"),
    "an array instead of an archive": lambda path: path.write_bytes(b"\x93NUMPY\x01\x00"),
    "without a matrix": lambda path: write_arrays(path, lambda values: values.pop("0.inner")),
    "without a bias": lambda path: write_arrays(path, lambda values: values.pop("0.outer.bias")),
    "of another shape": lambda path: write_arrays(path, lambda v: v.update({"0.mixed": v["0.mixed"][:, :-1]})),
    "without layers": lambda path: write_arrays(path, lambda values: values.clear()),
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("file", [encoder.WEIGHTS, encoder.QUESTIONS])
def test_damaged_weights_are_as_good_as_none(sandbox: Sandbox, installed: Path, file: str, damage: str) -> None:
    DAMAGES[damage](installed / file)
    sandbox.remember("The port of the API is 9090")
    sandbox.ask("upkeep")
    for question in ("which port", "where does it listen"):
        assert sandbox.texts("recall", query=question) == ["The port of the API is 9090"]
    assert sentence_encoder.load_encoder() is None
    assert f"{installed} cannot be read" in sandbox.ask("doctor").facts["meaning"]


def test_a_damaged_part_of_a_compressed_file_is_as_good_as_none(installed: Path) -> None:
    path = installed / encoder.QUESTIONS
    write_arrays(path, lambda values: None)
    with numpy.load(path) as stored:
        numpy.savez_compressed(path, **stored)
    whole = path.read_bytes()
    for at in range(0, len(whole), len(whole) // 60):
        path.write_bytes(whole[:at] + bytes(64) + whole[at + 64 :])
        sentence_encoder.load_encoder.cache_clear()
        sentence_encoder.load_encoder()  # raises nothing
