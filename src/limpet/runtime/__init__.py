"""Build a `Runtime` from settings, store, keys, project folder and agent: the composition root of the program."""

from limpet.runtime.identity import UNPROVEN, Caller
from limpet.runtime.open import LOG, Runtime, open_runtime

__all__ = ["LOG", "UNPROVEN", "Caller", "Runtime", "open_runtime"]
