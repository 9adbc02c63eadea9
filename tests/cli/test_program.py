"""The command line: what it takes, what it prints where, and how it ends."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from limpet import __version__
from limpet.cli.commands import COMMANDS
from limpet.lean.record import replace
from limpet.operations import stats
from limpet.operations.catalogue import CATALOGUE, GROUPS, load_verb
from tests.cli.shell import Shell
from tests.operations.sandbox import give_code

NAMES = [each.name for each in CATALOGUE]
ID = "mem_01jz4000000000000000000000"

MEMORY = {
    *("id", "agent", "region", "project", "app", "kind", "type", "concepts", "tags", "title", "subtitle", "content"),
    *("original_content", "impact", "importance", "difficulty", "confidence", "sensitivity", "origin", "confirmed"),
    *("cues", "tier", "earned"),
    *("phase", "scale", "pinned", "created_at", "updated_at", "expires_at", "session", "conversation", "source"),
    *("branch", "commit", "files_read", "files_modified", "citations", "previous_memory_id", "version", "corrects"),
    *("lineage", "superseded_by", "content_hash", "signature", "token_count"),
}
STORED = MEMORY | {
    *("status", "warnings", "strength", "priority", "trust", "last_accessed", "access_count", "last_session"),
}


# Help


@pytest.mark.parametrize("words", [(), ("--help",), ("-h",), ("help",)])
def test_help_shows_the_nine_first_and_names_the_others_by_group(shell: Shell, words: tuple[str, ...]) -> None:
    done = shell.say(*words)
    assert (done.code, done.err) == (0, "")
    first = [each for each in CATALOGUE if each.group == "first"]
    places = [done.out.index(f"\n  {each.name:<12}  {each.summary}\n") for each in first]
    assert len(places) == 9 and places == sorted(places)
    for group in GROUPS.keys() - {"first"}:
        names = ", ".join(each.name for each in COMMANDS if each.group == group)
        assert f" {group} {names} " in " ".join(done.out.split())
    assert "`limpet help GROUP`" in done.out and "`limpet help all`" in done.out
    assert max(map(len, done.out.splitlines())) <= 80
    assert len(done.out.splitlines()) <= 30


def test_help_of_a_group_shows_its_commands_and_help_of_all_shows_every_one(shell: Shell) -> None:
    whole = shell.say("help", "all")
    places = [whole.out.index(f"\n  {each.name:<12}  {each.summary}\n") for each in CATALOGUE]
    assert places == sorted(places)
    for group, title in GROUPS.items():
        done = shell.say("help", group)
        assert (done.code, done.err) == (0, "")
        assert f"{title}\n" in done.out and f"\n{title}\n" in whole.out
        for each in COMMANDS:
            assert (f"\n  {each.name:<12}  {each.summary}\n" in done.out) is (each.group == group)
    assert shell.say("help", "nothing").code == 2
    assert "'trust' is a group of commands; see: limpet help trust" in shell.say("trust").err


@pytest.mark.parametrize("name", NAMES)
def test_every_verb_has_help_with_its_options_and_examples(shell: Shell, name: str) -> None:
    done = shell.say(name, "--help")
    assert (done.code, done.err) == (0, "")
    assert shell.say("help", name).out == shell.say(name, "-h").out == done.out
    assert f"usage: limpet {name}" in done.out
    assert "examples:\n" in done.out
    for example in load_verb(name).examples:
        assert f"  {example}\n" in done.out
    for param in load_verb(name).params:
        word = param.name.upper() if param.positional else param.flag
        assert word in done.out
    assert "--json" in done.out and "--home" in done.out
    assert not shell.home.exists()


def test_help_breaks_no_value_at_its_hyphens(shell: Shell) -> None:
    for words in (("list", "--help"), ("import", "--help")):
        done = shell.start(*words, env={"COLUMNS": "80"})
        assert done.code == 0 and not [row for row in done.out.splitlines() if row.endswith("-")], words


def test_the_version_is_said(shell: Shell) -> None:
    for flag in ("--version", "-V", "-v"):
        assert shell.start(flag).out == f"limpet {__version__}\n"


# Errors


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("rember",), 2, "'rember' is not a command; did you mean 'remember'? Otherwise see: limpet help all"),
        (("xyzzy",), 2, "'xyzzy' is not a command; see: limpet help all"),
        (("--nothing", "list"), 2, "'--nothing' is not a command"),
        (("remember",), 2, "the following arguments are required: TEXT; see: limpet remember --help"),
        (("remember", "x", "--nothing"), 2, "unrecognized arguments: --nothing; see: limpet remember --help"),
        (("remember", "x", "--kind", "FOO"), 2, "--kind is 'FOO'; choose from EMOTIONAL"),
        (("capture", "x", "--said-by", "cat"), 2, "--said-by is 'cat'; choose from user, agent, command"),
        (("remember", "x", "--ttl-days", "-1"), 1, "a memory cannot expire after -1.0 days"),
        (("feedback", "x", "great"), 2, "the argument SAYS is 'great'; choose from useful"),
        (("remember", "x", "--kind"), 2, "expected one argument"),
        (("remember", "x", "--importance", "much"), 2, "'much' is not a number"),
        (("remember", "x", "--importance", "2"), 1, "give a number between 0 and 1"),
        (("remember", ""), 1, "the text is empty"),
        (("list", "--limit", "many"), 2, "'many' is not a whole number"),
        (("list", "--limit", "0"), 2, "give a number from 1 to 1000"),
        (("list", "--since", "someday"), 2, "give a date such as 2026-10-01"),
        (("list", "--lim", "3"), 2, "unrecognized arguments"),
        (("show",), 2, "the following arguments are required: ID"),
        (("show", "../../x"), 1, "'../../x' is not a memory id"),
        (("show", ID), 1, f"no memory here has the id '{ID}'"),
        (("show", "\x1b[2J"), 1, "is not a memory id"),
        (("forget",), 2, "say what to forget"),
        (("confirm", "--project", "--yes"), 1, "run this on a terminal"),
        (("sign", "--yes"), 1, "run this on a terminal"),
        (("sign", "--code", "AAAA-BBBB"), 1, "no valid code"),
        (("sign", "--code", "new"), 1, "run this on a terminal"),
        (("import", "nowhere.jsonl"), 2, "cannot read 'nowhere.jsonl': No such file or directory"),
        (
            ("export", "no/such/folder/x"),
            1,
            "cannot write no/such/folder/x: No such file or directory; create the folder first",
        ),
        (("config", "nothing"), 2, "no setting is called 'nothing'"),
        (("config", "recall.limit", "many"), 2, "expected a whole number"),
        (("list", "--project", "nothing"), 2, "no project is called 'nothing'"),
        (("list", "--agent", " "), 2, "the agent has no name"),
        (("--completion",), 2, "no completion for ''; choose bash, zsh or fish"),
        (("--completion", "tcsh"), 2, "no completion for 'tcsh'"),
        (("facts", "add", "api"), 2, "three words"),
    ],
)
def test_an_error_is_one_sentence_on_standard_error(shell: Shell, words: tuple[str, ...], code: int, said: str) -> None:
    for extra in ((), ("--json",)):
        if words[0] == "--completion" and extra:
            continue
        done = shell.say(*words, *extra)
        if done.code == 1 and extra and words[0] == "remember":
            assert json.loads(done.out)["outcome"] == "rejected"
            continue
        assert (done.code, done.out) == (code, "")
        assert done.err.count("\n") == 1
        if extra:
            error = json.loads(done.err)
            assert list(error) == ["error", "do"]
            assert said in "; ".join(filter(None, error.values()))
        else:
            assert done.err.startswith("limpet: ") and said in done.err
        assert "Traceback" not in done.err and "\x1b" not in done.err


def test_an_error_as_json_has_what_happened_and_what_to_do(shell: Shell) -> None:
    for words in (("show", "x; y"), ("--nope", "list"), ("feedback",), ("purge", ID), ("list", "--at", "someday")):
        done = shell.start(*words, "--json")
        error = json.loads(done.err)
        assert done.code in (1, 2) and done.out == "" and error["do"], words
    assert json.loads(shell.say("show", "x; y", "--json").err)["error"] == "'x; y' is not a memory id"
    assert json.loads(shell.say("remember", "x", "--kind", "A", "--json").err)["error"] == "--kind is 'A'"
    assert shell.say("show", "--", "--json").err.startswith("limpet: ")


def test_what_a_person_declines_is_an_error_in_json_too(shell: Shell) -> None:
    id = shell.remember("The API listens on port 8080")
    declined = shell.on_a_terminal("purge", id, "--json", typed="n\n")
    assert declined.code == 1
    assert '{"error": "nothing was changed", "do": null}' in declined.out
    assert id in shell.say("list").out


def test_an_ambiguous_id_lists_the_candidates(shell: Shell) -> None:
    ids = [shell.remember(f"Thing number {number}") for number in range(2)]
    done = shell.say("forget", ids[0][:9])
    assert (done.code, done.out) == (1, "")
    assert all(id in done.err for id in ids)


def test_an_empty_word_in_place_of_an_id_does_not_mean_all_of_them(shell: Shell) -> None:
    id = shell.remember("The API listens on port 8080")
    assert shell.say("apps", "register", "chat").code == 0
    for words in (
        ("apps", "purge", "chat", ""),
        ("purge", "", id, "--yes"),
        ("forget", ""),
        ("inbox", "--drop", "0"),
    ):
        done = shell.say(*words)
        assert (done.code, done.out) == (1, "") and "is not a memory id" in done.err, words
    assert id in shell.say("list").out


def test_what_succeeds_ends_with_0_and_what_is_refused_with_1(shell: Shell) -> None:
    assert shell.say("list").code == 0
    assert shell.say("recall", "nothing at all").code == 0
    assert shell.say("remember", "Something").code == 0
    assert shell.say("remember", "Something").code == 0
    assert shell.say("remember", " ").code == 1


def test_a_defect_inside_is_one_sentence_unless_somebody_looks_for_it(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("oops\x1b[2J")

    monkeypatch.setattr(stats, "VERB", replace(stats.VERB, run=fail))
    done = shell.say("stats")
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        "limpet: something went wrong inside (ZeroDivisionError: oops\\u{1b}[2J); LIMPET_DEBUG=1 shows where\n"
    )
    monkeypatch.setenv("LIMPET_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        shell.say("stats")


# Answers


def test_the_shapes_of_the_main_answers_are_those_promised(shell: Shell) -> None:
    first = shell.ask("remember", "Migrations run with alembic")
    assert list(first) == ["outcome", "memory", "redacted", "notes", "older"]
    assert set(first["memory"]) == MEMORY
    assert first["outcome"] == "admitted"
    assert shell.ask("remember", "Migrations run with alembic")["outcome"] == "duplicate"
    listed = shell.ask("list")
    assert list(listed) == ["memories", "total", "offset", "has_more"]
    assert set(listed["memories"][0]) == STORED
    assert (listed["total"], listed["offset"], listed["has_more"]) == (1, 0, False)
    found = shell.ask("recall", "alembic migrations")
    assert list(found) == ["hits", "total", "offset", "has_more"]
    assert set(found["hits"][0]) == {"memory", "score", "parts", "weak"}
    assert set(found["hits"][0]["memory"]) == STORED
    assert {"match", "recency", "strength", "trust"} <= set(found["hits"][0]["parts"])
    rejected = shell.say("remember", "", "--json")
    assert (rejected.code, rejected.err) == (1, "")
    assert {"outcome", "memory", "redacted", "notes"} <= set(rejected.json)
    assert (rejected.json["outcome"], rejected.json["memory"]) == ("rejected", None)


def test_every_verb_answers_with_one_json_object(shell: Shell) -> None:
    id = shell.remember("The default port is 8080")
    for words, keys in (
        (("show", id), {"memory", "versions", "links", "decisions"}),
        (("timeline",), {"episodes", "total", "offset", "has_more"}),
        (("related", id), {"hits", "total", "offset", "has_more"}),
        (
            ("facts", "add", "api", "port", "8080"),
            {"facts", "closed", "redacted", "left_out", "total", "offset", "has_more"},
        ),
        (("facts",), {"facts", "closed", "redacted", "left_out", "total", "offset", "has_more"}),
        (("graph",), {"nodes", "edges", "total"}),
        (("stats",), {"agent", "project", "home", "status", "kind", "bytes", "projects"}),
        (("forget", id), {"forgotten", "memories", "restored", "total"}),
        (("restore", id, "--code", give_code(shell.home, "restore")), {"memory", "how"}),
        (("pin", id), {"memory"}),
        (
            ("confirm", id, "--code", give_code(shell.home, "confirm")),
            {"memories", "forgotten", "project", "agent", "device"},
        ),
        (("correct", id, "The default port is 9090"), {"outcome", "memory", "redacted", "notes", "older"}),
        (("sign", "--code", give_code(shell.home, "sign")), {"key_id", "new_key", "signed", "left"}),
        (("verify",), {"ok", "records", "memories", "signed", "problems"}),
        (("blame", id), {"id", "origin", "session", "branch", "commit", "source", "changes"}),
        (("export",), {"path", "memories", "facts", "left_out", "records"}),
        (("export", "out.jsonl"), {"path", "memories", "facts", "left_out"}),
        (
            ("import", "out.jsonl", "--merge"),
            {
                *("added", "duplicates", "present", "facts", "unconfirmed", "elsewhere", "proposed", "problems"),
                *("objects", "found", "dry_run", "stopped"),
            },
        ),
        (("config", "recall"), {"home", "settings"}),
        (("doctor",), {"ok", "limpet", "home", "notes", "problems", "mended"}),
        (
            ("purge", id, "--code", give_code(shell.home, "purge")),
            {"purged", "ids", "facts", "total", "files", "failed", "others"},
        ),
        (("demo",), {"steps"}),
    ):
        done = shell.say(*words, "--json")
        assert (done.code, done.err) == (0, ""), words
        assert done.out.count("\n") == 1
        assert keys <= set(done.json) if words[0] in ("stats", "doctor") else keys == set(done.json), words


def test_the_parts_of_a_score_are_shown_on_request(shell: Shell) -> None:
    shell.remember("Migrations run with alembic")
    assert "recency" not in shell.say("recall", "alembic migrations").out
    assert "recency 1.00" in shell.say("recall", "alembic migrations", "--explain").out


def test_on_a_pipe_a_listing_is_one_row_a_line_between_tabs(shell: Shell) -> None:
    ids = [shell.remember(f"Thing number {number}") for number in range(3)]
    rows = [row.split("\t") for row in shell.say("list").out.splitlines()]
    assert [row[0] for row in rows] == ids[::-1]
    assert {len(row) for row in rows} == {5}
    assert rows[0][4] == "Thing number 2"


def test_on_a_pipe_there_is_nothing_but_data_even_if_there_is_none_or_more(shell: Shell) -> None:
    for words in (("list",), ("recall", "nothing at all"), ("facts",), ("timeline",), ("graph",)):
        done = shell.say(*words)
        assert (done.code, done.out) == (0, "")
        assert done.err.startswith("limpet: no") and done.err.count("\n") == 1
    for number in range(3):
        shell.remember(f"Thing number {number}")
        shell.say("facts", "add", f"thing {number}", "is", "there")
    for name in ("list", "facts", "graph"):
        done = shell.say(name, "-n", "2")
        assert done.err == "limpet: 1 more: --offset 2\n"
        assert done.out.count("Thing number" if name != "facts" else "there") == 2


def test_an_export_to_standard_output_can_be_read_back(shell: Shell) -> None:
    shell.remember("Migrations run with alembic")
    done = shell.say("export")
    (shell.cwd / "out.jsonl").write_text(done.out)
    assert shell.ask("import", "out.jsonl", "--home", str(shell.folder / "second"))["added"] == 1


def test_what_was_left_out_is_said_beside_the_data(shell: Shell) -> None:
    shell.remember("For the owner", "--sensitivity", "private")
    done = shell.say("export")
    assert done.err == "limpet: left out 1 private memory; --private includes it\n"
    assert done.out.count("\n") == 1


def test_a_problem_ends_with_1_until_it_is_mended(shell: Shell) -> None:
    shell.remember("Migrations run with alembic")
    (shell.home / "notes.txt").write_text("mine")
    (shell.home / "notes.txt").chmod(0o644)
    done = shell.say("doctor")
    assert done.code == 1
    assert f"⚠ other users may read or write it: {shell.home}/notes.txt  (--fix repairs it)" in done.out
    assert not shell.say("doctor", "--json").json["ok"]
    assert "repaired: only you may read" in shell.say("doctor", "--fix").out
    assert shell.say("doctor").code == 0


def test_a_session_is_acted_in_or_looked_for(shell: Shell) -> None:
    shell.remember("Said in the first", "--session", "s-1")
    shell.remember("Said in the second", "--session", "s-2")
    assert [memory["content"] for memory in shell.ask("list", "--session", "s-2")["memories"]] == ["Said in the second"]
    assert shell.ask("recall", "said in", "--session", "s-1")["total"] == 1


def test_notices_go_to_standard_error(shell: Shell) -> None:
    (shell.cwd / ".limpet.toml").write_text("[admit]\nredact = false\n")
    done = shell.say("list", "--json")
    assert done.json["total"] == 0
    assert "a project may not set it" in done.err
    done = shell.say("doctor")
    assert "a project may not set it" in done.out and done.err == ""


def test_without_a_home_folder_of_its_own_nothing_is_left_behind(shell: Shell) -> None:
    shell.remember("Kept at home")
    assert list(shell.nobody.iterdir()) == list(shell.cwd.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        *(("list",), ("recall", "anything"), ("show", ID), ("timeline",), ("related", ID), ("facts",), ("graph",)),
        *(
            ("stats",),
            ("why",),
            ("config",),
            ("doctor",),
            ("verify",),
            ("blame", ID),
            ("export",),
            ("capture", "a rule"),
        ),
        *(("setup", "--dry-run"), ("setup", "claude-code", "--dry-run"), ("uninstall", "--dry-run")),
        *(("upkeep", "--dry-run"), ("backfill", "--dry-run"), ("forget", ID), ("list", "--json")),
    ],
    ids=" ".join,
)
def test_a_command_that_only_looks_makes_no_home(shell: Shell, words: tuple[str, ...]) -> None:
    shell.say(*words)
    assert not shell.home.exists()
    assert list(shell.nobody.iterdir()) == list(shell.cwd.iterdir()) == []


def test_the_first_write_makes_the_home_for_its_owner_alone(shell: Shell) -> None:
    assert shell.ask("list")["total"] == 0
    shell.remember("The first one")
    assert shell.ask("list")["total"] == 1
    assert shell.home.stat().st_mode & 0o777 == 0o700


def test_the_demo_shows_the_verbs_and_leaves_nothing_behind(
    shell: Shell, tmp_path_factory: pytest.TempPathFactory
) -> None:
    temporary = tmp_path_factory.mktemp("demo")
    done = shell.start("demo", env={"TMPDIR": str(temporary)})
    assert (done.code, done.err) == (0, "")
    assert "hunter2" not in done.out.replace("postgres://shop:hunter2-Xq9@db/shop", "")
    assert "all is well" in done.out
    assert list(temporary.iterdir()) == []
    assert not shell.home.exists()


# Odd surroundings


def test_a_reader_that_has_seen_enough_is_no_error(shell: Shell) -> None:
    for number in range(30):
        shell.remember(f"Thing number {number}")
    process = subprocess.Popen(
        [sys.executable, "-m", "limpet", "list", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=shell.environment({}),
        cwd=shell.cwd,
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert (process.wait(timeout=60), errors) == (0, b"")


@pytest.mark.parametrize(
    "env",
    [
        {"LANG": "C", "LC_ALL": "C"},
        {"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "cp1252"},
    ],
)
def test_any_locale_will_do(shell: Shell, env: dict[str, str]) -> None:
    text = "Grüße 日本 😀 ⚠"
    shell.remember(text)
    assert "Gr" in shell.start("list", env=env).out
    done = shell.start("list", "--json", env=env)
    assert (done.code, done.err) == (0, "")
    found = json.loads(done.out.encode("utf-8", "replace"))["memories"][0]["content"]
    assert found == text or "cp1252" in env.values()
    assert shell.start("stats", env=env).err == shell.start("graph", env=env).err == ""


@pytest.mark.parametrize("closed", [0, 1, 2])
def test_a_closed_standard_stream_is_no_reason_to_fail(shell: Shell, closed: int) -> None:
    shell.remember("Something")
    command = f"exec {closed}>&-; exec '{sys.executable}' -m limpet list"
    done = subprocess.run(
        ["/bin/sh", "-c", command], env=shell.environment({}), cwd=shell.cwd, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert (b"Something" in done.stdout) == (closed != 1)
    assert shell.say("verify").code == 0


def test_a_folder_that_is_gone_is_said(shell: Shell) -> None:
    command = f"mkdir gone; cd gone; rmdir ../gone; exec '{sys.executable}' -m limpet list"
    done = subprocess.run(
        ["/bin/sh", "-c", command], env=shell.environment({}), cwd=shell.cwd, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"the folder you are in no longer exists; go to another one" in done.stderr


@pytest.mark.parametrize("words", [("--host", "cursor"), ("--bogus",), ("--host",)])
def test_a_hook_with_wrong_options_does_not_block_the_agent(shell: Shell, words: tuple[str, ...]) -> None:
    shell.remember("The port is 8080")
    done = shell.say("hook", *words)
    assert (done.code, done.out) == (0, "") and words[-1] in done.err
    [row] = map(json.loads, (shell.home / "hook.log").read_text("utf-8").splitlines())
    assert words[-1] in row["error"]
    assert any(words[-1] in note for note in shell.say("doctor", "--json").json["warnings"])


@pytest.mark.parametrize("words", [("list",), ("config",), ("remember", "The port is 8080")])
def test_a_file_in_place_of_the_home_is_named(shell: Shell, words: tuple[str, ...]) -> None:
    shell.home.write_text("a file")
    done = shell.say(*words)
    assert done.code and f"{shell.home} is not a folder; set LIMPET_HOME to one" in done.err
