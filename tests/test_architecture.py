"""What the code may not do, read from its syntax trees: rules that a reviewer would otherwise have to remember."""

from __future__ import annotations

import ast
import functools
import json
import subprocess
import sys
from pathlib import Path

import pytest

import limpet

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"
PACKAGE = SOURCE / "limpet"

# The last-resort handlers: whatever happens inside must become a sentence or a log line.
CATCHES_EVERYTHING = {
    "cli/program.py": 1,
    "cli/hook.py": 1,
    "http/routes.py": 1,
    "learning/stages.py": 1,
    "mcp/server.py": 2,
}

# The capture hook runs at every tool call, so what it loads is paid for at every tool call.
HOOK_PATH = (
    "limpet.system",
    "limpet.clock",
    "limpet.environment",
    "limpet.store.journal.line",
    "limpet.queue.files",
    "limpet.queue.tidy",
    "limpet.cli.hook",
    "limpet.hooks.handover",
    "limpet.hooks.incoming",
    "limpet.lean.quickjson",
    "limpet.store.journal.writer",
    "limpet.model.ids",
    "limpet.secrets.redact",
    "limpet.hosts.client_processes",
)
TOO_HEAVY = ("dataclasses", "typing", "asyncio", "logging", "http", "sqlite3", "apsw", "hashlib")

# Nouns that say nothing of what is inside.
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "shared", "manager", "service", "base", "impl"}

# Everything that differs by system belongs to system/; these few ask about their own subject only.
ASKS_THE_SYSTEM = {
    "environment.py": "which variable names the user's folder",
    "imports/memory_service.py": "where another tool keeps its database on each system",
    "workspace/git.py": "whether a folder has an owner",
    "workspace/place.py": "the letter case of a path on a disk that does not care",
    "workspace/remote_names.py": "whether a path begins with a drive",
}

LONG = 400
GENERATED = ("api.py",)
TOO_LONG = 720
LONG_FOR_A_REASON = {
    "settings.py": "every setting and every source of one, told from top to bottom",
    "secrets/rules.py": "one row a kind of secret, each with its two examples",
}

TESTED_ELSEWHERE = {
    **dict.fromkeys(
        (
            *("capture/meaning.py", "capture/speech/turn.py", "doors/context.py", "errors.py", "guard/signs.py"),
            *("text/clauses.py", "text/retraction.py"),
            *("inject/recipient.py", "llm/protocol.py", "model/event.py", "model/outcome.py", "model/session.py"),
            *("store/journal/protocol.py", "store/protocol.py", "store/view/reading.py"),
        ),
        "only declares names, which the tests of their users check",
    ),
    "cli/hook_verb.py": "tests/cli/test_hook.py",
    "cli/mcp.py": "tests/mcp/test_server.py",
    "cli/serve.py": "tests/http/test_home_server.py",
    "hooks/incoming.py": "tests/cli/test_hook.py",
    "http/bodies.py": "tests/http/test_routes.py",
    "http/endpoints.py": "tests/http/test_routes.py",
    "http/metrics.py": "tests/http/test_routes.py",
    "http/openapi.py": "tests/http/test_routes.py",
    "http/refusal.py": "tests/http/test_auth.py",
    "http/verbs.py": "tests/http/test_routes.py",
    "store/view/app_rows.py": "tests/apps/test_files.py",
    "store/view/search_rows.py": "tests/store/view/test_births.py",
    "runtime/serving.py": "tests/http/test_home_server.py",
    **dict.fromkeys(
        tuple(f"sharing/{name}.py" for name in ("deletion", "folder", "inspection", "intake", "output", "state")),
        "tests/operations/test_sync.py",
    ),
    "apps/answer.py": "tests/operations/test_apps.py",
    "sharing/machines.py": "tests/operations/test_machines.py",
    **dict.fromkeys(("sharing/choice.py", "sharing/lists.py"), "tests/operations/test_share.py"),
    **dict.fromkeys(
        tuple(
            f"imports/{name}.py"
            for name in (*("item", "ltm", "note_files", "note_tools", "row_tools", "rows", "server_memory"),)
        ),
        "tests/exchange/test_foreign.py",
    ),
    "forms/terminal.py": "tests/cli/test_terminal.py",
    **dict.fromkeys(
        tuple(
            f"forms/views/{name}.py"
            for name in (
                *(
                    "antigens",
                    "apps",
                    "demo",
                    "export",
                    "friction",
                    "history",
                    "import_",
                    "inbox",
                    "memories",
                ),
                *("sessions", "setup", "sharing", "store"),
            )
        ),
        "tests/cli/views",
    ),
    "doors/exported.py": "tests/exchange/test_own.py",
    "exchange/account.py": "tests/exchange/test_foreign.py",
    "exchange/exporting.py": "tests/operations/test_export.py",
    "exchange/lines.py": "tests/operations/test_import.py",
    "operations/demo_session.py": "tests/operations/test_demo.py",
    "store/journal/files.py": "tests/store/conformance",
    "capture/notes.py": "tests/capture/test_checkpoints.py",
    "capture/tools/changes.py": "tests/capture/tools/test_pairs.py",
    "care/confirmation.py": "tests/operations/test_confirm.py",
    "care/diagnosis.py": "tests/operations/test_doctor.py",
    "care/purging.py": "tests/operations/test_purge.py",
    "care/signing.py": "tests/operations/test_sign.py",
    "care/tending.py": "tests/operations/test_upkeep.py",
    "curating/antigens.py": "tests/operations/test_antigens.py",
    "learning/stashing.py": "tests/operations/test_stash.py",
    "wiring/permissions.py": "tests/operations/test_antigens.py",
    "wiring/plans.py": "tests/operations/test_setup.py",
    "curating/app_actions.py": "tests/operations/test_apps.py",
    "workspace/replacing.py": "tests/wiring/test_replacing.py",
    "curating/facts.py": "tests/operations/test_facts.py",
    "curating/forgetting.py": "tests/operations/test_forget.py",
    "curating/history.py": "tests/operations/test_blame.py",
    "curating/restoring.py": "tests/operations/test_restore.py",
    "curating/versions.py": "tests/operations/test_correct.py",
    "curating/writing.py": "tests/operations/test_remember.py",
    "runtime/project_folder.py": "tests/operations/test_stash.py",
    "runtime/recordings.py": "tests/operations/test_friction.py",
    "insight": "tests/operations",
}
"""Modules without a test of their name, and where they are tested."""

MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "__pycache__" not in path.parts)


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


@functools.cache
def trees() -> tuple[tuple[str, ast.Module], ...]:
    return tuple((name_of(path), ast.parse(path.read_text(encoding="utf-8"), str(path))) for path in MODULES)


@functools.cache
def nodes() -> tuple[tuple[str, ast.AST], ...]:
    return tuple((name, node) for name, tree in trees() for node in ast.walk(tree))


def dotted_name(node: ast.AST) -> str:
    """Return `a.b.c` as text; empty unless it starts with a name."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = dotted_name(node.value)
        return f"{before}.{node.attr}" if before else ""
    return ""


def imported_names(node: ast.AST) -> list[str]:
    """Return the modules that a statement imports, and the names it imports from them."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return []


def place(name: str, node: ast.AST) -> str:
    return f"{name}:{getattr(node, 'lineno', 0)}"


def loaded_modules(code: str) -> list[str]:
    """Return the modules that `code` loads in a bare interpreter: no site packages, no variables, only our source."""
    setup = f"import sys; sys.path.insert(0, {str(SOURCE)!r}); before = set(sys.modules)\n"
    ending = "\nprint('[' + ','.join('\"' + each + '\"' for each in sorted(set(sys.modules) - before)) + ']')"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", setup + code + ending], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found: list[str] = json.loads(done.stdout)
    return found


def test_imports_point_down() -> None:
    code = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True, no_logo=True))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_model_needs_only_the_standard_library() -> None:
    foreign = [
        f"{place(name, node)} imports {each}"
        for name, node in nodes()
        if name.startswith("model/")
        for each in imported_names(node)
        if each.partition(".")[0] not in {*sys.stdlib_module_names, "limpet"}
    ]
    assert foreign == []


def catches(handler: ast.ExceptHandler) -> set[str]:
    if handler.type is None:
        return {"BaseException"}
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return {dotted_name(kind) for kind in kinds}


def is_raised_again(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def test_everything_is_caught_only_in_last_resort_handlers() -> None:
    found: dict[str, int] = {}
    for name, node in nodes():
        broad = isinstance(node, ast.ExceptHandler) and not catches(node).isdisjoint({"Exception", "BaseException"})
        if broad and isinstance(node, ast.ExceptHandler) and not is_raised_again(node):
            found[name] = found.get(name, 0) + 1
    assert found == CATCHES_EVERYTHING


def test_no_bare_except() -> None:
    bare = [place(name, node) for name, node in nodes() if isinstance(node, ast.ExceptHandler) and node.type is None]
    assert bare == []


def test_nothing_suppresses_every_error() -> None:
    wide = [
        place(name, node)
        for name, node in nodes()
        if isinstance(node, ast.Call) and dotted_name(node.func).endswith("suppress")
        if any(dotted_name(argument) in ("Exception", "BaseException") for argument in node.args)
    ]
    assert wide == []


def test_the_hook_path_needs_only_the_standard_library() -> None:
    loaded = loaded_modules("\n".join(f"import {module}" for module in HOOK_PATH))
    foreign = [each for each in loaded if each.partition(".")[0] not in {*sys.stdlib_module_names, "limpet"}]
    assert foreign == []


def test_the_hook_path_stays_light() -> None:
    loaded = set(loaded_modules("\n".join(f"import {module}" for module in HOOK_PATH)))
    assert loaded.isdisjoint(TOO_HEAVY), sorted(loaded.intersection(TOO_HEAVY))
    own = {each for each in loaded if each.startswith("limpet.")}
    assert own.isdisjoint({"limpet.settings", "limpet.runtime", "limpet.model.memory", "limpet.model.codec"})


def test_records_and_enums_are_made_in_one_way() -> None:
    found = [
        place(name, node)
        for name, node in nodes()
        if not name.startswith("lean/") and not {"dataclasses", "enum"}.isdisjoint(imported_names(node))
    ]
    assert found == []


def test_redacting_and_writing_load_nothing_heavy_either() -> None:
    """Modules are loaded on first use too, so using them must stay light, not only importing them."""
    loaded = set(
        loaded_modules(
            "import tempfile\n"
            "before |= set(sys.modules)\n"
            "from limpet import clock\n"
            "from limpet.secrets.personal import is_personal\n"
            "from limpet.secrets.redact import redact, strip_private\n"
            "from limpet.store.journal.writer import Writer\n"
            "text = 'password=hunter2-Xq9 <private>me</private> postgres://a:b3x9-Qz@db/c ' + 'Zx8' * 20\n"
            "redact(strip_private(text)[0]); is_personal(text)\n"
            "with tempfile.TemporaryDirectory() as home:\n"
            "    Writer(home, segment_bytes=1 << 20, now_ms=clock.now_ms).append([dict(actor='a', verb='admit',\n"
            "        subject='mem_1', root='mem_1', lineage=(), payload={})])\n"
        )
    )
    assert loaded.isdisjoint(TOO_HEAVY), sorted(loaded.intersection(TOO_HEAVY))


def test_only_the_clock_asks_the_time() -> None:
    asking = {"datetime.now", "datetime.utcnow", "datetime.today", "date.today"}
    found = [
        place(name, node)
        for name, node in nodes()
        if name != "clock.py"
        if "time" in imported_names(node)
        or (isinstance(node, ast.Attribute) and ".".join(dotted_name(node).split(".")[-2:]) in asking)
    ]
    assert found == []


def test_the_environment_is_read_in_one_place() -> None:
    reading = {"os.environ", "os.environb", "os.getenv", "os.getenvb", "os.putenv", "os.unsetenv"}
    found = [
        place(name, node)
        for name, node in nodes()
        if name != "environment.py"
        if dotted_name(node) in reading or not reading.isdisjoint(imported_names(node))
    ]
    assert found == []


def test_the_operating_system_is_asked_in_one_place() -> None:
    asking = {"sys.platform", "os.name", "platform.system", "os.uname"}
    special = {"fcntl", "msvcrt", "winreg", "ctypes", "termios"}
    found = {
        name
        for name, node in nodes()
        if not name.startswith("system/")
        if dotted_name(node) in asking or not special.isdisjoint(imported_names(node))
    }
    assert found.issubset(ASKS_THE_SYSTEM), sorted(found.difference(ASKS_THE_SYSTEM))


def test_no_other_program_is_ever_started() -> None:
    """No shell, no git, no jq: a program that we do not need cannot be missing.

    Only the doctor starts one, our own interpreter, to see whether an agent could, who has chosen to let the agent's
    own program curate sessions has that program, and who edits a note in an editor has chosen that editor.
    """
    starting = {"os.system", "os.popen", "os.fork", "os.posix_spawn", "os.startfile"}
    found = [
        place(name, node)
        for name, node in nodes()
        if name not in ("wiring/proof.py", "llm/providers/host_cli.py", "cli/editor.py")
        if dotted_name(node) in starting
        or "subprocess" in imported_names(node)
        or dotted_name(node).startswith(("os.exec", "os.spawn"))
    ]
    assert found == []


def test_only_the_command_line_prints() -> None:
    found = [
        place(name, node)
        for name, node in nodes()
        if not name.startswith("cli/") and name != "forms/terminal.py"
        if (isinstance(node, ast.Name) and node.id == "print") or dotted_name(node) in ("sys.stdout", "sys.stderr")
    ]
    assert found == []


def test_the_core_is_synchronous() -> None:
    waiting = (ast.AsyncFunctionDef, ast.Await, ast.AsyncFor, ast.AsyncWith)
    found = [
        place(name, node)
        for name, node in nodes()
        if not name.startswith(("http/", "mcp/"))
        if isinstance(node, waiting) or "asyncio" in imported_names(node)
    ]
    assert found == []


def test_module_names_say_what_is_inside() -> None:
    names = {name_of(path): path.relative_to(PACKAGE).with_suffix("").parts for path in MODULES}
    empty = [name for name, parts in names.items() if EMPTY_NAMES.intersection(part.strip("_") for part in parts)]
    assert empty == []


def test_every_module_says_what_it_is_for() -> None:
    """An empty file, which only makes a folder a package, needs no docstring."""
    silent = [name for name, tree in trees() if tree.body and not ast.get_docstring(tree)]
    assert silent == []


def test_no_module_is_too_long() -> None:
    written = [path for path in MODULES if name_of(path) not in GENERATED]
    lengths = {name_of(path): len(path.read_text(encoding="utf-8").splitlines()) for path in written}
    assert {name: length for name, length in lengths.items() if length > TOO_LONG} == {}
    unexplained = [name for name, length in lengths.items() if length > LONG and name not in LONG_FOR_A_REASON]
    assert unexplained == []
    assert [name for name in LONG_FOR_A_REASON if lengths.get(name, 0) <= LONG] == [], "they need no reason now"


@pytest.mark.parametrize("name", limpet.__all__)
def test_the_public_name_resolves(name: str) -> None:
    assert getattr(limpet, name) is not None


def test_importing_limpet_loads_nothing_else() -> None:
    assert loaded_modules("import limpet") == ["__future__", "limpet"]


def test_the_test_of_a_module_has_its_name() -> None:
    """A reader looks for the tests of `recall/search.py` in `tests/recall/test_search.py`."""
    names = [name_of(path) for path in MODULES if path.stem not in ("__init__", "__main__")]
    missing = [
        name
        for name in names
        if not (ROOT / "tests" / name).with_name(f"test_{Path(name).stem.strip('_')}.py").is_file()
    ]
    unexplained = [name for name in missing if name not in TESTED_ELSEWHERE and name.split("/")[0] != "insight"]
    assert unexplained == []
    assert [name for name in TESTED_ELSEWHERE if name not in (*missing, "insight")] == [], "they have a test now"
    places = [where for where in TESTED_ELSEWHERE.values() if where.startswith("tests/")]
    assert [where for where in places if not (ROOT / where).exists()] == []
