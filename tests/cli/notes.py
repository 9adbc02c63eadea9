"""Notes that wait for a decision, and what has become of them."""

from __future__ import annotations

from limpet.model.memory import Draft, Origin
from limpet.runtime import open_runtime
from tests.cli.shell import Shell

FIRST, SECOND, THIRD = "Use uv here, never pip", "RATES is keyed by ISO code", "The queue has 12 workers"


def capture(shell: Shell, *texts: str, origin: Origin = Origin.USER, **fields: object) -> None:
    """Capture texts as notes of this project; the first is the best."""
    runtime = open_runtime(home=str(shell.home), cwd=str(shell.cwd))
    for number, text in enumerate(texts):
        door = runtime.admission(actor="capture:anima")
        about = {"origin": origin, "importance": 0.5 - number / 100, "session": "4f2a9c01-77", **fields}
        door.admit(Draft(text=text, **about))  # type: ignore[arg-type]
        runtime.write(door.changes)
    runtime.close()


def kept(shell: Shell) -> list[str]:
    return sorted(each["content"] for each in shell.ask("list", "--tier", "kept")["memories"])


def waiting(shell: Shell) -> list[str]:
    return [each["content"] for each in shell.ask("inbox")["memories"]]
