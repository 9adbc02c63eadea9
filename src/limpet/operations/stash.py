"""Write a stash: a file about the current session, so that its work can be continued later."""

from __future__ import annotations

import os

from limpet.errors import UsageError
from limpet.insight.authorship import find_repeated_lines, record_file
from limpet.insight.folder import STASH_FOLDER
from limpet.insight.stash import (
    encode_stash,
    find_repeated_items,
    make_name,
    mention_many,
    remove_secrets,
    render_extract,
    write_stash,
)
from limpet.lean.record import pick, record
from limpet.learning.stashing import read_extract
from limpet.operations.catalogue import Param, Verb
from limpet.runtime import Runtime
from limpet.runtime.project_folder import find_root, open_folder
from limpet.runtime.recordings import find_last_session
from limpet.text.excerpt import shorten_line


@record
class StashAnswer:
    """The path of the stash that was written, and the id of the session that it is about."""

    path: str
    session: str | None
    is_new: bool
    """Whether the folder for stashes was newly created in the repository."""
    waiting: int
    """The number of stashes not distilled yet, if there are many and the user has not been told yet; otherwise 0."""


def run(runtime: Runtime, *, name: str | None = None, text: str | None = None) -> StashAnswer:
    # Raises an error if this folder claims to be a known project without proof.
    runtime.scope()
    session = runtime.session
    repeated = set[int]()
    # The name of the file is as readable as its text, so it must not contain a secret either.
    name = remove_secrets(name) if name is not None else None
    if text is None:
        recorded = find_last_session(runtime)
        if recorded is None:
            raise UsageError("no recorded session of this project was found; give the text: limpet stash NAME --text -")
        extract, taint = read_extract(recorded, root=runtime.where().root)
        if extract.is_empty:
            raise UsageError("nothing was said in the session yet that could be stashed; give the text with --text -")
        title = name or next(iter((*extract.wanted, *extract.done, *extract.decided)), "session")
        title = remove_secrets(title)
        text, session = render_extract(extract, title=shorten_line(title, 100), now=runtime.now()), recorded.session
        data = encode_stash(text)
        repeated = find_repeated_items(extract, data.decode())
    else:
        taint, data = runtime.find_taint(), encode_stash(text)
        text = data.decode()
        title = name or next((line for line in text.splitlines() if line.strip()), "")
    chosen = make_name(shorten_line(title, 60).rstrip("…"))
    folder = open_folder(runtime, STASH_FOLDER)
    path = write_stash(folder, chosen, data)
    repeated |= find_repeated_lines(data.decode(), lambda said: bool(taint.find(said)))
    record_file(runtime.settings.home, data, repeated=repeated)
    is_new = folder.is_new and find_root(runtime) is not None
    return StashAnswer(path=path, session=session, is_new=is_new, waiting=mention_many(folder))


VERB = Verb(
    run=run,
    shape=lambda answer: {
        "path": answer.path,
        "name": os.path.basename(answer.path).removesuffix(".md"),
        **pick(answer, "session", "waiting"),
    },
    params=(
        Param(name="name", help="A name for it; made from what the session was about if not given.", positional=True),
        Param(name="text", help="What to write, instead of an extract of the session.", free_text=True),
    ),
    details=(
        "Writes what was wanted, done and decided in the current session, and what is open, to .claude/stash/NAME.md, "
        "which git is told to ignore. Without --text it is extracted from the recording of the session. A stash is "
        "never overwritten."
    ),
    examples=("limpet stash", "limpet stash before-the-refactoring", "cat notes.md | limpet stash handover --text -"),
)
