"""`python -m benchmarks.startup [10000] [runs]`: what starting a command costs, as ratios to a bare interpreter.

Processor time of the child alone, the median of several runs taken in turns, so that what else the machine does hits
all of them alike; the first run of each only warms the caches.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys

from benchmarks.store import Filler, surroundings
from benchmarks.table import Target, row, show

RUNS = 15


def main() -> None:
    memories = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else RUNS
    with surroundings() as folder:
        os.environ["LIMPET_HOME"] = os.path.join(folder, "home")
        filler = Filler(os.environ["LIMPET_HOME"])
        filler.fill(memories)
        filler.settle()
        # An installed package comes with its byte code.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = os.path.join(folder, "bytecode")
        limpet = installed_command()
        question = filler.texts(1)[0][:40]
        commands = {
            "python -I -S -c pass": [sys.executable, "-I", "-S", "-c", "pass"],
            "limpet --version": [*limpet, "--version"],
            f"limpet recall, {memories:,} memories": [*limpet, "recall", question],
            f"limpet remember, {memories:,} memories": [*limpet, "remember"],
            f"limpet list, {memories:,} memories": [*limpet, "list"],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for number in range(runs + 1):
            for name, command in commands.items():
                more = filler.texts(1) if command[-1] == "remember" else []
                spent = _processor_time([*command, *more])
                if number:
                    times[name].append(spent)
    bare, version, recall, *_ = (statistics.median(each) for each in times.values())
    targets = {
        "limpet --version": (Target(3), version / bare),
        f"limpet recall, {memories:,} memories": (Target(8), recall / bare),
    }
    show(
        f"V11 starting, median of {runs}",
        ["", "processor", "ratio"],
        [
            row(
                name,
                f"{statistics.median(each) * 1000:.1f} ms",
                f"{statistics.median(each) / bare:.1f} ×",
                target=targets[name][0] if name in targets else None,
                value=targets[name][1] if name in targets else None,
            )
            for name, each in times.items()
        ],
    )


def installed_command() -> list[str]:
    """Return the installed command, which lies beside the interpreter that runs this."""
    script = os.path.join(os.path.dirname(sys.executable), "limpet")
    return [script] if os.path.exists(script) else [sys.executable, "-m", "limpet"]


def _processor_time(command: list[str]) -> float:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr is not None
    complaint = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    assert process.returncode == 0, complaint.decode()
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
