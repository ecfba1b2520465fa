"""The API and its description."""

from config.settings.environment import BASE_DIR

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["core.json_parser.GuardedJsonParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "tournaments.web.api.authentication.TokenAuthentication",
        "tournaments.web.api.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
    "DEFAULT_THROTTLE_CLASSES": [
        "core.rate_limits.AddressThrottle",
        "tournaments.web.api.authentication.TokenThrottle",
        "tournaments.web.api.authentication.TokenWriteThrottle",
        "tournaments.web.api.authentication.PersonThrottle",
    ],
    "DEFAULT_PAGINATION_CLASS": "core.api_pagination.Pagination",
    "DEFAULT_SCHEMA_CLASS": "core.openapi.Schema",
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
        "TieBreakersEnum": "tournaments.settings.serializers.CHOSEN",
        "DeckAudienceEnum": "tournaments.models.DeckAudience.choices",
        "FoundEnum": "tournaments.decklists.services.deck_checks.OUTCOMES",
        "ColumnUseEnum": "tournaments.registration.roster_layout.USES",
        "FirstSystemEnum": "tournaments.settings.serializers.STARTS",
        "RoundStateEnum": "tournaments.rounds.serializers.rounds.PUBLIC_STATES",
        "GameEnum": "decks.games.CHOICES",
        "JudgedGameEnum": "decks.api.verdicts.JUDGED_GAMES",
        "KindEnum": "rulings.models.RulingKind.choices",
        "DocumentKindEnum": "rulings.models.DocumentKind.choices",
        "RulingStateEnum": "rulings.serializers.STATES",
        "CallStateEnum": "tournaments.judging.serializers.calls.STATES",
        "NoteKindEnum": "rulings.models.NoteKind.choices",
        "PenaltyKindEnum": "tournaments.judging.serializers.penalties.KINDS",
        "PenaltyOfACallEnum": "tournaments.judging.serializers.calls.MILDER",
        "SystemEnum": "engine.systems.STORED",
        "CutSystemEnum": "engine.systems.ELIMINATIONS",
        "CutEnum": "engine.systems.CUTS",
        "DeliveryStateEnum": "tournaments.models.DeliveryState.choices",
        "HappeningEnum": "tournaments.models.WebhookEvent.choices",
        "HeardEnum": "tournaments.integrations.services.webhooks.CHOICES",
        "JobStateEnum": "core.jobs.JobState.choices",
        "JobKindEnum": "tournaments.models.JobKind.choices",
        "MatchStateEnum": "matches.models.MatchState.choices",
        "ReportStateEnum": "matches.models.ReportState.choices",
        "AnyRoundStateEnum": "tournaments.models.RoundState.choices",
        "BracketGameStateEnum": "tournaments.results.serializers.standings.GAME_STATES",
        "ClockStateEnum": "tournaments.rounds.serializers.rounds.CLOCK_STATES",
        "RoleEnum": "tournaments.results.serializers.result_bodies.ROLES",
    },
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}
