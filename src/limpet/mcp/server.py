"""Serve Limpet's operations as MCP tools over standard input and output.

The MCP SDK implements the protocol. Limpet's synchronous core is called in worker threads. The store is opened at the
first call. If it cannot be opened, the server keeps running, and every call returns an error with the reason.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types

from limpet import __version__, clock
from limpet.doors.governor import neutralise
from limpet.environment import project_from_environment, shows_traceback
from limpet.errors import LimpetError, UsageError
from limpet.learning.sources import has_backlog
from limpet.mcp.instructions import INSTRUCTIONS
from limpet.mcp.sdk import Server, ServerRequestContext, stdio_server
from limpet.mcp.tools import CORE, TOOLS, Tool
from limpet.mcp.wire import open_standard_input
from limpet.model.memory import Origin
from limpet.operations.catalogue import load_verb
from limpet.operations.model_view import render_for_model
from limpet.runtime import Caller, Runtime, open_runtime
from limpet.runtime.exclusive import ExclusiveRuntime
from limpet.runtime.serving import RequestPlace
from limpet.system.processes import give_back_memory, when_parent_ends
from limpet.text.embedding import load_embedding_table
from limpet.text.excerpt import clip
from limpet.workspace import locate

TYPE_CHECKING = False
if TYPE_CHECKING:
    IsWanted = Callable[[], bool]
    Idle = Callable[[Runtime, IsWanted], None]
    Context = ServerRequestContext[Any, Any]


MODEL = Caller(origin=Origin.AGENT, is_agent=True)
"""The caller of every tool: a model, not a person."""
_LONGEST_ERROR = 600
_LEARNING_MS = 400
_QUIET_MS = 100
"""How many milliseconds to wait before idle work begins, because another call often follows soon."""
_CLOSE_TIMEOUT_S = 2.0
"""How many seconds a running call may take to finish when the server is stopped."""


def do_idle_work(runtime: Runtime, is_wanted: IsWanted = lambda: False) -> None:
    """Process queued events, let the store do its deferred work, and release memory; stop early if a call arrives.

    `is_wanted` returns True if a call is waiting for the runtime. On a host without asynchronous hooks, no other
    process turns events into memories.
    """
    tend_briefly(runtime, is_wanted)
    if is_wanted():
        return
    runtime.store.rest()
    if load_embedding_table.cache_info().currsize:
        load_embedding_table().release_memory()
    give_back_memory()


def tend_briefly(runtime: Runtime, is_wanted: IsWanted = lambda: False) -> None:
    """Process queued events and do upkeep for up to 400 ms, or until a call arrives; the rest stays in the queue."""
    if has_backlog(runtime.settings.home, runtime.reading()):
        from limpet.operations.upkeep import tend

        try:
            tend(runtime, budget_ms=_LEARNING_MS, is_wanted=is_wanted)
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
    idle: Idle = do_idle_work,
) -> None:
    """Answer calls over standard input and output until the input ends, the parent process ends, or a signal arrives.

    `parent` is the process id of the parent. If `everything` is True, the rarely used tools are offered as well.
    """
    folder = project_from_environment()
    tools = TOOLS if everything else CORE
    runner = ToolRunner(tools, folder, home=home, agent=agent, project=project, session=session)
    shutdown = _Shutdown(runner)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, shutdown)
    when_parent_ends(parent, shutdown)
    anyio.run(_serve, runner, idle)
    runner.close()


async def _serve(runner: ToolRunner, idle: Idle) -> None:
    server = build_server(runner, idle)
    async with stdio_server(stdin=open_standard_input()) as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


def build_server(
    runner: ToolRunner,
    idle: Idle = do_idle_work,
    place_of: Callable[[Context], RequestPlace | None] = lambda context: None,
) -> Server[Any]:
    """Build an MCP server that lists and calls the tools of `runner`.

    `place_of` returns the project folder and session that a request names, or None to use those of the runner. `idle`
    is called in another thread after a call if no other call follows.
    """
    waiting = 0
    # Only one call at a time can use the store, so further threads would only wait and take memory.
    one_thread = anyio.CapacityLimiter(1)

    async def on_list_tools(context: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[describe_tool(tool) for tool in runner.tools])

    async def on_call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        nonlocal waiting
        waiting += 1
        place = place_of(context)
        try:
            return await anyio.to_thread.run_sync(
                runner.respond, params.name, params.arguments, place, limiter=one_thread
            )
        finally:
            waiting -= 1
            if not waiting:
                threading.Thread(target=runner.run_idle, args=(idle,), daemon=True).start()

    return Server(
        "limpet",
        version=__version__,
        title="Limpet",
        instructions=INSTRUCTIONS,
        on_list_tools=on_list_tools,
        on_call_tool=on_call_tool,
    )


def describe_tool(tool: Tool) -> types.Tool:
    """Describe a tool in the format of the MCP protocol."""
    # Hints that have their default value are left out, because each costs tokens.
    hints: dict[str, bool] = {"openWorldHint": False}
    if tool.read_only:
        hints["readOnlyHint"] = True
    else:
        hints |= {"destructiveHint": tool.destructive, **({"idempotentHint": True} if tool.idempotent else {})}
    made: dict[str, Any] = {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": tool.schema(),
        "annotations": hints,
    }
    if tool.always_loaded:
        made["_meta"] = {"anthropic/alwaysLoad": True}
    return types.Tool.model_validate(made)


class ToolRunner:
    """A runner of tools on one store, which is opened at the first call. Several threads can use it.

    `folder` is the project folder, by default the working directory. `opening` are arguments for `open_runtime`. If
    `shared` is given, that runtime is used instead of a new one.
    """

    def __init__(
        self,
        tools: tuple[Tool, ...],
        folder: str | None = None,
        *,
        shared: ExclusiveRuntime | None = None,
        **opening: Any,
    ) -> None:
        self.tools = tools
        self._folder = folder
        self._calls = 0
        self._runtime = shared or ExclusiveRuntime(partial(open_runtime, caller=MODEL, cwd=folder, **opening))

    def respond(self, name: str, arguments: Any, place: RequestPlace | None = None) -> types.CallToolResult:
        """Run a tool and return its result, or an error result if any exception is raised."""
        self._calls += 1
        try:
            text = self.run(name, arguments, place)
        except LimpetError as error:
            return _error_result(str(error))
        except Exception as error:
            if shows_traceback():
                raise
            return _error_result(
                f"something went wrong inside ({type(error).__name__}: {error}); `limpet doctor` may know why"
            )
        return types.CallToolResult(content=[types.TextContent(text=text)], structured_content=json.loads(text))

    def run(self, name: str, arguments: Any, place: RequestPlace | None = None) -> str:
        """Run a tool and return its result as JSON; raise LimpetError if the tool refuses the call.

        `place` is the project folder and session of a request over HTTP. If it is None, the runner's are used.
        """
        tool = next((tool for tool in self.tools if tool.name == name), None)
        if tool is None:
            raise UsageError(f"there is no tool {name[:60]!r}; there are {', '.join(tool.name for tool in self.tools)}")
        values = tool.parse(arguments)
        with self._runtime.use() if place is None else self._runtime.use_at(place, MODEL) as runtime:
            if place is None:
                self._update_place(runtime)
            answer = load_verb(tool.operation).run(runtime, **values)
            return render_for_model(tool.operation, runtime, answer, tool.encode)

    def _update_place(self, runtime: Runtime) -> None:
        """Read the current branch, commit and project again, because they may change during a session."""
        # If the folder was removed, the last known values stay.
        with contextlib.suppress(OSError):
            runtime.place = locate(self._folder or os.getcwd())
            runtime.reset_identity()

    def run_idle(self, idle: Idle) -> None:
        """Wait for 100 ms, and then call `idle` unless a tool call has arrived in the meantime.

        The second argument of `idle` is a function that tells whether a tool call is waiting. `idle` should check it
        between its steps, so that a tool call waits for at most one step.
        """
        calls = self._calls
        clock.pause(_QUIET_MS)
        if calls != self._calls:
            return
        with self._runtime.use_if_idle() as runtime:
            if runtime is not None:
                idle(runtime, self._runtime.is_wanted)

    def close(self, *, timeout: float = -1) -> None:
        self._runtime.close(timeout=timeout)


class _Shutdown:
    """A handler that ends this process after a signal or when the parent process has ended.

    One thread is blocked reading standard input and cannot be interrupted, so the process exits without waiting for it.
    All acknowledged writes are already on disk.
    """

    def __init__(self, runner: ToolRunner) -> None:
        self._runner = runner

    def __call__(self, *signal_and_frame: Any) -> None:
        try:
            self._runner.close(timeout=_CLOSE_TIMEOUT_S)
        finally:
            os._exit(0)


def _error_result(sentence: str) -> types.CallToolResult:
    said = clip(neutralise(sentence.encode("utf-8", "replace").decode()), _LONGEST_ERROR)
    return types.CallToolResult(
        content=[types.TextContent(text=said)], structured_content={"error": said}, is_error=True
    )
