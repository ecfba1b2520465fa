"""How is the event run? Events, people in them, rounds, and what was done."""

from tournaments.models.decks import (
    DeckCheck,
    DeckCheckDraw,
    DeckCheckOutcome,
    DeckReceipt,
    DeckSubmission,
    LockedBy,
)
from tournaments.models.events import (
    DeckAudience,
    IdentitiesShown,
    Staff,
    StaffRole,
    Tournament,
    Visibility,
)
from tournaments.models.history import Job, JobKind, LogEntry
from tournaments.models.registrations import Registration, RegistrationState
from tournaments.models.rounds import Pairing, Round, RoundState, Stage, StageEntry
from tournaments.models.standings import Standing, StandingSnapshot

__all__ = [
    "DeckAudience",
    "DeckCheck",
    "DeckCheckDraw",
    "DeckCheckOutcome",
    "DeckReceipt",
    "DeckSubmission",
    "IdentitiesShown",
    "Job",
    "JobKind",
    "LockedBy",
    "LogEntry",
    "Pairing",
    "Registration",
    "RegistrationState",
    "Round",
    "RoundState",
    "Staff",
    "StaffRole",
    "Stage",
    "StageEntry",
    "Standing",
    "StandingSnapshot",
    "Tournament",
    "Visibility",
]
