"""The server loads what it uses of the SDK; whatever else is asked of the SDK is still there."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

UNUSED = ("mcp.client", "mcp.server.mcpserver", "httpx2", "cryptography")


def run(code: str) -> str:
    """Return what a new interpreter prints, which has the import path of this one."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-W", "error", "-c", f"import sys\n{code}"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("module", ["limpet.mcp.server", "limpet.mcp.over_http"])
def test_the_server_does_not_load_what_it_does_not_use(module: str) -> None:
    assert run(f"import {module}\nprint([each for each in {UNUSED} if each in sys.modules])") == "[]"


@pytest.mark.parametrize(
    "use",
    [
        "from mcp import ClientSession as found",
        "from mcp.server import MCPServer as found",
        "import mcp; found = mcp.Client",
        "import mcp.client.session; found = mcp.client.session.ClientSession",
        "from mcp import types, Tool as found",
    ],
)
def test_the_rest_of_the_sdk_is_there_when_somebody_asks_for_it(use: str) -> None:
    assert run(f"import limpet.mcp.server\n{use}\nprint(found.__name__)") in use


def test_both_give_the_same_classes() -> None:
    code = "import limpet.mcp.sdk as sdk, mcp.server\nprint(mcp.server.Server is sdk.Server, hasattr(mcp, 'nothing'))"
    assert run(code) == "True False"


def test_an_sdk_that_is_loaded_already_is_used_as_it_is() -> None:
    code = (
        "import mcp\nbefore = mcp\nimport limpet.mcp.server\nprint(sys.modules['mcp'] is before, mcp.Client.__name__)"
    )
    assert run(code) == "True Client"
