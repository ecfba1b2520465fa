"""The work of the job "pair the round": from the closed rounds to a draft.

`ways` says how the rounds of which kind of system are made.
"""

from tournaments.rounds.drafts.again import is_kept
from tournaments.rounds.drafts.records import Drafted, NewTable
from tournaments.rounds.drafts.rounds import (
    RoundStillOpen,
    asked_by,
    draft_round,
    refuse_open_round,
)
