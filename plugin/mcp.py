"""Finds the installed Limpet and becomes its MCP server."""

import os
import sys

# The folder is the host's to delete: nothing may be left in it.
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "hooks"))

import hook  # noqa: E402


def main() -> None:
    python = hook.runtime().get("python")
    if not hook.is_file(python):
        python = hook.from_path()
    if python:
        # -P: the folder that the host stands in is a repository, and no module of it may take the place of ours.
        hook.start([python, "-P", "-m", "limpet", "mcp"])
    sys.exit(hook.MISSING)


if __name__ == "__main__":
    main()
