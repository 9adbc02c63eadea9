"""The composition root: it opens settings, store, place, agent and keys. Only this package picks a backend."""

from limpet.runtime.identity import UNPROVEN, Caller
from limpet.runtime.open import LOG, Runtime, open_runtime

__all__ = ["LOG", "UNPROVEN", "Caller", "Runtime", "open_runtime"]
