"""The verb of apps: bad input gets a sentence, and every answer can be written as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from limpet.errors import AmbiguousId, InvalidId, UsageError
from limpet.forms.json import encode_answer
from limpet.forms.model import render_for_model
from limpet.operations.catalogue import load_verb
from tests.apps.talking import PREFERENCE, AppSandbox
from tests.operations.sandbox import MODEL, USER, isolate_environment


@pytest.fixture
def apps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppSandbox:
    isolate_environment(monkeypatch, tmp_path)
    return AppSandbox(tmp_path)


@pytest.mark.parametrize(
    ("action", "app", "values", "sentence"),
    [
        ("fly", "calendar", {}, "choose from list, register"),
        ("context", None, {}, "say which app: limpet apps context APP"),
        ("end", "calendar", {}, "say which conversation: give one id"),
        ("work", None, {"energy": 1.5}, "from 0 to 1"),
        ("energy", None, {"poll": True}, "say for which app"),
        ("conversations", "calendar", {"limit": 0}, "limit is 0"),
    ],
)
def test_bad_input_gets_a_sentence(
    apps: AppSandbox, action: str, app: str | None, values: dict[str, object], sentence: str
) -> None:
    with pytest.raises(UsageError, match=sentence):
        apps.do(action, app, **values)


@pytest.mark.parametrize("action", ["restore", "purge"])
def test_a_memory_of_another_app_or_of_a_project_is_not_found(apps: AppSandbox, action: str) -> None:
    apps.do("register", "mail")
    apps.talk(PREFERENCE, "mail")
    other, own = apps.ids("mail")[0], apps.remember("The API speaks JSON").id
    for id in (other, own, "mem_", "x y"):
        with pytest.raises(InvalidId, match="limpet apps memories calendar"):
            apps.do(action, "calendar", id, yes=True, as_=USER)


@pytest.mark.parametrize("action", ["restore", "purge"])
def test_what_names_no_memory_or_several_changes_none(apps: AppSandbox, action: str) -> None:
    apps.talk(PREFERENCE)
    before = apps.journal()
    for id in ("0", "mem_0", "", " ", apps.ids()[0][:7]):
        with pytest.raises(InvalidId, match="is not a memory id"):
            apps.do(action, "calendar", id, yes=True, as_=USER)
    assert apps.journal() == before
    apps.talk("I never work on Fridays, since my son is at home.")
    before = apps.journal()
    with pytest.raises(AmbiguousId, match="give more characters"):
        apps.do(action, "calendar", apps.ids()[0][:9], yes=True, as_=USER)
    assert apps.journal() == before


def test_every_answer_can_be_written_as_json_for_people_and_models(apps: AppSandbox) -> None:
    id = apps.say(PREFERENCE)
    for action, words in {
        "list": (),
        "register": (),
        "converse": ("hello",),
        "end": (id,),
        "context": (),
        "memories": (),
        "conversations": (),
        "energy": (),
        "work": (),
        "uninstall": (),
    }.items():
        answer = apps.do(action, "calendar", *words)
        assert json.loads(json.dumps(encode_answer(load_verb("apps"), answer, apps.now)))["action"] == action
        with apps.open(MODEL) as runtime:
            assert json.loads(render_for_model("apps", runtime, answer))["action"] == action


def test_a_page_of_conversations(apps: AppSandbox) -> None:
    ids = [apps.say(PREFERENCE) for _ in range(3)]
    answer = apps.do("conversations", limit=2)
    assert [each.id for each in answer.conversations] == ids[:0:-1] and answer.total == 3
    assert [each.id for each in apps.do("conversations", offset=2).conversations] == ids[:1]
