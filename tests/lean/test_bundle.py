"""A bundle is used where it fits; otherwise modules are imported as usual."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import limpet
from limpet.wiring.bundle import make_bundle

SOURCE = Path(limpet.__file__).parent.parent


def run(folder: Path, code: str) -> str:
    """Return what a program prints that uses the bundle in a folder and may import from it."""
    prepare = (
        f"import sys; sys.path[:0] = [{str(folder)!r}, {str(SOURCE)!r}]; from limpet.lean import bundle;"
        f"bundle.bundle_path = lambda: {str(folder / 'bundle')!r}; bundle.use_bundle();"
    )
    command = [sys.executable, "-I", "-S", "-c", prepare + code]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "whelk", raising=False)
    (tmp_path / "whelk").mkdir()
    (tmp_path / "whelk" / "__init__.py").write_text("'A package.'\nvalue = 1\n")
    (tmp_path / "whelk" / "shell.py").write_text("from whelk import value\n\n\ndef f():\n    return value + 1\n")
    (tmp_path / "bundle").write_bytes(make_bundle([["whelk"], ["whelk.shell", "no_such_module"]]))
    return tmp_path


SHOW = "import whelk.shell as s; print(s.f(), type(s.__spec__.loader).__name__, s.__file__, s.__package__)"


def test_a_module_comes_from_the_bundle(folder: Path) -> None:
    assert run(folder, SHOW).split() == ["2", "BundleFinder", str(folder / "whelk" / "shell.py"), "whelk"]


def test_a_module_whose_source_has_changed_is_imported_from_there(folder: Path) -> None:
    (folder / "whelk" / "shell.py").write_text("def f():\n    return 'new'\n")
    assert run(folder, SHOW).split()[:2] == ["new", "SourceFileLoader"]


def test_a_module_whose_source_is_gone_is_gone(folder: Path) -> None:
    (folder / "whelk" / "shell.py").unlink()
    with pytest.raises(subprocess.CalledProcessError):
        run(folder, SHOW)


@pytest.mark.parametrize("length", [0, 5, 16, 60, -1])
def test_a_damaged_bundle_costs_nothing_but_time(folder: Path, length: int) -> None:
    data = (folder / "bundle").read_bytes()
    (folder / "bundle").write_bytes(data[:length])
    assert run(folder, SHOW).split()[0] == "2"


@pytest.mark.parametrize("data", [b"", b"16              garbage", b"x" * 100, os.urandom(200)])
def test_a_file_that_is_no_bundle_is_ignored(folder: Path, data: bytes) -> None:
    (folder / "bundle").write_bytes(data)
    assert run(folder, SHOW).split()[1] == "SourceFileLoader"


def test_a_bundle_of_another_interpreter_is_ignored(folder: Path) -> None:
    data = (folder / "bundle").read_bytes().replace(sys.version.encode(), sys.version.encode()[::-1])
    (folder / "bundle").write_bytes(data)
    assert run(folder, SHOW).split()[1] == "SourceFileLoader"


def test_a_missing_bundle_is_no_error(folder: Path) -> None:
    (folder / "bundle").unlink()
    assert run(folder, SHOW).split()[1] == "SourceFileLoader"


def test_a_pattern_that_is_put_together_for_a_text_is_compiled_already(folder: Path) -> None:
    code = (
        "from limpet.secrets.labelled import list_sources; from limpet.secrets.rules import compile_once;"
        "[compile_once(source).match('') for source in list_sources()]; print('re' in sys.modules)"
    )
    assert run(folder, code) == "False\n"
