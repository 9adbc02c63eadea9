"""Settings can be listed with where each comes from, and changed by a person."""

from __future__ import annotations

import os
from typing import Any

import pytest

from limpet.errors import Refused, SettingsError, UsageError
from tests.operations.sandbox import MODEL, Sandbox


def test_only_a_person_changes_settings(sandbox: Sandbox) -> None:
    for values in ({"key": "admit.redact", "value": "false"}, {"key": "admit.redact", "unset": True}):
        with pytest.raises(Refused, match="only a person can change settings"):
            sandbox.ask("config", as_=MODEL, **values)
    assert not os.path.exists(sandbox.home / "config.toml")
    assert sandbox.ask("config", as_=MODEL, key="admit.redact").settings[0].value is True


def setting(sandbox: Sandbox, key: str, **values: Any) -> tuple[object, str]:
    found = sandbox.ask("config", key=key, **values).settings[0]
    return found.value, found.origin


def test_every_setting_says_where_its_value_comes_from(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    assert setting(sandbox, "recall.limit") == (5, "default")
    sandbox.ask("config", key="recall.limit", value="7")
    assert setting(sandbox, "recall.limit") == (7, f"user file {sandbox.home}/config.toml")
    (sandbox.project / ".limpet.toml").write_text("[recall]\nlimit = 8\n")
    assert setting(sandbox, "recall.limit") == (8, f"project file {sandbox.project}/.limpet.toml")
    monkeypatch.setenv("LIMPET_RECALL__LIMIT", "9")
    assert setting(sandbox, "recall.limit") == (9, "environment LIMPET_RECALL__LIMIT")
    assert setting(sandbox, "recall.limit", flags={"recall.limit": 3}) == (3, "flag")


def test_a_setting_can_be_taken_back(sandbox: Sandbox) -> None:
    sandbox.ask("config", key="recall.limit", value="7")
    sandbox.ask("config", key="recall.limit", unset=True)
    assert setting(sandbox, "recall.limit") == (5, "default")


def test_a_section_lists_its_settings(sandbox: Sandbox) -> None:
    keys = [each.key for each in sandbox.ask("config", key="recall").settings]
    assert len(keys) > 3 and all(key.startswith("recall.") for key in keys)
    assert len(sandbox.ask("config").settings) > len(keys)
    assert all(each.help.endswith(".") for each in sandbox.ask("config").settings)


@pytest.mark.parametrize(
    "values",
    [
        {"key": "recall.nothing"},
        {"key": "nothing"},
        {"key": "recall.nothing", "value": "1"},
        {"key": "recall", "value": "1"},
        {"key": "recall.limit", "value": "many"},
        {"key": "recall.limit", "value": "-1"},
        {"key": "recall.limit", "value": ""},
        {"unset": True},
        {"key": "recall.limit", "value": "1", "unset": True},
    ],
)
def test_a_wrong_setting_changes_nothing(sandbox: Sandbox, values: dict[str, Any]) -> None:
    sandbox.ask("config", key="agent.name", value="Crab")
    before = (sandbox.home / "config.toml").read_bytes()
    with pytest.raises((UsageError, SettingsError)):
        sandbox.ask("config", **values)
    assert (sandbox.home / "config.toml").read_bytes() == before


def test_settings_are_obeyed(sandbox: Sandbox) -> None:
    for number in range(4):
        sandbox.remember(f"The walrus number {number} swims")
    sandbox.ask("config", key="recall.limit", value="2")
    assert len(sandbox.texts("recall", query="walrus swims")) == 2
    sandbox.ask("config", key="admit.max_bytes", value="10")
    assert "10 are allowed" in sandbox.ask("remember", text="more than ten bytes").reason
