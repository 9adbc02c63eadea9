"""What manifests define is read from the commits of a repository, in the formats of several package managers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from limpet.insight.drift.manifests import is_manifest, list_commands, list_mentioned, list_pinned_versions
from limpet.workspace.objects import Objects
from limpet.workspace.trees import Tree, open_tree
from tests.imports.samples import write
from tests.workspace.repositories import git, repository


def tree(folder: Path, **files: str) -> Tree:
    repository(folder)
    for name, text in files.items():
        write(folder / name, text)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "second")
    found = open_tree(Objects(str(folder / ".git")), git(folder, "rev-parse", "HEAD"))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "manifest", "text"),
    [
        ("go", "requirements.txt", "django==5.0\nmongo==1\n"),
        ("ts", "package.json", '{"dependencies": {"tsx": "4.0.0", "esbuild-assets": "1"}}'),
        ("ws", "requirements.txt", "news==2.0\naws==1.0\n"),
        ("react", "package.json", '{"dependencies": {"preact": "10.0.0"}}'),
    ],
)
def test_a_name_within_another_word_is_not_mentioned(tmp_path: Path, name: str, manifest: str, text: str) -> None:
    assert list_mentioned(tree(tmp_path / "a", **{manifest: text}), [name]) == set()


@pytest.mark.parametrize(
    ("name", "manifest", "text"),
    [
        ("go", "Dockerfile", "FROM go:1.22\n"),
        ("python", "pyproject.toml", '[project]\nrequires-python = ">=3.11"\n'),
        ("python", "Dockerfile", "RUN apt install python3\n"),
        ("node", ".nvmrc", "v20.1.0\n"),
        ("node", ".tool-versions", "nodejs 20.1.0\n"),
        ("my-lib", "requirements.txt", "My_Lib @ file:///wheels/x.whl\n"),
        ("@types/node", "package.json", '{"devDependencies": {"@types/node": "workspace:*"}}'),
        ("react", "web/package.json", '{"dependencies": {"react": "19.0.0"}}'),
    ],
)
def test_a_name_in_any_manifest_is_mentioned(tmp_path: Path, name: str, manifest: str, text: str) -> None:
    assert list_mentioned(tree(tmp_path / "a", **{manifest: text}), [name, "nowhere"]) == {name}


def test_pins_are_read_in_each_format(tmp_path: Path) -> None:
    files = {
        "package.json": json.dumps(
            {
                "dependencies": {"react": "^18.2.0", "own": "file:../own"},
                "engines": {"node": ">=20"},
                "packageManager": "pnpm@9.1.0",
            }
        ),
        "pyproject.toml": '[project]\nrequires-python = ">=3.11"\ndependencies = ["httpx[http2]>=0.27", "loose"]\n'
        '[project.optional-dependencies]\nweb = ["uvicorn==0.30.1"]\n'
        '[dependency-groups]\ndev = ["ruff~=0.5", {include-group = "web"}]\n',
        "Cargo.toml": '[package]\nrust-version = "1.80"\n[dependencies]\nserde = "1.0.2"\n'
        '[dev-dependencies]\ntokio = { version = "1.38" }\nlocal = { path = "x" }\n',
        "go.mod": "module m\n\ngo 1.22\n\nrequire github.com/gin-gonic/gin v1.10.0\n",
        "Dockerfile": "FROM --platform=linux/amd64 ghcr.io/team/redis:7.2 AS cache\n",
        "requirements-dev.txt": "pytest == 8.2.1  # tests\n",
        ".ruby-version": "3.3.0\n",
    }
    found = list_pinned_versions(tree(tmp_path / "a", **files), list(files))
    assert found == {
        "react": "18.2.0",
        "node": "20",
        "pnpm": "9.1.0",
        "python": "3.11",
        "httpx": "0.27",
        "uvicorn": "0.30.1",
        "ruff": "0.5",
        "rust": "1.80",
        "serde": "1.0.2",
        "tokio": "1.38",
        "gin": "1.10.0",
        "go": "1.22",
        "redis": "7.2",
        "pytest": "8.2.1",
        "ruby": "3.3.0",
    }


def test_a_name_with_two_versions_has_none(tmp_path: Path) -> None:
    files = {"a/requirements.txt": "flask==2.0\nrich==1\n", "b/requirements.txt": "flask==3.0\nrich==1\n"}
    assert list_pinned_versions(tree(tmp_path / "a", **files), list(files)) == {"rich": "1"}


@pytest.mark.parametrize("broken", ["[", "[1]", "[" * 5000, '{"scripts": 3, "dependencies": []}', "project = 1"])
def test_a_manifest_that_cannot_be_read_defines_nothing(tmp_path: Path, broken: str) -> None:
    names = ("package.json", "pyproject.toml", "Cargo.toml")
    found = tree(tmp_path / "a", **dict.fromkeys(names, broken))
    assert (list_commands(found), list_pinned_versions(found, list(names))) == ({}, {})


def test_commands_are_listed_by_their_runner(tmp_path: Path) -> None:
    files = {
        "Makefile": "VAR := 1\nlint test: deps\n\truff\n",
        "justfile": 'name := "x"\n@deploy target="all":\n    echo\n',
        "package.json": '{"scripts": {"build": "x"}}',
        "pyproject.toml": '[project.scripts]\nshopctl = "x:y"\n',
    }
    assert list_commands(tree(tmp_path / "a", **files)) == {
        "make": {"lint", "test"},
        "just": {"deploy"},
        "npm": {"build"},
        "script": {"shopctl"},
    }


def test_a_lock_file_is_no_manifest() -> None:
    assert [
        is_manifest(name) for name in ("a/Dockerfile.dev", "requirements/x.txt", "uv.lock", "package-lock.json")
    ] == [
        True,
        False,
        False,
        False,
    ]
