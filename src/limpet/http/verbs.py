"""Answer a request by running the command of its endpoint."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from limpet.forms.json import encode_answer
from limpet.forms.model import render_for_model
from limpet.http.auth import Visitor
from limpet.http.endpoints import Endpoint
from limpet.http.refusal import Refusal
from limpet.model.memory import Origin
from limpet.operations.catalogue import load_verb
from limpet.runtime import Caller
from limpet.runtime.exclusive import ExclusiveRuntime
from limpet.runtime.identity import CODE
from limpet.runtime.serving import RequestPlace

AGENT = Caller(origin=Origin.AGENT, is_agent=True)
PERSON = Caller(origin=Origin.USER, proof=CODE)
"""The caller of a request that has a person's credential, which was shown on a terminal."""


def require_credential(name: str, visitor: Visitor) -> None:
    """Raise Refusal if the sender has neither a person's credential nor a code that the command `name` accepts."""
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
    """Run the command of an endpoint; return the HTTP status and the answer as JSON.

    A sender that has only the token may be a model, so its answer passes the governor, as on the command line.
    """
    chosen = load_verb(endpoint.verb)
    accepted = endpoint.accept(values, in_path)
    if visitor.code and any(param.name == "code" for param in chosen.params):
        accepted["code"] = visitor.code
    caller = PERSON if visitor.is_person else AGENT
    with shared.use_at(place, caller) as runtime:
        answer = chosen.run(runtime, **accepted)
        # If a model wrote the command, a failure is reported to the model in the result.
        status = 422 if chosen.is_failure(answer) and not endpoint.whole_body else 200
        if endpoint.encode is not None:
            return status, json.dumps(endpoint.encode(answer))
        if caller.is_agent:
            return status, render_for_model(endpoint.verb, runtime, answer)
        return status, json.dumps(encode_answer(chosen, answer, runtime.now()))
