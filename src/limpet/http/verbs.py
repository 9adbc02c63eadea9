"""Answer a request by the verb that its address stands for."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import contextmanager
from urllib.parse import unquote

from limpet.errors import UsageError
from limpet.http.endpoints import Endpoint
from limpet.http.gate import Refusal, Visitor
from limpet.lean.record import record
from limpet.model.memory import Origin
from limpet.operations.catalogue import verb
from limpet.operations.model_view import render_for_model
from limpet.runtime import Caller, Runtime
from limpet.runtime.exclusive import Exclusive
from limpet.runtime.identity import CODE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

FOLDER_HEADER, SESSION_HEADER = "limpet-folder", "limpet-session"
"""Where the request comes from: the folder of the project, percent-encoded, and the session."""

AGENT = Caller(origin=Origin.AGENT, is_agent=True)
PERSON = Caller(origin=Origin.USER, proof=CODE)
"""Somebody who has the credential that was shown on a terminal."""


@record
class Place:
    """The folder and the session that a request names."""

    folder: str
    session: str = ""

    @classmethod
    def of(cls, headers: Mapping[str, str], *, default: str) -> Place:
        folder = unquote(headers.get(FOLDER_HEADER, ""), errors="surrogateescape").strip()
        if "\0" in folder or (folder and not folder.startswith("/") and ":" not in folder[:3]):
            raise UsageError(f"{FOLDER_HEADER} is {folder[:60]!r}; give an absolute path, percent-encoded")
        return cls(folder=folder or default, session=headers.get(SESSION_HEADER, "").strip())


class SharedRuntime:
    """The open memory of a server; one request uses it at a time, each in its own folder."""

    def __init__(self, open: Callable[[], Runtime]) -> None:
        self._runtime = Exclusive(open)

    @contextmanager
    def at(self, place: Place, caller: Caller) -> Iterator[Runtime]:
        """Yield a runtime for the folder and the session of a request."""
        with self._runtime.use() as runtime:
            # Another process may have written since the last request.
            runtime.reset_identity()
            yield runtime.elsewhere(place.folder, session=place.session, caller=caller, as_asked=True)

    def rest(self, work: Callable[[Runtime], None]) -> None:
        """Do work between requests; nothing is done while a request is answered."""
        with self._runtime.use_if_idle() as runtime:
            if runtime is not None:
                work(runtime)

    def close(self, *, timeout: float) -> None:
        self._runtime.close(timeout=timeout)


def require_credential(endpoint: Endpoint, visitor: Visitor) -> None:
    """Refuse a request for a verb that only a person may ask for, if it has no credential of a person."""
    takes_code = any(param.name == "code" for param in verb(endpoint.verb).params)
    if endpoint.needs_person and not visitor.is_person and not (visitor.code and takes_code):
        code = f", or a code that `limpet {endpoint.verb} --code new` shows on a terminal" if takes_code else ""
        raise Refusal(
            403,
            "only a person can do this; send `Limpet-Person: …` with what `limpet serve` has shown on its terminal"
            + code,
        )


def answer_verb(
    shared: SharedRuntime,
    endpoint: Endpoint,
    visitor: Visitor,
    place: Place,
    values: dict[str, Any],
    in_path: Mapping[str, str],
) -> tuple[int, str]:
    """Run the verb and return the status and the JSON of its answer.

    Whoever has only the token may be a model, so its answer has passed the governor, as on the command line.
    """
    chosen = verb(endpoint.verb)
    accepted = endpoint.accept(values, in_path)
    if visitor.code and any(param.name == "code" for param in chosen.params):
        accepted["code"] = visitor.code
    caller = PERSON if visitor.is_person else AGENT
    with shared.at(place, caller) as runtime:
        answer = chosen.run(runtime, **accepted)
        status = 422 if chosen.is_failure(answer) else 200
        if caller.is_agent:
            return status, render_for_model(endpoint.verb, runtime, answer)
        return status, json.dumps(chosen.to_json(answer, runtime.now()))
