"""Files made of events. They only read; what is hidden from the reader is in none of them."""

from tournaments.interchange.exports.calendars import Entry, calendar, event_calendar
from tournaments.interchange.exports.event_files import (
    NoTournamentFile,
    file_event,
    nrtm,
    nrtm_of_results,
    trf,
)
from tournaments.interchange.exports.log import log_csv
from tournaments.interchange.exports.tables import (
    cut_csv,
    games_csv,
    pairings_csv,
    results_csv,
    roster_csv,
    standings_csv,
)
