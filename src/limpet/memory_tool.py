"""Anthropic's memory tool over Limpet, for programs that use the official SDK: `from limpet import MemoryTool`.

`MemoryTool` has the six methods that the SDK's abstract class asks for, so that

    class Memory(MemoryTool, BetaAbstractMemoryTool): ...

is a tool for the SDK's tool runner. Limpet itself never imports the SDK.
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

    from limpet.apps.memory_tool import ToolResult

_FIELDS = (
    *("command", "path", "view_range", "file_text", "old_str", "new_str", "insert_line", "insert_text"),
    *("old_path", "new_path"),
)


class MemoryTool:
    """The memory directory of one app; what a model writes has the origin agent, whoever runs the program.

    `options` go to the next class, such as `cache_control` of the SDK's abstract class.
    """

    def __init__(self, app: str, *, home: str | None = None, **options: Any) -> None:
        super().__init__(**options)
        self._app = app
        runtime = open_runtime(home=home, caller=Caller(origin=Origin.AGENT, is_agent=True))
        self._exclusive = ExclusiveRuntime(lambda: runtime)
        self._register()

    def answer(self, command: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of a tool result for the input of a tool call: `content` and `is_error`."""
        result = self._answer(command)
        return {"content": result.content, "is_error": result.is_error}

    def view(self, command: Any) -> str:
        """Return the numbered lines of a file, or the files of a directory."""
        return self._execute(command, "view")

    def create(self, command: Any) -> str:
        """Create a file."""
        return self._execute(command, "create")

    def str_replace(self, command: Any) -> str:
        """Replace a passage of a file that occurs once."""
        return self._execute(command, "str_replace")

    def insert(self, command: Any) -> str:
        """Insert lines after a line of a file."""
        return self._execute(command, "insert")

    def delete(self, command: Any) -> str:
        """Hide a file or a directory; only a person can erase it."""
        return self._execute(command, "delete")

    def rename(self, command: Any) -> str:
        """Give a file or a directory another path."""
        return self._execute(command, "rename")

    def close(self) -> None:
        """Close the store; closing it twice does no harm."""
        self._exclusive.close()

    def _register(self) -> None:
        apps = load_verb("apps")
        with self._exclusive.use() as runtime:
            try:
                apps.run(runtime, action="conversations", app=self._app, limit=1)
            except InvalidId:
                apps.run(runtime, action="register", app=self._app)

    def _execute(self, command: Any, name: str) -> str:
        """Carry out a command of the SDK, whose fields are attributes, or of a mapping; raise an error for the model.

        The SDK's runner shows a model only the text of the SDK's own error, so that error is raised if the SDK is
        loaded.
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
