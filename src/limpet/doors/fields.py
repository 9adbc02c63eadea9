"""The short fields of a draft or of a foreign memory: stored too, so they get the same treatment as the text."""

from __future__ import annotations

from limpet.doors.cleaning import Unfit, clean_line
from limpet.lean.record import replace
from limpet.model.memory import Draft, Memory
from limpet.secrets.redact import redact

MAX_TAGS = 32
MAX_FILES = 200
_MAX_TITLE = 200
_MAX_SUBTITLE = 300
_MAX_TAG = 64
_MAX_NAME = 200
_MAX_PATH = 1000


def clean_draft(draft: Draft, *, redacting: bool) -> tuple[Draft, tuple[str, ...]]:
    """The draft with its fields fit to be kept, and what was taken out of them; Unfit says what is wrong."""
    for name in ("importance", "difficulty", "confidence"):
        value = getattr(draft, name)
        if value is not None and not 0 <= value <= 1:
            raise Unfit(f"{name} is {value!r}; give a number between 0 and 1")
    if draft.ttl_days is not None and not 0 < draft.ttl_days <= 36_500:
        raise Unfit(f"ttl_days is {draft.ttl_days!r}; give a number of days from more than 0 to 36500")
    sieve = _Sieve(redacting=redacting)
    draft = replace(
        draft,
        title=sieve.line_or_none("title", draft.title, _MAX_TITLE),
        subtitle=sieve.line_or_none("subtitle", draft.subtitle, _MAX_SUBTITLE),
        tags=None if draft.tags is None else _tags(draft.tags, sieve),
        session=sieve.line_or_none("session", draft.session, _MAX_NAME),
        conversation=sieve.line_or_none("conversation", draft.conversation, _MAX_NAME),
        app=sieve.line_or_none("app", draft.app, _MAX_NAME),
        files_read=sieve.lines("files", draft.files_read, _MAX_PATH, most=MAX_FILES),
        files_modified=sieve.lines("files", draft.files_modified, _MAX_PATH, most=MAX_FILES),
    )
    return draft, sieve.redacted


def clean_memory(memory: Memory, *, redacting: bool) -> tuple[Memory, tuple[str, ...]]:
    """The same for a memory that somebody else wrote down, in all that is text besides the texts themselves."""
    sieve = _Sieve(redacting=redacting)
    source = memory.source
    memory = replace(
        memory,
        title=sieve.line("title", memory.title, _MAX_TITLE),
        subtitle=sieve.line("subtitle", memory.subtitle, _MAX_SUBTITLE),
        tags=_tags(memory.tags, sieve),
        app=sieve.line_or_none("app", memory.app, _MAX_NAME),
        session=sieve.line_or_none("session", memory.session, _MAX_NAME),
        conversation=sieve.line_or_none("conversation", memory.conversation, _MAX_NAME),
        branch=sieve.line_or_none("branch", memory.branch, _MAX_NAME),
        commit=sieve.line_or_none("commit", memory.commit, _MAX_NAME),
        files_read=sieve.lines("files", memory.files_read, _MAX_PATH, most=MAX_FILES),
        files_modified=sieve.lines("files", memory.files_modified, _MAX_PATH, most=MAX_FILES),
        citations=tuple(replace(each, path=sieve.line("path", each.path, _MAX_PATH)) for each in memory.citations),
        source=source
        and replace(
            source,
            transcript=sieve.line_or_none("transcript", source.transcript, _MAX_PATH),
            commit=sieve.line_or_none("commit", source.commit, _MAX_NAME),
            file=sieve.line_or_none("file", source.file, _MAX_PATH),
        ),
    )
    return memory, sieve.redacted


def clean_words(name: str, text: str, *, limit: int = 500) -> tuple[str, tuple[str, ...]]:
    """A line that is kept beside the memories, such as a reason or a part of a fact, and what was taken out of it."""
    return redact(clean_line(name, text, limit=limit))


class _Sieve:
    """Cleans the short fields one after the other and remembers which secrets it took out."""

    def __init__(self, *, redacting: bool) -> None:
        self.redacted: tuple[str, ...] = ()
        self._redacting = redacting

    def line(self, name: str, value: str, limit: int) -> str:
        cleaned = clean_line(name, value, limit=limit)
        if not self._redacting:
            return cleaned
        cleaned, kinds = redact(cleaned)
        self.redacted += kinds
        return cleaned

    def line_or_none(self, name: str, value: str | None, limit: int) -> str | None:
        return None if value is None else self.line(name, value, limit)

    def lines(self, name: str, values: tuple[str, ...], limit: int, *, most: int) -> tuple[str, ...]:
        """Each once, in their order; empty ones are left out."""
        if len(values) > most:
            raise Unfit(f"{name}: {len(values)} are too many; give at most {most}")
        cleaned = (self.line(name, value, limit) for value in values)
        return tuple(dict.fromkeys(value for value in cleaned if value))


def _tags(tags: tuple[str, ...], sieve: _Sieve) -> tuple[str, ...]:
    cleaned = (tag.lower().lstrip("#").strip() for tag in sieve.lines("tags", tags, _MAX_TAG, most=MAX_TAGS))
    return tuple(dict.fromkeys(tag for tag in cleaned if tag))
