"""Serve as a user who owns nothing; run as a script by root, who may write everywhere.

That user may not be able to read the interpreter's files, so every tool is called first in a temporary home: this loads
all modules that the tools need.
"""

from __future__ import annotations

import os
import select  # noqa: F401
import sys
import tempfile

from limpet.errors import LimpetError
from limpet.mcp.server import ToolRunner, do_idle_work, serve
from limpet.mcp.tools import TOOLS

NOBODY = 65_534


def main() -> None:
    with tempfile.TemporaryDirectory() as rehearsal:
        runner = ToolRunner(TOOLS, home=rehearsal)
        runner.run("store_memory", {"content": "only a rehearsal"})
        for tool in TOOLS:
            try:
                runner.run(tool.name, dict.fromkeys(tool.required, "rehearsal"))
            except LimpetError:
                pass
        runner.rest(do_idle_work)
        runner.close()
    parent = os.getppid()
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)
    serve(sys.stdin.buffer, sys.stdout.buffer, parent=parent)


if __name__ == "__main__":
    main()
    sys.exit(0)
