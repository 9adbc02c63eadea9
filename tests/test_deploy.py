"""The files that start the server with the machine: each can be read, and starts what there is."""

from __future__ import annotations

import configparser
import os
import plistlib
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"


def test_the_unit_of_systemd_starts_the_server_and_no_more() -> None:
    unit = configparser.ConfigParser(interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string((DEPLOY / "limpet.service").read_text(encoding="utf-8"))
    service = unit["Service"]
    assert service["ExecStart"].endswith("/limpet serve")
    assert (service["UMask"], service["NoNewPrivileges"], service["Restart"]) == ("0077", "yes", "on-failure")


def test_the_launch_agent_of_macos_starts_the_server_and_no_more() -> None:
    agent = plistlib.loads((DEPLOY / "limpet.plist").read_bytes())
    assert agent["ProgramArguments"][1:] == ["serve"]
    assert agent["Umask"] == 0o077
    assert agent["KeepAlive"] == {"SuccessfulExit": False}


def test_the_container_runs_as_nobody_special_and_keeps_the_home_in_a_volume() -> None:
    lines = (DEPLOY / "Containerfile").read_text(encoding="utf-8").splitlines()
    words = [line.split(maxsplit=1) for line in lines if line and line[0].isalpha()]
    steps = {word[0]: word[1] for word in words}
    assert steps["FROM"] == "${BASE}"
    assert int(steps["USER"].partition(":")[0]) > 1000
    assert steps["VOLUME"] == "/home/limpet/.limpet"
    assert [word[0] for word in words].index("USER") > [word[0] for word in words].index("RUN")


@pytest.mark.skipif(shutil.which("podman") is None, reason="podman is not here")
@pytest.mark.skipif(not os.environ.get("LIMPET_TEST_BASE"), reason="LIMPET_TEST_BASE names no image with Python")
def test_the_container_is_built_and_starts_only_with_a_token(tmp_path: Path) -> None:
    podman = ["podman", *os.environ.get("LIMPET_TEST_PODMAN", "").split()]
    limits = ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1024:1024"]

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*podman, *words], capture_output=True, text=True, timeout=600, check=False)

    base = f"BASE={os.environ['LIMPET_TEST_BASE']}"
    file = str(DEPLOY / "Containerfile")
    built = run("build", "--network", "host", "--build-arg", base, "-f", file, "-t", "limpet-test", str(ROOT))
    assert built.returncode == 0, built.stderr
    without = run("run", "--rm", *limits, "limpet-test")
    assert (without.returncode, "http/token" in without.stderr) == (1, True)
    asked = run("run", "--rm", *limits, "limpet-test", "id", "-u")
    assert asked.stdout.strip() == "10001"
