"""Serves the tools over standard input and output, for as long as whoever started it lives.

The protocol is the SDK's; the core is synchronous and is called in worker threads. The memory is opened at the first
call and not before: a home that cannot be used must not keep the server from saying so.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import threading
from collections.abc import Callable
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from limpet import __version__
from limpet.environment import debug_wanted, project_from_environment
from limpet.errors import LimpetError, UsageError
from limpet.learning.waiting import is_waiting
from limpet.mcp.answers import harmless
from limpet.mcp.instructions import INSTRUCTIONS
from limpet.mcp.tools import Tool, offered
from limpet.mcp.wire import standard_input
from limpet.model.memory import Origin
from limpet.operations.catalogue import verb
from limpet.runtime import Caller, Runtime, open_runtime
from limpet.system import give_back_memory, when_parent_ends
from limpet.text.embedding import table
from limpet.text.excerpt import clip
from limpet.workspace import locate

TYPE_CHECKING = False
if TYPE_CHECKING:
    Idle = Callable[[Runtime], None]
    Context = ServerRequestContext[Any, Any]

MODEL = Caller(origin=Origin.AGENT, is_agent=True)
_LONGEST_ERROR = 600
_SLICE_MS = 400
_PATIENCE = 2.0
"""Seconds that a call under way has to end when we are told to stop."""


def rest(runtime: Runtime) -> None:
    """What is done between calls: learning from what hooks have queued, what the store has put off, and giving back
    memory that a call has taken. Some hosts have no hook that nobody waits for, so there this is the only one to do it.
    """
    tend_queue(runtime)
    runtime.store.rest()
    if table.cache_info().currsize:
        table().let_go()
    give_back_memory()


def tend_queue(runtime: Runtime) -> None:
    """Whoever asks meanwhile waits, so it stops soon; what is left is found again."""
    if is_waiting(runtime.settings.home, runtime.reading()):
        from limpet.operations.upkeep import tend

        try:
            tend(runtime, budget_ms=_SLICE_MS)
        except (LimpetError, OSError) as error:
            runtime.log(f"could not learn between calls: {error}")


def serve(
    *,
    home: str | None = None,
    agent: str | None = None,
    project: str | None = None,
    session: str | None = None,
    parent: int,
    everything: bool = False,
    idle: Idle = rest,
) -> None:
    """Answer until standard input ends, our parent does, or we are told to stop."""
    folder = project_from_environment()
    desk = Desk(offered(everything=everything), folder, home=home, agent=agent, project=project, session=session)
    end = _Ending(desk)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    when_parent_ends(parent, end)
    anyio.run(_serve, desk, idle)
    desk.close()


async def _serve(desk: Desk, idle: Idle) -> None:
    server = build(desk, idle)
    async with stdio_server(stdin=standard_input()) as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


def build(desk: Desk, idle: Idle = rest) -> Server[Any]:
    waiting = 0
    # Calls are answered one after the other, so more threads than one would only hold memory while they wait.
    line = anyio.CapacityLimiter(1)

    async def on_list_tools(context: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[described(tool) for tool in desk.tools])

    async def on_call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        nonlocal waiting
        waiting += 1
        try:
            return await anyio.to_thread.run_sync(desk.result, params.name, params.arguments, limiter=line)
        finally:
            waiting -= 1
            if not waiting:
                threading.Thread(target=desk.between, args=(idle,), daemon=True).start()

    return Server(
        "limpet",
        version=__version__,
        title="Limpet",
        instructions=INSTRUCTIONS,
        on_list_tools=on_list_tools,
        on_call_tool=on_call_tool,
    )


def described(tool: Tool) -> types.Tool:
    """A tool as a client sees it; a hint that is its own default is left out, as each costs tokens in every session."""
    hints: dict[str, bool] = {"openWorldHint": False}
    if tool.reads:
        hints["readOnlyHint"] = True
    else:
        hints |= {"destructiveHint": tool.destroys, **({"idempotentHint": True} if tool.repeats else {})}
    made: dict[str, Any] = {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": tool.schema(),
        "annotations": hints,
    }
    if tool.always:
        made["_meta"] = {"anthropic/alwaysLoad": True}
    return types.Tool.model_validate(made)


class Desk:
    """Answers calls, one after the other; several threads may stand in line."""

    def __init__(self, tools: tuple[Tool, ...], folder: str | None = None, **opening: Any) -> None:
        self.tools = tools
        self._folder = folder
        self._opening = opening
        self._runtime: Runtime | None = None
        # One connection and one journal writer stand behind this, and neither serves two at once.
        self._turn = threading.RLock()

    def result(self, name: str, arguments: Any) -> types.CallToolResult:
        """An answer, or a sentence that says why there is none: nobody stands behind this."""
        try:
            answer = self.call(name, arguments)
        except LimpetError as error:
            return _failed(str(error))
        except Exception as error:
            if debug_wanted():
                raise
            return _failed(
                f"something went wrong inside ({type(error).__name__}: {error}); `limpet doctor` may know why"
            )
        text = (
            json.dumps(harmless(answer), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace").decode()
        )
        return types.CallToolResult(content=[types.TextContent(text=text)], structured_content=json.loads(text))

    def call(self, name: str, arguments: Any) -> dict[str, Any]:
        tool = next((tool for tool in self.tools if tool.name == name), None)
        if tool is None:
            raise UsageError(f"there is no tool {name[:60]!r}; there are {', '.join(tool.name for tool in self.tools)}")
        values = tool.values(arguments)
        with self._turn:
            runtime = self._opened()
            return tool.answer(runtime, verb(tool.operation).run(runtime, **values))

    def _opened(self) -> Runtime:
        """The memory, and where we are: branch, commit and project may change while a session goes on."""
        if self._runtime is None:
            self._runtime = open_runtime(caller=MODEL, cwd=self._folder, **self._opening)
            return self._runtime
        # If the folder is gone meanwhile, we go on where it was.
        with contextlib.suppress(OSError):
            self._runtime.place = locate(self._folder or os.getcwd())
            self._runtime.look_again()
        return self._runtime

    def between(self, idle: Idle) -> None:
        """Let something be done while nobody asks; who asks meanwhile waits, so it has to be short."""
        if self._turn.acquire(blocking=False):
            try:
                if self._runtime is not None:
                    idle(self._runtime)
            finally:
                self._turn.release()

    def close(self, *, patience: float = -1) -> None:
        if self._turn.acquire(timeout=patience):
            if self._runtime is not None:
                self._runtime.close()
            self._runtime = None
            self._turn.release()


class _Ending:
    """Called by a signal or when the parent is gone.

    A thread sits in a read of standard input and nothing can wake it, so the process is ended under it. What was
    acknowledged is on disk by then.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def __call__(self, *signal_and_frame: Any) -> None:
        try:
            self._desk.close(patience=_PATIENCE)
        finally:
            os._exit(0)


def _failed(sentence: str) -> types.CallToolResult:
    said: str = harmless(sentence.encode("utf-8", "replace").decode())
    said = clip(said, _LONGEST_ERROR)
    return types.CallToolResult(
        content=[types.TextContent(text=said)], structured_content={"error": said}, is_error=True
    )
