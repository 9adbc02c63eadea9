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
