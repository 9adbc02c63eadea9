"""Find and load the sentence encoder, if the extra `limpet[meaning]` is installed.

The encoder turns texts into vectors, so that memories can be found by meaning. It is optional. Loading it takes longer
than a hook may take, so only processes that answer a question or do maintenance load it.
"""

from __future__ import annotations

import os
from functools import lru_cache

from limpet import environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.text.embedding import Code
    from limpet.text.encoder import Encoder

PACKAGE = "limpet_meaning"


@lru_cache(maxsize=1)
def find_encoder() -> str | None:
    """Return the folder with the encoder's weights, or None if the extra is not installed."""
    from importlib.util import find_spec

    package = find_spec(PACKAGE)
    if package is None or package.origin is None or find_spec("numpy") is None:
        return None
    return os.path.dirname(package.origin)


@lru_cache(maxsize=1)
def load_encoder() -> Encoder | None:
    """Load the encoder and return it, or None if it is not installed or cannot be read.

    The first call is slow.
    """
    folder = find_encoder()
    if folder is None:
        return None
    import zlib
    from zipfile import BadZipFile

    from limpet.text.encoder import Encoder

    try:
        return Encoder(folder, environment.import_numpy())
    except (OSError, EOFError, ValueError, TypeError, KeyError, BadZipFile, zlib.error):
        return None


def loaded_encoder() -> Encoder | None:
    """Return the encoder if this process has already loaded it, otherwise None."""
    return load_encoder() if load_encoder.cache_info().currsize else None


@lru_cache(maxsize=64)
def encode_question(text: str) -> Code | None:
    """Return the vector of a question, or None if there is no encoder. The vectors of recent questions are cached."""
    encoder = load_encoder()
    return encoder.encode_question(text) if encoder else None
