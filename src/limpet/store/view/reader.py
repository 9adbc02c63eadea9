"""All queries of a view in one list; each is a function in the module of its subject."""

from __future__ import annotations

from limpet.store.view import antigens as ledger
from limpet.store.view import browse as memories
from limpet.store.view import conversations as talks
from limpet.store.view import due as upkeep
from limpet.store.view import facts as stated
from limpet.store.view import owners, search
from limpet.store.view.rows import RowSource


class Reader(RowSource):
    """A `Reading` of one view; each function over a `RowSource` that is listed here becomes a method."""

    get = memories.get
    ids_with_prefix = memories.ids_with_prefix
    browse = memories.browse
    by_keys = memories.by_keys
    same_text = memories.same_text
    recent_with_words = memories.recent_with_words
    near_duplicates = memories.near_duplicates
    newest = memories.newest
    versions = memories.versions
    descendants = memories.descendants
    history = memories.history
    moved_ids = memories.moved_ids
    last_forgotten = memories.last_forgotten
    last_purged = memories.last_purged
    links = memories.links
    contradictions = memories.contradictions
    for_start = memories.for_start
    count_notes = memories.count_notes
    was_noted = memories.was_noted
    receipts = memories.receipts
    token_days = memories.token_days

    by_words = search.by_words
    by_meaning = search.by_meaning
    frequencies = search.frequencies
    closeness = search.closeness
    neighbours = search.neighbours
    key_of = search.index_key
    code_of = search.code_of

    fact = stated.fact
    facts = stated.facts
    facts_from = stated.facts_from

    antigens = ledger.antigens
    purged_sessions = ledger.purged_sessions

    project = owners.project
    projects = owners.projects
    commits = owners.commits
    agent = owners.agent
    agents = owners.agents
    session = owners.session
    last_session = owners.last_session
    last_summarised_session = owners.last_summarised_session
    sessions_to_curate = owners.sessions_to_curate
    counts = owners.counts

    app = talks.app
    apps = talks.apps
    conversation = talks.conversation
    conversations = talks.conversations
    conversations_to_settle = talks.conversations_to_settle
    messages = talks.messages
    file = talks.file
    files = talks.files
    file_changes = talks.file_changes
    file_change_ids = talks.file_change_ids
    energy = talks.energy
    app_counts = talks.app_counts

    rooms = upkeep.rooms
    due = upkeep.due
    summaries = upkeep.summaries
    orphans = upkeep.orphans
    superseded_by = upkeep.superseded_by
    twins = upkeep.twins
    count_in_phase = upkeep.count_in_phase
    over_cap = upkeep.over_cap
