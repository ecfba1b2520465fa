"""Questions to an event; nothing here changes anything. Call them as `queries.name()`."""

from tournaments.queries.arriving import (
    TAKES_A_PLACE,
    absences_at,
    can_register_now,
    can_return_self,
    is_full,
    is_too_late,
    left_behind,
    missed_rounds,
    newcomers,
    open_absences,
    place_on_waiting_list,
    places_taken,
    players,
    registration_is_open_now,
    round_to_come_in,
    takes_waiting,
    waiting_list,
    waiting_list_moves,
)
from tournaments.queries.backups import (
    backup_interval,
    backups_are_made,
    is_late_backup,
    last_backup,
)
from tournaments.queries.calls import (
    OPEN,
    TableCall,
    calls_at,
    calls_before,
    calls_of,
    has_called,
    judges_of_calls,
    open_calls,
    past_calls,
    rounds_with_calls,
    table_call,
    table_of,
)
from tournaments.queries.closed import Closed, ClosedBye, ClosedTable, closed_tables
from tournaments.queries.cuts import (
    bracket_pairings,
    cut_candidates,
    cut_entries,
    cut_of_event,
    declined_entries,
    has_public_bracket,
    is_public_cut,
    players_of,
    standings_wait,
)
from tournaments.queries.deck_checks import (
    checkable_tables,
    deck_checks,
    decks_played_at,
    without_a_deck,
)
from tournaments.queries.decks import (
    DeckLock,
    DeckProblem,
    deck_lock,
    deck_notices,
    deck_problems,
    decks_are_closed,
    event_deck_lock,
    playing_with_decks,
    receipts_of,
    submissions_of,
)
from tournaments.queries.events import (
    account_named,
    by_join_code,
    events_of,
    for_calendar,
    free_slug,
    listed,
    open_invitations,
    practices_of,
    role_of,
)
from tournaments.queries.jobs import (
    jobs_as_seen,
    jobs_to_show,
    oldest_waiting_seconds,
    pairing_job,
    pairing_key,
    sendings,
)
from tournaments.queries.log import (
    draft_changes_since,
    newest_draft_change,
    newest_log_id,
    readable_log,
    told_pairings,
)
from tournaments.queries.programs import (
    deliveries,
    ended_tokens,
    live_tokens,
    tokens_of,
    uploads,
    was_uploaded,
    webhooks,
)
from tournaments.queries.reports import (
    confirms_itself_at,
    newest_result_entry,
    unanswered,
)
from tournaments.queries.roster import (
    OnRoster,
    active_registrations,
    count_by_state,
    everybody_on_roster,
    found_on_roster,
    is_past_closing_time,
    meant_on_roster,
    name_taken,
    next_entrant_number,
    place_at,
    registration_of,
    removable_sign_ups,
    roster,
)
from tournaments.queries.round_robin import (
    cycles,
    fixed_order,
    is_played_out,
    is_round_robin,
    number_in_stage,
    numbers_in_fixed_order,
    order_is_fixed,
    round_robin_of_event,
    rounds_of_round_robin,
)
from tournaments.queries.rounds import (
    PAIRING_RELATED,
    SEATS,
    changes_since_draft,
    closed_pairings,
    closed_round_numbers,
    current_stage,
    has_been_paired,
    is_paired_by_results,
    is_told,
    late_tables,
    latest_round,
    newest_visible_round,
    next_round_number,
    open_matches,
    open_tables,
    pairing_of,
    pairings_by_table,
    published_pairings,
    results_changed_since_draft,
    rounds,
    rounds_at_desk,
    seat_of,
    table_at,
    table_now,
    tables_at_desk,
    visible_rounds,
)
from tournaments.queries.standings import (
    newest_snapshot,
    standing_of,
    standing_rows,
)
from tournaments.queries.targets import expected_rounds, round_target, suggested_rounds
from tournaments.queries.timing import (
    can_check_in_now,
    clock_of,
    listed_by_time,
    meeting_is_on,
    moment_in_words,
    pause_mark,
    seated_for_the_meeting,
    tables_with_extra,
    under_way,
)
