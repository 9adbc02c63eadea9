"""Combine all queries about a view in one class. Each query is a function in another module of this package."""

from __future__ import annotations

from limpet.store.view import app_queries, fact_queries, owners, search_queries
from limpet.store.view import browse as memory_queries
from limpet.store.view import due as upkeep_queries
from limpet.store.view.rows import RowSource


class Reading(RowSource):
    """The queries that can be made about the state of a store at a given time.

    Queries change nothing, so most methods are named after what they return, as in `reading.facts(query)`. Each
    function listed here becomes a method.
    """

    get = memory_queries.get
    ids_with_prefix = memory_queries.ids_with_prefix
    browse = memory_queries.browse
    by_keys = memory_queries.by_keys
    same_text = memory_queries.same_text
    recent_with_words = memory_queries.recent_with_words
    near_duplicates = memory_queries.near_duplicates
    newest = memory_queries.newest
    versions = memory_queries.versions
    descendants = memory_queries.descendants
    history = memory_queries.history
    changed_ids = memory_queries.changed_ids
    last_forgotten = memory_queries.last_forgotten
    last_purged = memory_queries.last_purged
    links = memory_queries.links
    contradictions = memory_queries.contradictions
    for_start = memory_queries.for_start
    for_trial = memory_queries.for_trial
    has_evidence = memory_queries.has_evidence
    count_notes = memory_queries.count_notes
    receipts = memory_queries.receipts
    token_days = memory_queries.token_days

    by_words = search_queries.by_words
    by_meaning = search_queries.by_meaning
    frequencies = search_queries.frequencies
    closeness = search_queries.closeness
    neighbours = search_queries.neighbours
    key_of = search_queries.index_key
    code_of = search_queries.code_of

    fact = fact_queries.fact
    facts = fact_queries.facts
    facts_from = fact_queries.facts_from

    antigens = fact_queries.antigens
    purged_sessions = fact_queries.purged_sessions

    project = owners.project
    projects = owners.projects
    commits = owners.commits
    agent = owners.agent
    agents = owners.agents
    session = owners.session
    count_compactions = owners.count_compactions
    last_session = owners.last_session
    last_summarised_session = owners.last_summarised_session
    taken_back = owners.taken_back
    sessions_to_curate = owners.sessions_to_curate
    counts = owners.counts

    app = app_queries.app
    apps = app_queries.apps
    conversation = app_queries.conversation
    conversations = app_queries.conversations
    conversations_to_settle = app_queries.conversations_to_settle
    messages = app_queries.messages
    file = app_queries.file
    files = app_queries.files
    file_changes = app_queries.file_changes
    energy = app_queries.energy
    app_counts = app_queries.app_counts

    rooms = upkeep_queries.rooms
    due = upkeep_queries.due
    summaries = upkeep_queries.summaries
    orphans = upkeep_queries.orphans
    superseded_by = upkeep_queries.superseded_by
    twins = upkeep_queries.twins
    count_in_phase = upkeep_queries.count_in_phase
    over_cap = upkeep_queries.over_cap
