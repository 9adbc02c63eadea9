"""Measure the friction of recorded sessions, each conversation once.

A host that resumes or forks a session may copy the earlier events into a new file. Sessions that share a prompt (the
same words at the same moment) are one conversation. Their events are merged in chronological order, and an event that
occurs in several files counts once.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from limpet.clock import to_ms
from limpet.errors import describe_error
from limpet.hosts.sessions import RecordedSession, Replay
from limpet.hosts.transcript import LocatedEvent, SkippedLines
from limpet.insight.friction.calls import Follower
from limpet.insight.friction.examine import Examiner
from limpet.insight.friction.measures import ConversationMeasures
from limpet.lean.digest import sha256
from limpet.lean.record import field, mutable
from limpet.model.event import PromptSubmitted, Reported, ToolFinished


@mutable
class Examination:
    """The result of measuring recorded sessions."""

    conversations: list[ConversationMeasures] = field(default_factory=list)
    unread: int = 0
    """The number of lines that could not be read."""
    failed: list[tuple[str, str]] = field(default_factory=list)
    """The paths of files that could not be read, each with the reason."""


def examine_sessions(
    sessions: Sequence[RecordedSession],
    *,
    own_words: Callable[[str], str],
    follow: Callable[[], Follower],
    project_of: Callable[[RecordedSession], str],
    quotes_since: datetime | None = None,
    tick: Callable[[int], None] = lambda number: None,
) -> Examination:
    """Measure the conversations of sessions, and return them in the order in which they began.

    `own_words` removes pasted and quoted text from a prompt. `follow` makes a follower for each conversation, which
    relates objections to calls. Events up to `quotes_since` are counted but not quoted. `tick` is called for each
    session with its number.
    """

    def make_examiner() -> Examiner:
        return Examiner(own_words=own_words, follower=follow(), quotes_since=quotes_since)

    found = Examination()
    alone: dict[str, ConversationMeasures | None] = {}
    owners: dict[str, RecordedSession] = {}
    groups: dict[str, list[RecordedSession]] = {}
    for number, recorded in enumerate(sessions, 1):
        tick(number)
        prompts: list[str] = []
        try:
            alone[recorded.session] = _examine([recorded], prompts, found, make_examiner(), project_of)
        except (OSError, ValueError) as error:
            found.failed.append(_describe_failure(recorded, error))
            continue
        group = [recorded]
        for other in {id(owners[key]): owners[key] for key in prompts if key in owners}.values():
            if groups[other.session] is not group:
                group = [*groups[other.session], *group]
                groups.update(dict.fromkeys((each.session for each in group), group))
        groups.setdefault(recorded.session, group)
        owners.update((key, recorded) for key in prompts if key not in owners)
    for group in {id(group): group for group in groups.values()}.values():
        measures = alone[group[0].session]
        if len(group) > 1:
            try:
                measures = _examine(group, [], Examination(), make_examiner(), project_of)
            except (OSError, ValueError) as error:
                # A recording was deleted after it was read for the first time.
                found.failed.append(_describe_failure(group[0], error))
                continue
        if measures is not None:
            found.conversations.append(measures)
    found.conversations.sort(key=lambda each: (each.begins, each.session))
    return found


def _describe_failure(recorded: RecordedSession, error: OSError | ValueError) -> tuple[str, str]:
    """Return the path of the file that could not be read, and the reason.

    If the error names no file, the path is that of the first file of the session.
    """
    path = error.filename if isinstance(error, OSError) else None
    return path or recorded.files[0].path, describe_error(error)


def _examine(
    group: Sequence[RecordedSession],
    prompts: list[str],
    found: Examination,
    examiner: Examiner,
    project_of: Callable[[RecordedSession], str],
) -> ConversationMeasures | None:
    """Return the measures of the conversation in a group of sessions; None if it has neither prompts nor calls.

    The keys of its prompts are added to `prompts`, and the number of unreadable lines to `found`.
    """
    skipped = SkippedLines()
    replays = [Replay(recorded, {}, skipped=skipped) for recorded in group]
    try:
        streams = [iter(replay) for replay in replays]
        is_single = len(group) == 1 and len(group[0].files) == 1
        for seen in streams[0] if is_single else _merge_copies(streams):
            if isinstance(seen.event, PromptSubmitted):
                prompts.append(_identify_event(seen.event))
            examiner.read(seen.event, path=seen.path, line=seen.line)
    finally:
        for replay in replays:
            replay.close()
        found.unread += skipped.broken + skipped.too_long
    first = group[0]
    return examiner.finish(
        session=first.session, host=first.files[0].host, project=project_of(first), copies=len(group) - 1
    )


def _merge_copies(streams: Sequence[Iterator[LocatedEvent]]) -> Iterator[LocatedEvent]:
    """Yield the events of several streams in chronological order, without copies of the same event."""
    known: set[str] = set()
    for seen in heapq.merge(*streams, key=lambda each: to_ms(each.event.at)):
        key = _identify_event(seen.event)
        if key not in known:
            known.add(key)
            yield seen


def _identify_event(event: Reported) -> str:
    """Return a key that is the same for an event and its copies in other files: a hash of its time and its text."""
    match event:
        case PromptSubmitted():
            text = event.text
        case ToolFinished():
            text = f"{event.tool}\n{event.command}\n{event.input}\n{event.failed}"
        case _:
            text = ""
    made = f"{type(event).__name__}\n{to_ms(event.at)}\n{text}"
    return sha256(made.encode("utf-8", "surrogatepass")).hexdigest()[:24]
