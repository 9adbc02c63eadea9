"""Find the installed Limpet and become its MCP server."""

import os
import sys

# The host may delete this folder, so nothing is written into it.
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "hooks"))

import hook  # noqa: E402


def main() -> None:
    python = hook.read_runtime().get("python")
    if not hook.is_file(python):
        python = hook.python_from_path()
    if python:
        # -P: the host starts this inside a repository, and no module of the repository may take the place of ours.
        hook.start([python, "-P", "-m", "limpet", "mcp"])
    sys.exit(hook.MISSING)


if __name__ == "__main__":
    main()
