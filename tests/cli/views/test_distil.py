"""What a person sees of a distil: the diff first, then the question, then what was written."""

from __future__ import annotations

from tests.cli.shell import Shell, plain

FACT = "Releases are cut from the main branch only"


def test_a_pipe_shows_the_diff_and_writes_nothing(shell: Shell) -> None:
    shell.remember(FACT)
    done = shell.say("distil")
    assert done.code == 0
    assert f"+- {FACT}" in done.out.splitlines()
    assert "nothing was written, --yes writes it" in done.err and "tokens at each start" in done.err
    assert not (shell.cwd / "CLAUDE.md").exists()


def test_yes_writes_and_says_what(shell: Shell) -> None:
    shell.remember(FACT)
    done = shell.say("distil", "--yes")
    names = ".claude/memory/MEMORY.md, CLAUDE.md, .claude/memory/.gitignore, .claude/memory/.processed"
    assert done.out == f"wrote {names}: 1 new fact\n"
    assert "nothing to distil" in shell.say("distil").err


def test_check_fails_if_something_would_change(shell: Shell) -> None:
    shell.remember(FACT)
    assert shell.say("distil", "--check").code == 1
    shell.say("distil", "--yes")
    assert shell.say("distil", "--check").code == 0


def test_a_person_is_asked_before_anything_is_written(shell: Shell) -> None:
    shell.remember(FACT)
    refused = shell.on_a_terminal("distil", answers=[("[y/N]", "n\n")])
    assert f"+- {FACT}" in plain(refused.out) and "--yes" not in refused.out
    assert refused.out.count("nothing was written") == 1
    assert refused.code == 0 and not (shell.cwd / "CLAUDE.md").exists()
    agreed = shell.on_a_terminal("distil", answers=[("Write .claude/memory/MEMORY.md, CLAUDE.md? [y/N]", "y\n")])
    assert "wrote .claude/memory/MEMORY.md, CLAUDE.md, " in plain(agreed.out) and "1 new fact" in plain(agreed.out)
    assert FACT in (shell.cwd / "CLAUDE.md").read_text("utf-8")
    again = shell.on_a_terminal("distil")
    assert "nothing to distil" in again.out and "[y/N]" not in again.out


def test_a_line_of_a_change_is_never_broken(shell: Shell) -> None:
    shell.remember(FACT)
    shown = shell.on_a_terminal("distil", columns=24, answers=[("[y/N]", "n\n")])
    assert len(FACT) > 24 and f"+- {FACT}\n" in plain(shown.out)


def test_a_stash_without_a_line_is_marked_as_read_without_a_question(shell: Shell) -> None:
    stash = shell.cwd / ".claude" / "stash" / "empty.md"
    stash.parent.mkdir(parents=True)
    stash.write_text("# Nothing happened\n", "utf-8")
    done = shell.on_a_terminal("distil")
    assert "nothing to distil" in done.out and "[y/N]" not in done.out and "/.processed" in done.out
    assert "empty" in (shell.cwd / ".claude" / "memory" / ".processed").read_text("utf-8")
    assert not (shell.cwd / "CLAUDE.md").exists()


def test_gathered_texts_are_shown_by_their_source(shell: Shell) -> None:
    id = shell.remember(FACT)
    assert shell.say("distil", "--gather").out == f"## {id} (memory)\n{FACT}\n"


def test_the_stashes_that_wait_are_counted(shell: Shell) -> None:
    folder = shell.cwd / ".claude" / "stash"
    folder.mkdir(parents=True)
    for number in range(8):
        (folder / f"{number}.md").write_text("# Nothing happened\n", "utf-8")
    assert "3 more stashes after these" in shell.say("distil", "--gather").err


def test_proposals_are_read_from_standard_input(shell: Shell) -> None:
    shell.remember(FACT)
    done = shell.start("distil", "--proposals", "-", stdin=b'{"one\n{"two\n')
    assert "2 proposals were refused: not JSON" in done.err
