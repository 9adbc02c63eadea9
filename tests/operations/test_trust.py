"""Signing, verifying, confirming, blaming: tampering is seen, never covered up, and everything can be asked why."""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections.abc import Callable
from typing import Any

import apsw
import pytest

from limpet.errors import Refused
from limpet.model.memory import Memory, Origin
from limpet.model.signature import Verdict
from limpet.operations import confirm, pin, sign, verify
from limpet.runtime import keys
from tests.operations.sandbox import DAY, MODEL, PROGRAM, Sandbox, git_folder

TEXT = "Migrations run with alembic"


def verdict(sandbox: Sandbox, memory: Memory) -> Verdict:
    found: Verdict = sandbox.ask("show", id=memory.id).stored.verdict
    return found


def tamper(sandbox: Sandbox, memory: Memory, change: Callable[[dict[str, Any]], None]) -> None:
    """Alter what the index shows of a memory, by hand, as somebody with access to the disk would."""
    connection = apsw.Connection(str(sandbox.home / "index.db"))
    body = json.loads(str(connection.execute("SELECT body FROM memory WHERE id = ?", (memory.id,)).get))
    change(body)
    connection.execute("UPDATE memory SET body = ? WHERE id = ?", (json.dumps(body), memory.id))
    connection.close()


def test_signing_makes_a_key_for_its_owner_alone(sandbox: Sandbox) -> None:
    memory = sandbox.remember(TEXT)
    answer = sandbox.ask("sign")
    assert (answer.signed, answer.new_key, answer.left) == (1, True, ())
    files = list((sandbox.home / "keys").iterdir())
    assert [file.name for file in files] == [f"anima.{answer.key_id}.key"]
    assert stat.S_IMODE(files[0].stat().st_mode) == 0o600
    assert stat.S_IMODE((sandbox.home / "keys").stat().st_mode) == 0o700
    assert verdict(sandbox, memory) is Verdict.GOOD
    key = next(iter(keys.load(str(sandbox.home)).values()))[1]
    assert sandbox.files_with(key) == []
    assert [name for name in sandbox.files_with(key.hex()) if not name.startswith("keys/")] == []


def test_signing_covers_every_memory_of_the_agent_and_none_of_another(sandbox: Sandbox) -> None:
    other = sandbox.remember("Of another agent", by="Other")
    everywhere = [
        sandbox.remember("In this project"),
        sandbox.remember("In another project", cwd=sandbox.folder),
        sandbox.remember("For the owner", sensitivity="secret"),
        sandbox.remember("Gone tomorrow", ttl_days=1),
    ]
    gone = sandbox.remember("Forgotten")
    sandbox.ask("forget", ids=[gone.id])
    sandbox.ms += 2 * DAY
    assert sandbox.ask("sign").signed == len(everywhere) + 1
    assert sandbox.ask("show", id=other.id, by="Other").stored.memory.signature is None
    assert sandbox.ask("verify").signed == 5


def test_signing_again_signs_nothing_new(sandbox: Sandbox) -> None:
    sandbox.remember(TEXT)
    first = sandbox.ask("sign")
    second = sandbox.ask("sign")
    assert (second.signed, second.new_key, second.key_id) == (0, False, first.key_id)


def test_with_a_new_key_old_signatures_stay_good_and_new_ones_use_it(sandbox: Sandbox) -> None:
    old = sandbox.remember(TEXT)
    first = sandbox.ask("sign").key_id
    second = sandbox.ask("sign", new_key=True).key_id
    new = sandbox.remember("Signed with the second")
    assert first != second
    assert first in str(sandbox.ask("show", id=old.id).stored.memory.signature)
    assert second in str(new.signature)
    assert sandbox.ask("verify").problems == ()


def test_only_a_person_signs(sandbox: Sandbox) -> None:
    for values in ({}, {"yes": True}, {"new_key": True}):
        with pytest.raises(Refused, match="only a person can sign memories"):
            sandbox.ask("sign", as_=MODEL, **values)
    with pytest.raises(Refused, match="add --yes"):
        sandbox.ask("sign", as_=PROGRAM)
    assert not (sandbox.home / "keys").exists()
    assert sandbox.ask("sign", as_=PROGRAM, yes=True).new_key


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("content", "Never use alembic", Verdict.ALTERED),
        ("original_content", "Never use alembic", Verdict.WRONG),
        ("impact", "CRITICAL", Verdict.WRONG),
        ("origin", "agent", Verdict.WRONG),
        ("title", "Obey", Verdict.WRONG),
        ("confirmed", True, Verdict.ALTERED),
        ("signature", None, Verdict.MISSING),
        ("signature", "hmac-sha256:short", Verdict.MALFORMED),
        ("signature", f"hmac-sha256:{'0' * 16}:{'0' * 64}:{'0' * 64}", Verdict.FOREIGN),
    ],
)
def test_whatever_is_changed_by_hand_is_seen_and_shown(
    sandbox: Sandbox, field: str, value: object, expected: Verdict
) -> None:
    sandbox.ask("sign")
    memory = sandbox.remember(TEXT)
    with sandbox.open() as runtime:
        runtime.reading()
        tamper(sandbox, memory, lambda body: body.update({field: value, "original_content": TEXT} | {field: value}))
        stored = runtime.find(memory.id)
        assert stored.verdict is expected
        assert stored.warned and expected.value in stored.warnings


def test_a_memory_that_was_tampered_with_is_never_made_to_look_honest(sandbox: Sandbox) -> None:
    sandbox.ask("sign")
    memory = sandbox.remember(TEXT)
    with sandbox.open() as runtime:
        runtime.reading()
        tamper(
            sandbox, memory, lambda body: body.update(original_content="Never use alembic", content="Never use alembic")
        )
        assert pin.run(runtime, id=memory.id).memory.pinned
        confirm.run(runtime, ids=[memory.id])
        changes = [change for change in runtime.reading().history(memory.id) if change.kind in ("pin", "confirm")]
        assert [change.payload.get("signature") for change in changes] == [None, None]
        tamper(
            sandbox, memory, lambda body: body.update(original_content="Never use alembic", content="Never use alembic")
        )
        assert sign.run(runtime).left == (memory.id,)


def test_pinning_confirming_and_refreshing_keep_a_good_signature_good(sandbox: Sandbox) -> None:
    sandbox.ask("sign")
    memory = sandbox.remember(TEXT, as_=MODEL)
    sandbox.ask("pin", id=memory.id)
    sandbox.ask("confirm", ids=[memory.id])
    sandbox.ask("remember", text=TEXT, tags=["db"], files=["a.py"])
    sandbox.remember("Migrations do not run with alembic")
    assert verdict(sandbox, memory) is Verdict.GOOD


def test_a_lost_key_is_said_and_a_new_one_can_be_made(sandbox: Sandbox) -> None:
    sandbox.ask("sign")
    memory = sandbox.remember(TEXT)
    shutil.rmtree(sandbox.home / "keys")
    assert verdict(sandbox, memory) is Verdict.FOREIGN
    assert sandbox.remember("Stored without the key").signature is None
    with pytest.raises(Refused, match=r"is not on this machine; copy it into .*keys, or make a new one with --new-key"):
        sandbox.ask("sign")
    assert sandbox.ask("sign", new_key=True).left == (memory.id,)


def test_a_key_of_another_agent_is_not_used(sandbox: Sandbox) -> None:
    sandbox.ask("sign", by="Other")
    assert sandbox.remember(TEXT).signature is None
    assert verdict(sandbox, sandbox.remember("Another")) is Verdict.NOT_SIGNING


# Verifying


def test_an_untouched_store_verifies(sandbox: Sandbox) -> None:
    first = sandbox.remember(TEXT)
    sandbox.ask("correct", id=first.id, text=f"{TEXT} 1.13")
    answer = sandbox.ask("verify")
    assert (answer.problems, answer.memories, answer.signed) == ((), 2, 0)


def test_an_edited_journal_is_seen_and_not_believed(sandbox: Sandbox) -> None:
    sandbox.remember(TEXT)
    path = next((sandbox.home / "journal").rglob("0*.jsonl"))
    path.write_bytes(path.read_bytes().replace(b"alembic", b"mayhem!"))
    with sandbox.open() as runtime:
        problems = verify.run(runtime).problems
        assert problems or any("damaged" in notice for notice in runtime.store.notices)
    assert sandbox.texts() == [TEXT]


# Confirming


def test_confirming_vouches_for_a_memory(sandbox: Sandbox) -> None:
    memory = sandbox.remember(TEXT, as_=MODEL, confidence=0.4)
    before = sandbox.json("show", id=memory.id)["memory"]["trust"]
    answer = sandbox.ask("confirm", ids=[memory.id, memory.id[:12]])
    assert [stored.memory.confirmed for stored in answer.memories] == [True]
    shown = sandbox.json("show", id=memory.id)["memory"]
    assert shown["confidence"] == 1.0
    assert shown["trust"] > before
    assert shown["origin"] == Origin.AGENT


def test_nobody_vouches_for_a_text_that_no_longer_counts(sandbox: Sandbox) -> None:
    first = sandbox.remember(TEXT)
    second = sandbox.ask("correct", id=first.id, text="Migrations run with liquibase").memory
    with pytest.raises(Refused, match=f"was corrected; confirm the newest version: {second.id}"):
        sandbox.ask("confirm", ids=[first.id])
    assert not sandbox.ask("show", id=second.id).stored.memory.confirmed


@pytest.mark.parametrize("values", [{}, {"yes": True}])
def test_no_model_confirms(sandbox: Sandbox, values: dict[str, object]) -> None:
    memory = sandbox.remember(TEXT, as_=MODEL)
    with pytest.raises(Refused, match="only a person can confirm"):
        sandbox.ask("confirm", ids=[memory.id], as_=MODEL, **values)
    with pytest.raises(Refused, match="add --yes"):
        sandbox.ask("confirm", ids=[memory.id], as_=PROGRAM)
    assert not sandbox.ask("show", id=memory.id).stored.memory.confirmed


# Blaming


def test_blame_tells_who_changed_what_and_when(sandbox: Sandbox) -> None:
    git_folder(sandbox.project, branch="tide", born="x")
    first = sandbox.remember(TEXT, session="s-1", as_=MODEL)
    second = sandbox.ask("correct", id=first.id, text="Migrations run with liquibase").memory
    sandbox.ask("pin", id=second.id)
    sandbox.ask("forget", ids=[second.id], reason="wrong project")
    found = sandbox.json("blame", id=first.id)
    assert (found["id"], found["origin"], found["session"], found["branch"]) == (first.id, "agent", "s-1", "tide")
    assert [(change["verb"], change["actor"]) for change in found["changes"]] == [
        ("admit", "agent:anima"),
        ("correct", "user:anima"),
        ("pin", "user:anima"),
        ("forget", "user:anima"),
        ("forget", "user:anima"),
    ]
    assert found["changes"][0]["at"].startswith("2026-03-01T12:00:01")
    assert len({change["device"] for change in found["changes"]}) == 1
    assert TEXT not in str(found["changes"])


def test_a_model_may_not_ask_about_what_it_may_not_see(sandbox: Sandbox) -> None:
    memory = sandbox.remember("For the owner", sensitivity="private")
    for name in ("blame", "show", "restore", "pin", "related", "graph"):
        with pytest.raises(Refused, match="shown to their owner only"):
            sandbox.ask(name, id=memory.id, as_=MODEL)
    with pytest.raises(Refused, match="shown to their owner only"):
        sandbox.ask("correct", id=memory.id, text="Mine now", as_=MODEL)


@pytest.mark.parametrize("name", ["list", "recall", "timeline", "graph", "export"])
def test_a_model_may_not_ask_for_private_memories(sandbox: Sandbox, name: str) -> None:
    asked = {"query": "x"} if name == "recall" else {}
    with pytest.raises(Refused, match="shown to their owner only"):
        sandbox.ask(name, private=True, as_=MODEL, **asked)
    if name in ("list", "recall"):
        for level in ("private", "secret", "unknown"):
            with pytest.raises(Refused):
                sandbox.ask(name, sensitivity=level, as_=MODEL, **asked)


def test_only_a_person_changes_settings(sandbox: Sandbox) -> None:
    for values in ({"key": "admit.redact", "value": "false"}, {"key": "admit.redact", "unset": True}):
        with pytest.raises(Refused, match="only a person can change settings"):
            sandbox.ask("config", as_=MODEL, **values)
    assert not os.path.exists(sandbox.home / "config.toml")
    assert sandbox.ask("config", as_=MODEL, key="admit.redact").settings[0].value is True
