"""The right project, only: whatever shape a project has, and whatever is asked, nothing of another shows."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from limpet.errors import AmbiguousId, LimpetError, Refused, UsageError
from limpet.model.scope import Project
from tests.operations.sandbox import MODEL, PROGRAM, Sandbox, git_folder, isolate_environment, worktree


def project_at(sandbox: Sandbox, folder: Path) -> Project:
    with sandbox.open(cwd=folder) as runtime:
        assert runtime.project is not None
        return runtime.project


@pytest.fixture
def ground(sandbox: Sandbox) -> Path:
    folder = sandbox.folder / "ground"
    folder.mkdir()
    return folder


def know(sandbox: Sandbox, folder: Path, text: str = "Known here") -> Project:
    sandbox.remember(text, cwd=folder, region="PROJECT")
    return project_at(sandbox, folder)


def texts(sandbox: Sandbox, folder: Path) -> list[str]:
    return sandbox.texts(cwd=folder)


# What is one project


def test_a_work_tree_belongs_to_its_repository(sandbox: Sandbox, ground: Path) -> None:
    main = git_folder(ground / "shop", born="shop")
    know(sandbox, main)
    tree = worktree(ground / "elsewhere" / "fix", main, branch="fix")
    assert texts(sandbox, tree) == ["Known here"]
    memory = sandbox.remember("Known in the tree", cwd=tree, region="PROJECT")
    assert memory.branch == "fix"
    assert texts(sandbox, main) == ["Known in the tree", "Known here"]


def test_a_folder_of_a_monorepo_belongs_to_the_repository(sandbox: Sandbox, ground: Path) -> None:
    main = git_folder(ground / "mono", origin="https://example.org/mono")
    know(sandbox, main)
    inner = main / "packages" / "api"
    inner.mkdir(parents=True)
    assert texts(sandbox, inner) == ["Known here"]


def test_a_second_clone_is_the_same_project(sandbox: Sandbox, ground: Path) -> None:
    know(sandbox, git_folder(ground / "one", origin="git@github.com:Ann/Rock.git", born="one"))
    second = git_folder(ground / "two", origin="https://ann:token@github.com/ann/rock", born="two")
    assert texts(sandbox, second) == ["Known here"]


def test_two_folders_of_the_same_name_are_two_projects(sandbox: Sandbox, ground: Path) -> None:
    first = ground / "w" / "api"
    second = ground / "other" / "api"
    for folder in (first, second):
        folder.mkdir(parents=True)
    know(sandbox, first)
    assert texts(sandbox, second) == []
    know(sandbox, second, "Known there")
    assert texts(sandbox, first) == ["Known here"]
    with pytest.raises(AmbiguousId, match="'api' fits 2 ids: prj_"):
        sandbox.texts(within="api")


@pytest.mark.parametrize("origin", ["git@github.com:ann/rock.git", None], ids=["with origin", "without"])
def test_a_moved_repository_is_still_the_same_project(sandbox: Sandbox, ground: Path, origin: str | None) -> None:
    first = git_folder(ground / "rock", origin=origin, born="rock")
    before = know(sandbox, first)
    second = ground / "far" / "away"
    second.parent.mkdir()
    first.rename(second)
    assert project_at(sandbox, second).id == before.id
    assert texts(sandbox, second) == ["Known here"]
    know(sandbox, second, "Known after the move")
    assert len(texts(sandbox, second)) == 2


def test_a_copy_of_a_repository_without_an_origin_is_another_project(sandbox: Sandbox, ground: Path) -> None:
    first = git_folder(ground / "rock", born="rock")
    know(sandbox, first)
    shutil.copytree(first, ground / "copy")
    assert texts(sandbox, ground / "copy") == []


def test_an_origin_added_later_changes_nothing(sandbox: Sandbox, ground: Path) -> None:
    first = git_folder(ground / "rock", born="rock")
    before = know(sandbox, first)
    git_folder(first, origin="git@github.com:ann/rock.git", born="rock")
    assert project_at(sandbox, first).id == before.id
    know(sandbox, first, "Known with an origin")
    second = git_folder(ground / "clone", origin="https://github.com/ann/rock", born="clone")
    assert len(texts(sandbox, second)) == 2


def test_a_folder_that_becomes_a_repository_stays_the_same_project(sandbox: Sandbox, ground: Path) -> None:
    folder = ground / "plain"
    folder.mkdir()
    before = know(sandbox, folder)
    git_folder(folder, born="plain")
    assert project_at(sandbox, folder).id == before.id
    assert texts(sandbox, folder) == ["Known here"]


def test_a_folder_that_now_holds_another_repository_is_another_project(sandbox: Sandbox, ground: Path) -> None:
    folder = git_folder(ground / "rock", origin="https://example.org/rock", born="rock")
    before = know(sandbox, folder)
    shutil.rmtree(folder)
    git_folder(folder, origin="https://example.org/sand", born="sand")
    assert project_at(sandbox, folder).id != before.id
    assert texts(sandbox, folder) == []
    know(sandbox, folder, "Sand")
    elsewhere = git_folder(ground / "again", origin="https://example.org/rock", born="again")
    assert texts(sandbox, elsewhere) == ["Known here"]


def test_a_clone_in_the_place_of_a_plain_folder_is_another_project(sandbox: Sandbox, ground: Path) -> None:
    folder = ground / "plain"
    folder.mkdir()
    know(sandbox, folder)
    git_folder(folder, origin="https://example.org/sand", born="sand")
    assert texts(sandbox, folder) == []


def test_a_plain_folder_is_a_project_and_the_folders_in_it_are_others(sandbox: Sandbox, ground: Path) -> None:
    (ground / "a" / "b").mkdir(parents=True)
    know(sandbox, ground / "a")
    assert texts(sandbox, ground / "a") == ["Known here"]
    assert texts(sandbox, ground / "a" / "b") == []
    assert texts(sandbox, ground) == []


def test_a_home_folder_under_git_does_not_swallow_what_lies_below(
    sandbox: Sandbox, ground: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(ground))
    git_folder(ground, origin="https://example.org/dotfiles", born="dots")
    (ground / "work").mkdir()
    know(sandbox, ground, "About the dotfiles")
    assert texts(sandbox, ground / "work") == []
    know(sandbox, ground / "work", "About the work")
    assert texts(sandbox, ground) == ["About the dotfiles"]


def test_a_symlink_to_a_folder_is_that_folder(sandbox: Sandbox, ground: Path) -> None:
    (ground / "real").mkdir()
    (ground / "link").symlink_to(ground / "real")
    know(sandbox, ground / "real")
    assert texts(sandbox, ground / "link") == ["Known here"]


def test_a_project_can_be_named_from_elsewhere(sandbox: Sandbox, ground: Path) -> None:
    project = know(sandbox, git_folder(ground / "rock", origin="https://example.org/rock"))
    assert sandbox.texts(within="rock") == ["Known here"]
    assert sandbox.texts(within=project.id) == ["Known here"]
    with pytest.raises(UsageError, match="no project is called 'sand'; `limpet stats --projects` lists them"):
        sandbox.texts(within="sand")


# Nothing of another shows

WORDS = {"alpha": "walrus", "beta": "narwhal", "gamma": "dugong", "Alpha": "manatee", "delta": "porpoise"}
AGENTS = ("Anima", "Other")


def marks(folder: str, agent: str) -> str:
    return f"{WORDS[folder]}{agent}".lower()


@pytest.fixture(scope="module")
def full_sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    """A sandbox that the tests below only read from, since filling it takes longer than asking."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("crowd")
        isolate_environment(patch, folder)
        yield Sandbox(folder)


@pytest.fixture(scope="module")
def crowd(full_sandbox: Sandbox) -> dict[tuple[str, str], str]:
    """Five projects, two of which differ in letter case alone, two agents in each.

    For each a memory, a version, a forgotten one, a private one and a fact.
    """
    ids, sandbox = {}, full_sandbox
    for folder in WORDS:
        (sandbox.folder / folder).mkdir()
        for agent in AGENTS:
            mark = marks(folder, agent)
            here: dict[str, Any] = {"cwd": sandbox.folder / folder, "by": agent}
            said: dict[str, Any] = {**here, "session": f"s-{mark}", "region": "PROJECT"}
            first = sandbox.remember(f"The {mark} swims at noon", files=["shared.py"], origin="tool", **said)
            sandbox.ask("correct", id=first.id, text=f"The {mark} swims at night", **here)
            gone = sandbox.remember(f"A sleepy {mark} stays ashore", **said)
            sandbox.ask("forget", ids=[gone.id], **here)
            sandbox.remember(f"A secret {mark} hides", sensitivity="private", **said)
            source = sandbox.remember(f"A lone {mark} sings", origin="external", files=["shared.py"], **said)
            sandbox.ask("facts", action="add", words=[mark, "eats", f"{mark}-fish"], sources=[source.id], **here)
            ids[folder, agent] = source.id
    return ids


READS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("list", {}),
    ("list", {"all": True, "private": True}),
    ("list", {"forgotten": True, "private": True}),
    ("list", {"file": "shared.py"}),
    ("list", {"origin": "external"}),
    ("recall", {"query": "who swims at night", "limit": 50, "private": True}),
    ("recall", {"query": "walrusanima narwhalother dugonganima walrusother", "limit": 50, "private": True}),
    ("timeline", {"private": True, "limit": 100}),
    ("graph", {"private": True}),
    ("facts", {"closed": True}),
    ("why", {"asked": True}),
    ("export", {"all": True, "private": True}),
    ("forget", {"source": "file:shared.py", "dry_run": True}),
    ("forget", {"source": "origin:external", "dry_run": True}),
    ("purge", {"source": "origin:external", "dry_run": True}),
)


@pytest.mark.parametrize(("name", "values"), READS, ids=[f"{name} {' '.join(values)}" for name, values in READS])
def test_no_question_shows_a_row_of_another_project_or_agent(
    full_sandbox: Sandbox, crowd: dict[tuple[str, str], str], name: str, values: dict[str, Any]
) -> None:
    for folder, agent in crowd:
        shown = str(full_sandbox.json(name, cwd=full_sandbox.folder / folder, by=agent, **values)).lower()
        own = marks(folder, agent)
        foreign = [mark for place in crowd if (mark := marks(*place)) != own and mark in shown]
        assert foreign == []
        if name not in ("purge", "why") and "walrus" not in str(values):
            assert own in shown


def _spellings(folder: Path) -> Iterator[str]:
    """Other ways to be in the same folder."""
    yield f"{folder}/"
    yield f"{folder.parent}/./{folder.name}"
    link = folder.parent / f"link-to-{folder.name}"
    if not link.is_symlink():
        link.symlink_to(folder)
    yield str(link)


@pytest.mark.parametrize(("name", "values"), READS, ids=[f"{name} {' '.join(values)}" for name, values in READS])
def test_however_a_folder_is_spelt_it_shows_its_own_and_nothing_else(
    full_sandbox: Sandbox, crowd: dict[tuple[str, str], str], name: str, values: dict[str, Any]
) -> None:
    for folder, agent in crowd:
        straight = full_sandbox.folder / folder
        for spelt in _spellings(straight):
            shown = str(full_sandbox.json(name, cwd=spelt, by=agent, **values)).lower()
            own = marks(folder, agent)
            assert [mark for place in crowd if (mark := marks(*place)) != own and mark in shown] == []


def test_the_counts_are_those_of_the_place(full_sandbox: Sandbox, crowd: dict[tuple[str, str], str]) -> None:
    for folder, agent in crowd:
        found = full_sandbox.json("stats", cwd=full_sandbox.folder / folder, by=agent)
        assert found["status"] == {"forgotten": 1, "live": 3, "superseded": 1}
        assert found["facts"] == 1


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("show", {}),
        ("blame", {}),
        ("graph", {}),
        ("related", {}),
        ("correct", {"text": "Taken over"}),
        ("restore", {}),
        ("pin", {}),
        ("timeline", {}),
    ],
)
def test_no_foreign_memory_can_be_opened_or_changed_by_its_id(
    full_sandbox: Sandbox, crowd: dict[tuple[str, str], str], name: str, values: dict[str, Any]
) -> None:
    before = full_sandbox.journal()
    key = "around" if name == "timeline" else "id"
    for place, id in crowd.items():
        for folder, agent in crowd:
            if (folder, agent) != place:
                with pytest.raises(LimpetError, match="no memory here has the id"):
                    full_sandbox.ask(name, cwd=full_sandbox.folder / folder, by=agent, **{key: id}, **values)
    assert full_sandbox.journal() == before


def test_no_foreign_fact_or_source_can_be_used(full_sandbox: Sandbox, crowd: dict[tuple[str, str], str]) -> None:
    foreign = full_sandbox.ask("facts", cwd=full_sandbox.folder / "alpha").facts[0]
    for folder, agent in (("beta", "Anima"), ("alpha", "Other")):
        here: dict[str, Any] = {"cwd": full_sandbox.folder / folder, "by": agent}
        with pytest.raises(LimpetError, match="no fact here"):
            full_sandbox.ask("facts", action="close", words=[foreign.id], **here)
        with pytest.raises(LimpetError, match="no memory here"):
            full_sandbox.ask("facts", action="add", words=["a", "b", "c"], sources=[crowd["gamma", "Anima"]], **here)
        with pytest.raises(LimpetError):
            full_sandbox.ask("blame", id=foreign.id, **here)


def test_only_its_owner_looks_across_projects_and_never_across_agents(
    full_sandbox: Sandbox, crowd: dict[tuple[str, str], str]
) -> None:
    here = full_sandbox.folder / "alpha"
    for agent in AGENTS:
        shown = str(full_sandbox.json("list", all_projects=True, cwd=here, by=agent)).lower()
        assert {mark for place in crowd if (mark := marks(*place)) in shown} == {marks(f, agent) for f in WORDS}
    for name, values in (("list", {}), ("recall", {"query": "x"}), ("export", {}), ("stats", {}), ("facts", {})):
        with pytest.raises(Refused, match="only a person can look across projects"):
            full_sandbox.ask(name, all_projects=True, as_=MODEL, cwd=here, **values)
    with pytest.raises(Refused, match="only a person"):
        full_sandbox.ask("stats", projects=True, as_=MODEL, cwd=here)


def test_projects_of_another_agent_are_not_listed(sandbox: Sandbox) -> None:
    for folder, agent in (("mine", "Anima"), ("theirs", "Other")):
        (sandbox.folder / folder).mkdir()
        sandbox.remember(f"Kept in {folder}", cwd=sandbox.folder / folder, by=agent, region="PROJECT")
    found = sandbox.json("stats", projects=True, cwd=sandbox.folder / "mine")
    assert [(project["name"], project["memories"]) for project in found["projects"]] == [("mine", 1)]


def test_memories_of_the_agent_go_with_it_into_every_project(sandbox: Sandbox) -> None:
    sandbox.remember("Matt prefers short answers", region="AGENT")
    assert sandbox.texts(cwd=sandbox.folder) == ["Matt prefers short answers"]
    assert sandbox.texts(cwd=sandbox.folder, by="Other") == []


# Agents


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
    from limpet.operations.confirm import run

    (sandbox.project / "AGENT.md").write_text(AGENT_MD)
    with sandbox.open() as runtime:
        assert runtime.agent_id == "anima"
        run(runtime, project=True)
        assert runtime.agent_id == "keeper"


# Sessions


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
