"""Completion offers every verb and option in each shell, without starting Python."""

from __future__ import annotations

import subprocess

import pytest

from limpet.operations.catalogue import CATALOGUE, load_verb
from tests.cli.shell import Shell

NAMES = [each.name for each in CATALOGUE]


@pytest.mark.parametrize("kind", ["bash", "zsh", "fish"])
def test_completion_names_every_verb_and_option(shell: Shell, kind: str) -> None:
    done = shell.say("--completion", kind)
    assert (done.code, done.err) == (0, "")
    for name in NAMES:
        assert name in done.out
        for param in load_verb(name).params:
            if not param.positional:
                assert param.flag.removeprefix("--") in done.out


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("re", {"remember", "recall", "related", "restore"}),
        ("list --pin", {"--pinned"}),
        ("export --fo", {"--force"}),
        ("nothing --x", set()),
    ],
)
def test_bash_completes(shell: Shell, typed: str, offered: set[str]) -> None:
    script = shell.folder / "limpet.bash"
    script.write_text(shell.say("--completion", "bash").out)
    assert subprocess.run(["bash", "-n", str(script)], check=False).returncode == 0
    words = " ".join(["limpet", *typed.split()])
    code = f'source {script}; COMP_WORDS=({words}); COMP_CWORD={len(typed.split())}; _limpet; echo "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == offered
