"""A program `claude` on the PATH whose answer a test sets."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path
from typing import Any

_PROGRAM = """#!{python}
import json, os, pathlib, sys
here = pathlib.Path(__file__).parent
calls = here / "calls.jsonl"
text = sys.stdin.read()
with calls.open("a") as file:
    file.write(json.dumps({{"arguments": sys.argv[1:], "text": text, "quiet": os.environ.get("LIMPET_QUIET"),
                            "cwd": os.getcwd()}}) + "\\n")
answer = (here / "answer.txt").read_text()
if answer == "fail":
    print("Credit balance is too low", file=sys.stderr)
    sys.exit(1)
print(json.dumps({{"result": answer, "is_error": False, "usage": {{"input_tokens": 2100, "output_tokens": 90}}}}))
"""
ALLOWED = {"llm.provider": "claude", "llm.daily_tokens": "100000"}
"""The settings with which the program is asked."""
FAIL = "fail"
"""The answer with which the program fails."""
SPENT = 2190
"""The tokens that the program reports for each call."""


class ScriptedProgram:
    """The program in a folder, which must be on the PATH."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self.folder, self.path = folder, folder / "claude"
        self.path.write_text(_PROGRAM.format(python=sys.executable))
        self.path.chmod(self.path.stat().st_mode | stat.S_IXUSR)

    def answer(self, text: str) -> None:
        (self.folder / "answer.txt").write_text(text)

    @property
    def calls(self) -> list[dict[str, Any]]:
        path = self.folder / "calls.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
