"""Curate an ended session: ask a language model what should be kept, check its proposals, and admit the valid ones.

The model is given shortened versions of the prompts that the user typed and of the last message of each turn, and the
memories that are already kept. It proposes new memories, or changes to the kept ones. `llm.curation` checks that a
proposal is supported by the session, and `doors.admit` checks it like any other draft. A curated memory has the region
PROJECT and an impact of at most MEDIUM.

If the session was long enough, the model is then asked for a paragraph that is added to its summary. The paragraph
consists of sentences from the session. It is put in front of the summary made by rules, as a correction of the same
memory. So the summary is found as before, and stays unchanged if the model fails.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from datetime import timedelta

from limpet import clock, system
from limpet.doors.forbidden import is_forbidden
from limpet.doors.governor import Passed, Way, govern
from limpet.doors.token_budget import CURATE, SUMMARISE, ask_model, may_ask_model, open_configured_model, tokens_left
from limpet.errors import ModelFailed
from limpet.hosts.sessions import RecordedSession, group_sessions, host_of
from limpet.lean.record import field, mutable, pick, replace
from limpet.learning.messages import MOST_MESSAGES, ReadMessage, ReadSession, read_messages
from limpet.llm.curation import (
    KnownMemory,
    Proposal,
    ProposedAction,
    SessionMessage,
    Sort,
    is_about,
    read_reply,
    write_request,
)
from limpet.llm.protocol import Request
from limpet.llm.request_text import load_prompt
from limpet.llm.session import FEWEST_CHARACTERS, MOST_TOKENS, find_sentences, read_paragraph, write_session_request
from limpet.model.change import Change, ChangeKind, change_memory
from limpet.model.memory import CURATED, FOR_ITS_TOPIC, Draft, Impact, Kind, Origin, Region, Tier, Type
from limpet.model.outcome import Admitted, Duplicate, Rejected
from limpet.model.query import Query, Stored
from limpet.model.taint import Taint
from limpet.secrets.redact import redact
from limpet.text.tokens import count_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from limpet.doors.context import Context
    from limpet.llm.protocol import Model
    from limpet.model.session import Session

_DAYS = 7
"""The maximum age of a session that is curated, in days, unless the caller gives another limit."""
_QUIET_MINUTES = 30
"""The number of minutes without events after which a session counts as ended, even if its end was not reported."""
_MOST_KNOWN = 40
_NOTED_CHARACTERS = 60
_KNOWN_CHARACTERS = 200
_FEWEST_CHARACTERS = 40
_SUMMARY_TOKENS = 250
"""The usual number of tokens in a summary made by rules. Such a summary is part of the request for a better one."""
_TYPES = {Sort.RULE: Type.DECISION, Sort.DECISION: Type.DECISION, Sort.FACT: Type.DISCOVERY, Sort.FIX: Type.BUGFIX}
_KEEPING = (ChangeKind.ADMIT, ChangeKind.CORRECT, ChangeKind.KEEP)
_IMPORTANCE = {1: 0.35, 2: 0.5, 3: 0.65}


@mutable
class CurationReport:
    """The result of curating one or more sessions."""

    sessions: int = 0
    kept: int = 0
    summaries: int = 0
    """The number of summaries to which a paragraph by the model was added."""
    tokens: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    """How often proposals were refused, by reason."""
    failures: list[str] = field(default_factory=list)
    until_ms: int | None = None
    """The monotonic time, in milliseconds, after which no further session is summarised; None for no limit."""

    def refuse(self, reason: str, count: int = 1) -> None:
        self.refused[reason] = self.refused.get(reason, 0) + count


def curate_sessions(
    context: Context, *, since: datetime | None = None, most: int = 3, timeout: float | None = None
) -> CurationReport | None:
    """Curate up to `most` sessions that have ended, newest first. Return None if no model may be asked.

    Nothing is done while another process curates. No further session is started if too few of the daily tokens are
    left. A request to the model fails after `timeout` seconds, and no session is summarised after half of this time.
    Without `since`, sessions of the last seven days are curated.
    """
    settings = context.settings.llm
    if not may_ask_model(context):
        return None
    report = CurationReport(until_ms=None if timeout is None else clock.monotonic_ms() + int(timeout * 500))
    now = context.now()
    with system.lock(os.path.join(context.home, "locks", "curate"), clock.attempts(0), doing="curate") as is_held:
        if not is_held:
            return report
        try:
            model = open_configured_model(context, timeout=timeout)
        except ModelFailed as failure:
            report.failures.append(str(failure))
            return report
        sessions = context.reading().sessions_to_curate(
            since=since or now - timedelta(days=_DAYS), quiet_since=now - timedelta(minutes=_QUIET_MINUTES), limit=most
        )
        for session in sessions:
            if model is None or report.failures or tokens_left(context) < settings.session_tokens:
                break
            _curate_recorded(context, session, model, report)
    for sentence in report.failures:
        context.log(f"curation: {sentence}")
    return report


def _curate_recorded(context: Context, session: Session, model: Model, report: CurationReport) -> None:
    path = session.transcript or ""
    found = group_sessions([(host_of(path), path)], failed=lambda path, error: None) if os.path.isfile(path) else []
    there = context.open_session(found[0].folder, session.id) if found else None
    if there is None or there.scope.project != session.project:
        # The transcript was removed, or its folder now belongs to another project, so the session cannot be curated.
        _write_curation(replace(context, session=session.id), [], 1)
        return
    # The caller's settings of the model apply in every project.
    there = replace(there, settings=replace(there.settings, llm=context.settings.llm))
    try:
        curate_session(there, found[0], model, report)
    except OSError as error:
        report.failures.append(f"{path} cannot be read: {error.strerror}")


def curate_session(context: Context, recorded: RecordedSession, model: Model, report: CurationReport) -> None:
    """Ask the model about one session, and admit the valid proposals.

    If the model fails, the session is not marked as curated, so it will be tried again later.
    """
    query = Query(scope=context.scope, now=context.now(), session=context.session, limit=MOST_MESSAGES)
    noted = [stored.memory.original_content[:_NOTED_CHARACTERS] for stored in context.reading().browse(query).items]
    read = read_messages(recorded, noted, root=context.root)
    said = read.messages
    if sum(len(each.message.text) for each in said) < _FEWEST_CHARACTERS:
        _write_curation(context, [], len(said))
        return
    known = list(_find_known(context))
    messages = [each.message for each in said]
    instructions = load_prompt("curate")
    tokens = context.settings.llm.session_tokens
    request = write_request(messages, [each for each, _ in known], read.objections, tokens=tokens)
    try:
        reply = ask_model(context, model, Request(instructions=instructions, text=request), role=CURATE)
    except ModelFailed as failure:
        report.failures.append(str(failure))
        return
    spent = reply.tokens_in + reply.tokens_out
    reading = read_reply(reply.text, messages, [each for each, _ in known], sure=context.settings.llm.sure)
    for reason, count in reading.refused.items():
        report.refuse(reason, count)
    by_id = {each.message.id: each for each in said}
    targets = {stored.memory.id: stored for _, stored in known}
    changes: list[Change] = []
    for proposal in reading.proposals:
        found = _admit_proposal(context, proposal, by_id[proposal.message], targets, model.name, read)
        if isinstance(found, str):
            report.refuse(found)
        else:
            changes += found
            report.kept += any(change.kind in _KEEPING for change in found)
    _write_curation(context, changes, len(said))
    report.sessions += 1
    report.tokens += spent
    _add_summary(context, model, read, report)


def _add_summary(context: Context, model: Model, read: ReadSession, report: CurationReport) -> None:
    """Add a paragraph by the model to a session's summary. If the model fails, the summary stays unchanged."""
    if report.until_ms is not None and clock.monotonic_ms() > report.until_ms:
        return
    try:
        changes = _summarise(context, model, read)
    except ModelFailed as failure:
        context.log(f"curation: the summary of rules stands: {failure}")
        report.refuse(str(failure))
        return
    if changes:
        context.write(changes)
        report.summaries += 1


def estimate_tokens(recorded: RecordedSession, *, session_tokens: int) -> int:
    """Return the estimated number of tokens in the requests to curate a session.

    Return 0 if the session is too short to ask a model about it.
    """
    read = read_messages(recorded, (), root=None)
    messages, objections = [each.message for each in read.messages], read.objections
    if sum(len(message.text) for message in messages) < _FEWEST_CHARACTERS:
        return 0
    request = write_request(messages, (), objections, tokens=session_tokens)
    asked = count_tokens(load_prompt("curate")) + count_tokens(request)
    if _is_long_enough(messages):
        asked += write_session_request(find_sentences(messages, ""), objections).tokens + _SUMMARY_TOKENS
    return asked


def _find_known(context: Context) -> Iterator[tuple[KnownMemory, Stored]]:
    """Yield the kept memories that a model may see, each as the shortened text for the request and as stored."""
    query = Query(scope=context.scope, now=context.now(), limit=_MOST_KNOWN * 3)
    kept = [stored for stored in context.reading().browse(query).items if stored.memory.tier is Tier.KEPT]
    for number, stored in enumerate(kept[:_MOST_KNOWN], 1):
        passed = govern(context.judge(stored), way=Way.ASKED)
        if isinstance(passed, Passed) and not passed.quoted:
            text = passed.text[:_KNOWN_CHARACTERS]
            yield KnownMemory(id=f"k{number}", text=" ".join(text.split()), memory=stored.memory.id), stored


def _admit_proposal(
    context: Context,
    proposal: Proposal,
    said: ReadMessage,
    targets: dict[str, Stored],
    model: str,
    read: ReadSession,
) -> list[Change] | str:
    """Return the changes that carry out a proposal, or the reason for refusing it."""
    target = targets.get(proposal.into or "")
    # The text of a proposal is a passage of its message, which has what the user typed, or what the agent reported.
    is_typed = said.message.by_user
    is_merged = target is not None and proposal.action is ProposedAction.MERGE
    # Computed from the transcript, because a session from before the installation has no other record of what it read.
    origin = Origin.AGENT if is_typed else read.taint.lower(Origin.TOOL, proposal.text)[0]
    if target is not None and target.memory.effective_origin.ceiling > origin.ceiling:
        return "the memory it would change is trusted more"
    if proposal.action is ProposedAction.DOUBT and target is not None:
        if not is_about(proposal.quote, target.memory.content):
            return "the quote is not about the memory"
        doubted = {"confidence": round(target.memory.confidence * 0.6, 3), "by": context.session}
        return [change_memory(ChangeKind.DOUBT, target.memory, doubted, actor=CURATE)]
    if redact(f"{proposal.text}\n{proposal.cues}")[1]:
        return "holds a secret"
    if proposal.sort is Sort.FIX and is_forbidden(
        proposal.text, Origin.TOOL.ceiling, scope=context.scope, reading=context.reading(), now=context.now()
    ):
        return "the user objected to it, or a rule forbids it"
    is_for_every_session = proposal.lasting > 2 or (proposal.lasting == 2 and proposal.sort is Sort.RULE)
    draft = Draft(
        text=f"{target.memory.content}\n{proposal.text}" if target is not None and is_merged else proposal.text,
        cues=proposal.cues or None,
        region=Region.PROJECT,
        kind=None if is_typed else Kind.LEARNINGS,
        type=_TYPES[proposal.sort],
        impact=Impact.MEDIUM if proposal.lasting > 1 else Impact.LOW,
        importance=_IMPORTANCE[proposal.lasting],
        origin=origin,
        tier=Tier.KEPT,
        earned=f"{CURATED}{model}" + ("" if is_for_every_session else FOR_ITS_TOPIC),
        session=context.session,
        source=said.source,
    )
    # The agent's words may repeat what it has read, so they are compared with that; the user's words are not.
    untainted = {"taint": Taint} if is_typed else {}
    door = context.admission(reading=context.reading(), now=said.at, **untainted)
    outcome = door.admit(draft, correcting=target if is_merged else None)
    changes = list(door.changes)
    # A passage may have been captured as a note, which then gets the tier kept.
    is_kept = isinstance(outcome, Duplicate) and any(change.kind == ChangeKind.KEEP for change in changes)
    if isinstance(outcome, Rejected) or not (isinstance(outcome, Admitted) or is_kept):
        return "known already, or not fit to be kept"
    if proposal.action is ProposedAction.SUPERSEDE and target is not None:
        payload = {"by": outcome.memory.id, "reason": "curated as overtaken"}
        changes.append(change_memory(ChangeKind.SUPERSEDE, target.memory, payload, actor=CURATE))
    return changes


def _write_curation(context: Context, changes: Sequence[Change], messages: int) -> None:
    """Write the changes, and record that the session was curated."""
    mark = Change(
        kind=ChangeKind.SESSION,
        subject=f"session:{context.session}",
        actor=CURATE,
        payload={"agent": context.scope.agent, "project": context.scope.project, "curated": max(1, messages)},
    )
    context.write([*changes, mark])


def _summarise(context: Context, model: Model, read: ReadSession) -> list[Change]:
    """Return the changes that add a paragraph by the model to the session's summary.

    Return an empty list if the session has no summary or is too short. Raise ModelFailed if the model's reply cannot be
    used.
    """
    messages = [each.message for each in read.messages]
    recorded = _find_summary(context)
    if recorded is None or not _is_long_enough(messages):
        return []
    tokens = min(MOST_TOKENS, context.settings.llm.session_tokens)
    found = find_sentences(messages, recorded.memory.original_content, tokens=tokens)
    # Sentences that repeat what the agent has read outside are left out.
    sentences = [each for each in found if read.taint.lower(Origin.TOOL, each.text)[0] is Origin.TOOL]
    reply = ask_model(context, model, write_session_request(sentences, read.objections), role=SUMMARISE)
    return _prepend_paragraph(context, recorded, read_paragraph(reply, sentences))


def _is_long_enough(messages: Sequence[SessionMessage]) -> bool:
    """Tell whether a session's messages are long enough to ask a model for a summary."""
    return sum(len(each.text) for each in messages) >= FEWEST_CHARACTERS


def _find_summary(context: Context) -> Stored | None:
    """Return the session's summary, or None if it has none or no model may see it."""
    query = Query(scope=context.scope, session=context.session, type=Type.SESSION_SUMMARY, now=context.now(), limit=1)
    found = next(iter(context.reading().browse(query).items), None)
    return found if found is not None and isinstance(govern(found, way=Way.LAST), Passed) else None


def _prepend_paragraph(context: Context, recorded: Stored, paragraph: str) -> list[Change]:
    if redact(paragraph)[1]:
        raise ModelFailed("the summary holds a secret")
    memory = recorded.memory
    door = context.admission(reading=context.reading(), now=context.now())
    # The time of the session is kept, because the summary of the newest session is shown in the next one.
    draft = Draft(
        text=f"{paragraph}\n\n{memory.original_content}",
        **pick(
            memory, "title", "subtitle", "origin", "confidence", "tier", "earned", "created_at", "session", "source"
        ),
    )
    outcome = door.admit(draft, correcting=recorded)
    if not isinstance(outcome, Admitted) or outcome.memory.origin is not memory.origin:
        raise ModelFailed("the summary repeats what was read outside, or is not fit to be kept")
    return list(door.changes)
