"""Measure how far `count_tokens` is from real tokenizers, on text found on this machine.

    mkdir /tmp/tokenizers && cd /tmp/tokenizers && npm install @anthropic-ai/tokenizer gpt-tokenizer
    python benchmarks/tokens.py --tokenizers /tmp/tokenizers

The estimator is calibrated on the first, the one vocabulary Anthropic has published. The other two show how much
vocabularies differ, and no estimate can be better than that. `chars/4` is the usual rule of thumb.
"""

from __future__ import annotations

import argparse
import ast
import gettext
import glob
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from typing import NamedTuple

from limpet.text.tokens import count_tokens

LENGTH = 2_000
PER_KIND = 40
LOCALES = {"ru": "cyrillic", "uk": "cyrillic", "ja": "japanese", "zh_CN": "chinese", "ko": "korean", "de": "european",
           "fr": "european", "es": "european", "pl": "european", "el": "greek"}  # fmt: skip
COUNTING = """
const { getTokenizer } = require('@anthropic-ai/tokenizer');
const cl100k = require('gpt-tokenizer/encoding/cl100k_base');
const o200k = require('gpt-tokenizer/encoding/o200k_base');
const claude = getTokenizer();
const plain = { disallowedSpecial: new Set() };
const texts = JSON.parse(require('fs').readFileSync(0, 'utf8'));
console.log(JSON.stringify(texts.map((text) => [
  claude.encode(text.normalize('NFKC'), 'all').length,
  cl100k.encode(text, plain).length,
  o200k.encode(text, plain).length,
])));
"""


class Document(NamedTuple):
    kind: str
    text: str


def documents(chance: random.Random) -> Iterator[Document]:
    """Yield pieces of `LENGTH` characters, at most `PER_KIND` of a kind, the same ones for the same seed."""
    library = sysconfig.get_path("stdlib")
    packages = sysconfig.get_path("purelib")
    here = os.path.join(os.path.dirname(__file__), "..")
    sources: list[tuple[str, list[str], Callable[[str], str]]] = [
        ("code", glob.glob(f"{library}/*.py"), read),
        ("prose", glob.glob(f"{library}/*.py"), docstrings),
        ("prose", glob.glob("/usr/share/doc/*/README*") + glob.glob("/usr/share/doc/*/NEWS*"), read),
        ("code", glob.glob("/usr/lib/node_modules/npm/node_modules/*/lib/*.js"), read),
        ("code", glob.glob("/usr/include/*.h"), read),
        ("markdown", glob.glob(f"{packages}/**/*.md", recursive=True) + glob.glob(f"{here}/*.md"), read),
        ("markdown", glob.glob("/usr/lib/node_modules/npm/node_modules/*/README.md"), read),
        ("json", glob.glob(f"{packages}/**/*.json", recursive=True), read),
        ("json", glob.glob("/usr/lib/node_modules/npm/node_modules/*/package.json"), read),
        ("log", glob.glob("/var/log/**/*.log", recursive=True), read),
        *((kind, glob.glob(f"/usr/share/locale/{code}/LC_MESSAGES/*.mo"), messages) for code, kind in LOCALES.items()),
        *(
            (kind, glob.glob(f"/usr/share/vim/vim*/tutor/tutor.{code.lower()}.utf-8"), read)
            for code, kind in LOCALES.items()
        ),
    ]
    for kind, paths, reader in sources:
        for path in chance.sample(sorted(paths), min(PER_KIND, len(paths))):
            text = reader(path)
            if len(text) >= 300:
                start = chance.randrange(max(1, len(text) - LENGTH))
                yield Document(kind, text[start : start + LENGTH])


def read(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read(400_000)
    except (OSError, UnicodeDecodeError):
        return ""


def docstrings(path: str) -> str:
    try:
        tree = ast.parse(read(path))
    except SyntaxError:
        return ""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    found = (ast.get_docstring(node) or "" for node in ast.walk(tree) if isinstance(node, kinds))
    return "\n\n".join(text for text in found if len(text) > 80)


def messages(path: str) -> str:
    try:
        with open(path, "rb") as file:
            catalogue = gettext.GNUTranslations(file)
    except (OSError, UnicodeDecodeError, ValueError):
        return ""
    texts = vars(catalogue)["_catalog"]
    return "\n".join(text for key, text in texts.items() if key and isinstance(text, str) and len(text) > 25)


def measure(texts: list[str], folder: str) -> list[list[int]] | None:
    """Return the counts of the three tokenizers for each text, or None where they are not installed."""
    node = shutil.which("node")
    if node is None or not os.path.isdir(os.path.join(folder, "node_modules", "gpt-tokenizer")):
        return None
    done = subprocess.run([node, "-e", COUNTING], input=json.dumps(texts), capture_output=True, text=True, cwd=folder)
    if done.returncode:
        print(done.stderr.strip(), file=sys.stderr)
        return None
    counts: list[list[int]] = json.loads(done.stdout)
    return counts


def report(found: list[Document], counts: list[list[int]]) -> None:
    print(
        f"{'kind':10} {'texts':>5}  {'mean':>6} {'spread':>6} {'worst':>13} {'>15%':>5}  {'chars/4':>7}   cl100k  o200k"
    )
    for kind in sorted({document.kind for document in found}):
        rows = [(document.text, count) for document, count in zip(found, counts, strict=True) if document.kind == kind]
        errors = [count_tokens(text) / count[0] - 1 for text, count in rows]
        rough = statistics.mean(len(text) / 4 / count[0] - 1 for text, count in rows)
        others = [statistics.mean(count[at] / count[0] - 1 for _, count in rows) for at in (1, 2)]
        print(
            f"{kind:10} {len(rows):5}  {statistics.mean(errors):+6.1%} {statistics.pstdev(errors):6.1%} "
            f"{min(errors):+6.0%} {max(errors):+6.0%} {sum(abs(error) > 0.15 for error in errors):5}  "
            f"{rough:+7.0%}   {others[0]:+6.0%} {others[1]:+6.0%}"
        )


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    arguments.add_argument("--tokenizers", default=".", help="folder in which npm installed the tokenizers")
    arguments.add_argument("--seed", type=int, default=1, help="another seed takes other texts")
    chosen = arguments.parse_args()
    found = list(documents(random.Random(chosen.seed)))
    counts = measure([document.text for document in found], chosen.tokenizers)
    if counts is None:
        print(f"{len(found)} texts found, but no tokenizers to compare with. Install them first:")
        print("  mkdir /tmp/tokenizers && cd /tmp/tokenizers && npm install @anthropic-ai/tokenizer gpt-tokenizer")
        print("  python benchmarks/tokens.py --tokenizers /tmp/tokenizers")
        return 1
    report(found, counts)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
