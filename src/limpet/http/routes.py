"""Build the ASGI application: its routes, how handlers are called, and which HTTP status an error gets.

The rest of Limpet is synchronous, so it is called in worker threads. The routes of MCP are passed to `build_app` as
`extra`, because this package must not import `limpet.mcp`.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any

import anyio
import anyio.to_thread
from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from limpet import clock
from limpet.doors.governor import neutralise
from limpet.environment import shows_traceback
from limpet.errors import AmbiguousId, InvalidId, LimpetError, Refused, SettingsError, StoreFull, UsageError
from limpet.http.apps import APP_ENDPOINTS, AppMetrics
from limpet.http.auth import AuthMiddleware, Credentials, Visitor
from limpet.http.bodies import parse_body, read_body
from limpet.http.delivery import EVENT_HEADER, Delivery, read_but_last
from limpet.http.endpoints import ENDPOINTS, Endpoint
from limpet.http.hooks import HookAnswer, HookHandler, event_names
from limpet.http.metrics import Metrics
from limpet.http.openapi import describe_api
from limpet.http.peer import find_sender
from limpet.http.refusal import Refusal
from limpet.http.verbs import answer_verb, require_credential
from limpet.runtime import Runtime, open_runtime
from limpet.runtime.exclusive import ExclusiveRuntime
from limpet.runtime.serving import RequestPlace
from limpet.settings import Settings
from limpet.system.processes import give_back_memory
from limpet.text.embedding import load_embedding_table

ALL_ENDPOINTS = (*ENDPOINTS, *APP_ENDPOINTS)
Lifespan = Callable[[], AbstractAsyncContextManager[None]]

_THREADS = 8
"""The number of worker threads for commands. Hook events have the same number of separate threads."""
_CLOSE_TIMEOUT_S = 2.0
_STATUS: tuple[tuple[type[LimpetError], int], ...] = (
    (InvalidId, 404),
    (AmbiguousId, 409),
    (UsageError, 400),
    (Refused, 403),
    (StoreFull, 507),
    (SettingsError, 503),
    (LimpetError, 503),
)


class Server:
    """The state that is shared by the routes of one server."""

    def __init__(self, settings: Settings, *, folder: str, agent: str | None = None) -> None:
        opened = partial(open_runtime, home=settings.home, cwd=folder, agent=agent)
        self.settings = settings
        self.folder = folder
        self.shared = ExclusiveRuntime(opened)
        self.hurried = ExclusiveRuntime(partial(opened, hurried=True))
        self.learning = ExclusiveRuntime(partial(opened, hurried=True))
        self.hooks = HookHandler(self.hurried, self.shared, self.learning, home=settings.home, folder=folder)
        self.metrics = Metrics()
        self.app_metrics = AppMetrics(self.metrics.registry)
        self._open = opened
        self.last_request_ms = clock.monotonic_ms()
        self.in_progress = 0
        self._rested_ms = self.last_request_ms
        self._threads = anyio.CapacityLimiter(_THREADS)
        self._hook_threads = anyio.CapacityLimiter(_THREADS)

    async def call(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Call a synchronous function in a worker thread."""
        return await anyio.to_thread.run_sync(work, *arguments, limiter=self._threads)

    async def call_hook(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Call a synchronous function in a worker thread that is reserved for hook events.

        A session waits for its hooks, so they must not queue behind slow commands.
        """
        return await anyio.to_thread.run_sync(work, *arguments, limiter=self._hook_threads)

    def run_after(self, work: Callable[[Runtime], object], place: RequestPlace) -> None:
        """Call `work` after a response was sent, with a separate store, so that no request waits for it."""
        runtime = self._open(cwd=place.folder or self.folder)
        try:
            work(runtime)
        finally:
            runtime.close()

    def count_apps(self) -> None:
        """Update the metrics about apps."""
        with self.shared.use() as runtime:
            self.app_metrics.update(runtime)

    def rest(self) -> None:
        """Do the store's deferred work and release memory, if there was a request since the last call."""
        if self._rested_ms == self.last_request_ms:
            return
        self._rested_ms = self.last_request_ms
        with self.shared.use_if_idle() as runtime:
            if runtime is not None:
                runtime.store.rest()
        self.learning.close(timeout=0)
        if load_embedding_table.cache_info().currsize:
            load_embedding_table().release_memory()
        give_back_memory()

    def close(self) -> None:
        for each in (self.shared, self.hurried, self.learning):
            each.close(timeout=_CLOSE_TIMEOUT_S)


def build_app(
    server: Server,
    credentials: Credentials,
    *,
    extra: Sequence[BaseRoute] = (),
    lifespans: Sequence[Lifespan] = (),
) -> ASGIApp:
    """Return the application with all its routes, behind a middleware that refuses unauthorised requests."""

    @asynccontextmanager
    async def lifespan(app: Any) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for each in lifespans:
                await stack.enter_async_context(each())
            yield

    # A bare router, because Starlette's application class would answer errors itself. Extra slashes get no redirect.
    router = Router([*_routes(server), *extra], lifespan=lifespan, redirect_slashes=False)
    guarded = AuthMiddleware(_ErrorHandler(router), credentials=credentials, max_bytes=server.settings.http.max_bytes)
    paths = {route.endpoint: route.path for route in router.routes if isinstance(route, Route)}
    return _RequestCounter(guarded, server, paths=paths)


def _routes(server: Server) -> list[Route]:
    async def health(request: Request) -> Response:
        return _json('{"status": "ok"}')

    async def openapi(request: Request) -> Response:
        return _json(json.dumps(describe_api(ALL_ENDPOINTS, event_names())))

    async def metrics(request: Request) -> Response:
        await server.call(server.count_apps)
        return Response(server.metrics.render(), media_type=server.metrics.media_type)

    async def hook(request: Request) -> Response:
        name = request.path_params["event"]
        if name not in event_names():
            raise Refusal(404, f"there is no hook {name[:60]!r}; /openapi.json lists them")
        return await answer_hook(server, name, request)

    return [
        Route("/health", health, methods=["GET"]),
        Route("/openapi.json", openapi, methods=["GET"]),
        Route("/metrics", metrics, methods=["GET"]),
        Route("/hook/{event}", hook, methods=["POST"]),
        *(_verb_route(server, endpoint) for endpoint in ALL_ENDPOINTS),
    ]


def _verb_route(server: Server, endpoint: Endpoint) -> Route:
    async def answer(request: Request) -> Response:
        visitor: Visitor = request.scope["limpet.visitor"]
        if endpoint.needs_person:
            require_credential(endpoint.verb, visitor)
        place = RequestPlace.of(request.headers, default=server.folder)
        if endpoint.method == "GET":
            values = endpoint.read_query(request.query_params.multi_items())
        else:
            values = endpoint.read_body(await read_body(request))
        status, text = await server.call(
            answer_verb, server.shared, endpoint, visitor, place, values, dict(request.path_params)
        )
        found = _json(text, status)
        if endpoint.after is not None:
            found.background = BackgroundTask(server.call, server.run_after, endpoint.after, place)
        return found

    return Route(endpoint.path, answer, methods=[endpoint.method], name=f"{endpoint.method} {endpoint.path}")


async def answer_hook(server: Server, name: str, request: Request) -> Response:
    headers = request.headers
    id = headers.get(EVENT_HEADER, "")[:32]
    length = headers.get("content-length", "")
    body, is_whole = await read_but_last(request.receive, int(length) if id and length.isdigit() else sys.maxsize)
    take = partial(
        server.hooks.take,
        name,
        parse_body(body),
        host=headers.get("limpet-host", "claude-code"),
        folder=RequestPlace.of(headers, default="").folder,
        id=id,
        sender=find_sender(request.scope),
    )
    if not is_whole:
        return Delivery(
            server.hooks,
            name,
            take=lambda is_gone: server.call_hook(partial(take, is_gone=is_gone)),
            note=partial(_note_delivery, server),
        )
    taken = await server.call_hook(take)
    # Most events get no answer, and then there is nothing to write afterwards.
    is_noted = bool(taken.receipts) and not await _is_gone(request)
    note = BackgroundTask(_note_delivery, server, taken) if is_noted else None
    return Response(taken.text or "{}", media_type="application/json", background=note)


async def _is_gone(request: Request) -> bool:
    """Tell whether the sender has closed the connection.

    The event loop first runs a few times, so that it reads its sockets: on a busy machine it may otherwise notice that
    the work has ended before it notices that the connection was closed.
    """
    for _ in range(3):
        await asyncio.sleep(0)
    return await request.is_disconnected()


async def _note_delivery(server: Server, taken: HookAnswer) -> None:
    await server.call_hook(server.hooks.note_delivery, taken)


def _json(text: str, status: int = 200) -> Response:
    return Response(text, status, media_type="application/json")


_UNKNOWN = {404: "there is nothing at this address; /openapi.json lists what there is"}


class _ErrorHandler:
    """A middleware that turns every exception into a `Refusal`, so that no traceback is sent to a client."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # With this the router raises an error for an unknown path instead of answering it.
        scope["app"] = self
        try:
            await self._app(scope, receive, send)
        except Refusal:
            raise
        except ClientDisconnect:
            # There is no client left to send an answer to.
            return
        except HTTPException as error:
            sentence = _UNKNOWN.get(
                error.status_code, "this method is not allowed here; /openapi.json lists those that are"
            )
            raise Refusal(error.status_code, sentence, headers=error.headers) from error
        except LimpetError as error:
            status = next(status for kind, status in _STATUS if isinstance(error, kind))
            raise Refusal(status, neutralise(str(error))) from error
        except Exception as error:
            if shows_traceback() or scope["type"] != "http":
                raise
            why = type(error).__name__
            raise Refusal(500, f"something went wrong inside ({why}); LIMPET_DEBUG=1 shows where") from error


class _RequestCounter:
    """A middleware that counts requests by path and status, and records the time of the last request."""

    def __init__(self, app: ASGIApp, server: Server, *, paths: Mapping[Any, str]) -> None:
        self._app = app
        self._server = server
        self._paths = paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        server = self._server
        started = clock.monotonic_ms()
        server.in_progress += 1
        status = 0

        async def send_counted(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, send_counted)
        finally:
            server.in_progress -= 1
            server.last_request_ms = clock.monotonic_ms()
            path = self._paths.get(scope.get("endpoint"), "other")
            server.metrics.count(path, status, clock.monotonic_ms() - started)
