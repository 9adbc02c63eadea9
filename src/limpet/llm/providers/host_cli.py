"""Use an agent client's command-line program as a language model, so that no API key is needed.

The program runs in a folder inside Limpet's home, without tools or in a read-only sandbox. The variable `LIMPET_QUIET`
makes Limpet's own hooks do nothing. The program's hooks and its recording of the session are switched off if it
supports that.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import Any

from limpet.environment import QUIET, environment
from limpet.errors import ModelFailed
from limpet.llm.protocol import Reply, Request
from limpet.llm.providers.wires import read_number
from limpet.text.tokens import count_tokens

FOLDER = "llm"
"""The folder inside Limpet's home in which the programs run. Limpet never learns from sessions in this folder."""
_LONGEST_ERROR = 200


class HostCli:
    """A language model that is asked by running `claude -p` or `codex exec`."""

    def __init__(self, client: str, *, model: str, home: str, timeout: float) -> None:
        self.name = f"{client}:{model}" if model else client
        self._client, self._model, self._timeout = client, model, timeout
        self._folder = os.path.join(home, FOLDER)

    def ask(self, request: Request) -> Reply:
        """Run the program with the request's text on its standard input, and return the reply.

        Raise ModelFailed if the program is missing, fails or takes too long.
        """
        program = shutil.which(self._client, path=environment().get("PATH"))
        if program is None or not os.path.isabs(program):
            raise ModelFailed(f"{self._client} is not on the PATH; install it or set llm.provider to another")
        os.makedirs(self._folder, mode=0o700, exist_ok=True)
        if self._client == "claude":
            return _read_claude(self._run([program, *self._claude_options(request)], request.text))
        text = f"{request.instructions}\n\n{request.text}"
        # Codex does not report how many tokens it used.
        return Reply(text=self._read_codex(program, text), tokens_in=0, tokens_out=0)

    def _claude_options(self, request: Request) -> list[str]:
        options = ["-p", "--output-format", "json", "--tools", "", "--no-session-persistence", "--strict-mcp-config"]
        options += ["--settings", json.dumps({"disableAllHooks": True}), "--system-prompt", request.instructions]
        return options + (["--model", self._model] if self._model else [])

    def _read_codex(self, program: str, text: str) -> str:
        last = os.path.join(self._folder, "last-message.txt")
        options = ["exec", "--skip-git-repo-check", "--sandbox", "read-only", "--output-last-message", last]
        options += ["--model", self._model] if self._model else []
        try:
            self._run([program, *options, "-"], text)
            with open(last, encoding="utf-8", errors="replace") as file:
                return file.read(1_000_000)
        except OSError as error:
            raise ModelFailed(f"codex left no answer: {error.strerror}") from None
        finally:
            if os.path.exists(last):
                os.unlink(last)

    def _run(self, words: list[str], text: str) -> str:
        env = {**environment(), QUIET: "1"}
        try:
            done = subprocess.run(
                words,
                input=text,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=self._timeout,
                cwd=self._folder,
                env=env,
                check=False,
            )
        except subprocess.TimeoutExpired:
            spent = count_tokens(text)
            raise ModelFailed(f"{self._client} did not answer within {self._timeout:g} s", tokens=spent) from None
        except OSError as error:
            raise ModelFailed(f"{self._client} could not be run: {error.strerror}") from None
        if done.returncode:
            first = (done.stderr or done.stdout).strip().partition("\n")[0]
            raise ModelFailed(f"{self._client} failed: {first[:_LONGEST_ERROR]}")
        return done.stdout


def _read_claude(output: str) -> Reply:
    try:
        answer: Any = json.loads(output)
        text = answer["result"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ModelFailed("claude gave an answer in an unknown form") from None
    if not isinstance(text, str) or answer.get("is_error"):
        raise ModelFailed(f"claude refused: {str(text)[:_LONGEST_ERROR]}")
    used = answer.get("usage")
    counts = used if isinstance(used, dict) else {}
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return Reply(
        text=text,
        tokens_in=sum(read_number(counts.get(name)) or 0 for name in names),
        tokens_out=read_number(counts.get("output_tokens")) or 0,
    )
