"""Let the configured model extract from stashes, and keep its reply until the lines that it gives are written.

A preview and the run that writes must show the same lines, and a model says something else each time. So the reply of a
preview is kept in the home, readable by its owner only, for the next run with the same sources.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress

from limpet import system
from limpet.doors.token_budget import EXTRACT, ask_model
from limpet.errors import ModelFailed, Refused
from limpet.insight.distil.gathering import GatheredText
from limpet.lean.digest import sha256
from limpet.lean.record import field, mutable, replace
from limpet.llm.extraction import SourceText, split_batches, write_extraction_request
from limpet.llm.protocol import Model
from limpet.llm.reply import NOT_JSON, read_objects
from limpet.workspace.files import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.doors.context import Context

MOST_REQUESTS = 8
"""How often a model is asked in one run; the other stashes wait for the next one."""
_KEPT = "extracted.json"
_LARGEST = 16 << 20


@mutable
class ModelReply:
    """The lines that a model has extracted, one JSON object each, and why some sources were not read."""

    model: str
    lines: str = ""
    failures: list[str] = field(default_factory=list)
    waiting: int = 0
    """How many sources wait for the next run."""

    def describe_unread(self) -> list[str]:
        """Return notes about the sources that the model has not read."""
        notes = [f"not everything was extracted: {each}; the rest waits for the next run" for each in self.failures]
        return [*notes, f"{self.waiting} sources wait for the next run"] if self.waiting else notes


def ask_configured_model(context: Context, texts: Sequence[GatheredText]) -> ModelReply | None:
    """Return what the model that the settings name extracts; None if they name none.

    Raise Refused if the model gives nothing that can be read.
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
    """Return what a model extracts from the sources. The first failure ends the asking.

    A reply with a line that is not JSON was cut or is malformed, so none of its lines is used.
    """
    batches = split_batches(sources, tokens=context.settings.llm.session_tokens)
    waiting = sum(map(len, batches[MOST_REQUESTS:]))
    key = _make_key(model, batches)
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
        _keep(context.home, key, found)
    return found


def _make_key(model: Model, batches: Sequence[Sequence[SourceText]]) -> str:
    parts = [model.name, *(part for batch in batches for each in batch for part in (each.id, each.text))]
    return sha256(json.dumps(parts).encode()).hexdigest()


def _load(home: str, key: str, model: str) -> ModelReply | None:
    try:
        kept = json.loads(read_file(os.path.join(home, _KEPT), _LARGEST) or b"{}")
        if kept.get("key") == key:
            return ModelReply(model=model, lines=str(kept["lines"]), failures=[str(each) for each in kept["failures"]])
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        pass
    return None


def _keep(home: str, key: str, reply: ModelReply) -> None:
    body = json.dumps({"key": key, "lines": reply.lines, "failures": reply.failures})
    # Without the file, the next run asks again.
    with suppress(OSError):
        system.write_atomically(os.path.join(home, _KEPT), body.encode("utf-8", "replace"), durable=False)


def forget_reply(home: str) -> None:
    """Remove the reply that was kept for the next run."""
    with suppress(FileNotFoundError):
        os.unlink(os.path.join(home, _KEPT))
