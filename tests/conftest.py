"""Fixtures for all tests, where their folders and byte code are, and the Hypothesis profile."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from limpet.wiring import bundle
from tests.operations.sandbox import Sandbox, isolate_environment
from tests.surroundings import find_unlisted, record_environment

ASKED = record_environment()

# Every worker imports all tests, and tests start thousands of programs. Container images often forbid byte code: then
# each of them would compile everything again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

settings.register_profile(
    "limpet",
    derandomize=True,  # the same examples every time
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("limpet")


MEMORY = "/dev/shm"
_ENOUGH_BYTES = 1 << 30


def _has_room_in_memory() -> bool:
    """Tell whether the system has a folder in memory that is large enough and lets programs be run from it."""
    try:
        found = os.statvfs(MEMORY)
    except OSError:
        return False
    return found.f_bavail * found.f_frsize >= _ENOUGH_BYTES and not found.f_flag & os.ST_NOEXEC


if _has_room_in_memory():
    # Limpet syncs whatever it writes, and no test measures a disk. pytest makes its folders below this one, unless
    # `--basetemp` names another.
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", MEMORY)

if hasattr(os, "getuid"):
    # pytest puts the name of the user into its paths, and the path of a server's socket must be short.
    os.environ["LOGNAME"] = str(os.getuid())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests with the marker `root` unless root runs them on a system with users."""
    if getattr(os, "geteuid", lambda: -1)() != 0:
        for item in items:
            if item.get_closest_marker("root"):
                item.add_marker(
                    pytest.mark.skip(reason="only root can mount disks, give files away and become another user")
                )


def pytest_collection() -> None:
    """Switch the garbage collector off while tests are collected: all the objects it would search stay."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Show the collector only what tests make, and call it seldom: to parse the package took twice the time with it."""
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def check_variables() -> Iterator[None]:
    """Fail at the end of a run in which a variable was read that docs/reference/environment.md does not list."""
    yield
    found = {name: ASKED[name] for name in find_unlisted(ASKED)}
    assert found == {}, "docs/reference/environment.md does not list them"


@pytest.fixture(scope="session", autouse=True)
def keep_bundle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep `setup` and `uninstall` in this process away from the bundle that the hooks of all workers load.

    To write it takes a second. Programs that tests start write it as they do for a user.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "dont_write_bytecode", True)
        patch.setattr(bundle, "bundle_path", lambda: str(tmp_path_factory.getbasetemp() / "no-bundle"))
        yield


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a path for a home, which does not exist yet."""
    return tmp_path / "home"


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    """Return a home and a project, apart from the tester's own environment."""
    isolate_environment(monkeypatch, tmp_path)
    return Sandbox(tmp_path)
