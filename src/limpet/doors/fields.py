"""Clean and check the short fields of a draft or of an imported memory, such as its title, tags and files."""

from __future__ import annotations

from limpet.doors.cleaning import clean_line
from limpet.errors import Unfit
from limpet.lean.record import replace
from limpet.model.memory import Draft, Impact, Memory
from limpet.secrets.redact import find_values, hide_values, redact
from limpet.text.excerpt import has_sentence
from limpet.text.inference import Inference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_TAGS = 32
MAX_FILES = 200
_MAX_CITATIONS = 200
_MAX_TITLE = 200
_MAX_SUBTITLE = 300
_MAX_CUES = 200
_MOST_CUES = 12
"""The number of words of the cues that count; the others are left out."""
_MAX_TAG = 64
_MAX_NAME = 200
_MAX_PATH = 1000


def clean_draft(draft: Draft, text: str, *, redacting: bool) -> tuple[Draft, tuple[str, ...]]:
    """Clean the fields of a draft except its text. Return it with the kinds of secrets that were removed.

    The secrets in `text`, as it was before they were removed, are also removed from the fields. Raise Unfit if a field
    is not valid.
    """
    for name in ("importance", "difficulty", "confidence"):
        value = getattr(draft, name)
        if value is not None and not 0 <= value <= 1:
            raise Unfit(f"{name} is {value!r}; give a number between 0 and 1")
    if draft.ttl_days is not None and not 0 < draft.ttl_days <= 36_500:
        raise Unfit(
            f"a memory cannot expire after {draft.ttl_days!r} days; give a number of days from more than 0 to 36500"
        )
    cleaner = _FieldCleaner(text, redacting=redacting)
    draft = replace(
        draft,
        title=cleaner.clean_optional("title", draft.title, _MAX_TITLE),
        subtitle=cleaner.clean_optional("subtitle", draft.subtitle, _MAX_SUBTITLE),
        tags=None if draft.tags is None else _clean_tags(draft.tags, cleaner),
        cues=None if draft.cues is None else _clean_cues(draft.cues, cleaner),
        session=cleaner.clean_optional("session", draft.session, _MAX_NAME),
        conversation=cleaner.clean_optional("conversation", draft.conversation, _MAX_NAME),
        app=cleaner.clean_optional("app", draft.app, _MAX_NAME),
        files_read=cleaner.clean_each("files", draft.files_read, _MAX_PATH, most=MAX_FILES),
        files_modified=cleaner.clean_each("files", draft.files_modified, _MAX_PATH, most=MAX_FILES),
        drawn_from=cleaner.clean_each("drawn_from", draft.drawn_from[:MAX_FILES], _MAX_NAME, most=MAX_FILES),
    )
    return draft, cleaner.redacted


def clean_memory(memory: Memory, *, redacting: bool) -> tuple[Memory, tuple[str, ...]]:
    """Clean the fields of an imported memory except its texts. Return it with the kinds of secrets that were removed.

    Raise Unfit if a field is not valid.
    """
    cleaner = _FieldCleaner(memory.original_content, redacting=redacting)
    source = memory.source
    memory = replace(
        memory,
        title=cleaner.clean("title", memory.title, _MAX_TITLE),
        subtitle=cleaner.clean("subtitle", memory.subtitle, _MAX_SUBTITLE),
        tags=_clean_tags(memory.tags, cleaner),
        cues=_clean_cues(memory.cues, cleaner),
        app=cleaner.clean_optional("app", memory.app, _MAX_NAME),
        session=cleaner.clean_optional("session", memory.session, _MAX_NAME),
        conversation=cleaner.clean_optional("conversation", memory.conversation, _MAX_NAME),
        branch=cleaner.clean_optional("branch", memory.branch, _MAX_NAME),
        commit=cleaner.clean_optional("commit", memory.commit, _MAX_NAME),
        files_read=cleaner.clean_each("files", memory.files_read, _MAX_PATH, most=MAX_FILES),
        files_modified=cleaner.clean_each("files", memory.files_modified, _MAX_PATH, most=MAX_FILES),
        citations=tuple(
            replace(each, path=cleaner.clean("path", each.path, _MAX_PATH))
            for each in _check_count("citations", memory.citations, most=_MAX_CITATIONS)
        ),
        source=source
        and replace(
            source,
            transcript=cleaner.clean_optional("transcript", source.transcript, _MAX_PATH),
            commit=cleaner.clean_optional("commit", source.commit, _MAX_NAME),
            file=cleaner.clean_optional("file", source.file, _MAX_PATH),
        ),
    )
    return memory, cleaner.redacted


def clean_words(name: str, text: str, *, limit: int = 500) -> tuple[str, tuple[str, ...]]:
    """Clean a short text that is not a memory, such as a reason.

    Return it with the kinds of secrets that were removed.
    """
    return redact(clean_line(name, text, limit=limit))


class _FieldCleaner:
    """Cleans short fields, and records in `redacted` which kinds of secrets were removed."""

    def __init__(self, text: str, *, redacting: bool) -> None:
        self.redacted: tuple[str, ...] = ()
        self._redacting = redacting
        self._secrets = find_values(text) if redacting else {}

    def clean(self, name: str, value: str, limit: int) -> str:
        cleaned = clean_line(name, value, limit=limit)
        if not self._redacting:
            return cleaned
        cleaned, kinds = redact(cleaned)
        self.redacted += kinds
        return hide_values(cleaned, self._secrets)

    def clean_optional(self, name: str, value: str | None, limit: int) -> str | None:
        return None if value is None else self.clean(name, value, limit) or None

    def clean_each(self, name: str, values: tuple[str, ...], limit: int, *, most: int) -> tuple[str, ...]:
        """Return the cleaned values without empty ones and repetitions. Raise Unfit if there are more than `most`."""
        cleaned = (self.clean(name, value, limit) for value in _check_count(name, values, most=most))
        return tuple(dict.fromkeys(value for value in cleaned if value))


def _check_count(name: str, values: tuple[Any, ...], *, most: int) -> tuple[Any, ...]:
    """Return the values unchanged. Raise Unfit if there are more than `most`."""
    if len(values) > most:
        raise Unfit(f"{name}: {len(values):,} are too many; give at most {most}")
    return values


def _clean_tags(tags: tuple[str, ...], cleaner: _FieldCleaner) -> tuple[str, ...]:
    cleaned = (tag.lower().lstrip("#").strip() for tag in cleaner.clean_each("tags", tags, _MAX_TAG, most=MAX_TAGS))
    return tuple(dict.fromkeys(tag for tag in cleaned if tag))


def _clean_cues(cues: str, cleaner: _FieldCleaner) -> str:
    words = cleaner.clean("cues", cues, _MAX_CUES).replace(",", " ").split()
    return " ".join(tuple(dict.fromkeys(words))[:_MOST_CUES])


_OPTIONAL_FIELDS = (
    "kind",
    "type",
    "impact",
    "importance",
    "difficulty",
    "title",
    "subtitle",
    "sensitivity",
    "concepts",
    "tags",
    "cues",
)


def gives_more(draft: Draft) -> bool:
    """Tell whether a draft gives more than text: a kind, a title, tags, files or another optional field."""
    return any(getattr(draft, name) is not None for name in _OPTIONAL_FIELDS) or bool(
        draft.files_read or draft.files_modified
    )


def first_given(given: tuple[Any, ...] | None, otherwise: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return `given`, or `otherwise` if it is None."""
    return otherwise if given is None else given


def choose_subtitle(draft: Draft, inferred: Inference) -> str:
    """Return the given subtitle of a draft, or the inferred one if the given title does not already have it."""
    if draft.subtitle is not None:
        return draft.subtitle
    return "" if has_sentence(draft.title or "", inferred.subtitle) else inferred.subtitle


def choose_importance(draft: Draft, impact: Impact, old: Memory | None) -> float:
    """Return the given importance of a draft, or that of the older memory or of the impact."""
    if draft.importance is not None:
        return draft.importance
    return old.importance if old and old.impact is impact else impact.importance


def complete_correction(draft: Draft, old: Memory) -> Draft:
    """Return a correction with the older memory's scale, and also its files if the correction names none."""
    return replace(
        draft,
        scale=old.scale,
        files_read=draft.files_read or old.files_read,
        files_modified=draft.files_modified or old.files_modified,
    )


def find_stated_values(known: Memory, again: Memory, draft: Draft) -> dict[str, Any]:
    """Return the values that a duplicate states and that the older memory gets: how much it matters, how sure it is.

    `again` is the memory that the draft would have become. Only a text that is trusted as much as the older memory
    changes these. The user and the agent can also make the older memory less visible, but nobody more visible.
    """
    found: dict[str, Any] = {}
    asked = draft.sensitivity
    if again.origin.is_own and asked is not None and asked.level > known.sensitivity.level:
        found["sensitivity"] = asked
    if again.effective_origin.ceiling < known.effective_origin.ceiling:
        return found
    if draft.impact is not None:
        found["impact"] = again.impact
    if draft.importance is not None or (draft.impact is not None and again.impact is not known.impact):
        found["importance"] = again.importance
    if draft.confidence is not None:
        found["confidence"] = draft.confidence
    if draft.cues:
        found["cues"] = again.cues
    return {name: value for name, value in found.items() if value != getattr(known, name)}


def describe_stated(stated: dict[str, Any]) -> list[str]:
    """Return a remark for the user about the values that a duplicate has changed, or an empty list."""
    named = [f"{name} {value}" for name, value in stated.items()]
    return [f"it now has {', '.join(named)}"] if named else []


def describe_ignored(draft: Draft, known: Memory) -> list[str]:
    """Return remarks for the user about fields of a duplicate draft that are ignored.

    Each remark gives the command to set the field.
    """
    names = ("kind", "type", "impact", "importance", "confidence", "title", "subtitle", "sensitivity")
    asked = [(name, getattr(draft, name)) for name in names]
    other = [name for name, value in asked if value is not None and value != getattr(known, name)]
    notes = [f"it keeps its {', '.join(other)}; to change that: limpet correct {known.id} …"] if other else []
    if draft.pinned and not known.pinned:
        notes.append(f"it is not pinned; to pin it: limpet pin {known.id}")
    return notes


def find_new_values(known: Memory, again: Memory) -> dict[str, list[object]]:
    """Return the tags, concepts and files of a duplicate that the older memory lacks, up to the maximum counts."""
    found: dict[str, list[object]] = {}
    for name, most in (("tags", MAX_TAGS), ("concepts", 16), ("files_read", MAX_FILES), ("files_modified", MAX_FILES)):
        have = getattr(known, name)
        new = [value for value in getattr(again, name) if value not in have][: max(0, most - len(have))]
        if new:
            found[name] = new
    return found
