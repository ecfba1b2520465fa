"""Database states that an upgrade may start from: the last migration of each app.

Nothing has been released yet. The first release will replace BEFORE. Each release adds its own
state, and only the newest three stay.
"""

State = dict[str, str]

BEFORE: State = {
    "players": "0001_initial",
    "decks": "0004_notices_on_versions",
    "matches": "0004_losses_by_a_judge",
    "rulings": "0010_what_a_ruling_overturned",
    "tournaments": "0015_cuts_played_elsewhere",
}
"""Before backups, two-factor authentication of staff, and erasure: the next upgrade starts here."""

LONG_BEFORE: State = {"tournaments": "0006_tables_picked_for_a_deck_check"}
"""Before clocks, penalties and integrations; the other apps have the state it requires."""

WITHOUT_DOWNTIME: State = {
    "players": "0006_player_merges",
    "decks": "0005_fold_ampersands",
    "matches": "0004_losses_by_a_judge",
    "rulings": "0012_local_rulings_by_name",
    "tournaments": "0036_players_in_and_out",
}
"""Upgrades from here on need no downtime. Each release sets it to a state it can still serve."""

STATES = {"before": BEFORE, "long_before": LONG_BEFORE}
