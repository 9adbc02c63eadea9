"""Provide Anthropic's memory tool for programs that use Anthropic's SDK: `from limpet import MemoryTool`.

The memory tool lets a model keep notes in files, which Limpet stores. `MemoryTool` implements the six abstract methods
of the SDK's class, so the following class is a tool for the SDK's tool runner:

    class Memory(MemoryTool, BetaAbstractMemoryTool): ...

Limpet itself never imports the SDK.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping

from limpet.errors import InvalidId, UsageError
from limpet.model.memory import Origin
from limpet.operations.catalogue import load_verb
from limpet.runtime import Caller, open_runtime
from limpet.runtime.exclusive import ExclusiveRuntime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.apps.memory_commands import ToolResult

_FIELDS = (
    *("command", "path", "view_range", "file_text", "old_str", "new_str", "insert_line", "insert_text"),
    *("old_path", "new_path"),
)


class MemoryTool:
    """Anthropic's memory tool for an app: a directory of files that a model reads and edits.

    `app` is the id of the app, which is registered if it does not exist. `home` is Limpet's data folder, by default the
    usual one. `options` are passed to the next base class, such as `cache_control` to the SDK's class. All files count
    as written by a model, even if a person runs the program.
    """

    def __init__(self, app: str, *, home: str | None = None, **options: Any) -> None:
        super().__init__(**options)
        self._app = app
        runtime = open_runtime(home=home, caller=Caller(origin=Origin.AGENT, is_agent=True))
        self._exclusive = ExclusiveRuntime(lambda: runtime)
        self._register()

    def answer(self, command: Mapping[str, Any]) -> dict[str, Any]:
        """Carry out a tool call, given its input, and return the fields `content` and `is_error` of the tool result."""
        result = self._answer(command)
        return {"content": result.content, "is_error": result.is_error}

    def view(self, command: Any) -> str:
        """Return the numbered lines of a file, or the files of a directory."""
        return self._execute(command, "view")

    def create(self, command: Any) -> str:
        """Create a file."""
        return self._execute(command, "create")

    def str_replace(self, command: Any) -> str:
        """Replace text in a file. The text must occur exactly once."""
        return self._execute(command, "str_replace")

    def insert(self, command: Any) -> str:
        """Insert text after the line of a file with a given number."""
        return self._execute(command, "insert")

    def delete(self, command: Any) -> str:
        """Delete a file or a directory. The texts remain in the journal, and only a person can erase them."""
        return self._execute(command, "delete")

    def rename(self, command: Any) -> str:
        """Move a file or a directory to another path."""
        return self._execute(command, "rename")

    def close(self) -> None:
        """Close the store. If it is already closed, do nothing."""
        self._exclusive.close()

    def _register(self) -> None:
        apps = load_verb("apps")
        with self._exclusive.use() as runtime:
            try:
                apps.run(runtime, action="conversations", app=self._app, limit=1)
            except InvalidId:
                apps.run(runtime, action="register", app=self._app)

    def _execute(self, command: Any, name: str) -> str:
        """Carry out a command and return the text of its result.

        `command` is an SDK object or a mapping. If the command fails, raise the SDK's ToolError if the SDK is loaded,
        because its tool runner shows only this error's message to the model. Otherwise raise UsageError.
        """
        if not isinstance(command, Mapping):
            command = {field: getattr(command, field, None) for field in _FIELDS}
        result = self._answer({**command, "command": name})
        if result.is_error:
            sdk = sys.modules.get("anthropic.lib.tools")
            error: type[Exception] = getattr(sdk, "ToolError", UsageError)
            raise error(result.content)
        return result.content

    def _answer(self, command: Mapping[str, Any]) -> ToolResult:
        given = {name: value for name, value in command.items() if value is not None}
        with self._exclusive.use() as runtime:
            result: ToolResult = (
                load_verb("apps").run(runtime, action="memory", app=self._app, text=json.dumps(given)).result
            )
        return result
