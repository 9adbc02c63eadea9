"""Apps and conversations in the index: rebuilt from the journal to the same rows, and a purge leaves none."""

from __future__ import annotations

from datetime import timedelta

from limpet.model.app import APP_PREFIX, CONVERSATION_PREFIX
from limpet.model.change import Change, ChangeKind
from limpet.store.protocol import Store
from tests.model.making import START


def register(app: str) -> Change:
    payload = {"name": app.title(), "installed": True}
    return Change(kind=ChangeKind.APP, subject=APP_PREFIX + app, payload=payload, actor="a")


def say(app: str, conversation: str, **payload: object) -> Change:
    subject = CONVERSATION_PREFIX + conversation
    return Change(kind=ChangeKind.CONVERSATION, subject=subject, payload={"app": app, **payload}, actor="a")


def test_apps_and_conversations_are_read_back(store: Store) -> None:
    store.append([register("mail"), register("calendar"), say("mail", "c1", role="user", text="hello")])
    store.append([say("mail", "c1", ended=True), say("calendar", "c2", role="user", text="mine")])
    reading = store.reading()
    assert [app.name for app in reading.apps()] == ["Calendar", "Mail"]
    found = reading.conversation("mail", "c1")
    assert found is not None and found.messages == 1 and found.ended_at is not None
    assert reading.conversation("calendar", "c1") is None
    assert [each.id for each in reading.conversations("calendar", limit=5).items] == ["c2"]
    assert [each.text for each in reading.messages(found)] == ["hello"]
    since = START - timedelta(days=9000)
    assert [each.id for each in reading.conversations_to_settle(since=since, limit=5)] == ["c1"]
    store.append([say("mail", "c1", settled=True, memory="mem_1", created=True, energy=12, compactions=1)])
    reading = store.reading()
    assert reading.conversations_to_settle(since=since, limit=5) == ()
    assert (reading.energy(), reading.energy(app_id="mail"), reading.energy(app_id="calendar")) == (12, 12, 0)
    counts = {each.app: each for each in reading.app_counts(since=since)}
    assert (counts["mail"].created, counts["mail"].compactions, counts["calendar"].created) == (1, 1, 0)
    assert store.verify().problems == []


def test_the_conversations_of_one_app_are_found_behind_those_of_another(store: Store) -> None:
    store.append([register("mail"), register("calendar")])
    for number in range(4):
        store.append([say("mail", f"m{number}", role="user", text="hi"), say("mail", f"m{number}", ended=True)])
    store.append([say("calendar", "c1", role="user", text="hi"), say("calendar", "c1", ended=True)])
    since = START - timedelta(days=9000)
    found = store.reading().conversations_to_settle(since=since, limit=2, app="calendar")
    assert [each.id for each in found] == ["c1"]


def test_a_purged_conversation_leaves_no_row_and_no_text(store: Store) -> None:
    store.append([register("mail"), say("mail", "c1", role="user", text="the zeppelin is late")])
    store.purge([Change(kind=ChangeKind.PURGE, subject=CONVERSATION_PREFIX + "c1", actor="a")])
    reading = store.reading()
    assert reading.conversation("mail", "c1") is None
    assert all("zeppelin" not in str(change.payload) for change in reading.history(CONVERSATION_PREFIX + "c1"))
    store.append([say("mail", "c1", role="user", text="the zeppelin came back")])
    assert store.reading().conversation("mail", "c1") is None
    assert store.verify().problems == []


def test_the_state_of_an_earlier_moment_can_be_read(store: Store) -> None:
    (first,) = store.append([register("mail")])
    assert store.reading(first.at + timedelta(milliseconds=1)).app("mail") is not None
    assert store.reading(first.at - timedelta(seconds=1)).app("mail") is None
