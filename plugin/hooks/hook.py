"""Finds the installed Limpet and hands the hook over to it; says how to install it where there is none.

Claude Code starts this with whatever Python is on the path, so it needs nothing but the standard library, loads next to
nothing, and ends with status 0 whatever happens. `limpet setup` has written down what to start; without that the
`limpet` on the path tells its interpreter.
"""

import os
import sys

MISSING = (
    "Limpet is not installed, so this session has no memory. To install it: uv tool install limpet && limpet setup"
)


def main(arguments: "list[str]") -> None:
    known = runtime()
    if wired_elsewhere(known):
        return
    python, hook = known.get("python"), known.get("hook")
    if is_file(python) and is_file(hook):
        start([python, "-I", "-S", hook, *arguments])
    python = from_path()
    if python:
        start([python, "-P", "-m", "limpet.cli.hook", *arguments])
    if not arguments:
        say_missing()


def runtime() -> dict:
    """What `limpet setup` has written down: the interpreter, the hook program, and who calls Limpet how."""
    home = os.environ.get("LIMPET_HOME") or os.path.join("~", ".limpet")
    try:
        with open(os.path.join(os.path.expanduser(home), "runtime.json"), encoding="utf-8") as file:
            found = parsed(file.read())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


class Plain:
    """What the scanner of Python's own `json` asks for; that module itself takes longer to load than all of this."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float, parse_int, parse_constant = float, int, float


def parsed(text: str) -> object:
    try:
        from _json import make_scanner

        return make_scanner(Plain)(text.strip(), 0)[0]
    except (ImportError, StopIteration, TypeError, AttributeError):
        import json

        return json.loads(text)


def wired_elsewhere(known: dict) -> bool:
    """Whether Claude Code's settings call Limpet already: then this would be the second time."""
    hosts, projects = known.get("hosts"), known.get("projects")
    here = os.environ.get("CLAUDE_PROJECT_DIR") or os.getcwd()
    return (isinstance(hosts, dict) and hosts.get("claude-code") == "settings") or (
        isinstance(projects, list) and os.path.realpath(here) in projects
    )


def is_file(path: object) -> bool:
    return isinstance(path, str) and os.path.isfile(path)


def from_path() -> "str | None":
    """The interpreter behind the `limpet` command: a script names it in its first lines, a program lies beside it."""
    from shutil import which

    program = which("limpet")
    if program is None:
        return None
    program = os.path.realpath(program)
    try:
        with open(program, "rb") as file:
            head = file.read(1024)
    except OSError:
        return None
    if head.startswith(b"#!"):
        # A path with spaces is in the second line, between quotation marks, handed to a shell.
        first, _, rest = os.fsdecode(head[2:]).partition("\n")
        quoted = rest.partition("\n")[0].split('"')
        for candidate in (first.strip(), quoted[1] if len(quoted) > 2 else ""):
            if "python" in os.path.basename(candidate) and is_file(candidate):
                return candidate
    for name in ("python.exe", "python3", "python"):
        if is_file(os.path.join(os.path.dirname(program), name)):
            return os.path.join(os.path.dirname(program), name)
    return None


def start(command: "list[str]") -> None:
    """Become that program; standard input was not touched, so it reads what was meant for it."""
    if os.name != "nt":
        try:
            os.execv(command[0], command)
        except OSError:
            return
    # Windows would let the host go on before the new program has ended.
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
