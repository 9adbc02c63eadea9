"""Load the tools when one is first asked for: the MCP SDK takes seconds and 35 MB, and most servers only see hooks.

This module must not import the SDK.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import anyio
import anyio.to_thread
from anyio.abc import TaskGroup, TaskStatus
from starlette.types import ASGIApp, Receive, Scope, Send

PATH = "/mcp"

Tools = tuple[ASGIApp, Callable[[], AbstractAsyncContextManager[None]]]
"""An application, and what must run as long as it is used."""


class ToolsOnDemand:
    """An ASGI application that is built at its first request."""

    def __init__(self, build: Callable[[], Tools]) -> None:
        self._build = build
        self._app: ASGIApp | None = None
        self._lock = anyio.Lock()
        self._ended = anyio.Event()
        self._tasks: TaskGroup | None = None

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Keep what the application needs running until this context ends."""
        async with anyio.create_task_group() as self._tasks:
            yield
            self._ended.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._lock:
            if self._app is None:
                assert self._tasks is not None
                # In a thread, because hooks are answered meanwhile.
                app, run = await anyio.to_thread.run_sync(self._build)
                await self._tasks.start(self._keep, run)
                self._app = app
        await self._app(scope, receive, send)

    async def _keep(
        self, run: Callable[[], AbstractAsyncContextManager[None]], *, task_status: TaskStatus[None]
    ) -> None:
        """Enter and leave the context of the application in one task, as its task group demands."""
        async with run():
            task_status.started()
            await self._ended.wait()
