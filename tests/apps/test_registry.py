"""Apps are registered by an id, and their memories outlive them until a person purges them."""

from __future__ import annotations

import pytest

from limpet.errors import InvalidId, Refused, UsageError
from tests.apps.talking import PREFERENCE, AppSandbox
from tests.operations.sandbox import MODEL, PROGRAM, USER, give_code


def test_registering_again_changes_nothing_and_a_new_name_is_taken(sandbox: AppSandbox) -> None:
    before = sandbox.journal()
    assert sandbox.do("register").app is not None
    assert sandbox.journal() == before
    renamed = sandbox.do("register", label="My Calendar").app
    assert renamed is not None and renamed.name == "My Calendar"
    again = sandbox.do("register").app
    assert again is not None and again.name == "My Calendar"


@pytest.mark.parametrize("id", ["", "a b", "../etc", "x" * 65, "-a", "é", "a/b", "a\n"])
def test_an_id_is_a_plain_word(sandbox: AppSandbox, id: str) -> None:
    if id.strip() == "a":
        assert sandbox.do("register", id).app is not None
        return
    with pytest.raises(UsageError):
        sandbox.do("register", id)


def test_an_app_that_is_not_there_is_named_with_the_way_to_register_it(sandbox: AppSandbox) -> None:
    for action in ("converse", "end", "context", "memories", "conversations", "uninstall", "work", "energy"):
        with pytest.raises(InvalidId, match="not registered; limpet apps register mail"):
            sandbox.do(action, "mail", "conv_1")


def test_uninstalling_keeps_the_memories_and_registering_brings_them_back(sandbox: AppSandbox) -> None:
    conversation = sandbox.say(PREFERENCE)
    sandbox.do("end", "calendar", conversation)
    open_one = sandbox.say(PREFERENCE)
    gone = sandbox.do("uninstall").app
    assert gone is not None and not gone.is_installed
    assert len(sandbox.contents()) == 1
    with pytest.raises(InvalidId, match="was uninstalled"):
        sandbox.say(PREFERENCE)
    sandbox.do("end", "calendar", open_one)
    sandbox.do("register")
    assert PREFERENCE in sandbox.do("context").block.text  # type: ignore[union-attr]


def test_only_a_person_purges_and_no_byte_is_left(sandbox: AppSandbox) -> None:
    sandbox.talk("I keep the zeppelin schedule in locker 4711.")
    sandbox.do("register", "mail")
    sandbox.talk("I keep the trombone receipts in locker 4812.", "mail")
    for caller in (PROGRAM, MODEL):
        with pytest.raises(Refused, match="only a person"):
            sandbox.do("uninstall", purge=True, yes=True, as_=caller)
    with pytest.raises(UsageError, match="1 memory and 1 conversation of calendar for good; add --yes"):
        sandbox.do("purge", as_=USER)
    assert sandbox.files_with("zeppelin")
    answer = sandbox.do("uninstall", purge=True, yes=True, as_=USER)
    assert (len(answer.purged), answer.purged_conversations) == (1, 1)
    assert sandbox.files_with("zeppelin") == []
    assert len(sandbox.contents("mail")) == 1 and sandbox.files_with("trombone")
    sandbox.do("register")
    sandbox.talk("I keep the zeppelin schedule in locker 4711.")
    assert len(sandbox.contents()) == 1
    assert sandbox.ask("verify").problems == ()


def test_a_program_purges_with_a_code(sandbox: AppSandbox) -> None:
    sandbox.talk(PREFERENCE)
    answer = sandbox.do("purge", yes=True, code=give_code(sandbox.home, "apps"))
    assert len(answer.purged) == 1 and sandbox.contents() == []
