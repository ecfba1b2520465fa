"""How is the event run? Events, people in them, rounds, and what was done."""

from tournaments.models.announcing import Announcing, MailWish, PushSubscription
from tournaments.models.answers import KeptAnswer
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
    LateEntry,
    Tournament,
    Visibility,
)
from tournaments.models.history import Job, JobKind, LogEntry
from tournaments.models.importing import ImportedFile, StatedIdentity
from tournaments.models.log_actions import LogAction, Topic
from tournaments.models.penalties import InfractionChange, LocalRuling, Penalty
from tournaments.models.registrations import DroppedBy, Registration, RegistrationState
from tournaments.models.rounds import (
    AT_TABLES,
    Absence,
    Pairing,
    Round,
    RoundState,
    Stage,
    StageEntry,
)
from tournaments.models.staff import Staff, StaffInvitation, StaffRole
from tournaments.models.standings import Standing, StandingSnapshot
from tournaments.models.tokens import ApiToken, TokenScope
from tournaments.models.uploads import Upload, UploadState
from tournaments.models.webhooks import DeliveryState, Webhook, WebhookDelivery, WebhookEvent
