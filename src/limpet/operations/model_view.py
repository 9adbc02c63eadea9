"""Encode the answer of each verb in the form that a model is shown, by an MCP tool or on the command line.

Every text of a memory or a fact has passed the governor, which decides what a model may see. Every other text is
neutralised, so that it cannot imitate the structure of a prompt. Lists show titles. Searches also show texts, cut so
that the answer stays within its budget. Only `show` gives the whole text of a memory. The answer of a verb without an
encoder cannot be shown to a model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from limpet.doors.governor import neutralise
from limpet.errors import Refused
from limpet.model.change import Status
from limpet.model.codec import format_time
from limpet.model.outcome import Admitted, Duplicate, Outcome
from limpet.model.query import Hit, Page, Stored
from limpet.operations.catalogue import load_verb
from limpet.operations.model_reports import (
    encode_achievements,
    encode_backfill,
    encode_check,
    encode_distil,
    encode_friction,
)
from limpet.operations.model_rows import (
    compact_json,
    cut_to_tokens,
    drop_empty,
    govern_words,
    make_fact_row,
    make_memory_rows,
    make_text_rows,
    make_title_rows,
)
from limpet.operations.permissions import is_hidden

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.operations.apps_answer import AppsAnswer
    from limpet.operations.blame import BlameAnswer
    from limpet.operations.confirm import ConfirmAnswer
    from limpet.operations.doctor import DoctorAnswer
    from limpet.operations.facts import FactsAnswer
    from limpet.operations.feedback import FeedbackAnswer
    from limpet.operations.forget import ForgetAnswer
    from limpet.operations.graph import GraphAnswer
    from limpet.operations.inbox import InboxAnswer
    from limpet.operations.restore import RestoreAnswer
    from limpet.operations.share import ShareAnswer
    from limpet.operations.show import ShowAnswer
    from limpet.operations.stats import StatsAnswer
    from limpet.operations.timeline import TimelineAnswer
    from limpet.operations.why import WhyAnswer
    from limpet.runtime import Runtime
    from limpet.upkeep.round import Round

    Encoder = Callable[[Runtime, Any], dict[str, Any]]

WHOLE = 8000
"""The maximum number of tokens in the text when one memory is shown in full."""
WEAK = "weak: only near the question, and may not answer it"
_MOST_PROBLEMS = 20
_MOST_LINKS = 50


def render_for_model(name: str, runtime: Runtime, answer: Any, encode: Encoder | None = None) -> str:
    """Return the answer of a verb as JSON for a model; `encode` replaces the usual encoder of the verb."""
    encoded = (encode or ENCODERS[name])(runtime, answer)
    return compact_json(neutralise_all(encoded)).encode("utf-8", "replace").decode()


def encode_admission(runtime: Runtime, answer: Outcome) -> dict[str, Any]:
    match answer:
        case Admitted(memory=memory) | Duplicate(memory=memory):
            kind = "stored" if isinstance(answer, Admitted) else "duplicate"
            shown = {"outcome": kind, "id": memory.id, "kind": memory.kind, "type": memory.type}
            older = _make_older_rows(runtime, answer.links) if isinstance(answer, Admitted) else []
            more = {"redacted": sorted(set(answer.redacted)), "notes": list(answer.notes), "older": older}
            return drop_empty({**shown, **more})
        case rejected:
            raise Refused(rejected.reason)


def _make_older_rows(runtime: Runtime, links: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
    """Return a row for each link from a new memory to an older one, such as one that it replaces or repeats."""
    found = {id: runtime.reading().get(id) for _, id in links}
    seen = [stored for stored in found.values() if stored is not None and not is_hidden(runtime, stored)]
    titles = {row["id"]: row for row in make_title_rows(runtime, seen)}
    return [
        drop_empty({"relation": relation, "id": id, "title": titles.get(id, {}).get("title")}) for relation, id in links
    ]


def encode_ranked(runtime: Runtime, page: Page[Hit]) -> dict[str, Any]:
    """Encode the memories that a search has found.

    If there is a hit that is not weak, weak hits, which may not answer the question, are shortened to leave room for
    it.
    """
    weak = [hit.weak for hit in page.items]
    rows = make_text_rows(runtime, [hit.stored for hit in page.items], minor=() if all(weak) else weak)
    for row, is_weak in zip(rows, weak, strict=True):
        row |= drop_empty({"weak": is_weak})
    return {**drop_empty({"note": WEAK if weak and all(weak) else ""}), **_encode_page("memories", rows, page)}


def encode_found(runtime: Runtime, page: Page[Stored]) -> dict[str, Any]:
    """Encode the memories found by file or concept, and record an access to each, because the model reads its text."""
    from limpet.operations.recall import record_access

    record_access(runtime, [stored.memory.id for stored in page.items], way="recall")
    return _encode_page("memories", make_text_rows(runtime, page.items), page)


def encode_titles(runtime: Runtime, page: Page[Stored]) -> dict[str, Any]:
    return _encode_page("memories", make_title_rows(runtime, page.items), page)


def encode_notes(runtime: Runtime, answer: InboxAnswer) -> dict[str, Any]:
    """Encode notes with their texts.

    Accesses are not recorded, because they alone must not turn a note into a kept memory.
    """
    ids = {"kept": answer.kept, "dropped": answer.dropped}
    done = {name: [stored.memory.id for stored in memories] for name, memories in ids.items()}
    return {**_encode_page("memories", make_text_rows(runtime, answer.notes.items), answer.notes), **drop_empty(done)}


def encode_upkeep(runtime: Runtime, answer: Round) -> dict[str, Any]:
    """Encode how many memories upkeep has changed, and its notices."""
    return {"changed": sum(answer.done.values()), "notices": answer.notices, "note": "nothing is erased"}


def encode_apps(runtime: Runtime, answer: AppsAnswer) -> dict[str, Any]:
    parts = load_verb("apps").to_json(answer, runtime.now())
    if answer.action == "memories":
        parts["memories"] = make_memory_rows(runtime, [each.stored for each in answer.memories])
    return parts


def encode_feedback(runtime: Runtime, answer: FeedbackAnswer) -> dict[str, Any]:
    return {"id": answer.stored.memory.id, "feedback": answer.says.value}


def encode_timeline(runtime: Runtime, answer: TimelineAnswer) -> dict[str, Any]:
    episodes = [
        drop_empty(
            {
                "session": episode.session,
                "started_at": format_time(episode.started_at),
                "memories": make_title_rows(runtime, episode.memories),
            }
        )
        for episode in answer.episodes
    ]
    return {"episodes": episodes, "total": answer.total, "has_more": answer.has_more}


def encode_whole(runtime: Runtime, shown: ShowAnswer) -> dict[str, Any]:
    memory = shown.stored.memory
    [row] = make_memory_rows(runtime, [shown.stored])
    if "withheld" in row:
        return {"memory": {**row, "status": shown.stored.status}}
    row |= {
        "status": shown.stored.status,
        "origin": memory.origin,
        "impact": memory.impact,
        "region": memory.region,
        "created_at": format_time(memory.created_at),
        "updated_at": format_time(memory.updated_at),
        "version": memory.version,
        "phase": int(memory.phase),
        "confidence": memory.confidence,
        "difficulty": memory.difficulty,
        "pinned": memory.pinned,
        "session": memory.session,
        "branch": memory.branch,
        "commit": memory.commit,
        "concepts": list(memory.concepts),
        "warnings": list(shown.stored.warnings),
    }
    files = dict.fromkeys((*memory.files_modified, *memory.files_read, *(each.path for each in memory.citations)))
    row["tags"] = govern_words(shown.stored, memory.tags)
    row["files"] = govern_words(shown.stored, tuple(files))
    row["text"] = cut_to_tokens(row["text"], WHOLE)
    if memory.original_content != memory.content:
        row["original"] = cut_to_tokens(govern_words(shown.stored, (memory.original_content,)) or "", WHOLE)
    versions = [
        {"id": each.memory.id, "version": each.memory.version, "status": each.status} for each in shown.versions
    ]
    links = [{"relation": relation, "id": to} for relation, to in shown.links[:_MOST_LINKS]]
    more = {"versions": versions if len(versions) > 1 else [], "links": links}
    return {"memory": drop_empty(row), **drop_empty(more)}


def encode_forgotten(runtime: Runtime, answer: ForgetAnswer) -> dict[str, Any]:
    shown = {"ids": [stored.memory.id for stored in answer.memories]}
    if not answer.done:
        return {"forgotten": False, "memories": make_title_rows(runtime, answer.memories)}
    restored = [stored.memory.id for stored in answer.restored]
    shown = drop_empty({**shown, "told_again": restored})
    return {"forgotten": True, **shown, "note": "nothing is erased; the user can restore it with: limpet restore ID"}


def encode_pinned(runtime: Runtime, stored: Stored) -> dict[str, Any]:
    return {"id": stored.memory.id, "pinned": stored.memory.pinned}


def encode_facts(runtime: Runtime, answer: FactsAnswer) -> dict[str, Any]:
    shown = {
        "facts": [make_fact_row(judged) for judged in answer.judged],
        "total": answer.total,
        "has_more": answer.has_more,
    }
    closed = [fact.id for fact in answer.closed]
    return shown | drop_empty({"added": answer.added, "closed": closed, "redacted": sorted(set(answer.redacted))})


def encode_status(runtime: Runtime, stats: StatsAnswer) -> dict[str, Any]:
    counts = stats.counts
    return {
        "total": counts["status"].get(Status.LIVE, 0),
        "by_phase": counts["phase"],
        "by_kind": counts["kind"],
        "by_status": counts["status"],
        "expired": counts["expired"],
        "facts": counts["facts"],
        "sessions": counts["sessions"],
        "agent": stats.agent,
        "project": stats.project,
        "path": stats.home,
        "bytes": sum(stats.bytes.values()),
    }


def encode_diagnosis(runtime: Runtime, answer: DoctorAnswer) -> dict[str, Any]:
    from limpet.operations.verify import encode_problem

    problems = [drop_empty(encode_problem(problem)) for problem in answer.problems[:_MOST_PROBLEMS]]
    sentences = {"notes": answer.notes, "warnings": answer.warnings, "mended": answer.mended}
    more = {name: texts[:_MOST_PROBLEMS] for name, texts in sentences.items()}
    return {
        "ok": not answer.problems,
        "problems": problems,
        "problem_count": len(answer.problems),
        **drop_empty(more),
        **answer.facts,
    }


def encode_graph(runtime: Runtime, graph: GraphAnswer) -> dict[str, Any]:
    edges = [{"from": source, "relation": relation, "to": target} for source, relation, target in graph.edges]
    return {"memories": make_title_rows(runtime, graph.nodes), "links": edges, "total": graph.total}


def encode_receipts(runtime: Runtime, why: WhyAnswer) -> dict[str, Any]:
    """Encode receipts: which memories were given to a model, each with the title that the governor allows."""
    shown = {row["id"]: row for row in make_title_rows(runtime, why.memories.values())}
    encoded = load_verb("why").to_json(why, runtime.now())
    for receipt in encoded["receipts"]:
        receipt["memories"] = [
            drop_empty({**shown[each["id"]], "outcome": each["outcome"], "note": each["note"]})
            for each in receipt["memories"]
        ]
    return {**encoded, "memory": why.stored.memory.id if why.stored else None}


def encode_history(runtime: Runtime, blame: BlameAnswer) -> dict[str, Any]:
    """Encode who changed a memory and when. If the memory is withheld, encode only the reason.

    The changes of a withheld memory are left out, because they may quote its text.
    """
    if blame.stored is not None:
        [row] = make_memory_rows(runtime, [blame.stored])
        if "withheld" in row:
            return {"memory": row}
    return load_verb("blame").to_json(blame, runtime.now())


def encode_restored(runtime: Runtime, answer: RestoreAnswer) -> dict[str, Any]:
    return {"id": answer.stored.memory.id, "how": answer.how}


def encode_confirmed(runtime: Runtime, answer: ConfirmAnswer) -> dict[str, Any]:
    return drop_empty({"confirmed": [stored.memory.id for stored in answer.memories], "agent": answer.agent})


def encode_shared(runtime: Runtime, answer: ShareAnswer) -> dict[str, Any]:
    encoded = load_verb("share").to_json(answer, runtime.now())
    return {**encoded, "memories": make_title_rows(runtime, answer.memories)}


def _encode_plainly(name: str) -> Encoder:
    """Return an encoder for a verb whose answer contains no memory texts."""

    def encode(runtime: Runtime, answer: Any) -> dict[str, Any]:
        return load_verb(name).to_json(answer, runtime.now())

    return encode


def neutralise_all(value: Any) -> Any:
    """Return a copy of an answer in which every string is neutralised. Even a branch name may imitate a prompt."""
    match value:
        case str():
            return neutralise(value)
        case dict():
            return {name: neutralise_all(each) for name, each in value.items()}
        case list():
            return [neutralise_all(each) for each in value]
        case _:
            return value


def _encode_page(name: str, rows: list[dict[str, Any]], page: Page[Any]) -> dict[str, Any]:
    return {name: rows, "total": page.total, "has_more": page.has_more}


_PLAIN = (
    *("capture", "config", "cost", "export", "import", "purge", "setup", "sign", "stash", "sync", "uninstall"),
    *("unshare", "verify", "antigens"),
)
"""Verbs whose answers for a model contain no memory texts, only counts, settings, paths and ids."""

ENCODERS: Mapping[str, Encoder] = {
    "achievements": encode_achievements,
    "apps": encode_apps,
    "backfill": encode_backfill,
    "blame": encode_history,
    "check": encode_check,
    "confirm": encode_confirmed,
    "correct": encode_admission,
    "distil": encode_distil,
    "doctor": encode_diagnosis,
    "facts": encode_facts,
    "feedback": encode_feedback,
    "forget": encode_forgotten,
    "friction": encode_friction,
    "graph": encode_graph,
    "inbox": encode_notes,
    "list": encode_titles,
    "pin": encode_pinned,
    "recall": encode_ranked,
    "related": encode_ranked,
    "remember": encode_admission,
    "restore": encode_restored,
    "share": encode_shared,
    "show": encode_whole,
    "stats": encode_status,
    "timeline": encode_timeline,
    "upkeep": encode_upkeep,
    "why": encode_receipts,
    **{name: _encode_plainly(name) for name in _PLAIN},
}
"""The encoder of each verb, by the verb's name."""
