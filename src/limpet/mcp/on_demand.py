"""Load the MCP tools at the first request for them.

The MCP SDK takes seconds to load and 35 MB of memory, and most HTTP servers only receive hook events. So this module
must not import the SDK.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import anyio
import anyio.to_thread
from anyio.abc import TaskGroup, TaskStatus
from starlette.types import ASGIApp, Receive, Scope, Send

PATH = "/mcp"
"""The path of the MCP tools on the HTTP server."""

Tools = tuple[ASGIApp, Callable[[], AbstractAsyncContextManager[None]]]
"""The ASGI application that serves the tools, and a function that returns the context manager it must run in."""


class ToolsOnDemand:
    """An ASGI application that calls `build` at its first request, and forwards all requests to what it returns."""

    def __init__(self, build: Callable[[], Tools]) -> None:
        self._build = build
        self._app: ASGIApp | None = None
        self._lock = anyio.Lock()
        self._ended = anyio.Event()
        self._tasks: TaskGroup | None = None

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Accept requests until this context ends; then leave the context of the built application, if there is one."""
        async with anyio.create_task_group() as self._tasks:
            yield
            self._ended.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._lock:
            if self._app is None:
                assert self._tasks is not None
                # In a thread, so that the event loop can answer hooks meanwhile.
                app, run = await anyio.to_thread.run_sync(self._build)
                await self._tasks.start(self._hold_context, run)
                self._app = app
        await self._app(scope, receive, send)

    async def _hold_context(
        self, run: Callable[[], AbstractAsyncContextManager[None]], *, task_status: TaskStatus[None]
    ) -> None:
        # A task group must be entered and left in the same task, so the context gets a task for its whole life.
        async with run():
            task_status.started()
            await self._ended.wait()
