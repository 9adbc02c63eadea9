"""Ask the configured language model to extract lines from texts, and keep its reply until the lines are written.

A preview and the run that writes must have the same lines, but a model may give different replies to the same request.
So the reply of a preview is kept in the home for the next run with the same sources. Only the owner can read it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress

from limpet import system
from limpet.doors.context import Context
from limpet.doors.token_budget import EXTRACT, ask_model
from limpet.errors import ModelFailed, Refused
from limpet.insight.distil.gathering import GatheredText
from limpet.lean.digest import sha256
from limpet.lean.record import field, mutable, replace
from limpet.llm.extraction import SourceText, split_batches, write_extraction_request
from limpet.llm.protocol import Model
from limpet.llm.reply import NOT_JSON, read_objects
from limpet.workspace.files import read_file

MOST_REQUESTS = 8
"""The maximum number of requests to a model in one run; sources beyond that wait for the next run."""
_KEPT = "extracted.json"
_LARGEST = 16 << 20


@mutable
class ModelReply:
    """The lines that a model has extracted."""

    model: str
    lines: str = ""
    """The extracted lines as JSON objects, one on each line."""
    failures: list[str] = field(default_factory=list)
    """For each failed request, why its sources were not read."""
    waiting: int = 0
    """The number of sources that wait for the next run."""

    def describe_unread(self) -> list[str]:
        """Return sentences about the sources that the model has not read; an empty list if it has read all."""
        notes = [f"not everything was extracted: {each}; the rest waits for the next run" for each in self.failures]
        return [*notes, f"{self.waiting} sources wait for the next run"] if self.waiting else notes


def ask_configured_model(context: Context, texts: Sequence[GatheredText]) -> ModelReply | None:
    """Let the configured model extract lines from texts; return None if no model is configured.

    Raise Refused if the model cannot be used, or if its first reply is malformed.
    """
    settings = context.settings.llm
    if not settings.provider or not settings.daily_tokens:
        return None
    from limpet.llm.providers import open_model  # loaded here, because most processes ask no model

    shown = [SourceText(id=each.id, text=each.show()) for each in texts]
    try:
        model = open_model(settings, home=context.home)
    except ModelFailed as failure:
        raise _refuse(str(failure)) from failure
    if model is None:
        return None
    reply = extract_by_model(context, model, [each for each in shown if each.text])
    if reply.failures and not reply.lines:
        raise _refuse(reply.failures[0])
    return reply


def _refuse(problem: str) -> Refused:
    return Refused(f"{problem}; nothing was written. Run it again, or extract without a model: limpet distil --rules")


def extract_by_model(context: Context, model: Model, sources: Sequence[SourceText]) -> ModelReply:
    """Let a model extract lines from sources, or return the reply that an earlier run has kept for them.

    After a failed request, no further ones are made. If a part of a reply is not JSON, none of the reply is used.
    """
    batches = split_batches(sources, tokens=context.settings.llm.session_tokens)
    waiting = sum(map(len, batches[MOST_REQUESTS:]))
    parts = [model.name, *(part for batch in batches for each in batch for part in (each.id, each.text))]
    key = sha256(json.dumps(parts).encode()).hexdigest()
    kept = _load(context.home, key, model.name)
    if kept is not None:
        return replace(kept, waiting=waiting)
    found, objects = ModelReply(model=model.name, waiting=waiting), []
    for batch in batches[:MOST_REQUESTS]:
        refused: list[str] = []
        try:
            reply = ask_model(context, model, write_extraction_request(batch), role=EXTRACT)
        except ModelFailed as failure:
            found.failures.append(str(failure))
            break
        given = read_objects(reply.text, refused.append)
        if NOT_JSON in refused or not given:
            found.failures.append(f"the reply about {', '.join(each.id for each in batch)} is malformed")
        else:
            objects += given
    found.lines = "\n".join(json.dumps(each, ensure_ascii=False) for each in objects)
    if found.lines:
        _save(context.home, key, found)
    return found


def _load(home: str, key: str, model: str) -> ModelReply | None:
    try:
        kept = json.loads(read_file(os.path.join(home, _KEPT), _LARGEST) or b"{}")
        if kept.get("key") == key:
            return ModelReply(model=model, lines=str(kept["lines"]), failures=[str(each) for each in kept["failures"]])
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        pass
    return None


def _save(home: str, key: str, reply: ModelReply) -> None:
    body = json.dumps({"key": key, "lines": reply.lines, "failures": reply.failures})
    # If this fails, the next run asks the model again.
    with suppress(OSError):
        system.write_atomically(os.path.join(home, _KEPT), body.encode("utf-8", "replace"), durable=False)


def forget_reply(home: str) -> None:
    """Remove the reply that was kept for the next run."""
    with suppress(FileNotFoundError):
        os.unlink(os.path.join(home, _KEPT))
