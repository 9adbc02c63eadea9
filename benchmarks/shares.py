"""`python -m benchmarks.shares [10000]`: what a session start loads, and where its instructions go.

Instructions are counted by `valgrind --tool=callgrind`, which must be installed. Their number hardly depends on what
else the machine does. A part is counted from the outside: what a function calls belongs to it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections import Counter, defaultdict
from dataclasses import dataclass

from benchmarks.hooks import BARE, HOOK, build_payload
from benchmarks.stores import prepare
from benchmarks.table import row, show
from limpet.wiring.bundle import refresh_bundle

RUN = "    main(sys.argv[1:], _given)\n"
# Under valgrind everything takes fifty times as long, so the hook must not end itself at its limit.
PATIENT = "    import limpet.cli.hook as _hook\n    _hook._Watch._wait = lambda self: None\n"
LIST = "    os.write(2, '\\n'.join(sys.modules).encode())\n"
PARTS = {
    "making classes": ("type_new",),
    "unpacking the code of modules": ("marshal_loads",),
    "preparing and running statements": ("statementcache_prepare_internal", "sqlite3_step"),
}


@dataclass
class Profile:
    """The instructions of a run, and how often each function was called from outside and what that took."""

    total: int
    calls: Counter[str]
    spent: Counter[str]


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    if shutil.which("valgrind") is None:
        sys.exit("valgrind is not installed; install it with the package manager of your system")
    for name in ("PROJECT_CAP", "AGENT_CAP", "BACKUP_HOURS"):
        os.environ[f"LIMPET_STORE__{name}"] = "0"
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    refresh_bundle()
    store = prepare(size)
    with store.used(), tempfile.TemporaryDirectory(prefix="limpet-bench-") as folder:
        shutil.rmtree(os.path.join(store.home, "queue"), ignore_errors=True)
        data = build_payload(store.work, "SessionStart", source="startup")
        modules = _list_modules(_write_hook(folder, RUN + LIST), data)
        shutil.rmtree(os.path.join(store.home, "queue"), ignore_errors=True)
        data = build_payload(store.work, "SessionStart", source="startup")
        start = _count([*HOOK[:-1], _write_hook(folder, PATIENT + RUN)], data, folder)
        bare = _count(BARE, b"", folder)
    _show_modules(modules)
    _show_shares(start, bare, size)


def _write_hook(folder: str, end: str) -> str:
    """Write a hook program that ends otherwise, and return its path."""
    with open(HOOK[-1], encoding="utf-8") as file:
        text = file.read()
    assert RUN in text
    path = os.path.join(folder, "run_hook.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(RUN, end).replace("__file__", repr(HOOK[-1])))
    return path


def _list_modules(program: str, data: bytes) -> list[str]:
    done = subprocess.run([*HOOK[:-1], program], input=data, capture_output=True, check=True)
    return done.stderr.decode().split("\n")


def _count(command: list[str], data: bytes, folder: str) -> Profile:
    """Run a program under callgrind and return what it counted."""
    out = os.path.join(folder, "callgrind.out")
    valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *command]
    subprocess.run(valgrind, input=data, check=True, capture_output=True)
    with open(out, encoding="utf-8", errors="replace") as file:
        return _read_profile(file.read().split("\n"))


def _read_profile(lines: list[str]) -> Profile:
    """Return the counts of callgrind's format, in which a name is written out once and then has a number.

    A call within a call of the same function has another name, so it is not counted twice.
    """
    names: dict[str, str] = {}
    profile = Profile(0, Counter(), Counter())
    for at, line in enumerate(lines):
        if line.startswith(("fn=", "cfn=")):
            number, _, name = line.partition("=")[2].partition(" ")
            names.setdefault(number, name)
            if line.startswith("cfn="):
                called = names[number]
                profile.calls[called] += int(lines[at + 1].removeprefix("calls=").split()[0])
                profile.spent[called] += int(lines[at + 2].split()[1])
        elif line.startswith("totals:"):
            profile.total = int(line.split()[1])
    return profile


def _show_modules(modules: list[str]) -> None:
    packages: defaultdict[str, list[str]] = defaultdict(list)
    for name in modules:
        first, _, rest = name.partition(".")
        packages[f"limpet.{rest.partition('.')[0]}" if first == "limpet" and rest else "others"].append(name)
    print(f"The {len(modules)} modules of a session start")
    for package, names in sorted(packages.items()):
        text = f"{package} ({len(names)}): {' '.join(name.removeprefix(f'{package}.') for name in names)}"
        print(textwrap.fill(text, 120, subsequent_indent="  ", break_on_hyphens=False))


def _show_shares(start: Profile, bare: Profile, size: int) -> None:
    shares = {"the bare interpreter": bare.total}
    for name, functions in PARTS.items():
        calls = sum(start.calls[each] - bare.calls[each] for each in functions)
        shares[f"{name}: {calls:,} calls"] = sum(start.spent[each] - bare.spent[each] for each in functions)
    shares["everything else: running Python"] = start.total - sum(shares.values())
    rows = [
        row(name, f"{spent / 1e6:.0f}", f"{spent / start.total:.0%}")
        for name, spent in (*shares.items(), ("in all", start.total))
    ]
    show(f"A session start with {size:,} memories", ["", "millions of instructions", "share"], rows)


if __name__ == "__main__":
    main()
