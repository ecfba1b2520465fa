"""The API and its description."""

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
# Where core.api_viewsets keeps its answers.
KEPT_ANSWERS = "tournaments.KeptAnswer"
KNOX_TOKEN_MODEL = "tournaments.ApiToken"  # noqa: S105 - the name of a table
# Its own table of tokens is not ours: nothing would ever stand in it.
MIGRATION_MODULES = {"knox": None}
REST_KNOX = {"TOKEN_TTL": None, "AUTH_HEADER_PREFIX": "Token"}
# Made by `make openapi`, and served as it is.
API_DESCRIPTION = BASE_DIR / "docs" / "openapi.yaml"
SPECTACULAR_SETTINGS = {
    "TITLE": "Datafort API",
    "DESCRIPTION": (
        "For programs that run or show an event. Public data needs no token; to run an event, play "
        "in it or read your own data, make one on your page, under Tokens."
    ),
    "VERSION": "1",
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "ENUM_NAME_OVERRIDES": {
        "RegistrationStateEnum": "tournaments.models.RegistrationState.choices",
        "LockedByEnum": "tournaments.models.LockedBy.choices",
        "TieBreakersEnum": "tournaments.settings.serializers.TIE_BREAKER_CHOICES",
        "DeckAudienceEnum": "tournaments.models.DeckAudience.choices",
        "FoundEnum": "tournaments.decklists.deck_checks.OUTCOMES",
        "ColumnUseEnum": "tournaments.registration.roster_layout.USES",
        "FirstSystemEnum": "tournaments.settings.serializers.FIRST_SYSTEMS",
        "RoundStateEnum": "tournaments.rounds.serializers.PUBLIC_STATES",
        "GameEnum": "decks.games.CHOICES",
        "JudgedGameEnum": "decks.serializers.JUDGED_GAMES",
        "KindEnum": "rulings.models.RulingKind.choices",
        "DocumentKindEnum": "rulings.models.DocumentKind.choices",
        "RulingStateEnum": "rulings.serializers.STATES",
        "CallStateEnum": "tournaments.judging.serializers.CALL_STATES",
        "NoteKindEnum": "rulings.models.NoteKind.choices",
        "PenaltyKindEnum": "tournaments.judging.serializers.PENALTY_KINDS",
        "PenaltyOfACallEnum": "tournaments.judging.serializers.CALL_PENALTY_KINDS",
        "SystemEnum": "engine.systems.STORED_SYSTEMS",
        "CutSystemEnum": "engine.systems.ELIMINATION_SYSTEMS",
        "CutEnum": "engine.systems.CUT_SYSTEMS",
        "DeliveryStateEnum": "tournaments.models.DeliveryState.choices",
        "HappeningEnum": "tournaments.models.WebhookEvent.choices",
        "HeardEnum": "tournaments.integrations.webhooks.EVENT_CHOICES",
        "JobStateEnum": "core.jobs.JobState.choices",
        "JobKindEnum": "tournaments.models.JobKind.choices",
        "MatchStateEnum": "matches.models.MatchState.choices",
        "ReportStateEnum": "matches.models.ReportState.choices",
        "AnyRoundStateEnum": "tournaments.models.RoundState.choices",
        "BracketGameStateEnum": "tournaments.results.serializers.GAME_STATES",
        "ClockStateEnum": "tournaments.rounds.serializers.CLOCK_STATES",
        "RoleEnum": "tournaments.results.result_bodies.ROLES",
    },
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}
