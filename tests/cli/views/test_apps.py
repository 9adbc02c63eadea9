"""Apps on the command line: conversations in, context out."""

from __future__ import annotations

import pytest

from limpet import clock
from tests.cli.shell import Shell


def test_a_conversation_from_its_first_message_to_the_context(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    # Midnight must not come in between: what an app has cost is counted by day.
    now = clock.now_ms()
    monkeypatch.setattr(clock, "now_ms", lambda: now)
    assert "no app is registered" in shell.say("apps").err
    assert shell.say("apps", "register", "calendar", "--label", "Calendar").out == "registered calendar\n"
    conversation = shell.say("apps", "converse", "calendar", "I prefer meetings after 2pm.").out.strip()
    assert "nothing is remembered yet" in shell.say("apps", "context", "calendar").err
    ended = shell.say("apps", "end", "calendar", conversation)
    assert ended.out.startswith("remembered mem_") and ended.out.endswith(": I prefer meetings after 2pm.\n")
    assert "(memories for app: Calendar)" in shell.say("apps", "context", "calendar").out
    assert "I prefer meetings" in shell.say("apps", "memories", "calendar").out
    assert conversation in shell.say("apps", "conversations", "calendar").out
    assert "10 units since the last poll, 10 today, 100% left" in shell.say("apps", "energy", "calendar").out
    assert "nothing to do" in shell.say("apps", "work").err
    assert "calendar" in shell.say("apps").out
    gone = shell.say("apps", "uninstall", "calendar")
    assert gone.out == "uninstalled calendar\n" and "its memories are kept" in gone.err
    assert "uninstalled" in shell.say("apps").out


def test_only_a_person_on_a_terminal_purges(shell: Shell) -> None:
    shell.say("apps", "register", "calendar")
    refused = shell.say("apps", "purge", "calendar", "--yes")
    assert refused.code == 1 and "only a person" in refused.err


def test_an_unknown_app_is_an_error_with_the_way_out(shell: Shell) -> None:
    done = shell.say("apps", "context", "mail")
    assert done.code == 1 and "limpet apps register mail" in done.err
