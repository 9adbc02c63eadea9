"""`limpet check` tells what a diff makes false, from commits that git has written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from limpet.errors import Refused, UsageError
from limpet.forms.terminal import Output
from limpet.forms.views.sessions import show_check
from limpet.insight.drift.comparison import CheckAnswer
from tests.imports.samples import write
from tests.operations.sandbox import Sandbox
from tests.workspace.repositories import git, watched

BASE = {
    "CLAUDE.md": "# Guide\n\n- Start with src/app.py and docs/guide.md\n"
    "- Run `make lint` and `npm run build` before a push\n"
    "- React 18 is used with Python 3.11\n- Baskets are made by `BasketFactory` and `total_price()`\n"
    "- src/app.py was removed once and came back\n- The word `lint` alone means nothing\n\n```sh\nmake lint\n```\n",
    "pkg/AGENTS.md": "- Handlers are in handlers/web.py\n",
    "pkg/handlers/web.py": "def handle_web():\n    return 1\n",
    "src/app.py": "class BasketFactory:\n    pass\n\n\ndef total_price():\n    return 0\n\n\n"
    "def kept_here():\n    return 2\n",
    "src/other.py": "VALUE_OF_IT = 3\n",
    "docs/guide.md": "The guide.\nIt has many lines.\nAnd a third one.\n",
    "Makefile": "lint test: deps\n\truff\nbuild:\n\tx\nVAR := 1\n",
    "package.json": json.dumps({"scripts": {"build": "x", "test": "y"}, "dependencies": {"react": "^18.2.0"}}),
    "pyproject.toml": '[project]\nname = "shop"\nrequires-python = ">=3.11"\n[project.scripts]\nshopctl = "x:y"\n',
}


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    """Return a sandbox whose project is a repository with one commit, on main."""
    git(sandbox.project, "init", "-q")
    commit(sandbox, "first", **BASE)
    git(sandbox.project, "checkout", "-q", "-b", "change")
    return sandbox


def commit(sandbox: Sandbox, message: str, **files: str | None) -> None:
    for name, text in files.items():
        path = sandbox.project / name
        if text is None:
            path.unlink()
        else:
            write(path, text)
    git(sandbox.project, "add", "-A")
    git(sandbox.project, "commit", "-q", "-m", message)


def causes(answer: CheckAnswer) -> list[tuple[str, str]]:
    return sorted((each.path or "memory", each.falsehood.why) for each in answer.findings)


def test_a_change_that_touches_nothing_named_is_silent(shop: Sandbox) -> None:
    commit(shop, "edit", **{"src/other.py": "VALUE_OF_IT = 4\n", "docs/guide.md": "Another guide.\n"})
    answer = shop.ask("check")
    assert (answer.findings, answer.files) == ((), 2)


def test_a_removed_path_is_named_and_a_renamed_one_with_its_new_name(shop: Sandbox) -> None:
    git(shop.project, "mv", "src/app.py", "src/main.py")
    commit(shop, "move", **{"docs/guide.md": None})
    answer = shop.ask("check")
    assert causes(answer) == [
        ("CLAUDE.md", "docs/guide.md is removed"),
        ("CLAUDE.md", "src/app.py is now src/main.py"),
    ]
    assert {each.line for each in answer.findings} == {3}


def test_a_path_is_seen_from_the_folder_of_its_file(shop: Sandbox) -> None:
    commit(shop, "move", **{"pkg/handlers/web.py": None})
    assert causes(shop.ask("check")) == [("pkg/AGENTS.md", "pkg/handlers/web.py is removed")]


def test_removed_commands_are_found_in_quotes_and_in_code(shop: Sandbox) -> None:
    package = {"scripts": {"test": "y"}, "dependencies": {"react": "^18.2.0"}}
    commit(shop, "drop", **{"Makefile": "test:\n\tx\nbuild:\n\tx\n", "package.json": json.dumps(package)})
    answer = shop.ask("check")
    assert [(each.line, each.falsehood.why) for each in answer.findings] == [
        (4, "`make lint` is removed"),
        (4, "the script 'build' is removed"),
        (11, "`make lint` is removed"),
    ]


def test_a_version_is_false_when_the_pin_no_longer_fits_it(shop: Sandbox) -> None:
    package = json.loads(BASE["package.json"])
    package["dependencies"]["react"] = "^18.3.1"
    commit(shop, "minor", **{"package.json": json.dumps(package)})
    assert shop.ask("check").findings == ()
    package["dependencies"]["react"] = "^19.0.0"
    commit(
        shop,
        "major",
        **{"package.json": json.dumps(package), "pyproject.toml": BASE["pyproject.toml"].replace("11", "13")},
    )
    assert causes(shop.ask("check")) == [
        ("CLAUDE.md", "python is pinned to 3.13 now, not 3.11"),
        ("CLAUDE.md", "react is pinned to 19.0.0 now, not 18.2.0"),
    ]


def test_a_version_is_false_when_no_manifest_names_the_package_any_more(shop: Sandbox) -> None:
    package = json.loads(BASE["package.json"])
    del package["dependencies"]["react"]
    commit(shop, "moved", **{"package.json": json.dumps(package), "web/package.json": BASE["package.json"]})
    assert shop.ask("check").findings == (), "another manifest has it now"
    commit(shop, "gone", **{"web/package.json": None})
    assert causes(shop.ask("check")) == [("CLAUDE.md", "react is no longer among the dependencies")]


def test_a_version_in_a_dependency_group_is_known(shop: Sandbox) -> None:
    groups = '[dependency-groups]\ndev = ["pytest>={0}", {{include-group = "docs"}}]\ndocs = []\n'
    commit(shop, "groups", **{"pyproject.toml": BASE["pyproject.toml"] + groups.format("8.1")})
    git(shop.project, "branch", "before")
    commit(shop, "bump", **{"pyproject.toml": BASE["pyproject.toml"] + groups.format("9.0")})
    shop.remember("The tests need pytest 8.1 at least")
    assert causes(shop.ask("check", range="before...HEAD")) == [("memory", "pytest is pinned to 9.0 now, not 8.1")]


def test_a_symbol_is_false_when_no_code_names_it(shop: Sandbox) -> None:
    commit(shop, "rename", **{"src/app.py": "class Baskets:\n    pass\n\n\ndef kept_here():\n    return 2\n"})
    assert causes(shop.ask("check")) == [
        ("CLAUDE.md", "BasketFactory is removed from src/app.py, no code names it"),
        ("CLAUDE.md", "total_price is removed from src/app.py, no code names it"),
    ]
    commit(shop, "elsewhere", **{"src/third.py": "from x import total_price, BasketFactory\n"})
    assert shop.ask("check").findings == ()


def test_a_memory_is_judged_by_its_words_and_by_the_lines_it_cites(shop: Sandbox) -> None:
    shop.remember("The sum is made in src/app.py:5-6 from all rows")
    shop.remember("The kept function is in src/app.py:9-10")
    shop.remember("Everything about the guide is in docs/guide.md")
    shop.remember("Shipped src/app.py in May", kind="ACHIEVEMENTS")
    changed = BASE["src/app.py"].replace("return 0", "return 1").replace("class", "import os\n\n\nclass")
    commit(shop, "edit", **{"src/app.py": changed, "docs/guide.md": "A new guide.\n"})
    answer = shop.ask("check")
    assert answer.memories == 4
    assert causes(answer) == [("memory", "lines 5-6 of src/app.py, which it cites, are changed")]
    commit(shop, "drop", **{"docs/guide.md": None})
    assert ("memory", "docs/guide.md is removed") in causes(shop.ask("check"))
    assert shop.ask("check", no_memories=True).memories == 0


def test_what_the_change_adds_is_listed(shop: Sandbox) -> None:
    commit(shop, "add", **{"CLAUDE.md": BASE["CLAUDE.md"] + "\n- Use the small image in the pipeline\n"})
    shop.remember("The pipeline has a small image since today")
    answer = shop.ask("check")
    assert [(each.path, each.text) for each in answer.added] == [
        ("CLAUDE.md", "- Use the small image in the pipeline"),
        ("", "The pipeline has a small image since today"),
    ]


def test_it_is_said_that_nothing_is_false_before_what_is_only_added(shop: Sandbox, capsys: Any) -> None:
    commit(shop, "add", **{"CLAUDE.md": BASE["CLAUDE.md"] + "\n- Use the small image in the pipeline\n"})
    show_check(shop.ask("check"), Output())
    verdict, added = capsys.readouterr().out.splitlines()
    assert verdict.startswith("nothing is made false by ")
    assert added == "adds CLAUDE.md:14: - Use the small image in the pipeline"
    report = shop.ask("check", format="markdown").report
    assert report.startswith("This change makes no memory and no instruction false.\n\n### This change adds\n")


@pytest.mark.parametrize("more", ["", "\n\nNobody checks what comes of that."])
def test_a_shared_memory_is_one_statement(shop: Sandbox, more: str) -> None:
    shared = ".claude/ltm/memories"
    text = "Totals are made in src/app.py by hand"
    front = f"---\ndescription: {text}\ntitle: {text}\n---\n\n## Summary\n\n{text}\n\n## Content\n\n{text}{more}\n"
    index = "# How to read and edit\n\n* [Shared memories](../index.md) - Edit a file or add one\n"
    commit(shop, "share", **{f"{shared}/mem_1.md": front, f"{shared}/index.md": index})
    shop.remember(text + more)
    added = [(each.line, each.text) for each in shop.ask("check").added]
    assert added == [(12, text), *([(14, more.strip())] if more else [])]
    commit(shop, "move", **{"src/app.py": None, "CLAUDE.md": "# Guide\n"})
    found = shop.ask("check", range="HEAD~1..HEAD").findings
    assert [(each.path, each.line) for each in found] == [(f"{shared}/mem_1.md", 12)]


def test_the_range_is_read_as_git_reads_it(shop: Sandbox) -> None:
    top = shop.project
    commit(shop, "drop", **{"docs/guide.md": None})
    git(top, "checkout", "-q", "main")
    commit(shop, "main goes on", **{"src/other.py": None, "CLAUDE.md": "See src/other.py and docs/guide.md\n"})
    git(top, "checkout", "-q", "change")
    head, base = git(top, "rev-parse", "HEAD"), git(top, "rev-parse", "main~1")
    for range in (
        None,
        "main",
        "main...",
        "main...change",
        f"{base}...{head}",
        f"{base}..{head}",
        "HEAD~1..HEAD",
        "HEAD^..",
    ):
        answer = shop.ask("check", range=range)
        assert (answer.base, answer.head) == (base, head), range
    # Two dots compare the two commits themselves, so what main has removed counts as back again.
    assert shop.ask("check", range="main..change").base == git(top, "rev-parse", "main")
    git(top, "gc", "-q")
    assert shop.ask("check", range="main...change").head == head


@pytest.mark.parametrize(
    "range", ["nothing", "main...nothing", "../../etc", "0" * 40, "HEAD~500", "a\0b", "refs/heads/main/.."]
)
def test_an_unknown_commit_is_refused_with_what_to_do(shop: Sandbox, range: str) -> None:
    with pytest.raises((UsageError, Refused), match="fetch"):
        shop.ask("check", range=range)


def test_a_repository_with_nothing_to_compare_is_told_so(sandbox: Sandbox) -> None:
    git(sandbox.project, "init", "-q", "-b", "main")
    with pytest.raises(UsageError, match="no two commits to compare yet; commit a change"):
        sandbox.ask("check")


def test_a_folder_without_git_is_refused(sandbox: Sandbox) -> None:
    with pytest.raises(UsageError, match="no git repository"):
        sandbox.ask("check")


def test_a_report_for_a_pull_request_and_sarif(shop: Sandbox) -> None:
    commit(shop, "drop", **{"docs/guide.md": None, "CLAUDE.md": BASE["CLAUDE.md"] + "- <b> @team see docs/guide.md\n"})
    text = shop.ask("check", format="markdown").report
    assert "- `CLAUDE.md:3`: docs/guide.md is removed" in text
    assert "@team" not in text and "<b>" not in text
    log = json.loads(shop.ask("check", format="sarif").report)
    found = log["runs"][0]["results"][0]
    assert (log["version"], found["ruleId"]) == ("2.1.0", "path")
    assert found["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "CLAUDE.md"},
        "region": {"startLine": 3},
    }


def test_no_program_is_run_and_nothing_is_written(shop: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(shop, "drop", **{"docs/guide.md": None})
    before = {path: path.stat().st_mtime_ns for path in shop.project.rglob("*")}
    monkeypatch.setattr("subprocess.Popen", None)
    monkeypatch.setattr("os.system", None)
    with watched() as opened:
        shop.ask("check")
    assert {path: path.stat().st_mtime_ns for path in shop.project.rglob("*")} == before
    assert not [path for path in opened if path.endswith(("hooks", "config.lock"))]


def test_hostile_trees_are_survived(shop: Sandbox) -> None:
    top = shop.project
    commit(shop, "drop", **{"docs/guide.md": None})
    tree = git(top, "rev-parse", "HEAD^{tree}")
    path = top / ".git" / "objects" / tree[:2] / tree[2:]
    path.chmod(0o600)
    path.write_bytes(b"x\x9c broken")
    with pytest.raises(Refused, match="are not here"):
        shop.ask("check")


def test_a_shallow_clone_is_told_to_fetch(shop: Sandbox, tmp_path: Path) -> None:
    commit(shop, "drop", **{"docs/guide.md": None})
    git(shop.folder, "clone", "-q", "--depth", "1", f"file://{shop.project}", "clone")
    with pytest.raises((UsageError, Refused), match="fetch-depth: 0"):
        shop.ask("check", range="HEAD~1..HEAD", cwd=shop.folder / "clone")
