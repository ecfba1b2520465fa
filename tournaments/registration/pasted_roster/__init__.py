"""Lists of names, as typed or from a spreadsheet, and what they would do to a roster.

Plain Python: no database. Text in, records out; every problem says where it
is, what is wrong and what to do.
"""

from tournaments.registration.pasted_roster.reading import decode, preview, read_names
from tournaments.registration.pasted_roster.records import (
    MAX_BYTES,
    Action,
    PlannedEntry,
    Roster,
    RosterLine,
    RosterNotReadable,
)
from tournaments.registration.pasted_roster.tables import read_csv
