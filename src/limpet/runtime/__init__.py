"""Build a `Runtime` from settings, store, keys, project folder and agent. This is the program's composition root."""

from limpet.runtime.identity import UNPROVEN, Caller
from limpet.runtime.open import LOG, Runtime, open_runtime

__all__ = ["LOG", "UNPROVEN", "Caller", "Runtime", "open_runtime"]
