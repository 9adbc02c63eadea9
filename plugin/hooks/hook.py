"""Find the installed Limpet and start its hook program; say how to install it if there is none.

Claude Code starts this with whatever Python is on the path. So it needs only the standard library, imports very little,
and exits with 0 whatever happens. `limpet setup` has written down what to start; without that, the interpreter of the
`limpet` on the path is used.
"""

import os
import sys

MISSING = (
    "Limpet is not installed, so this session has no memory. To install it: uv tool install limpet && limpet setup"
)


def main(arguments: "list[str]") -> None:
    known = read_runtime()
    if is_wired_elsewhere(known):
        return
    python, hook = known.get("python"), known.get("hook")
    if is_file(python) and is_file(hook):
        start([python, "-I", "-S", hook, *arguments])
    python = python_from_path()
    if python:
        start([python, "-P", "-m", "limpet.cli.run_hook", *arguments])
    if not arguments:
        say_missing()


def read_runtime() -> dict:
    """Return what `limpet setup` has written down: the interpreter, the hook program, and which host is wired how."""
    home = os.environ.get("LIMPET_HOME") or os.path.join("~", ".limpet")
    try:
        with open(os.path.join(os.path.expanduser(home), "runtime.json"), encoding="utf-8") as file:
            found = parse(file.read())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


class ScannerOptions:
    """The options of the scanner behind Python's `json`, which takes longer to import than all of this."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float, parse_int, parse_constant = float, int, float


def parse(text: str) -> object:
    try:
        from _json import make_scanner

        return make_scanner(ScannerOptions)(text.strip(), 0)[0]
    except (ImportError, StopIteration, TypeError, AttributeError):
        import json

        return json.loads(text)


def is_wired_elsewhere(known: dict) -> bool:
    """Tell whether Claude Code's settings call Limpet already, so that this would be the second call."""
    hosts, projects = known.get("hosts"), known.get("projects")
    here = os.environ.get("CLAUDE_PROJECT_DIR") or os.getcwd()
    return (isinstance(hosts, dict) and hosts.get("claude-code") == "settings") or (
        isinstance(projects, list) and os.path.realpath(here) in projects
    )


def is_file(path: object) -> bool:
    return isinstance(path, str) and os.path.isfile(path)


def python_from_path() -> "str | None":
    """Return the interpreter of the `limpet` command: a script names it at its top, a program lies beside it."""
    from shutil import which

    # Only absolute entries: `.` or an empty one would mean the repository that the session is in.
    folders = [folder for folder in os.environ.get("PATH", "").split(os.pathsep) if os.path.isabs(folder)]
    program = which("limpet", path=os.pathsep.join(folders)) if folders else None
    # On Windows `which` looks in the current folder first, whatever the path is.
    if program is None or not os.path.isabs(program):
        return None
    program = os.path.realpath(program)
    try:
        with open(program, "rb") as file:
            head = file.read(1024)
    except OSError:
        return None
    if head.startswith(b"#!"):
        # A path with spaces stands in the second line, in quotation marks, as an argument of a shell.
        first, _, rest = os.fsdecode(head[2:]).partition("\n")
        quoted = rest.partition("\n")[0].split('"')
        for candidate in (first.strip(), quoted[1] if len(quoted) > 2 else ""):
            if "python" in os.path.basename(candidate) and os.path.isabs(candidate) and is_file(candidate):
                return candidate
    for name in ("python.exe", "python3", "python"):
        if is_file(os.path.join(os.path.dirname(program), name)):
            return os.path.join(os.path.dirname(program), name)
    return None


def start(command: "list[str]") -> None:
    """Become that program. Standard input is untouched, so the program reads the payload."""
    if os.name != "nt":
        try:
            os.execv(command[0], command)
        except OSError:
            return
    # On Windows `execv` would let the host go on before the new program has ended.
    import subprocess

    try:
        done = subprocess.call(command)
    except OSError:
        return
    sys.exit(done)


def say_missing() -> None:
    import json

    try:
        event = json.load(sys.stdin)
    except (OSError, ValueError):
        return
    if isinstance(event, dict) and event.get("hook_event_name") == "SessionStart":
        context = {"hookEventName": "SessionStart", "additionalContext": MISSING}
        sys.stdout.write(json.dumps({"systemMessage": MISSING, "hookSpecificOutput": context}))
        sys.stdout.flush()


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Exception:  # noqa: BLE001 - a hook that fails would disturb the session
        pass
    sys.exit(0)
