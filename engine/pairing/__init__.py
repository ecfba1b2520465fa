"""Pairing: from entrants to the cheapest round with its reasons (docs/rules.md)."""

from engine.pairing.costs import (
    DOUBLE,
    PROFILES,
    SINGLE,
    SINGLE_ONCE,
    Level,
    Profile,
    avoids_second_meetings,
    swiss_profile,
)
from engine.pairing.engine import pair_round
from engine.pairing.reasons import FOR_STAFF
from engine.pairing.records import (
    ENGINE_VERSION,
    REPLAYABLE_VERSIONS,
    VERSION_2,
    DuplicateEntrants,
    Entrant,
    LockedBye,
    LockedPod,
    LockedTable,
    LockRefused,
    Meeting,
    MeetingsDisagree,
    NotEnoughEntrants,
    PairedBye,
    PairedRound,
    PairedTable,
    PairingRefused,
    PastSeat,
    PointsTooLarge,
    Reason,
    Sides,
    meetings,
    past_seats,
)
