"""A sandbox for every test of a verb."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.operations.sandbox import DAY, Sandbox, git_folder, isolate_environment


@pytest.fixture(autouse=True)
def isolated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    isolate_environment(monkeypatch, tmp_path)


@pytest.fixture
def shelf(sandbox: Sandbox) -> Sandbox:
    """Return a sandbox with five memories that differ in every respect."""
    git_folder(sandbox.project, branch="main", born="x")
    (sandbox.project / "src").mkdir()
    (sandbox.project / "src" / "app.py").write_text("x = 1\n")
    sandbox.remember("Alembic runs the migrations", kind="ARCHITECTURAL", type="decision", impact="HIGH", tags=["db"])
    sandbox.ms += DAY
    sandbox.remember(
        "The crash was caused by a stale lock in src/app.py", kind="LEARNINGS", type="bugfix", session="s-1"
    )
    sandbox.ms += DAY
    sandbox.remember("Matt likes green", kind="EMOTIONAL", concepts=["trade-off"], region="PROJECT")
    sandbox.ms += DAY
    git_folder(sandbox.project, branch="tide", born="x")
    sandbox.remember("Shipped the importer", kind="ACHIEVEMENTS", origin="tool")
    sandbox.remember("The gate is kept shut", sensitivity="private", kind="LEARNINGS")
    return sandbox


@pytest.fixture
def full(sandbox: Sandbox) -> Sandbox:
    """Return a sandbox whose home holds something of everything."""
    (sandbox.project / "app.py").write_text("x = 1\n")
    sandbox.ask("sign")
    first = sandbox.remember("The default port is 8080", tags=["net"], session="s-1", difficulty=0.8)
    sandbox.ask("correct", id=first.id, text="The default port is 9090 – see app.py")
    gone = sandbox.remember("The office plant needs water")
    sandbox.ask("forget", ids=[gone.id])
    sandbox.remember("Matt prefers short answers", region="AGENT", pinned=True)
    sandbox.remember("Kept for the owner", sensitivity="private", ttl_days=30)
    source = sandbox.remember("Read on a page", origin="external", confidence=0.5)
    sandbox.ask("confirm", ids=[source.id])
    sandbox.ask("facts", action="add", words=["api", "port", "8080"], sources=[source.id])
    sandbox.ms += DAY
    sandbox.ask("facts", action="add", words=["api", "port", "9090"])
    return sandbox


@pytest.fixture
def user_home(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the home folder of a user of three agents; no program is on the path."""
    folder = sandbox.folder / "nobody"
    for name in (".claude", ".codex", ".gemini"):
        (folder / name).mkdir(parents=True)
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "CLAUDE_CODE_DISABLE_AUTO_MEMORY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(folder / "bin"))
    return folder
