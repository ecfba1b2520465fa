"""The API and its OpenAPI document."""

from config.settings.environment import BASE_DIR

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["core.api_requests.GuardedJsonParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "tournaments.web.authentication.TokenAuthentication",
        "tournaments.web.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
    "DEFAULT_THROTTLE_CLASSES": [
        "core.rate_limits.AddressThrottle",
        "tournaments.web.authentication.TokenThrottle",
        "tournaments.web.authentication.TokenWriteThrottle",
        "tournaments.web.authentication.PersonThrottle",
    ],
    "DEFAULT_PAGINATION_CLASS": "core.api_requests.Pagination",
    "DEFAULT_SCHEMA_CLASS": "core.openapi.ApiSchema",
    "EXCEPTION_HANDLER": "core.api_errors.exception_handler",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
# The model in which core.api_viewsets stores answers by idempotency key.
IDEMPOTENCY_RECORDS = "tournaments.IdempotencyRecord"
KNOX_TOKEN_MODEL = "tournaments.ApiToken"  # noqa: S105 - the name of a table
# Do not create knox's own token table: tokens are stored in ours.
MIGRATION_MODULES = {"knox": None}
REST_KNOX = {"TOKEN_TTL": None, "AUTH_HEADER_PREFIX": "Token"}
# Written by `make openapi` and served unchanged.
API_DESCRIPTION = BASE_DIR / "docs" / "openapi.yaml"
SPECTACULAR_SETTINGS = {
    "OAS_VERSION": "3.1.0",
    "TITLE": "Datafort API",
    "DESCRIPTION": (
        "For programs that run or show an event. Public data needs no token. To run an event, play "
        "in it or read your own data, make a token on the page Tokens of your account."
    ),
    "VERSION": "1",
    "CONTACT": {"name": "The operators of this site"},
    "SERVERS": [{"url": "/", "description": "This site"}],
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "TAGS": [
        {"name": "events", "description": "Events, their settings, log and background jobs."},
        {"name": "registrations", "description": "The roster: joining, check-in, drops."},
        {"name": "me", "description": "Your account, and your own part in an event."},
        {"name": "decks", "description": "Decklists of an event, and checks of any decklist."},
        {"name": "deck checks", "description": "Deck checks at the tables."},
        {"name": "rounds", "description": "Rounds from pairing to closing."},
        {"name": "drafts", "description": "Pairings that are not published yet."},
        {"name": "clocks", "description": "The clock of a round, and extra time at a table."},
        {"name": "results", "description": "Reports and results of a table."},
        {"name": "cut", "description": "The cut and its bracket."},
        {"name": "standings", "description": "Standings, tie-breakers and clinch scenarios."},
        {"name": "statistics", "description": "Sides, identities and win rates."},
        {"name": "ratings", "description": "Ratings of the players of a game."},
        {"name": "players", "description": "Players across events."},
        {"name": "series", "description": "Series and their tables."},
        {"name": "cards", "description": "Cards and formats."},
        {"name": "rulings", "description": "Rulings of every game, and local ones of an event."},
        {"name": "judge calls", "description": "Judge calls and appeals."},
        {"name": "penalties", "description": "Penalties and the infraction guide."},
        {"name": "exports and imports", "description": "Tournament files."},
        {"name": "webhooks", "description": "Messages to other programs."},
        {"name": "overlays", "description": "Data for a stream."},
    ],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "core.openapi.mark_webhooks_as_open",
    ],
    "WEBHOOKS": ["tournaments.integrations.serializers.WEBHOOK"],
    "ENUM_NAME_OVERRIDES": {
        "BracketGameStateEnum": "tournaments.results.serializers.GAME_STATES",
        "BracketSystemEnum": "engine.systems.CUT_SYSTEMS",
        "CallPenaltyKindEnum": "tournaments.judging.serializers.CALL_PENALTY_KINDS",
        "CallStateEnum": "tournaments.judging.serializers.CALL_STATES",
        "ClockStateEnum": "tournaments.rounds.serializers.CLOCK_STATES",
        "CutSystemEnum": "engine.systems.ELIMINATION_SYSTEMS",
        "DeckAudienceEnum": "tournaments.models.DeckAudience.choices",
        "DeckCheckOutcomeEnum": "tournaments.decklists.deck_checks.OUTCOMES",
        "DeliveryStateEnum": "tournaments.models.DeliveryState.choices",
        "GameEndEnum": "tournaments.results.result_bodies.GAME_END_CHOICES",
        "GameEnum": "decks.games.CHOICES",
        "JobKindEnum": "tournaments.models.JobKind.choices",
        "JobStateEnum": "core.jobs.JobState.choices",
        "JudgedGameEnum": "decks.serializers.JUDGED_GAMES",
        "LockedByEnum": "tournaments.models.LockedBy.choices",
        "MatchStateEnum": "matches.models.MatchState.choices",
        "NoteKindEnum": "rulings.models.NoteKind.choices",
        "PairingSystemEnum": "engine.systems.STORED_SYSTEMS",
        "PenaltyKindEnum": "tournaments.judging.serializers.PENALTY_KINDS",
        "PreliminarySystemEnum": "tournaments.settings.serializers.FIRST_SYSTEMS",
        "PublicRoundStateEnum": "tournaments.rounds.serializers.PUBLIC_STATES",
        "RegistrationStateEnum": "tournaments.models.RegistrationState.choices",
        "ReportStateEnum": "matches.models.ReportState.choices",
        "ResultFlagEnum": "tournaments.results.result_bodies.FLAGS",
        "RoleEnum": "tournaments.results.result_bodies.ROLES",
        "RosterColumnEnum": "tournaments.registration.roster_layout.USES",
        "RoundStateEnum": "tournaments.models.RoundState.choices",
        "RulingDocumentKindEnum": "rulings.models.DocumentKind.choices",
        "RulingKindEnum": "rulings.models.RulingKind.choices",
        "RulingLinkEnum": "rulings.models.LinkKind.choices",
        "RulingSectionEnum": "rulings.models.RulingSection.choices",
        "RulingStateEnum": "rulings.serializers.STATES",
        "TieBreakerEnum": "tournaments.settings.serializers.TIE_BREAKER_CHOICES",
        "WebhookEventEnum": "tournaments.models.WebhookEvent.choices",
        "WebhookSubscriptionEnum": "tournaments.integrations.webhooks.EVENT_CHOICES",
        "RosterLayoutEnum": "tournaments.registration.roster_layout.LAYOUTS",
        # Choices without a constant of their own.
        "ClinchOutlookEnum": ["in", "out", "open"],
        "DeckProblemEnum": ["missing", "illegal"],
        "FloatEnum": ["down", "up"],
        "GuideDifferenceEnum": ["changed here", "only here", "not used here"],
        "LineVerdictEnum": ["ok", "breach", "unknown", "note"],
        "RulingRelationEnum": ["own", "inherited", "followed", "mentions", "refers"],
        "StatisticsPartEnum": ["played", "wins", "match_ups", "ends", "lengths", "cut"],
    },
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}
