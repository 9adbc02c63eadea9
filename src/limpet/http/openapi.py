"""Describe the HTTP endpoints as an OpenAPI document, from the declarations of the commands that they run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from limpet import __version__
from limpet.http.endpoints import Endpoint
from limpet.operations.catalogue import Param, find_summary, load_verb

_TYPES = {"integer": "integer", "number": "number", "flag": "boolean"}
_ANY_OBJECT = {"application/json": {"schema": {"type": "object"}}}
ERRORS = {
    "400": "The request cannot be understood.",
    "401": "The token is missing or wrong.",
    "403": "Not allowed here.",
    "404": "There is no such memory.",
    "409": "The id fits several memories.",
    "413": "The body is too long.",
    "415": "The body is not JSON.",
    "421": "The Host is not this machine.",
    "422": "Understood, and not stored.",
    "503": "The memory cannot be used now.",
    "507": "There is no space left on the disk.",
}


def describe_api(endpoints: Sequence[Endpoint], events: Sequence[str]) -> dict[str, Any]:
    """Return the OpenAPI document that describes the server."""
    paths: dict[str, dict[str, Any]] = {
        "/health": {"get": {**_describe_operation("Tell whether the server runs."), "security": []}},
        "/metrics": {"get": _describe_operation("Show the counters, for Prometheus.", media="text/plain")},
        "/openapi.json": {"get": _describe_operation("Show this document.")},
        "/hook/{event}": {"post": _hook(events)},
    }
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _describe(endpoint)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Limpet", "version": __version__, "description": "Long-term memory for AI coding agents."},
        # Relative to the address of this document, because the server may have taken another port.
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "components": {
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "person": {"type": "apiKey", "in": "header", "name": "Limpet-Person"},
            }
        },
        "paths": paths,
    }


def _describe(endpoint: Endpoint) -> dict[str, Any]:
    described = _describe_operation(find_summary(endpoint.verb).summary)
    described["parameters"] = [
        *({"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in endpoint.path_names),
        *_PLACE,
    ]
    if endpoint.method == "GET":
        described["parameters"] += [
            {
                "name": param.name,
                "in": "query",
                "required": endpoint.is_required(param),
                "description": param.help,
                "schema": _schema(param),
            }
            for param in endpoint.params
        ]
    elif endpoint.whole_body:
        described["requestBody"] = {"required": True, "content": dict(_ANY_OBJECT)}
    else:
        required = [param.name for param in endpoint.params if endpoint.is_required(param)]
        properties = {param.name: {**_schema(param), "description": param.help} for param in endpoint.params}
        schema: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
        if required:
            schema["required"] = required
        described["requestBody"] = {"required": bool(required), "content": {"application/json": {"schema": schema}}}
    if details := load_verb(endpoint.verb).details:
        described["description"] = details
    if endpoint.needs_person:
        described["security"] = [{"token": [], "person": []}]
    return described


_PLACE = (
    {
        "name": "Limpet-Folder",
        "in": "header",
        "description": "Folder of the project, percent-encoded; the folder the server was started in if not given.",
        "schema": {"type": "string"},
    },
    {"name": "Limpet-Session", "in": "header", "description": "Id of the session.", "schema": {"type": "string"}},
)


def _describe_operation(summary: str, media: str = "application/json") -> dict[str, Any]:
    good = {
        "description": "The answer.",
        "content": {media: {"schema": {"type": "string" if media != "application/json" else "object"}}},
    }
    return {
        "summary": summary,
        "responses": {
            "200": good,
            **{status: {"description": text, "content": dict(_ANY_OBJECT)} for status, text in ERRORS.items()},
        },
    }


def _hook(events: Sequence[str]) -> dict[str, Any]:
    described = _describe_operation("Take a hook event of a host, and return the answer for its model.")
    described["parameters"] = [
        {"name": "event", "in": "path", "required": True, "schema": {"type": "string", "enum": list(events)}},
        {"name": "Limpet-Host", "in": "header", "schema": {"type": "string"}},
        *_PLACE,
    ]
    described["requestBody"] = {"required": False, "content": dict(_ANY_OBJECT)}
    return described


def _schema(param: Param) -> dict[str, Any]:
    shown: dict[str, Any] = {"type": _TYPES.get(param.kind, "string")}
    if param.allowed_values:
        shown["enum"] = list(param.allowed_values)
    return {"type": "array", "items": shown} if param.many else shown
