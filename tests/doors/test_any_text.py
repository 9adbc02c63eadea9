"""Whatever is said, the door answers with a value: what it lets in is clean, and is known when it comes again."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from limpet.model.outcome import Admitted, Duplicate, Rejected
from limpet.operations.catalogue import verb
from limpet.operations.remember import run
from limpet.text.tokens import count_tokens
from tests.operations.desk import Desk

ANY = st.one_of(
    st.text(st.characters(), max_size=200),
    st.text(st.sampled_from("ab \n\t\r\0\x1b[31m\u202e\u200b\U000e0041\ud800😀日本é<private></private>"), max_size=60),
    st.text(max_size=40).map(lambda text: f"password={text} <private>{text}</private>"),
)


def test_any_text_and_title_is_answered_with_a_value(desk: Desk) -> None:
    with desk.open() as runtime:

        @given(text=ANY, title=st.one_of(st.none(), ANY), tags=st.lists(ANY, max_size=3))
        def check(text: str, title: str | None, tags: list[str]) -> None:
            desk.ms += 1
            outcome = run(runtime, text=text, title=title, tags=tags)
            if isinstance(outcome, Rejected):
                assert outcome.reason and outcome.reason.isprintable()
                return
            memory = outcome.memory
            for kept in (memory.content, memory.original_content, memory.title, memory.subtitle, *memory.tags):
                assert not any(
                    unicodedata.category(letter) in ("Cc", "Cs", "Co") for letter in kept if letter not in "\n\t"
                )
                assert "\u202e" not in kept and "\U000e0041" not in kept
                assert "<private>" not in kept
            if isinstance(outcome, Admitted):
                assert memory.token_count == count_tokens(memory.content)
                assert isinstance(run(runtime, text=text), Duplicate)

        check()
    assert desk.ask("verify").problems == ()


def test_any_text_is_a_question_and_an_id_that_breaks_nothing(desk: Desk) -> None:
    desk.remember("Migrations run with alembic")
    with desk.open() as runtime:

        @given(text=ANY)
        def check(text: str) -> None:
            page = verb("recall").run(runtime, query=text, limit=3)
            assert all(hit.memory.content for hit in page.items)
            verb("facts").run(runtime, words=(text,))
            verb("list").run(runtime, tag=text, file=text, session=text, branch=text)
            for source in ("session", "file"):
                verb("forget").run(runtime, source=f"{source}:x{text}", dry_run=True)

        check()
