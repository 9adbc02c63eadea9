"""Which agent, project and session a call belongs to."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from limpet.errors import AmbiguousId, Refused, UsageError
from limpet.model.scope import Project
from tests.operations.sandbox import MODEL, PROGRAM, Sandbox, git_folder, worktree


def project_at(sandbox: Sandbox, folder: Path) -> Project:
    with sandbox.open(cwd=folder) as runtime:
        assert runtime.project is not None
        return runtime.project


@pytest.fixture
def workshop(sandbox: Sandbox) -> Path:
    folder = sandbox.folder / "workshop"
    folder.mkdir()
    return folder


def remember_at(sandbox: Sandbox, folder: Path, text: str = "Known here") -> Project:
    sandbox.remember(text, cwd=folder, region="PROJECT")
    return project_at(sandbox, folder)


def texts_at(sandbox: Sandbox, folder: Path) -> list[str]:
    return sandbox.texts(cwd=folder)


def test_a_work_tree_belongs_to_its_repository(sandbox: Sandbox, workshop: Path) -> None:
    main = git_folder(workshop / "shop", born="shop")
    remember_at(sandbox, main)
    tree = worktree(workshop / "elsewhere" / "fix", main, branch="fix")
    assert texts_at(sandbox, tree) == ["Known here"]
    memory = sandbox.remember("Known in the tree", cwd=tree, region="PROJECT")
    assert memory.branch == "fix"
    assert texts_at(sandbox, main) == ["Known in the tree", "Known here"]


def test_a_folder_of_a_monorepo_belongs_to_the_repository(sandbox: Sandbox, workshop: Path) -> None:
    main = git_folder(workshop / "mono", origin="https://example.org/mono")
    remember_at(sandbox, main)
    inner = main / "packages" / "api"
    inner.mkdir(parents=True)
    assert texts_at(sandbox, inner) == ["Known here"]


def test_a_second_clone_is_the_same_project(sandbox: Sandbox, workshop: Path) -> None:
    remember_at(sandbox, git_folder(workshop / "one", origin="git@github.com:Ann/Rock.git", born="one"))
    origin = "https://ann:token@github.com/ann/rock"
    second = git_folder(workshop / "two", origin=origin, born="two", history=["one"])
    assert texts_at(sandbox, second) == ["Known here"]


def test_two_folders_of_the_same_name_are_two_projects(sandbox: Sandbox, workshop: Path) -> None:
    first = workshop / "w" / "api"
    second = workshop / "other" / "api"
    for folder in (first, second):
        folder.mkdir(parents=True)
    remember_at(sandbox, first)
    assert texts_at(sandbox, second) == []
    remember_at(sandbox, second, "Known there")
    assert texts_at(sandbox, first) == ["Known here"]
    with pytest.raises(AmbiguousId, match="'api' fits 2 ids: prj_"):
        sandbox.texts(within="api")


@pytest.mark.parametrize("origin", ["git@github.com:ann/rock.git", None], ids=["with origin", "without"])
def test_a_moved_repository_is_still_the_same_project(sandbox: Sandbox, workshop: Path, origin: str | None) -> None:
    first = git_folder(workshop / "rock", origin=origin, born="rock")
    before = remember_at(sandbox, first)
    second = workshop / "far" / "away"
    second.parent.mkdir()
    first.rename(second)
    assert project_at(sandbox, second).id == before.id
    assert texts_at(sandbox, second) == ["Known here"]
    remember_at(sandbox, second, "Known after the move")
    assert len(texts_at(sandbox, second)) == 2


def test_a_copy_of_a_repository_without_an_origin_is_another_project(sandbox: Sandbox, workshop: Path) -> None:
    first = git_folder(workshop / "rock", born="rock")
    remember_at(sandbox, first)
    shutil.copytree(first, workshop / "copy")
    assert texts_at(sandbox, workshop / "copy") == []


def test_an_origin_added_later_changes_nothing(sandbox: Sandbox, workshop: Path) -> None:
    first = git_folder(workshop / "rock", born="rock")
    before = remember_at(sandbox, first)
    git_folder(first, origin="git@github.com:ann/rock.git", born="rock")
    assert project_at(sandbox, first).id == before.id
    remember_at(sandbox, first, "Known with an origin")
    second = git_folder(workshop / "clone", origin="https://github.com/ann/rock", born="clone", history=["rock"])
    assert len(texts_at(sandbox, second)) == 2


def test_a_folder_that_becomes_a_repository_stays_the_same_project(sandbox: Sandbox, workshop: Path) -> None:
    folder = workshop / "plain"
    folder.mkdir()
    before = remember_at(sandbox, folder)
    git_folder(folder, born="plain")
    assert project_at(sandbox, folder).id == before.id
    assert texts_at(sandbox, folder) == ["Known here"]


def test_a_folder_that_now_holds_another_repository_is_another_project(sandbox: Sandbox, workshop: Path) -> None:
    folder = git_folder(workshop / "rock", origin="https://example.org/rock", born="rock")
    before = remember_at(sandbox, folder)
    shutil.rmtree(folder)
    git_folder(folder, origin="https://example.org/sand", born="sand")
    assert project_at(sandbox, folder).id != before.id
    assert texts_at(sandbox, folder) == []
    remember_at(sandbox, folder, "Sand")
    elsewhere = git_folder(workshop / "again", origin="https://example.org/rock", born="again", history=["rock"])
    assert texts_at(sandbox, elsewhere) == ["Known here"]


def test_a_clone_in_the_place_of_a_plain_folder_is_another_project(sandbox: Sandbox, workshop: Path) -> None:
    folder = workshop / "plain"
    folder.mkdir()
    remember_at(sandbox, folder)
    git_folder(folder, origin="https://example.org/sand", born="sand")
    assert texts_at(sandbox, folder) == []


def test_a_plain_folder_is_a_project_and_the_folders_in_it_are_others(sandbox: Sandbox, workshop: Path) -> None:
    (workshop / "a" / "b").mkdir(parents=True)
    remember_at(sandbox, workshop / "a")
    assert texts_at(sandbox, workshop / "a") == ["Known here"]
    assert texts_at(sandbox, workshop / "a" / "b") == []
    assert texts_at(sandbox, workshop) == []


def test_a_home_folder_under_git_does_not_swallow_what_lies_below(
    sandbox: Sandbox, workshop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(workshop))
    git_folder(workshop, origin="https://example.org/dotfiles", born="dots")
    (workshop / "work").mkdir()
    remember_at(sandbox, workshop, "About the dotfiles")
    assert texts_at(sandbox, workshop / "work") == []
    remember_at(sandbox, workshop / "work", "About the work")
    assert texts_at(sandbox, workshop) == ["About the dotfiles"]


def test_a_folder_is_written_down_once(sandbox: Sandbox, workshop: Path) -> None:
    """Also where another project was the first to claim one of its keys."""
    folder = git_folder(workshop / "rock", origin="https://example.org/rock", born="rock")
    remember_at(sandbox, folder)
    shutil.rmtree(folder)
    git_folder(folder, origin="https://example.org/sand", born="sand")
    for number in range(3):
        remember_at(sandbox, folder, f"Sand {number}")
    with sandbox.open(cwd=folder) as runtime:
        assert runtime.project is not None
        changes = runtime.reading().history(runtime.project.id)
    assert len(changes) == 1


def test_a_symlink_to_a_folder_is_that_folder(sandbox: Sandbox, workshop: Path) -> None:
    (workshop / "real").mkdir()
    (workshop / "link").symlink_to(workshop / "real")
    remember_at(sandbox, workshop / "real")
    assert texts_at(sandbox, workshop / "link") == ["Known here"]


def test_a_project_can_be_named_from_elsewhere(sandbox: Sandbox, workshop: Path) -> None:
    project = remember_at(sandbox, git_folder(workshop / "rock", origin="https://example.org/rock"))
    assert sandbox.texts(within="rock") == ["Known here"]
    assert sandbox.texts(within=project.id) == ["Known here"]
    with pytest.raises(UsageError, match="no project is called 'sand'; `limpet stats --projects` lists them"):
        sandbox.texts(within="sand")


def test_memories_of_the_agent_go_with_it_into_every_project(sandbox: Sandbox) -> None:
    sandbox.remember("Matt prefers short answers", region="AGENT")
    assert sandbox.texts(cwd=sandbox.folder) == ["Matt prefers short answers"]
    assert sandbox.texts(cwd=sandbox.folder, by="Other") == []


def test_the_agent_is_anima_unless_said_otherwise(sandbox: Sandbox) -> None:
    assert sandbox.remember("Known to the default").agent == "anima"


def test_an_agent_comes_from_the_settings_or_a_flag(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox.home.mkdir()
    (sandbox.home / "config.toml").write_text('[agent]\nname = "Sea Urchin"\n')
    assert sandbox.remember("By the settings").agent == "sea-urchin"
    monkeypatch.setenv("LIMPET_AGENT__ID", "starfish")
    assert sandbox.remember("By the environment").agent == "starfish"
    assert sandbox.remember("By the flag", by="Crab").agent == "crab"
    assert sandbox.texts(by="Crab") == ["By the flag"]
    assert sandbox.texts(by="sea urchin") == ["By the settings"]


@pytest.mark.parametrize("name", ["", "  ", "\x1b", "\u202e"])
def test_an_agent_must_have_a_name(sandbox: Sandbox, name: str) -> None:
    with pytest.raises(UsageError, match="the agent has no name"):
        sandbox.ask("list", by=name)


def test_the_name_of_an_agent_is_kept_without_what_a_terminal_would_obey(sandbox: Sandbox) -> None:
    sandbox.remember("By a strange one", by="Crab\x1b[2J\u202e\nX")
    assert sandbox.json("stats", by="Crab\x1b[2J\u202e\nX")["agent"] == "Crab[2J X"
    assert not any(hidden in data for data in sandbox.journal().values() for hidden in (b"\x1b", "\u202e".encode()))


@pytest.mark.parametrize("session", ["\x1b[2J", "a\nb", "x" * 201, "half\ud800"])
def test_a_session_must_have_a_proper_id(sandbox: Sandbox, session: str) -> None:
    with pytest.raises(UsageError, match="not the id of a session"):
        sandbox.ask("remember", text="Said", session=session)


AGENT_MD = "---\nid: keeper\nname: The Keeper\n---\n# Keeper\n"


def test_an_agent_file_counts_only_once_the_user_has_accepted_it(sandbox: Sandbox) -> None:
    (sandbox.project / "AGENT.md").write_text(AGENT_MD)
    sandbox.remember("Before")
    assert sandbox.json("stats")["agent"] == "Anima"
    assert any("limpet confirm --project" in note for note in sandbox.ask("doctor").notes)
    for caller in (MODEL, PROGRAM):
        with pytest.raises(Refused):
            sandbox.ask("confirm", project=True, as_=caller)
    assert sandbox.ask("confirm", project=True).agent == "keeper"
    assert sandbox.json("stats")["agent"] == "The Keeper"
    assert sandbox.texts() == []
    sandbox.remember("After")
    assert sandbox.texts() == ["After"]
    assert sandbox.texts(by="Anima") == ["Before"]
    assert not any("confirm" in note for note in sandbox.ask("doctor").notes)


def test_an_accepted_agent_file_that_names_another_agent_must_be_accepted_again(sandbox: Sandbox) -> None:
    (sandbox.project / "AGENT.md").write_text(AGENT_MD)
    sandbox.ask("confirm", project=True)
    sandbox.remember("Of the keeper")
    (sandbox.project / "AGENT.md").write_text(AGENT_MD.replace("keeper", "intruder"))
    assert sandbox.texts() == []
    assert sandbox.json("stats")["agent"] == "Anima"


def test_an_agent_accepted_in_one_project_is_not_accepted_in_another(sandbox: Sandbox) -> None:
    other = sandbox.folder / "other"
    other.mkdir()
    for folder in (sandbox.project, other):
        (folder / "AGENT.md").write_text(AGENT_MD)
    sandbox.ask("confirm", project=True)
    sandbox.remember("Of the keeper", region="AGENT")
    assert sandbox.texts(cwd=other) == []


def test_there_is_nothing_to_accept_without_an_agent_file(sandbox: Sandbox) -> None:
    with pytest.raises(Refused, match=r"no AGENT\.md with an id"):
        sandbox.ask("confirm", project=True)


def test_accepting_an_agent_counts_at_once_in_the_same_process(sandbox: Sandbox) -> None:
    from limpet.care.confirmation import confirm

    (sandbox.project / "AGENT.md").write_text(AGENT_MD)
    with sandbox.open() as runtime:
        assert runtime.agent_id == "anima"
        confirm(runtime, project=True)
        assert runtime.agent_id == "keeper"


def test_sessions_are_numbered_per_project_and_remember_where_they_were(sandbox: Sandbox) -> None:
    git_folder(sandbox.project, branch="tide", born="x")
    for number in (1, 2):
        sandbox.remember(f"Said in session {number}", session=f"s-{number}")
    sandbox.remember("Said elsewhere", session="s-3", cwd=sandbox.folder)
    with sandbox.open() as runtime:
        reading = runtime.reading()
        found = [reading.session(f"s-{number}") for number in (1, 2, 3)]
    assert [session and (session.number, session.branch) for session in found] == [(1, "tide"), (2, "tide"), (1, None)]
    assert sandbox.texts(of_session="s-2") == ["Said in session 2"]


def test_the_session_comes_from_the_host_if_it_is_not_given(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "from-host")
    assert sandbox.remember("Said").session == "from-host"
    assert sandbox.remember("Said again", session="mine").session == "mine"
