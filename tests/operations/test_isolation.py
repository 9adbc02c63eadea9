"""The right project, only: whatever shape a project has, and whatever is asked, nothing of another shows."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from limpet.errors import AmbiguousId, LimpetError, Refused, UsageError
from limpet.model.scope import Project
from tests.operations.desk import MODEL, PROGRAM, Desk, git_folder, leave_no_trace_of_the_tester, worktree


def project_at(desk: Desk, folder: Path) -> Project:
    with desk.open(cwd=folder) as runtime:
        assert runtime.project is not None
        return runtime.project


@pytest.fixture
def ground(desk: Desk) -> Path:
    folder = desk.folder / "ground"
    folder.mkdir()
    return folder


def know(desk: Desk, folder: Path, text: str = "Known here") -> Project:
    desk.remember(text, cwd=folder, region="PROJECT")
    return project_at(desk, folder)


def texts(desk: Desk, folder: Path) -> list[str]:
    return desk.texts(cwd=folder)


# What is one project


def test_a_work_tree_belongs_to_its_repository(desk: Desk, ground: Path) -> None:
    main = git_folder(ground / "shop", born="shop")
    know(desk, main)
    tree = worktree(ground / "elsewhere" / "fix", main, branch="fix")
    assert texts(desk, tree) == ["Known here"]
    memory = desk.remember("Known in the tree", cwd=tree, region="PROJECT")
    assert memory.branch == "fix"
    assert texts(desk, main) == ["Known in the tree", "Known here"]


def test_a_folder_of_a_monorepo_belongs_to_the_repository(desk: Desk, ground: Path) -> None:
    main = git_folder(ground / "mono", origin="https://example.org/mono")
    know(desk, main)
    inner = main / "packages" / "api"
    inner.mkdir(parents=True)
    assert texts(desk, inner) == ["Known here"]


def test_a_second_clone_is_the_same_project(desk: Desk, ground: Path) -> None:
    know(desk, git_folder(ground / "one", origin="git@github.com:Ann/Rock.git", born="one"))
    second = git_folder(ground / "two", origin="https://ann:token@github.com/ann/rock", born="two")
    assert texts(desk, second) == ["Known here"]


def test_two_folders_of_the_same_name_are_two_projects(desk: Desk, ground: Path) -> None:
    first = ground / "w" / "api"
    second = ground / "other" / "api"
    for folder in (first, second):
        folder.mkdir(parents=True)
    know(desk, first)
    assert texts(desk, second) == []
    know(desk, second, "Known there")
    assert texts(desk, first) == ["Known here"]
    with pytest.raises(AmbiguousId, match="'api' fits 2 ids: prj_"):
        desk.texts(within="api")


@pytest.mark.parametrize("origin", ["git@github.com:ann/rock.git", None], ids=["with origin", "without"])
def test_a_moved_repository_is_still_the_same_project(desk: Desk, ground: Path, origin: str | None) -> None:
    first = git_folder(ground / "rock", origin=origin, born="rock")
    before = know(desk, first)
    second = ground / "far" / "away"
    second.parent.mkdir()
    first.rename(second)
    assert project_at(desk, second).id == before.id
    assert texts(desk, second) == ["Known here"]
    know(desk, second, "Known after the move")
    assert len(texts(desk, second)) == 2


def test_a_copy_of_a_repository_without_an_origin_is_another_project(desk: Desk, ground: Path) -> None:
    first = git_folder(ground / "rock", born="rock")
    know(desk, first)
    shutil.copytree(first, ground / "copy")
    assert texts(desk, ground / "copy") == []


def test_an_origin_added_later_changes_nothing(desk: Desk, ground: Path) -> None:
    first = git_folder(ground / "rock", born="rock")
    before = know(desk, first)
    git_folder(first, origin="git@github.com:ann/rock.git", born="rock")
    assert project_at(desk, first).id == before.id
    know(desk, first, "Known with an origin")
    second = git_folder(ground / "clone", origin="https://github.com/ann/rock", born="clone")
    assert len(texts(desk, second)) == 2


def test_a_folder_that_becomes_a_repository_stays_the_same_project(desk: Desk, ground: Path) -> None:
    folder = ground / "plain"
    folder.mkdir()
    before = know(desk, folder)
    git_folder(folder, born="plain")
    assert project_at(desk, folder).id == before.id
    assert texts(desk, folder) == ["Known here"]


def test_a_folder_that_now_holds_another_repository_is_another_project(desk: Desk, ground: Path) -> None:
    folder = git_folder(ground / "rock", origin="https://example.org/rock", born="rock")
    before = know(desk, folder)
    shutil.rmtree(folder)
    git_folder(folder, origin="https://example.org/sand", born="sand")
    assert project_at(desk, folder).id != before.id
    assert texts(desk, folder) == []
    know(desk, folder, "Sand")
    elsewhere = git_folder(ground / "again", origin="https://example.org/rock", born="again")
    assert texts(desk, elsewhere) == ["Known here"]


def test_a_clone_in_the_place_of_a_plain_folder_is_another_project(desk: Desk, ground: Path) -> None:
    folder = ground / "plain"
    folder.mkdir()
    know(desk, folder)
    git_folder(folder, origin="https://example.org/sand", born="sand")
    assert texts(desk, folder) == []


def test_a_plain_folder_is_a_project_and_the_folders_in_it_are_others(desk: Desk, ground: Path) -> None:
    (ground / "a" / "b").mkdir(parents=True)
    know(desk, ground / "a")
    assert texts(desk, ground / "a") == ["Known here"]
    assert texts(desk, ground / "a" / "b") == []
    assert texts(desk, ground) == []


def test_a_home_folder_under_git_does_not_swallow_what_lies_below(
    desk: Desk, ground: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(ground))
    git_folder(ground, origin="https://example.org/dotfiles", born="dots")
    (ground / "work").mkdir()
    know(desk, ground, "About the dotfiles")
    assert texts(desk, ground / "work") == []
    know(desk, ground / "work", "About the work")
    assert texts(desk, ground) == ["About the dotfiles"]


def test_a_symlink_to_a_folder_is_that_folder(desk: Desk, ground: Path) -> None:
    (ground / "real").mkdir()
    (ground / "link").symlink_to(ground / "real")
    know(desk, ground / "real")
    assert texts(desk, ground / "link") == ["Known here"]


def test_a_project_can_be_named_from_elsewhere(desk: Desk, ground: Path) -> None:
    project = know(desk, git_folder(ground / "rock", origin="https://example.org/rock"))
    assert desk.texts(within="rock") == ["Known here"]
    assert desk.texts(within=project.id) == ["Known here"]
    with pytest.raises(UsageError, match="no project is called 'sand'; `limpet stats --projects` lists them"):
        desk.texts(within="sand")


# Nothing of another shows

WORDS = {"alpha": "walrus", "beta": "narwhal", "gamma": "dugong", "Alpha": "manatee", "delta": "porpoise"}
AGENTS = ("Anima", "Other")


def marks(folder: str, agent: str) -> str:
    return f"{WORDS[folder]}{agent}".lower()


@pytest.fixture(scope="module")
def full_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A desk that the tests below only read from, since filling it takes longer than asking."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("crowd")
        leave_no_trace_of_the_tester(patch, folder)
        yield Desk(folder)


@pytest.fixture(scope="module")
def crowd(full_desk: Desk) -> dict[tuple[str, str], str]:
    """Five projects, two of which differ in letter case alone, two agents in each.

    For each a memory, a version, a forgotten one, a private one and a fact.
    """
    ids, desk = {}, full_desk
    for folder in WORDS:
        (desk.folder / folder).mkdir()
        for agent in AGENTS:
            mark = marks(folder, agent)
            here: dict[str, Any] = {"cwd": desk.folder / folder, "by": agent}
            said: dict[str, Any] = {**here, "session": f"s-{mark}", "region": "PROJECT"}
            first = desk.remember(f"The {mark} swims at noon", files=["shared.py"], origin="tool", **said)
            desk.ask("correct", id=first.id, text=f"The {mark} swims at night", **here)
            gone = desk.remember(f"A sleepy {mark} stays ashore", **said)
            desk.ask("forget", ids=[gone.id], **here)
            desk.remember(f"A secret {mark} hides", sensitivity="private", **said)
            source = desk.remember(f"A lone {mark} sings", origin="external", files=["shared.py"], **said)
            desk.ask("facts", action="add", words=[mark, "eats", f"{mark}-fish"], sources=[source.id], **here)
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
    full_desk: Desk, crowd: dict[tuple[str, str], str], name: str, values: dict[str, Any]
) -> None:
    for folder, agent in crowd:
        shown = str(full_desk.json(name, cwd=full_desk.folder / folder, by=agent, **values)).lower()
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
    full_desk: Desk, crowd: dict[tuple[str, str], str], name: str, values: dict[str, Any]
) -> None:
    for folder, agent in crowd:
        straight = full_desk.folder / folder
        for spelt in _spellings(straight):
            shown = str(full_desk.json(name, cwd=spelt, by=agent, **values)).lower()
            own = marks(folder, agent)
            assert [mark for place in crowd if (mark := marks(*place)) != own and mark in shown] == []


def test_the_counts_are_those_of_the_place(full_desk: Desk, crowd: dict[tuple[str, str], str]) -> None:
    for folder, agent in crowd:
        found = full_desk.json("stats", cwd=full_desk.folder / folder, by=agent)
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
    full_desk: Desk, crowd: dict[tuple[str, str], str], name: str, values: dict[str, Any]
) -> None:
    before = full_desk.journal()
    key = "around" if name == "timeline" else "id"
    for place, id in crowd.items():
        for folder, agent in crowd:
            if (folder, agent) != place:
                with pytest.raises(LimpetError, match="no memory here has the id"):
                    full_desk.ask(name, cwd=full_desk.folder / folder, by=agent, **{key: id}, **values)
    assert full_desk.journal() == before


def test_no_foreign_fact_or_source_can_be_used(full_desk: Desk, crowd: dict[tuple[str, str], str]) -> None:
    foreign = full_desk.ask("facts", cwd=full_desk.folder / "alpha").facts[0]
    for folder, agent in (("beta", "Anima"), ("alpha", "Other")):
        here: dict[str, Any] = {"cwd": full_desk.folder / folder, "by": agent}
        with pytest.raises(LimpetError, match="no fact here"):
            full_desk.ask("facts", action="close", words=[foreign.id], **here)
        with pytest.raises(LimpetError, match="no memory here"):
            full_desk.ask("facts", action="add", words=["a", "b", "c"], sources=[crowd["gamma", "Anima"]], **here)
        with pytest.raises(LimpetError):
            full_desk.ask("blame", id=foreign.id, **here)


def test_only_its_owner_looks_across_projects_and_never_across_agents(
    full_desk: Desk, crowd: dict[tuple[str, str], str]
) -> None:
    here = full_desk.folder / "alpha"
    for agent in AGENTS:
        shown = str(full_desk.json("list", all_projects=True, cwd=here, by=agent)).lower()
        assert {mark for place in crowd if (mark := marks(*place)) in shown} == {marks(f, agent) for f in WORDS}
    for name, values in (("list", {}), ("recall", {"query": "x"}), ("export", {}), ("stats", {}), ("facts", {})):
        with pytest.raises(Refused, match="only a person can look across projects"):
            full_desk.ask(name, all_projects=True, as_=MODEL, cwd=here, **values)
    with pytest.raises(Refused, match="only a person"):
        full_desk.ask("stats", projects=True, as_=MODEL, cwd=here)


def test_projects_of_another_agent_are_not_listed(desk: Desk) -> None:
    for folder, agent in (("mine", "Anima"), ("theirs", "Other")):
        (desk.folder / folder).mkdir()
        desk.remember(f"Kept in {folder}", cwd=desk.folder / folder, by=agent, region="PROJECT")
    found = desk.json("stats", projects=True, cwd=desk.folder / "mine")
    assert [(project["name"], project["memories"]) for project in found["projects"]] == [("mine", 1)]


def test_memories_of_the_agent_go_with_it_into_every_project(desk: Desk) -> None:
    desk.remember("Matt prefers short answers", region="AGENT")
    assert desk.texts(cwd=desk.folder) == ["Matt prefers short answers"]
    assert desk.texts(cwd=desk.folder, by="Other") == []


# Agents


def test_the_agent_is_anima_unless_said_otherwise(desk: Desk) -> None:
    assert desk.remember("Known to the default").agent == "anima"


def test_an_agent_comes_from_the_settings_or_a_flag(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.home.mkdir()
    (desk.home / "config.toml").write_text('[agent]\nname = "Sea Urchin"\n')
    assert desk.remember("By the settings").agent == "sea-urchin"
    monkeypatch.setenv("LIMPET_AGENT__ID", "starfish")
    assert desk.remember("By the environment").agent == "starfish"
    assert desk.remember("By the flag", by="Crab").agent == "crab"
    assert desk.texts(by="Crab") == ["By the flag"]
    assert desk.texts(by="sea urchin") == ["By the settings"]


@pytest.mark.parametrize("name", ["", "  ", "\x1b", "\u202e"])
def test_an_agent_must_have_a_name(desk: Desk, name: str) -> None:
    with pytest.raises(UsageError, match="the agent has no name"):
        desk.ask("list", by=name)


def test_the_name_of_an_agent_is_kept_without_what_a_terminal_would_obey(desk: Desk) -> None:
    desk.remember("By a strange one", by="Crab\x1b[2J\u202e\nX")
    assert desk.json("stats", by="Crab\x1b[2J\u202e\nX")["agent"] == "Crab[2J X"
    assert not any(hidden in data for data in desk.journal().values() for hidden in (b"\x1b", "\u202e".encode()))


@pytest.mark.parametrize("session", ["\x1b[2J", "a\nb", "x" * 201, "half\ud800"])
def test_a_session_must_have_a_proper_id(desk: Desk, session: str) -> None:
    with pytest.raises(UsageError, match="not the id of a session"):
        desk.ask("remember", text="Said", session=session)


AGENT_MD = "---\nid: keeper\nname: The Keeper\n---\n# Keeper\n"


def test_an_agent_file_counts_only_once_the_user_has_accepted_it(desk: Desk) -> None:
    (desk.project / "AGENT.md").write_text(AGENT_MD)
    desk.remember("Before")
    assert desk.json("stats")["agent"] == "Anima"
    assert any("limpet confirm --project" in note for note in desk.ask("doctor").notes)
    for caller in (MODEL, PROGRAM):
        with pytest.raises(Refused):
            desk.ask("confirm", project=True, as_=caller)
    assert desk.ask("confirm", project=True).agent == "keeper"
    assert desk.json("stats")["agent"] == "The Keeper"
    assert desk.texts() == []
    desk.remember("After")
    assert desk.texts() == ["After"]
    assert desk.texts(by="Anima") == ["Before"]
    assert not any("confirm" in note for note in desk.ask("doctor").notes)


def test_an_accepted_agent_file_that_names_another_agent_must_be_accepted_again(desk: Desk) -> None:
    (desk.project / "AGENT.md").write_text(AGENT_MD)
    desk.ask("confirm", project=True)
    desk.remember("Of the keeper")
    (desk.project / "AGENT.md").write_text(AGENT_MD.replace("keeper", "intruder"))
    assert desk.texts() == []
    assert desk.json("stats")["agent"] == "Anima"


def test_an_agent_accepted_in_one_project_is_not_accepted_in_another(desk: Desk) -> None:
    other = desk.folder / "other"
    other.mkdir()
    for folder in (desk.project, other):
        (folder / "AGENT.md").write_text(AGENT_MD)
    desk.ask("confirm", project=True)
    desk.remember("Of the keeper", region="AGENT")
    assert desk.texts(cwd=other) == []


def test_there_is_nothing_to_accept_without_an_agent_file(desk: Desk) -> None:
    with pytest.raises(Refused, match=r"no AGENT\.md with an id"):
        desk.ask("confirm", project=True)


def test_accepting_an_agent_counts_at_once_in_the_same_process(desk: Desk) -> None:
    from limpet.operations.confirm import run

    (desk.project / "AGENT.md").write_text(AGENT_MD)
    with desk.open() as runtime:
        assert runtime.agent_id == "anima"
        run(runtime, project=True)
        assert runtime.agent_id == "keeper"


# Sessions


def test_sessions_are_numbered_per_project_and_remember_where_they_were(desk: Desk) -> None:
    git_folder(desk.project, branch="tide", born="x")
    for number in (1, 2):
        desk.remember(f"Said in session {number}", session=f"s-{number}")
    desk.remember("Said elsewhere", session="s-3", cwd=desk.folder)
    with desk.open() as runtime:
        reading = runtime.reading()
        found = [reading.session(f"s-{number}") for number in (1, 2, 3)]
    assert [session and (session.number, session.branch) for session in found] == [(1, "tide"), (2, "tide"), (1, None)]
    assert desk.texts(of_session="s-2") == ["Said in session 2"]


def test_the_session_comes_from_the_host_if_it_is_not_given(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "from-host")
    assert desk.remember("Said").session == "from-host"
    assert desk.remember("Said again", session="mine").session == "mine"
