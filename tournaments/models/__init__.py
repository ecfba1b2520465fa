"""Models of an event: people, rounds, results and history."""

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
from tournaments.models.history import Job, JobKind, KeptAnswer, LogEntry
from tournaments.models.importing import ImportedFile, StatedIdentity
from tournaments.models.integrations import (
    Announcing,
    ApiToken,
    DeliveryState,
    MailWish,
    PushSubscription,
    TokenScope,
    Upload,
    UploadState,
    Webhook,
    WebhookDelivery,
    WebhookEvent,
)
from tournaments.models.log_actions import LogAction, Topic
from tournaments.models.operations import JOB_MODELS, LatestBackup, SiteJob, SiteJobKind
from tournaments.models.penalties import InfractionChange, LocalRuling, Penalty
from tournaments.models.people import PlayerMerge
from tournaments.models.ratings import RatedEvent, Rating, RatingRun
from tournaments.models.registrations import DroppedBy, Registration, RegistrationState
from tournaments.models.rounds import (
    AT_TABLES,
    Absence,
    Forecast,
    Outlook,
    Pairing,
    Round,
    RoundState,
    Stage,
    StageEntry,
    Standing,
    StandingSnapshot,
)
from tournaments.models.series import (
    EveningPlan,
    InvitedPlayer,
    PlannedEvening,
    Rhythm,
    Series,
    SeriesAction,
    SeriesLogEntry,
    SeriesRole,
    SeriesScoring,
    SeriesStaff,
)
from tournaments.models.staff import Staff, StaffInvitation, StaffRole
from tournaments.models.statistics import EventTallies, MonthTallies, SiteTallies
