"""API bodies and answers of settings and stages."""

from typing import Any

from django.db import models
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api_requests import RequestBody, StrictBooleanField, StrictCharField, StrictIntegerField
from core.languages import languages_of_events
from decks import games
from engine.standings.tie_breakers import FIXED_TIE_BREAKERS, TIE_BREAKERS
from engine.systems import SYSTEMS
from matches.scoring.rules import SCORING_RULES, RankRule, scoring_rule
from tournaments.decklists.services import rules_notices
from tournaments.models import DeckAudience, RoundState, Tournament
from tournaments.rounds.pages import StageLine
from tournaments.web.serializers import DeckRulesSerializer, FirstSystemSerializer

FIRST_SYSTEMS = [system.id for system in SYSTEMS.values() if not system.is_elimination]
TIE_BREAKER_CHOICES = [id_ for id_ in TIE_BREAKERS if id_ not in FIXED_TIE_BREAKERS]
SETTING_HELP_TEXTS = {
    "start_time": "In the time zone of the event.",
    "ends_on": "The last day; null for an event of one day.",
    "end_time": "The expected end, on both days of a two-day event.",
    "day_two_on": "The day on which players check in again; null for none.",
    "day_two_time": "The start of day 2.",
    "day_two_round": "The first round of day 2; null if it begins with the cut.",
    "time_zone": "Such as Europe/Berlin.",
    "address": "Street and city, for a map.",
    "entry_fee": "Free text.",
    "contact": "An email address, a page or a name, visible to everyone who sees the event.",
    "links": "One per line: the name, then the address.",
    "guests_per_address": "New players from one network in ten minutes; null for no limit.",
    "invitation_only": "true: only invited players, and players added by the staff, can join.",
    "planned_rounds": "Null to choose by the number of players.",
    "avoid_second_meetings": (
        "For Swiss with one game per match. Null: avoided if the rounds fit a round robin."
    ),
    "table_numbers": "Such as 1-20, 31-40.",
    "rated": "true: results count for ratings once the event is finished, while it is public.",
    "planned_cut": "Players in the top cut; null for no cut.",
    "planned_cut_system": "How the cut is played; double_elimination by default.",
    "shows_needs": "true: show who has made the cut in the last round, and chances before it.",
    "staff_need_second_factor": "Can be enabled only with two-factor authentication.",
}

# Defaults of services.create_event.
NEW_EVENT_HELP_TEXTS = {
    "system": "The system of the first stage. The default is the first that supports the scoring.",
    "scoring_rule": "A rule of the game. The default is its first rule that the system supports.",
}


class SettingNumberField(StrictIntegerField):
    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "min_value": 0, "max_value": 32_767})


class DeckRulesBody(RequestBody):
    """Deck rules: `format` and `identities_only` of anr, the rest of onr."""

    runner_minimum = StrictIntegerField(min_value=1, max_value=999, required=False)
    corp_minimum = StrictIntegerField(min_value=1, max_value=999, required=False)
    exact_ratio = StrictBooleanField(required=False)
    ban_list = StrictBooleanField(required=False)
    format = StrictCharField(
        max_length=40,
        required=False,
        allow_blank=True,
        source="format_id",
        help_text="Empty for the basic rules.",
    )
    identities_only = StrictBooleanField(
        required=False, help_text="true: players may submit only their identities."
    )


class SettingsBody(RequestBody, serializers.ModelSerializer[Tournament]):
    """Settings to change. A time without an offset is in UTC."""

    serializer_field_mapping = {
        **serializers.ModelSerializer.serializer_field_mapping,
        models.BooleanField: StrictBooleanField,
        models.CharField: StrictCharField,
        models.PositiveSmallIntegerField: SettingNumberField,
        models.TextField: StrictCharField,
    }

    language = serializers.ChoiceField(
        languages_of_events(),
        allow_blank=True,
        help_text="Of displays, printouts, emails and notifications. Empty for the site's.",
    )
    system = serializers.ChoiceField(FIRST_SYSTEMS, help_text="The system of the first stage.")
    scoring_rule = serializers.ChoiceField(list(SCORING_RULES), help_text="A rule of the game.")
    rank_points = serializers.ListField(
        child=StrictIntegerField(min_value=0, max_value=999),
        max_length=8,
        help_text="Points by place in Free Radicals, first place first. Empty for the default.",
    )
    bye_points = SettingNumberField(allow_null=True, help_text="Null for the default.")
    tie_breakers = serializers.ListField(
        child=serializers.ChoiceField(TIE_BREAKER_CHOICES),
        max_length=6,
        help_text="Applied in order, after match points and before a random draw.",
    )
    deck_rules = DeckRulesBody()

    class Meta:
        model = Tournament
        fields = [
            *("name", "starts_on", "start_time", "ends_on", "end_time"),
            *("day_two_on", "day_two_time", "day_two_round", "time_zone", "language"),
            *("location", "address", "entry_fee", "contact", "links", "description"),
            *("visibility", "registration_is_open", "registration_closes_at"),
            *("max_players", "guests_per_address", "invitation_only", "has_waiting_list"),
            *("system", "scoring_rule", "rank_points", "bye_points", "tie_breakers"),
            *("planned_rounds", "avoid_second_meetings", "round_minutes", "overtime_minutes"),
            *("table_numbers", "feature_tables", "confirm_after_minutes", "no_show_minutes"),
            *("rated", "planned_cut", "planned_cut_system", "shows_needs"),
            *("late_entry", "late_entry_until"),
            *("drops_absent", "staff_need_second_factor"),
            *("decks_required", "decks_close_at", "deck_rules"),
        ]
        extra_kwargs = {
            "description": {"max_length": 20_000},
            **{name: {"help_text": text} for name, text in SETTING_HELP_TEXTS.items()},
        }


class NewEventBody(SettingsBody):
    """A new event. Only its name and date are required."""

    game = serializers.ChoiceField(games.choices(), help_text="The default is onr.")

    class Meta(SettingsBody.Meta):
        fields = [*SettingsBody.Meta.fields, "game"]

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        for name in fields.keys() - {"name", "starts_on"}:
            fields[name].required = False
        for name, text in NEW_EVENT_HELP_TEXTS.items():
            fields[name].help_text = text
        return fields


class RulesNoticeSerializer(serializers.Serializer[Any]):
    """A notice on the deck rules, such as a missing format."""

    code = serializers.CharField(help_text="no_format or outdated_card_data.")
    detail = serializers.CharField()


class SettingsSerializer(FirstSystemSerializer):
    """All settings of an event, for its organisers."""

    scoring_rule = serializers.SerializerMethodField()
    rank_points = serializers.SerializerMethodField()
    tie_breakers = serializers.SerializerMethodField()
    deck_rules = DeckRulesSerializer()
    notices = serializers.SerializerMethodField()
    is_practice = serializers.SerializerMethodField()
    url = serializers.HyperlinkedIdentityField(view_name="api:event", lookup_field="slug")
    page = serializers.HyperlinkedIdentityField(view_name="tournaments:event", lookup_field="slug")

    class Meta:
        model = Tournament
        fields = [
            "slug",
            "game",
            *SettingsBody.Meta.fields,
            "join_code",
            "decks_locked_at",
            "decks_revealed_at",
            "notices",
            "is_practice",
            "finished_at",
            "url",
            "page",
        ]

    def get_scoring_rule(self, tournament: Tournament) -> str:
        """The id of the rule, without points by place."""
        return scoring_rule(tournament.scoring_rule).id.partition(":")[0]

    def get_rank_points(self, tournament: Tournament) -> list[int]:
        """Points by place; empty if the game has none."""
        rule = scoring_rule(tournament.scoring_rule)
        return list(rule.rank_points) if isinstance(rule, RankRule) else []

    def get_tie_breakers(self, tournament: Tournament) -> list[str]:
        """The ids between match points and the random draw."""
        return [id_ for id_ in tournament.tie_breakers if id_ not in FIXED_TIE_BREAKERS]

    @extend_schema_field(RulesNoticeSerializer(many=True))
    def get_notices(self, tournament: Tournament) -> Any:
        """Notices on the deck rules; usually none."""
        return RulesNoticeSerializer(rules_notices(tournament), many=True).data

    def get_is_practice(self, tournament: Tournament) -> bool:
        """True for a practice copy of an event."""
        return tournament.practice_of_id is not None


class JoiningSerializer(serializers.Serializer[Any]):
    """The join code and the address to join."""

    join_code = serializers.CharField()
    url = serializers.URLField()


class StageSerializer(serializers.Serializer[Any]):
    """A stage of the event."""

    number = serializers.IntegerField(source="stage.number")
    system = serializers.ChoiceField(list(SYSTEMS), source="stage.system")
    scoring_rule = serializers.CharField(source="stage.scoring_rule")
    scoring = serializers.CharField(help_text="The name of the rule.")
    decks_shown_to = serializers.ChoiceField(DeckAudience.choices, source="stage.decks_shown_to")
    decks_shown_at = serializers.DateTimeField(source="stage.decks_shown_at", allow_null=True)
    rounds = serializers.SerializerMethodField()

    def get_rounds(self, line: StageLine) -> list[int]:
        """The numbers of the published rounds."""
        return [round_.number for round_ in line.rounds if round_.state != RoundState.DRAFT]
