"""What is built installs and works without the repository, and holds what it should."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Sequence
from email.message import Message
from email.parser import Parser
from pathlib import Path
from typing import NamedTuple

import pytest
from readme_renderer import markdown

import limpet

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "limpet"


class Built(NamedTuple):
    wheel: Path
    sdist: Path


def run(command: Sequence[str | Path], **options: object) -> str:
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stdout + done.stderr
    printed: str = done.stdout
    return printed


def build(source: Path, target: Path, *kinds: str) -> Path:
    """Build with the locked backend, which needs no network."""
    run([sys.executable, "-m", "hatchling", "build", "-d", target, *(f"-t{kind}" for kind in kinds)], cwd=source)
    return target


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = build(ROOT, tmp_path_factory.mktemp("built"), "wheel", "sdist")
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return Built(wheel, sdist)


@pytest.fixture(scope="module")
def metadata(built: Built) -> Message:
    with zipfile.ZipFile(built.wheel) as wheel:
        name = next(each for each in wheel.namelist() if each.endswith(".dist-info/METADATA"))
        return Parser().parsestr(wheel.read(name).decode())


def test_a_wheel_holds_the_package_with_its_tables_and_nothing_else(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as wheel:
        found = {name for name in wheel.namelist() if ".dist-info/" not in name}
    files = (path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    assert found == {path.relative_to(PACKAGE.parent).as_posix() for path in files}
    assert {"limpet/py.typed", "limpet/store/view/schema.sql", "limpet/text/data/static.bin"} <= found
    assert any(name.endswith(".rules") for name in found) and any(name.endswith(".table") for name in found)


def test_a_source_archive_builds_the_same_wheel(built: Built, tmp_path: Path) -> None:
    with tarfile.open(built.sdist) as archive:
        names = [each.name.partition("/")[2] for each in archive]
    run([sys.executable, "-m", "tarfile", "-e", built.sdist, tmp_path])
    assert {"README.md", "LICENSE", "CHANGELOG.md", "SECURITY.md", "pyproject.toml"} <= set(names)
    assert not any(name.startswith(("tests/", "plugin/", ".claude", "docs/")) for name in names)
    (source,) = tmp_path.iterdir()
    (again,) = build(source, tmp_path / "again", "wheel").glob("*.whl")
    assert again.read_bytes() == built.wheel.read_bytes()


def test_an_installed_wheel_works_without_the_repository(built: Built, tmp_path: Path) -> None:
    folder = tmp_path / "venv"
    run([sys.executable, "-m", "venv", "--without-pip", folder])
    binaries = folder / ("Scripts" if os.name == "nt" else "bin")
    python = binaries / Path(sys.executable).name
    install = ("install", "--no-deps", "--no-index", "--disable-pip-version-check")
    run([sys.executable, "-m", "pip", "--python", python, *install, built.wheel])
    # Its dependencies are those of the tests; an editable Limpet among them comes later on the path and is not found.
    site = run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]).strip()
    (Path(site) / "dependencies.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    env = {"HOME": str(tmp_path), "PATH": f"{binaries}{os.pathsep}{os.environ.get('PATH', '')}"}
    place = run([python, "-c", "import limpet; print(limpet.__file__)"], env=env, cwd=tmp_path)
    assert Path(place.strip()).is_relative_to(folder)
    assert limpet.__version__ in run([binaries / "limpet", "--version"], env=env, cwd=tmp_path)
    assert "remembered" in run([binaries / "limpet", "demo"], env=env, cwd=tmp_path)


def test_a_package_index_shows_where_to_find_us(metadata: Message) -> None:
    assert metadata["Version"] == limpet.__version__
    assert metadata["Requires-Python"] == ">=3.11"
    urls = dict(each.split(", ", 1) for each in metadata.get_all("Project-URL", []))
    assert urls["Repository"] == "https://github.com/limpet-memory/limpet"
    assert {"Documentation", "Changelog", "Issues"} <= set(urls)
    assert all(url.startswith(urls["Repository"]) for url in urls.values())


def test_a_package_index_can_show_the_description(metadata: Message) -> None:
    assert metadata["Description-Content-Type"] == "text/markdown"
    page = markdown.render(str(metadata.get_payload()))
    assert page is not None and page.startswith("<h1") and "<pre" in page


def test_only_what_was_tested_is_promised(metadata: Message) -> None:
    """`make test-pythons` runs the tests under each of these versions."""
    promised = metadata.get_all("Classifier", [])
    assert "Operating System :: POSIX :: Linux" in promised
    versions = [each.rpartition(" ")[2] for each in promised if re.search(r":: 3\.\d+$", each)]
    script = (ROOT / "scripts" / "test-pythons.sh").read_text(encoding="utf-8")
    wanted = re.search(r"LIMPET_PYTHONS:-([\d. ]+)\}", script)
    assert wanted is not None and set(versions) <= set(wanted[1].split())
