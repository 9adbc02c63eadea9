"""Settings are declared once and read from five places, and a repository cannot weaken them."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet import settings
from limpet.errors import SettingsError, UsageError
from limpet.lean.record import fields
from limpet.runtime.settings_file import set_value, unset_value
from limpet.settings import load

NOBODY: dict[str, str] = {}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def load_settings(
    home: Path, project: Path | None = None, flags: dict[str, object] | None = None, **env: str
) -> settings.Settings:
    place = None if project is None else str(project)
    return load(home=str(home), project_dir=place, environ=env, flags=flags)


# What is declared


def test_the_defaults_are_those_of_the_specification(home: Path) -> None:
    found = load_settings(home)
    values = {info.key: info.default for info in settings.describe()}
    assert values == {
        "agent.name": "Anima",
        "agent.id": "",
        "store.backup_hours": 1.0,
        "store.segment_bytes": 8_388_608,
        "store.apply_wait_ms": 250,
        "store.hook_apply_changes": 200,
        "store.hook_apply_ms": 100,
        "store.project_cap": 1000,
        "store.agent_cap": 10_000,
        "store.retire_share": 0.20,
        "admit.max_bytes": 1_000_000,
        "admit.redact": True,
        "admit.classify": True,
        "admit.cite": True,
        "recall.limit": 5,
        "recall.match_weight": 0.55,
        "recall.asked_match_weight": 0.85,
        "recall.half_life_days": 21.0,
        "recall.questions": 200,
        "inject.enabled": True,
        "inject.start_lines": 20,
        "inject.start_tokens": 1200,
        "inject.line_characters": 240,
        "inject.prompt_memories": 5,
        "inject.prompt_tokens": 2000,
        "inject.session_tokens": 6000,
        "inject.characters": 9500,
        "inject.withhold_stale": False,
        "inject.measure": False,
        "inject.trial": True,
        "inject.nudge": True,
        "inject.seen": True,
        "inject.held_share": 0.10,
        "upkeep.low_days": 1,
        "upkeep.medium_days": 7,
        "upkeep.high_days": 30,
        "upkeep.compress_days": 7.0,
        "upkeep.summarize_days": 30.0,
        "upkeep.auto_ttl_days": 90.0,
        "upkeep.noted_days": 30,
        "upkeep.receipt_days": 90.0,
        "capture.enabled": True,
        "capture.gate": 0.30,
        "hooks.start_ms": 3000,
        "hooks.prompt_ms": 1500,
        "hooks.tool_ms": 800,
        "hooks.end_ms": 1400,
        "sync.folder": "",
        "sync.name": "",
        "sign.keyring": False,
        "http.port": 7477,
        "http.idle_minutes": 0.0,
        "http.max_bytes": 8_388_608,
        "sign.at_setup": True,
        "llm.provider": "",
        "llm.model": "",
        "llm.url": "",
        "llm.key_variable": "",
        "llm.daily_tokens": 0,
        "llm.session_tokens": 6000,
        "llm.sure": 45,
        "llm.timeout_seconds": 120.0,
        "apps.memories": 10,
        "apps.characters": 200,
        "apps.timeout_seconds": 30.0,
        "apps.model_share": 0.05,
        "apps.daily_energy": 10_000,
    }
    assert {key: found.value_of(key) for key in values} == values
    assert {found.origin_of(key) for key in values} == {"default"}
    assert found.notices == ()
    assert found.home == str(home)


def test_every_setting_has_a_sentence_of_help_and_a_default_that_it_allows(home: Path) -> None:
    for info in settings.describe():
        assert info.help.endswith("."), info.key
        assert info.type_name in ("bool", "int", "float", "str")
        assert load_settings(home, flags={info.key: info.default}).value_of(info.key) == info.default


def test_the_sections_of_a_settings_object_are_those_declared() -> None:
    sections = {info.key.partition(".")[0] for info in settings.describe()}
    assert {each.name for each in fields(settings.Settings)} == sections | {"home", "notices", "origins"}


def test_a_project_may_set_three_things_only() -> None:
    allowed = {info.key for info in settings.describe() if info.project_allowed}
    assert allowed == {"recall.limit", "recall.half_life_days", "admit.cite"}


def test_settings_cannot_be_changed_after_loading(home: Path) -> None:
    with pytest.raises(AttributeError):
        load_settings(home).recall.limit = 9  # type: ignore[misc]


# Where values come from


def test_each_source_wins_over_the_one_before(home: Path, project: Path) -> None:
    key = "recall.limit"
    steps = [(load_settings(home, project), 5, "default")]
    (home / "config.toml").write_text("[recall]\nlimit = 6\n")
    steps.append((load_settings(home, project), 6, f"user file {home}/config.toml"))
    (project / "pyproject.toml").write_text("[tool.limpet.recall]\nlimit = 7\n")
    steps.append((load_settings(home, project), 7, f"project file {project}/pyproject.toml"))
    (project / ".limpet.toml").write_text("[recall]\nlimit = 8\n")
    steps.append((load_settings(home, project), 8, f"project file {project}/.limpet.toml"))
    steps.append((load_settings(home, project, LIMPET_RECALL__LIMIT="9"), 9, "environment LIMPET_RECALL__LIMIT"))
    steps.append((load_settings(home, project, {key: 10}, LIMPET_RECALL__LIMIT="9"), 10, "flag"))
    for found, value, origin in steps:
        assert (found.recall.limit, found.origin_of(key), found.notices) == (value, origin, ())


def test_a_flag_may_be_text_or_the_value_itself(home: Path) -> None:
    found = load_settings(home, flags={"admit.redact": "off", "store.backup_hours": 2, "recall.limit": "7"})
    assert (found.admit.redact, found.store.backup_hours, found.recall.limit) == (False, 2.0, 7)
    assert type(found.store.backup_hours) is float


def test_an_empty_variable_counts_as_not_set(home: Path) -> None:
    assert load_settings(home, LIMPET_RECALL__LIMIT="").origin_of("recall.limit") == "default"


@pytest.mark.parametrize(
    ("text", "value"), [("true", True), ("Yes", True), (" 1", True), ("OFF", False), ("no", False)]
)
def test_a_variable_says_yes_and_no_in_the_usual_words(home: Path, text: str, value: bool) -> None:
    assert load_settings(home, LIMPET_ADMIT__CITE=text).admit.cite is value


def test_a_file_written_on_windows_is_read(home: Path) -> None:
    (home / "config.toml").write_bytes(b"\xef\xbb\xbf[recall]\r\nlimit = 6\r\n")
    assert load_settings(home).recall.limit == 6


def test_the_users_file_may_be_a_symlink(home: Path, tmp_path: Path) -> None:
    (tmp_path / "dotfiles.toml").write_text("[recall]\nlimit = 6\n")
    (home / "config.toml").symlink_to(tmp_path / "dotfiles.toml")
    assert load_settings(home).recall.limit == 6


def test_asking_for_a_setting_that_does_not_exist_is_a_usage_error(home: Path) -> None:
    found = load_settings(home)
    for ask in (found.origin_of, found.value_of):
        with pytest.raises(UsageError, match=r"no setting 'recall.limits'; did you mean 'recall.limit'\?"):
            ask("recall.limits")
    with pytest.raises(UsageError, match="limpet config"):
        load_settings(home, flags={"zzz": 1})


def test_the_process_environment_is_read_when_none_is_given(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setenv("LIMPET_HOME", str(home))
    monkeypatch.setenv("LIMPET_RECALL__LIMIT", "11")
    found = load()
    assert (found.home, found.recall.limit) == (str(home), 11)


# What is wrong


@pytest.mark.parametrize(
    ("text", "line"), [("[recall]\nlimit = \n", 2), ("[recall\n", 1), ('x = """\n\n', 3), ("\n\nlimit 3", 3)]
)
def test_a_broken_file_is_an_error_that_names_file_and_line(home: Path, text: str, line: int) -> None:
    (home / "config.toml").write_text(text)
    with pytest.raises(SettingsError, match=f"config.toml, line {line}: ") as caught:
        load_settings(home)
    assert str(home) in str(caught.value)


def test_a_file_that_is_not_text_is_an_error_that_names_the_line(home: Path) -> None:
    (home / "config.toml").write_bytes(b"# fine\n# \xff\n")
    with pytest.raises(SettingsError, match="line 2: this is not UTF-8"):
        load_settings(home)


@pytest.mark.parametrize("junk", ["x = " + "[" * 5000, "x = " + "9" * 5000])
def test_a_file_that_the_reader_chokes_on_is_an_error_too(home: Path, junk: str) -> None:
    (home / "config.toml").write_text(junk)
    with pytest.raises(SettingsError, match="line 1"):
        load_settings(home)


@pytest.mark.parametrize(
    ("line", "value", "expected"),
    [
        ('[recall]\nlimit = "6"', "'6'", "a whole number from 1 to 100"),
        ("[recall]\nlimit = 0", "0", "a whole number from 1 to 100"),
        ("[recall]\nlimit = 5.0", "5.0", "a whole number"),
        ("[recall]\nlimit = true", "True", "a whole number"),
        ("[recall]\nlimit = [1]", "[1]", "a whole number"),
        ("[recall]\nmatch_weight = 1.5", "1.5", "a number from 0 to 1"),
        ("[recall]\nmatch_weight = nan", "nan", "a number from 0 to 1"),
        ("[store]\nbackup_hours = inf", "inf", "a number from 0 to 8760"),
        ("[admit]\nredact = 1", "1", "true or false"),
        ('[agent]\nname = ""', "''", "1 to 80 printable characters"),
        ('[agent]\nname = "a\\u001b[2J"', "'a\\x1b[2J'", "printable"),
        ('[agent]\nid = "Big One"', "'Big One'", "a-z, 0-9"),
        ("[recall]\nlimit = 0x" + "f" * 5000, "a huge int", "a whole number"),
    ],
)
def test_a_wrong_value_is_an_error_that_says_what_where_and_what_instead(
    home: Path, line: str, value: str, expected: str
) -> None:
    (home / "config.toml").write_text(line)
    with pytest.raises(SettingsError) as caught:
        load_settings(home)
    said = str(caught.value)
    assert value in said
    assert expected in said
    assert f"user file {home}/config.toml" in said
    assert "\x1b" not in said


def test_a_wrong_variable_or_flag_is_an_error_that_names_it(home: Path) -> None:
    with pytest.raises(SettingsError, match=r"'recall.limit' is 'many' in environment LIMPET_RECALL__LIMIT; expected"):
        load_settings(home, LIMPET_RECALL__LIMIT="many")
    with pytest.raises(SettingsError, match=r"'admit.cite' is 'perhaps' in flag; expected true or false"):
        load_settings(home, flags={"admit.cite": "perhaps"})
    with pytest.raises(SettingsError, match="is None in flag"):
        load_settings(home, flags={"recall.limit": None})


def test_an_unknown_key_in_the_users_file_is_a_notice_with_what_was_meant(home: Path) -> None:
    (home / "config.toml").write_text("extra = 1\n[store]\nbackup_hour = 2\n[recal]\nlimit = 3\n[zzz]\nqqq = 1\n")
    found = load_settings(home)
    where = f"in user file {home}/config.toml is ignored"
    assert found.notices == (
        f"unknown setting 'extra' {where}",
        f"unknown setting 'store.backup_hour' {where}; did you mean 'store.backup_hours'?",
        f"unknown setting 'recal.limit' {where}; did you mean 'recall.limit'?",
        f"unknown setting 'zzz.qqq' {where}",
    )


def test_a_key_with_a_dot_in_quotes_is_not_a_setting(home: Path) -> None:
    (home / "config.toml").write_text('"recall.limit" = 6\n')
    found = load_settings(home)
    assert found.recall.limit == 5
    assert len(found.notices) == 1


def test_a_section_that_is_no_section_is_an_error(home: Path) -> None:
    (home / "config.toml").write_text("store = 5\n")
    with pytest.raises(SettingsError, match=r"write \[store\]"):
        load_settings(home)


def test_an_unknown_variable_is_a_notice_with_what_was_meant(home: Path) -> None:
    found = load_settings(
        home, LIMPET_RECALL__LIMITS="3", LIMPET_RECALL_LIMIT="3", LIMPET_HOME="/x", LIMPET_TESTING="1"
    )
    assert found.notices == (
        "variable LIMPET_RECALL_LIMIT is ignored; did you mean LIMPET_RECALL__LIMIT?",
        "unknown variable 'LIMPET_RECALL__LIMITS' in the environment is ignored; did you mean LIMPET_RECALL__LIMIT?",
    )


def test_a_users_file_that_cannot_be_read_is_an_error(home: Path) -> None:
    (home / "config.toml").mkdir()
    with pytest.raises(SettingsError, match="not a regular file"):
        load_settings(home)


# A project's file is hostile by assumption


def test_a_project_cannot_set_what_is_not_allowed(home: Path, project: Path) -> None:
    body = "\n".join(
        f"[{info.key.partition('.')[0]}]\n{info.key.partition('.')[2]} = 1\n"
        for info in settings.describe()
        if info.key in ("agent.name", "store.project_cap", "sign.keyring")
    )
    (project / ".limpet.toml").write_text(f'home = "/tmp/evil"\n{body}[admit]\nredact = false\ncite = false\n')
    found = load_settings(home, project)
    assert found.home == str(home)
    assert (found.agent.name, found.store.project_cap, found.sign.keyring) == ("Anima", 1000, False)
    assert (found.admit.redact, found.admit.cite) == (True, False)
    assert len(found.notices) == 5
    assert any("'admit.redact'" in notice and "a project may not set it" in notice for notice in found.notices)


@pytest.mark.parametrize(
    "text",
    [
        "[recall\n",
        "recall = 3\n",
        "[recall]\nlimit = 100000\n",
        '[recall]\nlimit = "3"\n',
        "[recall]\nlimit = 0x" + "f" * 5000,
        "[recall]\nlimit = " + "9" * 5000,
        "x = " + "[" * 5000,
        "\x00\x01\x02",
        "#" * (settings.FILE_LIMIT + 1),
    ],
    ids=lambda text: f"{len(text)}-{text[:12]!r}",
)
def test_nothing_in_a_project_file_stops_limpet(home: Path, project: Path, text: str) -> None:
    (project / ".limpet.toml").write_text(text)
    found = load_settings(home, project)
    assert found.recall.limit == 5
    assert len(found.notices) == 1
    assert f"project file {project}/.limpet.toml" in found.notices[0]


def test_a_tool_table_of_any_shape_is_harmless(home: Path, project: Path) -> None:
    for text in ("tool = 3 # limpet", "[tool]\nlimpet = 3", "[[tool]]\nlimpet = 3", "[[tool.limpet]]\nrecall = 3"):
        (project / "pyproject.toml").write_text(text)
        assert load_settings(home, project).recall.limit == 5


def test_a_project_file_that_would_take_the_parser_minutes_is_not_parsed(home: Path, project: Path) -> None:
    for key in ("a" + ".a" * 100_000, "a" + " . 'a'" * 30_000, '"\\""' + '."\\""' * 40_000):
        (project / ".limpet.toml").write_text(f"{key} = 1\n")
        (notice,) = load_settings(home, project).notices
        assert "too many dots" in notice


def test_a_setting_that_earlier_versions_had_is_named_as_such(home: Path) -> None:
    (home / "config.toml").write_text("[recall]\ntrust_weight = 0.2\n[insight]\nhot = 3\n")
    first, second = load_settings(home).notices
    assert first.startswith("'recall.trust_weight' in") and first.endswith("it is no longer a setting; delete it")
    assert second.startswith("'insight.hot' in") and second.endswith("it is no longer a setting; delete it")


@pytest.mark.parametrize("name", ["project/.limpet.toml", "home/config.toml"])
def test_ten_thousand_unknown_keys_make_a_handful_of_notices(home: Path, project: Path, name: str) -> None:
    (home.parent / name).write_text("[recall]\n" + "".join(f"limit{n} = 1\n" for n in range(10_000)))
    found = load_settings(home, project)
    assert len(found.notices) == settings.NOTICE_LIMIT + 1
    assert "9992 more settings" in found.notices[-1]


def test_control_characters_of_a_project_file_do_not_reach_the_notices(home: Path, project: Path) -> None:
    (project / ".limpet.toml").write_text('"\\u001b[2J\\u202e" = 1\n["\\u0007"]\nx = 1\n')
    assert all(notice.isprintable() for notice in load_settings(home, project).notices)


def test_a_project_file_that_leads_outside_is_ignored(home: Path, project: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.toml").write_text("[recall]\nlimit = 9\n")
    (project / ".limpet.toml").symlink_to(tmp_path / "outside.toml")
    found = load_settings(home, project)
    assert found.recall.limit == 5
    assert found.notices == (
        f"project file {project}/.limpet.toml is ignored: it is a symlink that leaves the project",
    )


def test_a_project_file_may_be_a_symlink_within_the_project(home: Path, project: Path) -> None:
    (project / "real.toml").write_text("[recall]\nlimit = 9\n")
    (project / ".limpet.toml").symlink_to("real.toml")
    assert load_settings(home, project).recall.limit == 9


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_in_place_of_a_project_file_does_not_block(home: Path, project: Path) -> None:
    os.mkfifo(project / ".limpet.toml")
    assert "not a regular file" in load_settings(home, project).notices[0]


def test_a_symlink_loop_or_a_missing_project_is_harmless(home: Path, project: Path) -> None:
    (project / ".limpet.toml").symlink_to(".limpet.toml")
    assert load_settings(home, project).recall.limit == 5
    assert load_settings(home, project / "not there").notices == ()
    assert load(home=str(home), project_dir="a\0b", environ=NOBODY).recall.limit == 5


def test_a_pyproject_that_does_not_mention_limpet_is_ignored(home: Path, project: Path) -> None:
    (project / "pyproject.toml").write_text("this is [ not toml")
    assert load_settings(home, project).notices == ()


def values_of(info: settings.SettingInfo) -> st.SearchStrategy[Any]:
    match info.type_name:
        case "bool":
            return st.booleans()
        case "int":
            return st.integers(math.ceil(info.low), int(info.high))
        case "float":
            return st.floats(info.low, info.high, allow_nan=False)
    if info.pattern is not None:
        return st.from_regex(r"[a-z0-9][a-z0-9_-]{0,63}", fullmatch=True)
    return st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=80)


declared = st.sampled_from(settings.describe())


@given(declared.flatmap(lambda info: st.tuples(st.just(info), values_of(info))))
def test_every_allowed_value_survives_file_variable_and_flag(case: tuple[settings.SettingInfo, Any]) -> None:
    info, value = case
    import tempfile

    with tempfile.TemporaryDirectory() as home:
        set_value(home, info.key, str(value))
        assert load(home=home, environ=NOBODY).value_of(info.key) == value
        assert load(home=home, environ={info.variable: str(value)}).value_of(info.key) == value
        assert load(home=home, environ=NOBODY, flags={info.key: value}).value_of(info.key) == value
        unset_value(home, info.key)
        assert load(home=home, environ=NOBODY).value_of(info.key) == info.default


@given(declared, st.text(max_size=40) | st.integers().map(str) | st.floats().map(str))
def test_any_text_is_either_a_value_within_bounds_or_a_settings_error(info: settings.SettingInfo, text: str) -> None:
    try:
        value = load(home="/nowhere", environ={info.variable: text}).value_of(info.key)
    except SettingsError as error:
        assert str(error).isprintable()
        assert info.key in str(error)
        return
    assert type(value).__name__ == info.type_name
    if isinstance(value, int | float) and not isinstance(value, bool):
        assert info.low <= value <= info.high


@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "replace")))
def test_any_project_file_is_harmless(data: bytes) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as project:
        Path(project, ".limpet.toml").write_bytes(data)
        Path(project, "pyproject.toml").write_bytes(b"[tool.limpet]\n" + data)
        found = load(home="/nowhere", project_dir=project, environ=NOBODY)
        assert found.admit.redact


# What it costs


def test_a_start_without_settings_files_loads_no_parser_and_no_pathlib() -> None:
    code = (
        "import sys; before = set(sys.modules); from limpet import settings; settings.load(home='/nowhere');"
        "print(sorted({'tomllib', 'tomlkit', 'pathlib', 'difflib', 'typing'} & (set(sys.modules) - before)))"
    )
    source = os.path.dirname(os.path.dirname(os.path.abspath(settings.__file__)))
    env = {**os.environ, "PYTHONPATH": source}
    # Without `site`, whose .pth files may load modules of their own.
    result = subprocess.run([sys.executable, "-S", "-c", code], env=env, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
