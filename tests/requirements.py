"""What is promised and built: one row a requirement, with the tests that would fail without it.

`source` names the design documents a row comes from, 0 to 4, or `own`. `tests` are node ids; `test_requirements.py`
checks that each of them exists.
"""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    id: str
    sentence: str
    source: str
    tests: tuple[str, ...] = ()


ROWS = (
    # The record
    Row(
        "M1",
        "A memory is one type, and every encoding of it gives back the memory that went in.",
        "0, 1, 2, 4",
        (
            "tests/model/test_codec.py::test_a_memory_written_in_full_is_read_back_the_same",
            "tests/model/test_codec.py::test_a_memory_written_sparsely_is_read_back_the_same",
            "tests/model/test_codec.py::test_the_full_form_names_every_field",
            "tests/store/conformance/test_writing.py::test_a_memory_is_read_back_as_it_was_given",
            "tests/operations/test_moving.py::test_a_round_trip_gives_back_everything_as_it_was",
        ),
    ),
    Row(
        "M2",
        "Ids sort by time, any unambiguous beginning will do, an ambiguous one changes nothing.",
        "1",
        (
            "tests/model/test_ids.py::test_ids_sort_as_their_moments_do",
            "tests/model/test_ids.py::test_ids_of_one_moment_differ_in_eighty_random_bits",
            "tests/store/conformance/test_browsing.py::test_an_id_is_found_by_its_beginning",
            "tests/operations/test_ids.py::test_an_ambiguous_beginning_lists_the_candidates_and_changes_nothing",
            "tests/operations/test_ids.py::test_a_beginning_that_fits_one_memory_is_enough",
        ),
    ),
    Row(
        "M3",
        "The original text never changes, and every text that was ever shown can be got back.",
        "0, 1",
        (
            "tests/model/test_change.py::test_condensing_shortens_what_is_shown_and_keeps_the_original",
            "tests/store/conformance/test_lines.py::test_the_original_text_of_every_version_can_be_got_back",
            "tests/operations/test_corrections.py::test_restoring_brings_a_condensed_text_back_in_full",
        ),
    ),
    Row(
        "M4",
        "A correction is a new version that supersedes the old one; both stay, linked.",
        "0",
        (
            "tests/model/test_change.py::test_a_correction_supersedes_and_both_stay",
            "tests/store/conformance/test_lines.py::test_versions_are_listed_from_the_first_to_the_last",
            "tests/store/conformance/test_finding.py::test_the_newest_of_a_kind_is_the_last_live_one_of_its_scope",
            "tests/operations/test_corrections.py::test_a_correction_is_the_next_version_and_both_are_kept",
            "tests/doors/test_admission.py::test_each_memory_names_the_newest_live_one_of_its_kind_and_region",
        ),
    ),
    Row(
        "M5",
        "Facts have three parts, sources and a time they hold; a newer value closes the older one.",
        "2",
        (
            "tests/model/test_change.py::test_a_fact_is_closed_with_less_confidence_by_what_overtook_it",
            "tests/model/test_codec.py::test_a_fact_is_read_back_the_same",
            "tests/model/test_codec.py::test_a_fact_holds_from_its_beginning_up_to_but_not_at_its_end",
            "tests/store/conformance/test_facts.py::test_facts_are_found_by_any_part_whatever_its_case",
            "tests/store/conformance/test_facts.py::test_an_overtaken_fact_is_closed_with_less_confidence_and_stays",
            "tests/store/conformance/test_facts.py::test_facts_can_be_asked_for_as_of_a_date",
            "tests/operations/test_facts.py::test_a_newer_fact_closes_the_older_and_lowers_its_confidence",
        ),
    ),
    Row(
        "M6",
        "Agents have an id and a name, come from flag, settings or an accepted file, and are isolated.",
        "0",
        (
            "tests/model/test_change.py::test_an_agent_is_first_seen_when_it_was_first_spoken_of",
            "tests/model/test_scope.py::test_a_scope_sees_its_own_memories_and_no_others",
            "tests/test_workspace.py::test_an_agent_definition_gives_id_and_name",
            "tests/store/conformance/test_isolation.py::test_no_question_crosses_a_scope",
            "tests/store/conformance/test_who.py::test_agents_are_listed_as_they_were_first_seen",
            "tests/operations/test_isolation.py::test_an_agent_file_counts_only_once_the_user_has_accepted_it",
            "tests/operations/test_isolation.py::test_the_agent_is_anima_unless_said_otherwise",
        ),
    ),
    Row(
        "M7",
        "A project is known by its origin, git directory or path, wherever it is moved or cloned.",
        "0, own",
        (
            "tests/test_workspace.py::test_a_repository_with_an_origin_is_known_by_it_on_every_machine",
            "tests/test_workspace.py::test_a_worktree_is_the_same_project_on_its_own_branch",
            "tests/test_workspace.py::test_a_moved_repository_keeps_its_birth_and_the_old_place_is_gone",
            "tests/test_workspace.py::test_two_folders_of_the_same_name_are_two_projects",
            "tests/test_workspace.py::test_sub_folders_of_a_monorepo_belong_to_the_repository",
            "tests/model/test_change.py::test_a_project_gathers_its_keys_and_keeps_its_last_name",
            "tests/store/conformance/test_who.py::test_a_project_is_found_by_its_id_and_by_each_of_its_keys",
            "tests/operations/test_isolation.py::test_a_moved_repository_is_still_the_same_project",
            "tests/operations/test_isolation.py::test_a_second_clone_is_the_same_project",
        ),
    ),
    Row(
        "M8",
        "A session is named by who calls, numbered in its project, and never a global.",
        "1",
        (
            "tests/model/test_change.py::test_a_session_adds_up_what_was_counted",
            "tests/store/conformance/test_who.py::test_sessions_have_a_running_number_in_their_project",
            "tests/store/conformance/test_who.py::test_a_session_is_read_back_as_it_was_counted",
            "tests/operations/test_isolation.py::test_sessions_are_numbered_per_project_and_remember_where_they_were",
        ),
    ),
    Row(
        "M9",
        "Every write is a change in the journal, and the state of any past moment can be read.",
        "2, own",
        (
            "tests/model/test_change.py::test_a_change_knows_its_moment",
            "tests/store/conformance/test_writing.py::test_history_holds_every_change_of_a_memory_as_it_was_kept",
            "tests/store/conformance/test_past.py::test_every_past_moment_is_the_fold_of_the_changes_up_to_it",
            "tests/operations/test_corrections.py::test_every_version_can_be_seen_as_it_was_on_a_day",
        ),
    ),
    # Admission
    Row(
        "A1",
        "Unfit input is rejected with a sentence that says what to do, and nothing is half written.",
        "own",
        (
            "tests/doors/test_fitness.py::test_an_empty_text_is_refused",
            "tests/doors/test_fitness.py::test_a_text_of_more_than_a_megabyte_is_refused",
            "tests/doors/test_fitness.py::test_half_a_character_is_refused",
            "tests/doors/test_fitness.py::test_an_unfit_field_is_refused_like_an_unfit_text",
        ),
    ),
    Row(
        "A2",
        "Secrets and private parts are taken out before anything is stored, and named.",
        "2, own",
        (
            "tests/text/test_secrets.py::test_at_least_98_in_100_secrets_of_known_kinds_are_caught",
            "tests/text/test_secrets.py::test_at_most_one_ordinary_note_in_200_is_touched",
            "tests/text/test_secrets.py::test_private_parts_are_removed_and_counted",
            "tests/doors/test_secrets.py::test_a_secret_in_the_text_is_named_and_never_kept",
            "tests/doors/test_secrets.py::test_a_secret_in_any_other_field_is_named_and_never_kept",
            "tests/doors/test_secrets.py::test_a_private_part_is_never_stored",
        ),
    ),
    Row(
        "A3",
        "Sensitivity is what was said, else classified, else unknown, which nothing shows by itself.",
        "2",
        (
            "tests/text/test_secrets.py::test_personal_data_is_recognised",
            "tests/text/test_secrets.py::test_technical_text_is_not_personal",
            "tests/doors/test_secrets.py::test_an_explicit_sensitivity_wins",
            "tests/doors/test_secrets.py::test_text_that_held_a_secret_is_private",
            "tests/doors/test_secrets.py::test_without_classification_the_sensitivity_is_unknown_and_nothing_returns_it_unasked",
        ),
    ),
    Row(
        "A4",
        "The same text is one memory, nearly the same is linked, a contradiction lowers the older one.",
        "0, 2",
        (
            "tests/text/test_similarity.py::test_the_same_words_in_another_layout_are_an_exact_duplicate",
            "tests/text/test_similarity.py::test_most_edited_texts_share_a_band_and_all_are_close",
            "tests/text/test_contradiction.py::test_labelled_pairs_are_told_apart",
            "tests/store/conformance/test_finding.py::test_of_twins_the_later_is_named_and_hidden_until_the_earlier_is_gone",
            "tests/store/conformance/test_finding.py::test_texts_that_are_nearly_alike_are_found",
            "tests/doors/test_admission.py::test_an_exact_duplicate_is_the_older_memory",
            "tests/doors/test_admission.py::test_near_duplicates_are_both_kept_and_linked",
            "tests/doors/test_admission.py::test_a_contradiction_lowers_the_older_ones_confidence_and_links_both",
            "tests/doors/test_admission.py::test_a_contradiction_never_counts_against_a_higher_trust",
        ),
    ),
    Row(
        "A5",
        "Kind, impact, region, type, concepts, tags and titles are inferred from whole words.",
        "0, 1, 2",
        (
            "tests/text/test_inference.py::test_labelled_memories_are_understood",
            "tests/text/test_inference.py::test_a_word_inside_another_word_or_context_says_nothing",
            "tests/text/test_inference.py::test_a_negation_reaches_three_words_and_stays_in_its_clause",
            "tests/doors/test_admission.py::test_what_is_not_given_is_inferred",
            "tests/doors/test_admission.py::test_what_is_given_wins",
        ),
    ),
    Row(
        "A6",
        "Tokens are counted offline, once, and again when the text changes.",
        "0",
        (
            "tests/text/test_tokens.py::test_english_and_code_are_counted_within_fifteen_percent",
            "tests/doors/test_admission.py::test_tokens_are_counted_once_for_the_shown_text",
        ),
    ),
    Row(
        "A7",
        "Files that a memory names and that exist are cited with a hash of what they said.",
        "own",
        (
            "tests/test_workspace.py::test_files_named_in_a_text_are_cited",
            "tests/test_workspace.py::test_the_hash_is_that_of_the_span_whatever_the_line_endings",
            "tests/doors/test_admission.py::test_files_named_in_the_text_are_cited_if_they_exist",
        ),
    ),
    Row(
        "A8",
        "What an agent with a key stores is signed; what becomes of a draft is a value.",
        "0",
        (
            "tests/doors/test_admission.py::test_an_agent_with_a_key_signs_whatever_comes_in",
            "tests/doors/test_admission.py::test_an_agent_without_a_key_signs_nothing",
        ),
    ),
    Row(
        "A9",
        "No caller can claim more trust than it has; confirm and purge are a person's.",
        "own",
        (
            "tests/doors/test_admission.py::test_nobody_can_claim_more_than_they_are",
            "tests/operations/test_forgetting.py::test_no_model_can_purge_nor_see_what_it_would_purge",
            "tests/operations/test_forgetting.py::test_without_a_terminal_a_purge_must_be_said_with_yes",
            "tests/operations/test_trust.py::test_no_model_confirms",
        ),
    ),
    # Store
    Row(
        "S1",
        "What was acknowledged is on disk, and nobody waits for a stopped process.",
        "own",
        (
            "tests/faults/test_durable.py::test_the_record_of_every_command_is_synced_before_the_answer",
            "tests/faults/test_durable.py::test_every_verb_that_writes_has_synced_when_it_returns",
            "tests/faults/test_kill.py::test_a_writer_killed_at_any_moment_loses_nothing_it_acknowledged",
            "tests/faults/test_stop.py::test_a_process_stopped_in_the_worst_place_blocks_nobody",
            "tests/faults/test_concurrent.py::test_eight_processes_that_write_at_once_lose_nothing_and_never_fail",
            "tests/faults/test_surroundings.py::test_only_the_owner_may_read_any_file_whatever_the_umask",
            "tests/store/test_journal.py::test_a_change_is_one_line_of_its_device_s_own_segment",
            "tests/store/test_journal.py::test_lock_files_lie_outside_the_journal",
            "tests/store/test_journal.py::test_a_home_on_another_machine_becomes_a_new_device",
        ),
    ),
    Row(
        "S2",
        "Changes that arrive in any order make the same state; forget and purge bind all versions.",
        "own",
        (
            "tests/model/test_change.py::test_any_order_of_arrival_gives_the_same_state",
            "tests/model/test_change.py::test_a_correction_that_arrives_after_the_forget_stays_hidden_whatever_its_id",
            "tests/model/test_change.py::test_concurrent_corrections_both_live_and_name_each_other",
            "tests/store/conformance/test_lines.py::test_corrections_that_crossed_both_live_and_are_linked",
            "tests/store/conformance/test_writing.py::test_ids_rise_even_when_the_clock_stands_still_or_goes_back",
            "tests/store/conformance/test_purging.py::test_a_correction_that_arrives_after_the_purge_is_never_readable",
            "tests/store/test_merge.py::test_any_exchange_of_journals_ends_in_the_same_state",
            "tests/store/test_journal.py::test_an_id_from_a_clock_far_ahead_is_not_followed",
            "tests/store/test_merge.py::test_a_partial_line_of_another_device_has_not_arrived_yet",
        ),
    ),
    Row(
        "S3",
        "The index is a view: lost or damaged it is rebuilt, equal to the one before.",
        "own",
        (
            "tests/faults/test_rebuild.py::test_after_random_changes_and_kills_a_rebuilt_index_equals_the_live_one",
            "tests/faults/test_damage.py::test_any_one_file_may_be_damaged_and_everything_is_back",
            "tests/store/test_index.py::test_an_index_built_anew_equals_the_one_that_lived",
            "tests/store/test_index.py::test_a_hurried_reader_applies_only_so_much",
            "tests/store/test_mend.py::test_a_damaged_segment_is_mended_from_the_index_and_that_is_said",
        ),
    ),
    Row(
        "S4",
        "Receipts are apart, losses are said and mended, damaged files are kept, backups grow.",
        "own",
        (
            "tests/faults/test_damage.py::test_what_no_copy_holds_is_missed_aloud",
            "tests/faults/test_damage.py::test_when_all_but_the_backup_is_gone_it_is_not_taken_for_a_fresh_start",
            "tests/faults/test_backups.py::test_backups_taken_while_others_write_restore_completely",
            "tests/store/conformance/test_who.py::test_receipts_count_accesses_and_remember_the_last_session",
            "tests/store/test_journal.py::test_receipts_are_never_synced",
            "tests/store/test_mend.py::test_what_was_damaged_is_set_aside_under_its_date",
            "tests/store/test_mend.py::test_a_backup_adds_only_what_is_new",
            "tests/store/test_mend.py::test_only_whole_and_chained_records_are_backed_up",
        ),
    ),
    Row(
        "S5",
        "Tampering is detected, and after a purge no byte of the text is in any file.",
        "0, own",
        (
            "tests/store/conformance/test_lines.py::test_a_purge_reaches_all_that_descends_from_it_whenever_it_comes",
            "tests/store/conformance/test_purging.py::test_a_purged_memory_can_be_read_by_no_question",
            "tests/store/conformance/test_past.py::test_what_was_purged_is_in_no_past",
            "tests/operations/test_forgetting.py::test_purging_leaves_no_byte_in_any_file",
            "tests/store/test_merge.py::test_a_purge_erases_the_copies_of_every_machine_that_hears_of_it",
            "tests/store/test_line.py::test_an_edited_payload_is_told_from_an_erased_one",
            "tests/store/test_line.py::test_erasing_leaves_the_header_and_its_hash",
            "tests/store/test_tampering.py::test_an_edited_payload_is_reported_and_marks_its_memory",
            "tests/store/test_tampering.py::test_a_removed_line_is_reported_at_the_one_that_followed",
            "tests/store/test_tampering.py::test_two_lines_that_changed_places_are_reported",
            "tests/store/test_tampering.py::test_a_line_that_was_replayed_is_reported",
            "tests/store/test_erase.py::test_a_purge_leaves_no_byte_in_any_file",
            "tests/store/test_erase.py::test_a_purge_reaches_backups_old_ones_too",
        ),
    ),
    Row(
        "S7",
        "Old journals are read for ever, newer ones are read-only, an older index is rebuilt.",
        "own",
        (
            "tests/store/conformance/test_writing.py::test_verbs_of_a_later_day_are_kept_and_ignored",
            "tests/store/test_index.py::test_an_index_of_an_older_form_is_built_anew",
            "tests/store/test_index.py::test_a_newer_store_is_read_and_not_written",
        ),
    ),
    Row(
        "S8",
        "Over a cap the lowest priority steps down, never what is new, critical or pinned.",
        "1, 2",
        (
            "tests/store/conformance/test_who.py::test_over_the_cap_the_lowest_priority_comes_first",
            "tests/store/conformance/test_who.py::test_critical_and_pinned_memories_count_but_never_step_down",
            "tests/store/conformance/test_who.py::test_caps_count_what_is_live_and_at_full_length_in_their_own_scope",
            "tests/operations/test_caps.py::test_over_the_cap_the_lowest_priority_steps_down_and_never_the_one_just_written",
            "tests/operations/test_caps.py::test_critical_and_pinned_memories_never_step_down",
        ),
    ),
    Row(
        "S9",
        "The doctor finds what is wrong and mends what can be mended.",
        "1",
        (
            "tests/faults/test_damage.py::test_when_both_copies_are_damaged_the_backup_brings_everything_back",
            "tests/store/test_mend.py::test_doctor_brings_back_from_the_backup_what_was_edited",
            "tests/store/test_mend.py::test_mending_puts_back_rows_that_somebody_wrote_by_hand",
            "tests/operations/test_doctor.py::test_files_that_others_may_read_are_found_and_tightened",
            "tests/operations/test_doctor.py::test_a_link_to_nowhere_is_found",
            "tests/operations/test_doctor.py::test_a_bad_signature_is_a_problem",
        ),
    ),
    # Recall
    Row(
        "R1",
        "Search is scored by match, recency, strength and trust; what nothing answers finds nothing.",
        "2",
        (
            "tests/store/conformance/test_finding.py::test_any_of_the_words_is_enough_and_more_of_them_rank_higher",
            "tests/model/test_standing.py::test_strength_is_the_formula_of_the_specification",
            "tests/recall/test_search.py::test_the_right_memory_comes_first",
            "tests/recall/test_search.py::test_the_score_is_the_weighted_sum_of_its_parts",
            "tests/recall/test_search.py::test_the_match_is_not_the_same_for_every_hit",
            "tests/recall/test_search.py::test_meaning_finds_what_shares_no_word",
            "tests/recall/test_search.py::test_a_question_that_nothing_answers_gets_nothing",
        ),
    ),
    Row(
        "R2",
        "Answers can be filtered and paged, in a stable order, with a total.",
        "1, 2",
        (
            "tests/store/conformance/test_browsing.py::test_a_filter_lets_exactly_its_own_through",
            "tests/store/conformance/test_browsing.py::test_pages_fit_together_and_count_the_whole",
            "tests/recall/test_search.py::test_pages_follow_each_other_without_a_gap",
            "tests/recall/test_search.py::test_filters_narrow_a_search",
        ),
    ),
    Row(
        "R3",
        "Memories are found by file, by concept, in the order of time with episodes, and by what belongs to them.",
        "1, 2",
        (
            "tests/store/conformance/test_browsing.py::test_a_filter_lets_exactly_its_own_through",
            "tests/recall/test_around.py::test_a_timeline_is_chronological_and_cut_into_episodes",
            "tests/recall/test_around.py::test_a_timeline_around_a_memory_shows_what_came_before_and_after",
            "tests/recall/test_around.py::test_related_memories_are_linked_about_the_same_file_or_of_like_meaning",
        ),
    ),
    Row(
        "R4",
        "Any text is a legal query.",
        "own",
        (
            "tests/store/conformance/test_finding.py::test_any_text_is_a_legal_word",
            "tests/recall/test_search.py::test_any_text_is_a_legal_query",
            "tests/recall/test_search.py::test_random_queries_never_fail",
            "tests/text/test_lexicon.py::test_a_person_finds_it_as_they_would_write_it",
        ),
    ),
    Row(
        "R5",
        "Words of time in a question say when: a day, a month, the last session, a branch.",
        "0",
        (
            "tests/recall/test_temporal.py::test_a_time_becomes_a_window",
            "tests/recall/test_temporal.py::test_the_last_session_and_a_branch_are_cues_too",
            "tests/recall/test_search.py::test_a_time_in_the_question_prefers_that_time",
            "tests/recall/test_search.py::test_the_last_session_is_the_one_before_this",
        ),
    ),
    Row(
        "R6",
        "What is expired, superseded, forgotten, elsewhere or too sensitive never appears.",
        "0, 2",
        (
            "tests/store/conformance/test_finding.py::test_what_is_out_of_sight_is_not_matched",
            "tests/model/test_scope.py::test_a_scope_sees_its_own_memories_and_no_others",
            "tests/model/test_memory.py::test_a_memory_expires_at_its_moment_and_not_before",
            "tests/store/conformance/test_isolation.py::test_no_question_crosses_a_scope",
            "tests/recall/test_search.py::test_what_is_out_of_sight_is_not_found",
            "tests/doors/test_secrets.py::test_private_memories_are_shown_only_when_asked_for",
            "tests/operations/test_browsing.py::test_what_is_out_of_sight_never_answers",
            "tests/operations/test_isolation.py::test_no_question_shows_a_row_of_another_project_or_agent",
        ),
    ),
    Row(
        "R7",
        "Handing out a memory counts as an access; looking at oneself does not.",
        "2",
        (
            "tests/store/conformance/test_who.py::test_receipts_count_accesses_and_remember_the_last_session",
            "tests/store/conformance/test_who.py::test_an_injection_sets_the_last_access_only",
            "tests/recall/test_search.py::test_an_answer_counts_as_an_access_and_a_miss_as_none",
            "tests/operations/test_browsing.py::test_what_is_handed_out_or_opened_is_accessed_and_probes_are_not",
        ),
    ),
    # Trust
    Row(
        "T1",
        "Altering the original, the shown text or the signature of a signed memory is seen.",
        "0",
        (
            "tests/model/test_signature.py::test_editing_a_signed_field_is_seen",
            "tests/model/test_signature.py::test_taking_the_signature_away_is_seen_where_the_agent_signs",
            "tests/model/test_signature.py::test_an_altered_text_and_an_altered_record_are_told_apart",
            "tests/model/test_signature.py::test_a_signature_survives_being_written_and_read",
            "tests/operations/test_trust.py::test_whatever_is_changed_by_hand_is_seen_and_shown",
            "tests/operations/test_trust.py::test_signing_makes_a_key_for_its_owner_alone",
            "tests/operations/test_trust.py::test_with_a_new_key_old_signatures_stay_good_and_new_ones_use_it",
            "tests/operations/test_moving.py::test_a_tampered_signed_memory_is_not_imported",
        ),
    ),
    Row(
        "T3",
        "No id, path, file, setting, symlink or escape sequence leaves its place.",
        "own",
        (
            "tests/model/test_ids.py::test_what_could_be_a_path_a_pattern_or_sql_is_no_prefix_of_an_id",
            "tests/test_settings.py::test_a_project_cannot_set_what_is_not_allowed",
            "tests/test_settings.py::test_a_project_file_that_leads_outside_is_ignored",
            "tests/test_workspace.py::test_nothing_outside_the_root_or_in_git_is_ever_opened",
            "tests/doors/test_fitness.py::test_a_terminal_escape_is_refused",
            "tests/operations/test_moving.py::test_an_export_never_follows_a_symlink_nor_replaces_a_device",
            "tests/operations/test_moving.py::test_a_broken_line_is_named_and_the_others_come_in",
        ),
    ),
    Row(
        "T4",
        "A source can be found and taken back, and no model can purge.",
        "own",
        (
            "tests/operations/test_forgetting.py::test_everything_from_a_source_can_be_forgotten_at_once",
            "tests/operations/test_forgetting.py::test_no_model_can_purge_nor_see_what_it_would_purge",
            "tests/operations/test_trust.py::test_blame_tells_who_changed_what_and_when",
        ),
    ),
    # Surfaces
    Row(
        "X1",
        "Each verb is a command with help, JSON, errors on standard error and an exit status.",
        "0, own",
        (
            "tests/test_docs.py::test_the_page_shows_what_the_commands_print",
            "tests/test_docs.py::test_the_reference_is_up_to_date",
            "tests/operations/test_catalogue.py::test_every_verb_says_what_it_does_in_one_sentence",
            "tests/operations/test_catalogue.py::test_every_verb_has_examples_that_parse",
            "tests/operations/test_catalogue.py::test_every_verb_has_a_renderer",
        ),
    ),
    Row(
        "X7",
        "Each verb is a method in Python.",
        "own",
        (
            "tests/test_architecture.py::test_the_public_name_resolves",
            "tests/test_docs.py::test_the_page_shows_what_the_commands_print",
            "tests/operations/test_catalogue.py::test_every_verb_is_a_method_that_takes_its_parameters",
        ),
    ),
    Row(
        "X10",
        "What differs by operating system is in one module.",
        "own",
        (
            "tests/test_architecture.py::test_the_operating_system_is_asked_in_one_place",
            "tests/test_architecture.py::test_no_other_program_is_ever_started",
        ),
    ),
    Row(
        "X11",
        "Settings come from default, files, environment and flag in this order, and say so.",
        "0, 2",
        (
            "tests/test_settings.py::test_each_source_wins_over_the_one_before",
            "tests/test_settings.py::test_every_setting_has_a_sentence_of_help_and_a_default_that_it_allows",
            "tests/test_settings.py::test_a_project_may_set_three_things_only",
            "tests/test_settings.py::test_everything_lives_below_the_users_home_unless_limpet_home_says_otherwise",
            "tests/operations/test_doctor.py::test_every_setting_says_where_its_value_comes_from",
        ),
    ),
)
