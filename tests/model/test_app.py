"""Apps and conversations are folded from their changes in any order of arrival, and hostile changes have no effect."""

from __future__ import annotations

from limpet.model.app import APP_PREFIX, CONVERSATION_PREFIX, fold_app, fold_conversation
from limpet.model.change import Change, ChangeKind
from limpet.model.ids import stamp


def test_changes_that_name_another_app_or_no_role_have_no_effect() -> None:
    def change(number: int, **payload: object) -> Change:
        kind, subject = ChangeKind.CONVERSATION, CONVERSATION_PREFIX + "c"
        return Change(kind=kind, subject=subject, payload=payload, id=stamp(number), actor=APP_PREFIX)

    changes = [
        change(1, app="calendar", role="user", text="hello"),
        change(2, app="mail", role="user", text="mine"),
        change(3, app="calendar", role="god", text="order"),
        change(4, app="calendar", role=7, text="order"),
        change(5, app="mail", ended=True),
        change(6, app=["calendar"], ended=True),
        change(7, text="nobody's"),
    ]
    for ordered in (changes, changes[::-1]):
        found = fold_conversation(ordered)
        assert found is not None and (found.app, found.messages, found.ended_at) == ("calendar", 1, None)
    assert fold_conversation([]) is None


def test_the_first_settlement_counts() -> None:
    def settle(number: int, memory: str) -> Change:
        payload = {"app": "mail", "settled": True, "memory": memory, "energy": number, "reason": "r" * 999}
        return Change(kind=ChangeKind.CONVERSATION, subject="conversation:c", payload=payload, id=stamp(number))

    for ordered in ([settle(1, "a"), settle(2, "b")], [settle(2, "b"), settle(1, "a")]):
        found = fold_conversation(ordered)
        assert found is not None and (found.memory, found.energy, len(found.reason)) == ("a", 1, 200)


def test_an_app_keeps_its_name_until_it_gets_another() -> None:
    def change(number: int, **payload: object) -> Change:
        return Change(kind=ChangeKind.APP, subject="app:mail", payload=payload, id=stamp(number))

    changes = [change(1, name="Mail", installed=True), change(2, installed=False), change(3, polled=True, name=7)]
    for ordered in (changes, changes[::-1]):
        app = fold_app(ordered)
        assert app is not None
        assert (app.id, app.name, app.is_installed, app.polled) == ("mail", "Mail", False, changes[2].id)
    assert fold_app([]) is None
