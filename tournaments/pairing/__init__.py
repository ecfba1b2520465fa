"""Pairing: entrants in, the cheapest round with its reasons out (DESIGN 4.2 and 4.4)."""

from tournaments.pairing.certificates import ENGINE_VERSION
from tournaments.pairing.costs import Level
from tournaments.pairing.engine import pair_round
from tournaments.pairing.profiles import DOUBLE, PROFILES, SINGLE, Profile
from tournaments.pairing.reasons import FOR_STAFF
from tournaments.pairing.records import (
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
)
from tournaments.pairing.refusals import (
    DuplicateEntrants,
    LockRefused,
    MeetingsDisagree,
    NotEnoughEntrants,
    PairingRefused,
    PointsTooLarge,
)
