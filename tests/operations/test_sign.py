"""Signing covers every memory of an agent, and never makes tampering look honest."""

from __future__ import annotations

import shutil
import stat

import pytest

from limpet.errors import Refused
from limpet.model.signature import Verdict
from limpet.operations import confirm, pin, sign
from limpet.runtime.codes import show_code
from limpet.runtime.keys import KeyFolder
from limpet.runtime.permissions import find_memory
from tests.operations.sandbox import DAY, MODEL, PROGRAM, Sandbox

TEXT = "Migrations run with alembic"


def test_signing_makes_a_key_for_its_owner_alone(sandbox: Sandbox) -> None:
    memory = sandbox.remember(TEXT)
    answer = sandbox.ask("sign")
    assert (answer.signed, answer.new_key, answer.left) == (1, True, ())
    files = list((sandbox.home / "keys").iterdir())
    assert [file.name.partition(".")[2] for file in files] == [f"{answer.key_id}.key"]
    assert stat.S_IMODE(files[0].stat().st_mode) == 0o600
    assert stat.S_IMODE((sandbox.home / "keys").stat().st_mode) == 0o700
    assert sandbox.verdict(memory) is Verdict.GOOD
    (key,) = KeyFolder(str(sandbox.home)).ring().keys.values()
    assert sandbox.files_with(key) == []
    assert [name for name in sandbox.files_with(key.hex()) if not name.startswith("keys/")] == []


def test_signing_covers_every_memory_of_every_agent(sandbox: Sandbox) -> None:
    everywhere = [
        sandbox.remember("Of another agent", by="Other"),
        sandbox.remember("In this project"),
        sandbox.remember("In another project", cwd=sandbox.folder),
        sandbox.remember("For the owner", sensitivity="secret"),
        sandbox.remember("Gone tomorrow", ttl_days=1),
    ]
    gone = sandbox.remember("Forgotten")
    sandbox.ask("forget", ids=[gone.id])
    sandbox.ms += 2 * DAY
    assert sandbox.ask("sign").signed == len(everywhere) + 1
    assert sandbox.ask("show", id=everywhere[0].id, by="Other").stored.verdict is Verdict.GOOD
    assert sandbox.ask("verify").signed == 6


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
    with pytest.raises(Refused, match="run this on a terminal"):
        sandbox.ask("sign", as_=PROGRAM, yes=True)
    assert not (sandbox.home / "keys").exists()
    assert sandbox.ask("sign", as_=PROGRAM, code=show_code(str(sandbox.home), "sign", now_ms=sandbox.ms)).new_key


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
        sandbox.tamper(memory, lambda body: body.update({field: value, "original_content": TEXT} | {field: value}))
        stored = find_memory(runtime, memory.id)
        assert stored.verdict is expected
        assert stored.warned and expected.value in stored.warnings


def test_a_memory_that_was_tampered_with_is_never_made_to_look_honest(sandbox: Sandbox) -> None:
    sandbox.ask("sign")
    memory = sandbox.remember(TEXT)
    with sandbox.open() as runtime:
        runtime.reading()
        sandbox.tamper(
            memory, lambda body: body.update(original_content="Never use alembic", content="Never use alembic")
        )
        assert pin.run(runtime, id=memory.id).memory.pinned
        confirm.VERB.run(runtime, ids=[memory.id])
        changes = [change for change in runtime.reading().history(memory.id) if change.kind in ("pin", "confirm")]
        assert [change.payload.get("signature") for change in changes] == [None, None]
        sandbox.tamper(
            memory, lambda body: body.update(original_content="Never use alembic", content="Never use alembic")
        )
        assert sign.VERB.run(runtime).left == (memory.id,)


def test_pinning_confirming_and_refreshing_keep_a_good_signature_good(sandbox: Sandbox) -> None:
    sandbox.ask("sign")
    memory = sandbox.remember(TEXT, as_=MODEL)
    sandbox.ask("pin", id=memory.id)
    sandbox.ask("confirm", ids=[memory.id])
    sandbox.ask("remember", text=TEXT, tags=["db"], files=["a.py"])
    sandbox.remember("Migrations do not run with alembic")
    assert sandbox.verdict(memory) is Verdict.GOOD


def test_a_lost_key_is_reported_and_a_new_one_can_be_made(sandbox: Sandbox) -> None:
    sandbox.ask("sign")
    memory = sandbox.remember(TEXT)
    shutil.rmtree(sandbox.home / "keys")
    assert sandbox.verdict(memory) is Verdict.FOREIGN
    unsigned = sandbox.remember("Stored without the key")
    assert sandbox.verdict(unsigned) is Verdict.KEYLESS
    with pytest.raises(Refused, match=r"is not on this machine; copy it into .*keys, or make a new one with --new-key"):
        sandbox.ask("sign")
    assert sandbox.ask("sign", new_key=True).left == (memory.id,)
    assert sandbox.verdict(unsigned) is Verdict.GOOD


def test_the_key_of_a_home_serves_all_its_agents(sandbox: Sandbox) -> None:
    sandbox.ask("sign", by="Other")
    assert sandbox.verdict(sandbox.remember(TEXT)) is Verdict.GOOD
