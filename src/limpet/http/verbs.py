"""Answer a request by the verb that its address stands for."""

from __future__ import annotations

import json

from limpet.http.auth import Visitor
from limpet.http.endpoints import Endpoint
from limpet.http.refusal import Refusal
from limpet.model.memory import Origin
from limpet.operations.catalogue import load_verb
from limpet.operations.model_view import render_for_model
from limpet.runtime import Caller
from limpet.runtime.exclusive import ExclusiveRuntime
from limpet.runtime.identity import CODE
from limpet.runtime.serving import RequestPlace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

AGENT = Caller(origin=Origin.AGENT, is_agent=True)
PERSON = Caller(origin=Origin.USER, proof=CODE)
"""Somebody who has the credential that was shown on a terminal."""


def require_credential(name: str, visitor: Visitor) -> None:
    """Refuse a request for a verb that only a person may ask for, if it has no credential of a person."""
    takes_code = any(param.name == "code" for param in load_verb(name).params)
    if not visitor.is_person and not (visitor.code and takes_code):
        code = f", or a code that `limpet {name} --code new` shows on a terminal" if takes_code else ""
        raise Refusal(
            403,
            "only a person can do this; send `Limpet-Person: …` with what `limpet serve` has shown on its terminal"
            + code,
        )


def answer_verb(
    shared: ExclusiveRuntime,
    endpoint: Endpoint,
    visitor: Visitor,
    place: RequestPlace,
    values: dict[str, Any],
    in_path: Mapping[str, str],
) -> tuple[int, str]:
    """Run the verb and return the status and the JSON of its answer.

    A caller who has only the token may be a model, so the answer passes the governor, as on the command line.
    """
    chosen = load_verb(endpoint.verb)
    accepted = endpoint.accept(values, in_path)
    if visitor.code and any(param.name == "code" for param in chosen.params):
        accepted["code"] = visitor.code
    caller = PERSON if visitor.is_person else AGENT
    with shared.use_at(place, caller) as runtime:
        answer = chosen.run(runtime, **accepted)
        # A failure of a command that a model wrote is told to the model, in the result.
        status = 422 if chosen.is_failure(answer) and not endpoint.whole_body else 200
        if endpoint.encode is not None:
            return status, json.dumps(endpoint.encode(answer))
        if caller.is_agent:
            return status, render_for_model(endpoint.verb, runtime, answer)
        return status, json.dumps(chosen.to_json(answer, runtime.now()))
