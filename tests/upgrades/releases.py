"""The states of the database that an upgrade may begin with: the last migration of each app.

Nothing has been released yet. What will be the first release takes the place of BEFORE; then
each release adds its own state here, and the oldest of more than three goes.
"""

State = dict[str, str]

BEFORE: State = {
    "players": "0001_initial",
    "decks": "0004_notices_on_versions",
    "matches": "0004_losses_by_a_judge",
    "rulings": "0010_what_a_ruling_overturned",
    "tournaments": "0015_cuts_played_elsewhere",
}
"""Before backups, second factors of the staff and erasing: the next upgrade begins here."""

LONG_BEFORE: State = {"tournaments": "0006_tables_picked_for_a_deck_check"}
"""Before clocks, penalties and programs elsewhere; the other apps as that state wants them."""

WITHOUT_DOWNTIME: State = {
    "players": "0006_player_merges",
    "decks": "0005_fold_ampersands",
    "matches": "0004_losses_by_a_judge",
    "rulings": "0012_local_rulings_by_name",
    "tournaments": "0036_players_in_and_out",
}
"""Upgrades from here on need no downtime. Each release moves it: to the state that still serves."""

STATES = {"before": BEFORE, "long_before": LONG_BEFORE}
