"""The import contracts catch what they are there for: each is broken on purpose in a copy of the package."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

DOWN = "Data flows one way"
ACYCLIC = "No cycles inside any folder"
PROTECTED = "Only the store and the composition root know the journal and the view"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the package with its contracts; the cache avoids reading unchanged files again."""
    folder = tmp_path_factory.mktemp("contracts")
    shutil.copytree(ROOT / "src" / "limpet", folder / "limpet", ignore=shutil.ignore_patterns("__pycache__", "*.bin"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def broken_contracts(folder: Path) -> set[str]:
    """Check the imports of a copy and return the names of the contracts that do not hold."""
    code = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(cache_dir='.cache'))"
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)
    contracts = tomllib.loads((folder / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    found = {contract["name"] for contract in contracts if f"{contract['name']} BROKEN" in done.stdout}
    kept = {contract["name"] for contract in contracts if f"{contract['name']} KEPT" in done.stdout}
    assert len(found | kept) == len(contracts), done.stdout + done.stderr
    assert done.returncode == (1 if found else 0)
    return found


def test_the_package_keeps_its_contracts(copy: Path) -> None:
    assert broken_contracts(copy) == set()


@pytest.mark.parametrize(
    ("name", "line", "contract"),
    [
        ("model/intruder.py", "import limpet.store.protocol", DOWN),
        ("queue/intruder.py", "import limpet.llm.protocol", DOWN),
        ("extra/__init__.py", "import limpet.errors", DOWN),
        ("operations/intruder.py", "import limpet.store.journal.files", PROTECTED),
        ("operations/intruder.py", "import limpet.store.catch_up", PROTECTED),
        ("store/journal/intruder.py", "import limpet.store.view.open", ACYCLIC),
    ],
    ids=[
        "an upward import",
        "an import between siblings",
        "a new folder",
        "a verb that reads the journal",
        "a verb that opens the store by itself",
        "a journal that knows the view",
    ],
)
def test_a_contract_is_broken_by(copy: Path, name: str, line: str, contract: str) -> None:
    path = copy / "limpet" / name
    is_new_folder = not path.parent.exists()
    path.parent.mkdir(exist_ok=True)
    path.write_text(f'"""Not a part of Limpet."""\n\n{line}\n')
    try:
        assert contract in broken_contracts(copy)
    finally:
        path.unlink()
        if is_new_folder:
            shutil.rmtree(path.parent)


def test_every_module_of_the_store_but_its_protocol_is_protected() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (protected,) = (set(each["protected_modules"]) for each in contracts if each["name"] == PROTECTED)
    folder = ROOT / "src" / "limpet" / "store"
    names = {path.stem for path in (*folder.glob("[a-z]*.py"), *(each.parent for each in folder.glob("*/__init__.py")))}
    # `sentences` finds the optional encoder and knows nothing of a store.
    assert {f"limpet.store.{name}" for name in names - {"protocol", "sentences"}} == protected
