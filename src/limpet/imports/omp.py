"""Import an Open Memory Protocol exchange: a JSON file with a manifest, objects, and lifecycle events.

The rules of this protocol are stricter than those of other formats. An object is left out if Limpet cannot comply with
its policy, and refused if it contains a credential. An object that was erased at its source is never imported, not even
from an older file.
"""

from __future__ import annotations

from collections.abc import Iterator

from limpet.errors import Unreadable
from limpet.imports.files import as_text, parse_foreign_time, read_json
from limpet.imports.item import ForeignItem, Surroundings, make_draft
from limpet.lean.pattern import lazy
from limpet.lean.record import record
from limpet.model.memory import Sensitivity
from limpet.secrets.redact import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# The protocol forbids every text with the form of a key, even if it is clearly an example.
_CREDENTIAL = lazy(r"(?:\bsk-|\bghp_|\bgithub_pat_|\bxox[abp]-|\bAKIA|\bAIza)[A-Za-z0-9_-]{16,}")
_SOURCE = "source_artifact"
_ERASED = ("delete", "tombstone", "retract", "invalidate")
_KEPT_ACTIONS = frozenset({"read", "write", "derive", "export", "delete"})
"""The actions that Limpet can allow for a memory. A rule about another action cannot be complied with."""


@record
class _Exchange:
    """The object revisions in an exchange file, and what its events report about them."""

    revisions: frozenset[str]
    """The ids of all revisions in the exchange."""
    replaced: dict[str, str]
    """The ids of the new revisions, by the ids of the revisions that they replace."""
    erased: dict[str, str]
    """The kinds of the events that erased revisions, by the ids of the revisions."""
    conflicts: frozenset[str]
    """The ids of the revisions that are replaced by several different ones."""


def find(around: Surroundings, name: str) -> Iterator[str]:
    """Yield nothing, because an exchange is a file from somebody else and has no standard location."""
    yield from ()


def recognise(path: str) -> bool:
    """Tell whether a file is an exchange, which has a manifest and objects."""
    data = _unwrap(read_json(path))
    manifest = data.get("manifest")
    return isinstance(manifest, dict) and "format_version" in manifest and isinstance(data.get("objects"), list)


def read(path: str) -> Iterator[ForeignItem]:
    """Yield an item for each object in an exchange, and for each erased revision that it names but does not contain."""
    data = _unwrap(read_json(path))
    manifest, rows, events = data.get("manifest"), data.get("objects"), data.get("events") or []
    if not isinstance(manifest, dict) or not isinstance(rows, list) or not isinstance(events, list):
        raise Unreadable("it is no exchange: it needs a manifest and objects")
    needed = [str(each) for each in manifest.get("required_extensions") or ()]
    exchange = _read_events([row for row in rows if isinstance(row, dict)], events)
    seen: dict[str, str] = {}
    for row in rows:
        if not isinstance(row, dict) or not as_text(row.get("revision_id")):
            yield ForeignItem(name="object", refused="it is not an object with a revision_id")
            continue
        revision = as_text(row["revision_id"])
        if needed:
            yield ForeignItem(
                name=revision, refused=f"the exchange requires {', '.join(needed)[:120]}, which is not known"
            )
        elif revision in seen and seen[revision] != as_text(row.get("text")):
            yield ForeignItem(name=revision, refused="its revision_id has another text in this exchange")
        elif revision not in seen:
            seen[revision] = as_text(row.get("text"))
            yield _read_object(row, path, revision, exchange)
    for revision, kind in exchange.erased.items():
        if revision not in exchange.revisions:
            yield ForeignItem(
                name=revision, retired=revision, left_out=f"the exchange says {kind} and holds no text of it"
            )


def _unwrap(data: Any) -> dict[str, Any]:
    """Return the exchange in a JSON value, or an empty dictionary if there is none. Test files wrap it in an object."""
    if isinstance(data, dict) and isinstance(data.get("exchange"), dict):
        data = data["exchange"]
    return data if isinstance(data, dict) else {}


def _read_events(rows: list[dict[str, Any]], events: list[Any]) -> _Exchange:
    replaced: dict[str, str] = {}
    erased: dict[str, str] = {}
    conflicts: set[str] = set()
    for event in events:
        if not isinstance(event, dict):
            continue
        kind, target = as_text(event.get("kind")), as_text(event.get("target"))
        replacement = as_text(event.get("replacement"))
        if kind == "supersede" and replacement:
            if replaced.setdefault(target, replacement) != replacement:
                conflicts.add(target)
        elif kind in _ERASED and target:
            erased[target] = kind
    revisions = frozenset(as_text(row.get("revision_id")) for row in rows)
    return _Exchange(revisions=revisions, replaced=replaced, erased=erased, conflicts=frozenset(conflicts))


def _read_object(row: dict[str, Any], path: str, revision: str, exchange: _Exchange) -> ForeignItem:
    text = as_text(row.get("text"))
    if revision in exchange.erased:
        # The file has the text, and also an event that erases it.
        return ForeignItem(name=revision, retired=revision, refused=f"the exchange says {exchange.erased[revision]}")
    if not text:
        return ForeignItem(name=revision, left_out="it has no text; other media are not kept")
    if redact(text)[1] or _CREDENTIAL.search(text):
        return ForeignItem(name=revision, refused="it contains a credential; remove it there")
    scope = row.get("scope") if isinstance(row.get("scope"), dict) else {}
    is_restricted, unmet = _judge_policy(row.get("policy"), scope or {})
    if unmet:
        return ForeignItem(name=revision, left_out=unmet)
    changed = []
    if as_text(row.get("role")) == _SOURCE:
        changed.append("it is a source; a memory is made of its text, and the source itself is not kept")
    if revision in exchange.conflicts:
        changed.append("the exchange replaces it twice, by different objects; the first counts")
    if missing := _find_missing_evidence(row.get("derivation"), exchange.revisions):
        changed.append(f"its evidence {missing[:80]} is not in the exchange")
    return ForeignItem(
        name=revision,
        identity=revision,
        replaced_by=exchange.replaced.get(revision, ""),
        draft=make_draft(
            text,
            path=path,
            tags=[as_text(row.get("role"))],
            sensitivity=Sensitivity.PRIVATE if is_restricted else None,
            created_at=parse_foreign_time(row.get("recorded_at")),
            expires_at=parse_foreign_time(row.get("expires_at")),
        ),
        changed=tuple(changed),
    )


def _judge_policy(policy: Any, scope: dict[str, Any]) -> tuple[bool, str]:
    """Return whether an object must be private because of its policy, and why Limpet cannot comply with the policy.

    The reason is an empty string if Limpet can comply. The person who imports counts as the owner of the object, so a
    policy that names other people cannot be complied with.
    """
    if not isinstance(policy, dict) or not policy.get("rules"):
        return False, ""
    system = as_text(scope.get("origin_system"))
    owners = {name for name in (as_text(scope.get("owner")), as_text(scope.get("subject"))) if name}
    known = owners | {f"{name}@{system}" for name in owners}
    for rule in policy["rules"] if isinstance(policy["rules"], list) else [None]:
        if not isinstance(rule, dict):
            return True, "its policy has a rule that is not an object"
        others = [str(each) for each in rule.get("principals") or () if each not in known]
        unknown = [str(each) for each in rule.get("actions") or () if each not in _KEPT_ACTIONS]
        if policy.get("required", True) and others:
            return True, f"its policy names {others[0][:60]!r}, who is not its owner"
        if policy.get("required", True) and (unknown or rule.get("constraints")):
            return True, f"its policy asks for {(unknown or ['constraints'])[0][:60]!r}, which cannot be kept here"
    return True, ""


def _find_missing_evidence(derivation: Any, revisions: frozenset[str]) -> str:
    used = derivation.get("used") if isinstance(derivation, dict) else None
    return next((str(each) for each in used or () if each not in revisions), "")
