"""A signer signs with the newest key of the home, and notices a key that another process has made."""

from __future__ import annotations

from limpet.lean.record import replace
from limpet.model.query import Stored
from limpet.model.signature import Verdict
from tests.operations.sandbox import Sandbox


def test_a_key_of_another_process_is_seen_after_the_next_reading(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The zebra crossing is white")
    with sandbox.open() as runtime:
        assert not runtime.signer.is_signing()
        assert runtime.signer.judge(Stored(memory=memory)).verdict is Verdict.NOT_SIGNING
        sandbox.ask("sign")
        assert not runtime.signer.is_signing()
        runtime.reading()
        assert runtime.signer.is_signing()
        assert runtime.signer.judge(Stored(memory=memory)).verdict is Verdict.MISSING


def test_only_a_memory_with_a_good_signature_is_signed_again(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The zebra crossing is white")
    sandbox.ask("sign")
    with sandbox.open() as runtime:
        signed = replace(memory, signature=runtime.signer.sign(memory))
        pinned = replace(signed, pinned=True)
        assert runtime.signer.sign_again(Stored(memory=memory), pinned) == {}
        assert runtime.signer.sign_again(Stored(memory=pinned), pinned) == {}
        again = runtime.signer.sign_again(Stored(memory=signed), pinned)
        assert runtime.signer.judge(Stored(memory=replace(pinned, **again))).verdict is Verdict.GOOD
