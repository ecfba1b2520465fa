"""Services of a match, from its creation to a settled result."""

from matches.services.factions import FactionRefused, set_factions
from matches.services.losses import LossRefused, set_losses
from matches.services.reports import (
    AlreadyConfirmed,
    DecidedByStaff,
    ImpossibleResult,
    NothingToConfirm,
    OwnReport,
    ReportDisputed,
    ReportReplaced,
    UnknownReport,
    confirm,
    confirm_unanswered,
    contradictions,
    decide,
    dispute,
    propose,
)
from matches.services.restoring import Memory, remembered, restore
from matches.services.seats import (
    AlreadySettled,
    NewMatch,
    WrongSeats,
    create_matches,
    delete_matches,
    held,
    reseat,
    with_result_rows,
)
