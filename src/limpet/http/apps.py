"""Define the HTTP endpoints for apps, and the metrics about apps.

In these endpoints, importance is a number from 0 to 10, and field names are in camel case. A conversation's memory is
made after the response to its `end` request was sent, so that no app waits for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from prometheus_client import CollectorRegistry, Gauge

from limpet.apps.answer import AppMemory, AppsAnswer
from limpet.curating.app_actions import carry_out
from limpet.doors.governor import Passed, Way, govern, neutralise
from limpet.http.endpoints import Endpoint
from limpet.model.codec import format_time
from limpet.runtime import Runtime

_NOTHING: dict[str, Any] = {}
_MOST_APPS = 100
"""The maximum number of apps that get a separate time series. Other apps are counted in the totals only."""


def list_app_memories(answer: AppsAnswer) -> dict[str, Any]:
    """Return the memories of an app as JSON fields."""
    found = [encoded for each in answer.memories if (encoded := _encode(each)) is not None]
    return {"appId": answer.app.id if answer.app else "", "memories": found, "count": len(found)}


def _encode(each: AppMemory) -> dict[str, Any] | None:
    memory = each.memory
    passed = govern(each.stored, way=Way.ASKED, allow=(memory.sensitivity,))
    if not isinstance(passed, Passed):
        return None
    return {
        "id": memory.id,
        "content": passed.text,
        "createdAt": format_time(memory.created_at),
        "updatedAt": format_time(memory.updated_at),
        "sourceConversationId": memory.conversation,
        "metadata": {
            "importance": round(memory.importance * 10, 1),
            "tags": [neutralise(tag, one_line=True) for tag in memory.tags],
            "relatedConversations": list(each.conversations),
        },
    }


def give_context(answer: AppsAnswer) -> dict[str, Any]:
    """Return, as JSON fields, the block of memories for the prompt of the app's model.

    The block is not checked here, because its texts have already passed the governor.
    """
    block = answer.block
    return {"context": block.text, "ids": list(block.ids), "tokens": block.tokens} if block else {}


def count_purged(answer: AppsAnswer) -> dict[str, Any]:
    """Return, as JSON fields, how many memories of an app were erased."""
    return {"success": True, "deletedCount": len(answer.purged)}


def confirm_purged(answer: AppsAnswer) -> dict[str, Any]:
    """Return, as JSON fields, the confirmation that one memory was erased."""
    return {"success": True}


def give_result(answer: AppsAnswer) -> dict[str, Any]:
    """Return the result of a memory-tool command as the JSON fields of a tool result.

    The texts are not checked here, because they have already passed the governor.
    """
    result = answer.result
    return {"content": result.content, "is_error": result.is_error} if result else {}


def make_memories(runtime: Runtime) -> object:
    """Make memories from conversations that have ended."""
    return carry_out(runtime, action="work")


def _endpoint(
    method: str, path: str, action: str, *takes: str, preset: Mapping[str, Any] = _NOTHING, **options: Any
) -> Endpoint:
    """Return the endpoint for one action of the command `apps`; `takes` contains the names of its parameters."""
    return Endpoint(method=method, path=path, verb="apps", takes=takes, preset={"action": action, **preset}, **options)


APP_ENDPOINTS = (
    _endpoint("GET", "/apps", "list"),
    _endpoint("PUT", "/apps/{app}", "register", "label"),
    _endpoint("DELETE", "/apps/{app}", "uninstall"),
    _endpoint("GET", "/apps/{app}/context", "context", "conversation", "point", encode=give_context),
    _endpoint("GET", "/apps/{app}/energy", "energy"),
    _endpoint("POST", "/apps/{app}/energy/poll", "energy", preset={"poll": True}),
    _endpoint("GET", "/apps/{app}/conversations", "conversations", "limit", "offset"),
    _endpoint("POST", "/apps/{app}/conversations", "converse", "text", "role", required=("text",)),
    _endpoint(
        "POST",
        "/apps/{app}/conversations/{conversation}/messages",
        "converse",
        *("text", "role"),
        required=("text",),
    ),
    _endpoint(
        "POST",
        "/apps/{app}/conversations/{conversation}/end",
        "end",
        preset={"later": True},
        after=make_memories,
    ),
    _endpoint("POST", "/apps/{app}/memory", "memory", "text", whole_body="text", encode=give_result),
    _endpoint("GET", "/apps/{app}/memories", "memories", "private", encode=list_app_memories),
    _endpoint("DELETE", "/apps/{app}/memories", "purge", preset={"yes": True}, is_for_person=True, encode=count_purged),
    _endpoint(
        "DELETE",
        "/apps/{app}/memories/{id}",
        "purge",
        names={"id": "words"},
        preset={"yes": True},
        is_for_person=True,
        encode=confirm_purged,
    ),
)


class AppMetrics:
    """Prometheus gauges about the memories of apps and how they were used in the last 24 hours."""

    def __init__(self, registry: CollectorRegistry) -> None:
        def gauge(name: str, about: str, *labels: str) -> Gauge:
            return Gauge(f"limpet_app_{name}", about, labels, registry=registry)

        self._memories = gauge("memories", "Memories that an app keeps.", "app")
        self._compactions = gauge("compactions_per_day", "Compactions within 24 hours.", "app")
        self._created = gauge("memories_created_per_hour", "Memories made within an hour.")
        self._utilisation = gauge("utilisation_ratio", "Share of the apps that keep memories.")
        self._injections = gauge("injections_per_conversation", "Contexts handed out per conversation in 24 hours.")
        self._energy = gauge("energy_per_day", "Units of energy that making memories took within 24 hours.")

    def update(self, runtime: Runtime) -> None:
        """Set the gauges to the current numbers of the store."""
        reading, now = runtime.reading(), runtime.now()
        day = reading.app_counts(since=now - timedelta(days=1))
        for each in day[:_MOST_APPS]:
            self._memories.labels(each.app).set(each.memories)
            self._compactions.labels(each.app).set(each.compactions)
        self._created.set(sum(each.created for each in reading.app_counts(since=now - timedelta(hours=1))))
        self._utilisation.set(sum(each.memories > 0 for each in day) / max(1, len(day)))
        conversations = sum(each.conversations for each in day)
        self._injections.set(sum(each.injections for each in day) / max(1, conversations))
        self._energy.set(sum(each.energy for each in day))
