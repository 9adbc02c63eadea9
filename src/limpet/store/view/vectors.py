"""Make the vectors by which memories are compared by meaning, a few at a time."""

from __future__ import annotations

import json

from limpet.model.codec import decode_memory
from limpet.model.memory import Phase, Sensitivity
from limpet.store.view.conditions import index_token
from limpet.store.view.open import View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def embed(view: View, limit: int) -> int:
    """Make vectors for some of the memories that have none yet; return how many are left."""
    if not view.has_vectors:
        return 0
    rows: list[Any] = view.run(
        "SELECT u.key, m.scope, m.sensitivity, m.phase, m.body FROM unembedded u "
        "LEFT JOIN memory m ON m.key = u.key AND m.status = 'live' ORDER BY u.key DESC LIMIT ?",
        (limit,),
    ).fetchall()
    from limpet.text.embedding import load_table, sign_bits

    texts = ["" if body is None else decode_memory(json.loads(body)).original_content for *_, body in rows]
    for (key, scope, sensitivity, phase, _), code in zip(rows, load_table().encode_many(texts), strict=True):
        view.run("DELETE FROM unembedded WHERE key = ?", (key,))
        if code is not None:
            view.run("INSERT OR REPLACE INTO vector VALUES (?, ?)", (key, code))
            token = index_token(scope, Sensitivity(sensitivity), phase == Phase.ARCHIVED)
            view.run("INSERT OR REPLACE INTO sketch VALUES (?, ?, ?)", (token, key, sign_bits(code)))
    return int(view.run("SELECT count(*) FROM unembedded").get or 0)


def has_missing_vectors(view: View) -> bool:
    """Tell whether some memories have no vector yet."""
    return view.has_vectors and bool(view.run("SELECT 1 FROM unembedded LIMIT 1").get)


def use_vectors_of(view: View, model: str) -> None:
    """Let all vectors be made anew if they are of another model: those cannot be compared with vectors of this one."""
    if view.run("SELECT value FROM meta WHERE name = 'vectors'").get == model:
        return
    for command in (
        "DELETE FROM vector",
        "DELETE FROM sketch",
        "INSERT OR IGNORE INTO unembedded SELECT key FROM memory WHERE status = 'live'",
    ):
        view.run(command)
    view.run("INSERT OR REPLACE INTO meta VALUES ('vectors', ?)", (model,))
