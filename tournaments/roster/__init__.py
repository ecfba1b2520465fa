"""Lists of names, as typed or from a spreadsheet, and what they would do to a roster.

Plain Python: no database. Text in, records out; every problem says where it
is, what is wrong and what to do.
"""

from tournaments.roster.reading import decode, preview, read_names
from tournaments.roster.records import (
    MAX_BYTES,
    Action,
    PlannedEntry,
    Roster,
    RosterLine,
    RosterNotReadable,
)
from tournaments.roster.tables import read_csv
