"""Register and uninstall apps. The memories of an uninstalled app remain until a person purges them."""

from __future__ import annotations

from collections.abc import Mapping

from limpet.doors.context import Context
from limpet.doors.fields import clean_words
from limpet.errors import InvalidId, Unfit, UsageError
from limpet.lean.pattern import lazy
from limpet.model.app import APP_PREFIX, App
from limpet.model.change import Change, ChangeKind
from limpet.model.memory import Sensitivity
from limpet.model.query import NO_LIMIT, Query, Stored
from limpet.model.scope import Scope
from limpet.store.protocol import Reading

_LONGEST_NAME = 255
_ID = lazy(r"[a-z0-9][a-z0-9._-]{0,63}")


def actor_of(app: str) -> str:
    """Return the name under which the journal records an app as the author of changes."""
    return APP_PREFIX + app


def app_change(app: str, payload: Mapping[str, object]) -> Change:
    """Return the change that gives an app the properties in `payload`, with the app as its author."""
    return Change(kind=ChangeKind.APP, subject=actor_of(app), actor=actor_of(app), payload=payload)


def check_app_id(text: str) -> str:
    """Return the id of an app in lower case; raise UsageError if it is not valid."""
    app = text.strip().lower()
    if _ID.fullmatch(app) is None:
        raise UsageError(f"{text[:60]!r} cannot be an app's id; use 1 to 64 letters, digits, dots, _ or -")
    return app


def register(context: Context, app: str, *, name: str = "") -> App:
    """Register an app, or rename it if it is already registered.

    Nothing changes if a registered app is registered again without a name.
    """
    id = check_app_id(app)
    try:
        label = clean_words("name", name, limit=_LONGEST_NAME)[0]
    except Unfit as unfit:
        raise UsageError(str(unfit)) from None
    known = context.reading().app(id)
    if known is None or not known.is_installed or (label and label != known.name):
        payload = {"name": label or (known.name if known else id), "installed": True}
        context.write([app_change(id, payload)])
    return find_app(context.reading(), id)


def find_app(reading: Reading, app: str, *, installed: bool = False) -> App:
    """Return an app by its id; raise InvalidId if it is not registered or, if `installed`, if it was uninstalled."""
    found = reading.app(check_app_id(app))
    if found is None or (installed and not found.is_installed):
        what = "is not registered" if found is None else "was uninstalled"
        raise InvalidId(f"the app {app[:60]!r} {what}; limpet apps register {app[:60]} registers it")
    return found


def uninstall(context: Context, app: str) -> App:
    """Uninstall an app. Its memories and conversations are kept."""
    found = find_app(context.reading(), app)
    if found.is_installed:
        context.write([app_change(found.id, {"installed": False})])
    return find_app(context.reading(), found.id)


def list_memories(context: Context, app: str, *, limit: int = NO_LIMIT) -> tuple[Stored, ...]:
    """Return the live memories of an app, of any sensitivity, newest first."""
    query = Query(
        scope=Scope(agent=context.scope.agent, app=app),
        sensitivity=tuple(Sensitivity),
        now=context.now(),
        limit=limit,
    )
    return tuple(context.judge(stored) for stored in context.reading().browse(query).items)
