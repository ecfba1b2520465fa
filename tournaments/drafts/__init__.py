"""The work of the job "pair the round": from the closed rounds to a draft.

`ways` says how the rounds of which kind of system are made.
"""

from tournaments.drafts.again import LockedPlayerLeft, is_kept
from tournaments.drafts.records import Drafted, Kept, NewTable, Wanted
from tournaments.drafts.rounds import (
    RightsEnded,
    RoundStillOpen,
    asked_by,
    draft_round,
    refuse_open_round,
    round_seed,
)
from tournaments.drafts.ways import WAYS, NotPairedHere
