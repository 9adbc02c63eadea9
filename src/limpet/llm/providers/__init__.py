"""The providers of language models, and the choice among them. None is used unless the settings name one."""

from __future__ import annotations

from limpet.environment import environment
from limpet.errors import ModelFailed
from limpet.llm.protocol import Model, Stop, never_stop
from limpet.settings import LlmSettings

CLIENTS = ("claude", "codex")
"""The hosts whose command-line program can be used as a model."""
ENDPOINTS = ("anthropic", "openai", "ollama")
"""The wires in which endpoints are asked; a test compares them with `endpoint.WIRES`, which is slow to load."""


def open_model(settings: LlmSettings, *, home: str, stop: Stop = never_stop) -> Model | None:
    """Return the model that the settings name, or None if they name none.

    A request to a server on this machine is cancelled once `stop` says that it is no longer wanted.
    """
    if not settings.provider or not settings.daily_tokens:
        return None
    if settings.provider in CLIENTS:
        from limpet.llm.providers.host_cli import HostCli

        return HostCli(settings.provider, model=settings.model, home=home, timeout=settings.timeout_seconds)
    if settings.provider in ENDPOINTS:
        from limpet.llm.providers.endpoint import EndpointModel

        key = environment().get(settings.key_variable, "") if settings.key_variable else ""
        return EndpointModel(
            settings.provider,
            url=settings.url,
            model=settings.model,
            key=key,
            timeout=settings.timeout_seconds,
            home=home,
            stop=stop,
        )
    known = ", ".join((*CLIENTS, *ENDPOINTS))
    raise ModelFailed(f"llm.provider is {settings.provider!r}, which is none of {known}")
