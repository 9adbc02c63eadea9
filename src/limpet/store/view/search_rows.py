"""The tables that memories are searched by: full text, facets and bands of the similarity hash."""

from __future__ import annotations

import zlib

from limpet.model.change import Status
from limpet.model.memory import Memory, Phase
from limpet.model.scope import agent_token
from limpet.store.view.conditions import index_token
from limpet.store.view.open import View


def put_search_rows(view: View, key: int, token: str, memory: Memory, status: Status, simhash: int | None) -> None:
    """Enter a memory into the tables it is searched by; one that is not live is found by its facets only."""
    for name, value in {
        *(("tag", tag.lower()) for tag in memory.tags),
        *(("concept", concept.value) for concept in memory.concepts),
        *(("file", path) for path in (*memory.files_read, *memory.files_modified)),
        *(("file", citation.path) for citation in memory.citations),
    }:
        view.run("INSERT OR IGNORE INTO facet VALUES (?, ?, ?)", (name, value, key))
    if status is not Status.LIVE:
        return
    # A process that only reads does not need what turns texts into words.
    from limpet.text.lexicon import expand_for_index

    archived = memory.phase is Phase.ARCHIVED
    if simhash is not None and not archived:
        for band in scoped_bands(token, simhash):
            view.run("INSERT OR IGNORE INTO band VALUES (?, ?, ?)", (band, key, simhash - (1 << 63)))
    files = (*memory.files_read, *memory.files_modified, *(each.path for each in memory.citations))
    view.run(
        "INSERT INTO words (rowid, title, subtitle, content, tags, files, scope) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            key,
            expand_for_index(memory.title),
            expand_for_index(memory.subtitle),
            expand_for_index(memory.original_content),
            expand_for_index(" ".join(memory.tags)),
            expand_for_index(" ".join(dict.fromkeys(files))),
            " ".join(index_token(each, memory.sensitivity, archived) for each in (token, agent_token(memory.agent))),
        ),
    )
    if view.has_vectors:
        view.run("INSERT OR IGNORE INTO unembedded VALUES (?)", (key,))


def clear_search_rows(view: View, key: int) -> None:
    """Take a memory out of the tables it is searched by."""
    view.run("DELETE FROM words WHERE rowid = ?", (key,))
    view.run(
        "DELETE FROM sketch WHERE key = ?1 AND scope IN "
        "(SELECT m.scope || level.value || x.value FROM memory m, json_each('[0,1,2,3]') level, "
        'json_each(\'["","x"]\') x WHERE m.key = ?1)',
        (key,),
    )
    view.run("DELETE FROM vector WHERE key = ?", (key,))
    view.run("DELETE FROM unembedded WHERE key = ?", (key,))
    view.run("DELETE FROM facet WHERE memory = ?", (key,))
    view.run("DELETE FROM band WHERE memory = ?", (key,))


def scoped_bands(scope_token: str, simhash: int) -> list[int]:
    """Return the bands of a hash as numbers that differ by scope, so that a look-up meets no text of another scope."""
    scope = zlib.crc32(scope_token.encode())
    from limpet.text.similarity import split_bands

    return [scope << 14 | band for band in split_bands(simhash)]
