"""List settings and where the value of each comes from, or change one setting."""

from __future__ import annotations

from limpet import settings as declared
from limpet.errors import Refused, UsageError
from limpet.lean.record import pick, record
from limpet.operations.catalogue import Param, Verb
from limpet.runtime import Runtime
from limpet.runtime.settings_file import set_value, unset_value
from limpet.text.excerpt import quote


@record
class SettingValue:
    """A setting with its value and the place that the value comes from, such as the user's settings file."""

    key: str
    value: bool | int | float | str
    default: bool | int | float | str
    origin: str
    help: str


@record
class ConfigAnswer:
    """The requested settings. `changed` is the name of the setting that was changed, or an empty string."""

    settings: tuple[SettingValue, ...]
    home: str
    changed: str = ""
    was_unset: str = ""
    """The name of the setting that was to be removed from the user's file, if the file did not have it."""


def run(runtime: Runtime, *, key: str | None = None, value: str | None = None, unset: bool = False) -> ConfigAnswer:
    settings = runtime.settings
    changed = ""
    if unset and (key is None or value is not None):
        raise UsageError("--unset takes the name of one setting, e.g. limpet config --unset recall.limit")
    if value is not None and key is None:
        raise UsageError("a value needs the name of its setting, e.g. limpet config recall.limit 10")
    if key is not None and (value is not None or unset):
        if runtime.caller.is_agent:
            raise Refused("only a person can change settings; ask the user to run this in a terminal")
        if unset:
            changed = key if unset_value(settings.home, key) else ""
        else:
            set_value(settings.home, key, value or "")
            changed = key
        settings = declared.load(home=settings.home, project_dir=runtime.place.root)
    listed = [
        SettingValue(
            key=info.key,
            value=settings.value_of(info.key),
            default=info.default,
            origin=settings.origin_of(info.key),
            help=info.help,
        )
        for info in declared.describe()
        if key is None or info.key == key or info.key.startswith(f"{key}.")
    ]
    if not listed:
        raise UsageError(f"no setting is called {quote(key)}; `limpet config` lists them")
    was_unset = key or "" if unset and not changed else ""
    return ConfigAnswer(settings=tuple(listed), home=settings.home, changed=changed, was_unset=was_unset)


VERB = Verb(
    run=run,
    shape=lambda answer: pick(answer, "home", "settings"),
    params=(
        Param(name="key", help="One setting or section; all if not given.", positional=True),
        Param(name="value", help="The new value, written to config.toml in the home.", positional=True),
        Param(name="unset", help="Remove the setting from config.toml, so that its default holds again.", kind="flag"),
    ),
    examples=("limpet config", "limpet config recall.limit 10", "limpet config --unset recall.limit"),
)
