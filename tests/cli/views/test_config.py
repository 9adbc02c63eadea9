"""A setting is shown with its value, its source and its help."""

from __future__ import annotations

from tests.cli.shell import Shell


def test_a_setting_is_a_row_with_value_and_source(shell: Shell) -> None:
    key, value, origin, help = shell.say("config", "capture.enabled").out.rstrip("\n").split("\t")
    assert (key, value, origin) == ("capture.enabled", "true", "default")
    assert help.endswith(".")


def test_a_changed_setting_shows_where_it_was_written(shell: Shell) -> None:
    done = shell.say("config", "recall.limit", "7")
    assert done.out.startswith("recall.limit\t7\tuser file ")


def test_a_setting_that_was_not_set_is_not_called_changed(shell: Shell) -> None:
    shell.say("config", "recall.limit", "7")
    assert "nothing was changed" not in shell.say("config", "--unset", "recall.limit").err
    again = shell.say("config", "--unset", "recall.limit")
    assert again.code == 0 and "recall.limit was not set in" in again.err and "nothing was changed" in again.err
    assert "changed in" not in shell.on_a_terminal("config", "--unset", "recall.limit", columns=300).out
