"""Pairing: entrants in, the cheapest round with its reasons out (DESIGN 4.2 and 4.4)."""

from engine.pairing.certificates import ENGINE_VERSION
from engine.pairing.costs import Level
from engine.pairing.engine import pair_round
from engine.pairing.profiles import DOUBLE, PROFILES, SINGLE, Profile
from engine.pairing.reasons import FOR_STAFF
from engine.pairing.records import (
    Entrant,
    LockedBye,
    LockedPod,
    LockedTable,
    Meeting,
    PairedBye,
    PairedRound,
    PairedTable,
    PastSeat,
    Reason,
    Sides,
    meetings,
    past_seats,
)
from engine.pairing.refusals import (
    DuplicateEntrants,
    LockRefused,
    MeetingsDisagree,
    NotEnoughEntrants,
    PairingRefused,
    PointsTooLarge,
)
