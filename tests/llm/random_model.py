"""Run llama.cpp's own server with a model of random weights, as a program of its own.

`python -m tests.llm.random_model FILE` writes the model, starts the server, prints its address and serves until its
standard input ends. Nothing that the model says makes sense, which is what the tests want.
"""

from __future__ import annotations

import string
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
_WIDTH, _LAYERS, _HEADS, _INNER = 64, 2, 4, 128


def is_installed() -> bool:
    return find_spec("xllamacpp") is not None and find_spec("gguf") is not None


def write_model(path: str) -> None:
    """Write a tiny model whose words are single letters, so that it can spell any JSON."""
    import gguf
    import numpy as np

    dice = np.random.default_rng(7)
    letters = [letter if letter != " " else "\u2581" for letter in string.printable[:95]]
    words = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), *letters]
    kinds = [2, 3, 3, *[6] * 256, *[1] * len(letters)]
    writer: Any = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(8192)
    writer.add_embedding_length(_WIDTH)
    writer.add_block_count(_LAYERS)
    writer.add_feed_forward_length(_INNER)
    writer.add_head_count(_HEADS)
    writer.add_head_count_kv(_HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(_WIDTH // _HEADS)
    writer.add_vocab_size(len(words))
    writer.add_tokenizer_model("llama")
    writer.add_token_list([word.encode() for word in words])
    writer.add_token_scores([0.0] * len(words))
    writer.add_token_types(kinds)
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    shapes = {"token_embd": (len(words), _WIDTH), "output": (len(words), _WIDTH)}
    norms = ["output_norm"]
    for layer in range(_LAYERS):
        block = f"blk.{layer}"
        shapes |= {f"{block}.attn_{name}": (_WIDTH, _WIDTH) for name in ("q", "k", "v", "output")}
        shapes |= {f"{block}.ffn_gate": (_INNER, _WIDTH), f"{block}.ffn_up": (_INNER, _WIDTH)}
        shapes |= {f"{block}.ffn_down": (_WIDTH, _INNER)}
        norms += [f"{block}.attn_norm", f"{block}.ffn_norm"]
    for name, shape in shapes.items():
        writer.add_tensor(f"{name}.weight", dice.normal(0, 0.1, shape).astype(np.float32))
    for name in norms:
        writer.add_tensor(f"{name}.weight", np.ones(_WIDTH, np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main(path: str) -> None:
    import xllamacpp  # type: ignore[import-untyped,unused-ignore]

    write_model(path)
    params: Any = xllamacpp.CommonParams()
    params.model.path = path
    params.n_ctx, params.n_parallel, params.port, params.verbosity = 8192, 1, 0, -1
    params.cpuparams.n_threads = 1
    server: Any = xllamacpp.Server(params)
    print(f"listening at {server.listening_address}", flush=True)
    sys.stdin.read()


@contextmanager
def serve_nonsense(folder: Path) -> Iterator[str]:
    """Yield the address of a running server."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.llm.random_model", str(folder / "random.gguf")],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        lines = (line for line in process.stdout if line.startswith("listening at "))
        yield next(lines).removeprefix("listening at ").strip()
    finally:
        process.communicate(timeout=30)


if __name__ == "__main__":
    main(sys.argv[1])
