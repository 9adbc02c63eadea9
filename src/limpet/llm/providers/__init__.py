"""Open the language model that the settings name. By default, no model is used."""

from __future__ import annotations

from limpet.environment import environment
from limpet.errors import ModelFailed
from limpet.llm.protocol import Model, Stop, never_stop
from limpet.settings import LlmSettings

CLIENTS = ("claude", "codex")
"""The agent clients whose command-line program can be used as a model."""
ENDPOINTS = ("anthropic", "openai", "ollama")
"""The kinds of HTTP endpoint that can be used as a model.

They are the keys of `endpoint.WIRES`, repeated here because that module is slow to import. A test compares the two.
"""


def open_model(settings: LlmSettings, *, home: str, stop: Stop = never_stop) -> Model | None:
    """Return the model that the settings name, or None if they name no provider or allow no tokens.

    A request to a server on this machine is cancelled as soon as `stop` returns True. Raise ModelFailed if the
    provider is unknown.
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
