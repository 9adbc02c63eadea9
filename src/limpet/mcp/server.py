"""Serve Limpet's operations as MCP tools over standard input and output.

The main thread reads messages and answers all of them but calls at once. Calls run in another thread, one after the
other, because they share a store, which is opened at the first call. If it cannot be opened, the server keeps running,
and every call returns an error with the reason.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, BinaryIO

from limpet.doors.governor import neutralise
from limpet.environment import project_from_environment, shows_traceback
from limpet.errors import LimpetError, UsageError
from limpet.forms.model import render_for_model
from limpet.learning.sources import has_backlog
from limpet.mcp.tools import CORE, TOOLS, Tool, describe_tool
from limpet.mcp.wire import Call, Cancelled, format_result, receive
from limpet.model.memory import Origin
from limpet.operations.catalogue import load_verb
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


MODEL = Caller(origin=Origin.AGENT, is_agent=True)
"""The caller of every tool: a model, not a person."""
_LONGEST_ERROR = 600
_LEARNING_MS = 400
_QUIET_S = 0.1
"""How many seconds to wait before idle work begins, because another call often follows soon."""
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
        from limpet.care.tending import tend

        try:
            tend(runtime, budget_ms=_LEARNING_MS, is_wanted=is_wanted)
        except (LimpetError, OSError) as error:
            runtime.log(f"could not learn between calls: {error}")


def serve(
    reading: BinaryIO,
    writing: BinaryIO,
    *,
    home: str | None = None,
    agent: str | None = None,
    project: str | None = None,
    session: str | None = None,
    parent: int,
    everything: bool = False,
    idle: Idle = do_idle_work,
) -> None:
    """Answer the messages in `reading` on `writing` until the input ends, the parent process ends, or a signal arrives.

    `parent` is the process id of the parent. If `everything` is True, the rarely used tools are offered as well.
    """
    tools = TOOLS if everything else CORE
    runner = ToolRunner(tools, project_from_environment(), home=home, agent=agent, project=project, session=session)
    shutdown = _Shutdown(runner)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, shutdown)
    when_parent_ends(parent, shutdown)
    calls = _CallQueue(runner, writing, idle, shutdown)
    worker = threading.Thread(target=calls.work)
    worker.start()
    calls.read(reading, lambda: [describe_tool(tool) for tool in tools])
    worker.join()
    runner.close()


class _CallQueue:
    """The calls of tools, which one thread reads from the input and another one runs."""

    def __init__(self, runner: ToolRunner, writing: BinaryIO, idle: Idle, give_up: Callable[[], None]) -> None:
        self._runner, self._output, self._idle, self._give_up = runner, writing, idle, give_up
        self._calls: SimpleQueue[Call | None] = SimpleQueue()
        self._wanted: set[str | int] = set()
        """The ids of the calls that are queued or running, less those that the client has cancelled."""
        self._writing = threading.Lock()

    def read(self, lines: BinaryIO, list_tools: Callable[[], list[dict[str, Any]]]) -> None:
        """Read messages until the input ends: queue the calls and answer everything else."""
        for line in lines:
            match receive(line, list_tools):
                case Call() as call:
                    self._wanted.add(call.id)
                    self._calls.put(call)
                case Cancelled(id=id):
                    self._wanted.discard(id)
                case bytes(answer):
                    self._write(answer)
        self._calls.put(None)

    def work(self) -> None:
        """Run the queued calls, and do idle work in the pauses between them, until the reading thread has ended."""
        is_rested = False
        while True:
            try:
                call = self._calls.get(timeout=None if is_rested else _QUIET_S)
            except Empty:
                self._runner.rest(self._idle, lambda: not self._calls.empty())
                is_rested = True
                continue
            if call is None:
                return
            is_rested = False
            if call.id in self._wanted:
                text, failed = self._runner.respond(call.name, call.arguments)
                if call.id in self._wanted:
                    self._write(format_result(call, text, failed=failed))
                self._wanted.discard(call.id)

    def _write(self, line: bytes) -> None:
        try:
            with self._writing:
                self._output.write(line)
                self._output.flush()
        except (OSError, ValueError):
            # The client has closed its end, so there is nobody left to answer.
            self._give_up()


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
        self._runtime = shared or ExclusiveRuntime(partial(open_runtime, caller=MODEL, cwd=folder, **opening))

    def respond(self, name: str, arguments: Any, place: RequestPlace | None = None) -> tuple[str, bool]:
        """Run a tool and return its result as JSON and False, or a sentence and True if any exception is raised."""
        try:
            return self.run(name, arguments, place), False
        except LimpetError as error:
            sentence = str(error)
        except Exception as error:
            if shows_traceback():
                raise
            sentence = f"something went wrong inside ({type(error).__name__}: {error}); `limpet doctor` may know why"
        return clip(neutralise(sentence.encode("utf-8", "replace").decode()), _LONGEST_ERROR), True

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
                # If the folder was removed, the last known values stay.
                with contextlib.suppress(OSError):
                    runtime.place = locate(self._folder or os.getcwd())
                    runtime.reset_identity()
            answer = load_verb(tool.operation).run(runtime, **values)
            return render_for_model(tool.operation, runtime, answer, tool.encode)

    def rest(self, idle: Idle, is_wanted: IsWanted | None = None) -> None:
        """Call `idle` unless the runtime is in use or was never opened.

        `is_wanted` tells whether a call is waiting. `idle` should check it between its steps, so that a call waits for
        at most one step.
        """
        with self._runtime.use_if_idle() as runtime:
            if runtime is None:
                return
            try:
                idle(runtime, is_wanted or self._runtime.is_wanted)
            except Exception as error:
                if shows_traceback():
                    raise
                # The thread that does this also runs the calls, so it must go on.
                runtime.log(f"something went wrong between calls ({type(error).__name__}: {error})")

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
