"""Models of an event: people, rounds, results and history."""

from tournaments.models.decks import (
    DeckCheck,
    DeckCheckDraw,
    DeckCheckOutcome,
    DeckReceipt,
    DeckSubmission,
    LockedBy,
)
from tournaments.models.event_lists import Visibility
from tournaments.models.event_log import LogAction, LogEntry, LogTopic, ProgramReason
from tournaments.models.events import (
    IdentitiesShown,
    LateEntry,
    Tournament,
)
from tournaments.models.integrations import (
    Announcing,
    ApiToken,
    DeliveryError,
    DeliveryState,
    DisabledReason,
    ImportedFile,
    MailWish,
    PushSubscription,
    StatedIdentity,
    TokenScope,
    Upload,
    UploadState,
    Webhook,
    WebhookDelivery,
    WebhookEvent,
)
from tournaments.models.operations import (
    JOB_MODELS,
    IdempotencyRecord,
    Job,
    JobKind,
    LatestBackup,
    SiteJob,
    SiteJobKind,
)
from tournaments.models.penalties import InfractionChange, LocalRuling, Penalty
from tournaments.models.registrations import DroppedBy, PlayerMerge, Registration, RegistrationState
from tournaments.models.rounds import (
    STATES_IN_PLAY,
    Absence,
    DeckAudience,
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
    StopReason,
)
from tournaments.models.staff import Staff, StaffInvitation, StaffRole
from tournaments.models.statistics import (
    EventTallies,
    MonthTallies,
    RatedEvent,
    Rating,
    RatingRun,
    SiteTallies,
)
