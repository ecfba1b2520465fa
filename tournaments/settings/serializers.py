"""Settings as documents of the API."""

from typing import Any

from django.db import models
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api_requests import RequestBody, StrictBooleanField, StrictCharField, StrictIntegerField
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
    "start_time": "When it begins, by its own clocks.",
    "ends_on": "The last day; null: it lasts one day.",
    "end_time": "When it is expected to end. With two days, it holds for both.",
    "day_two_on": "When players check in again; null: never.",
    "day_two_time": "When day 2 begins.",
    "day_two_round": "The first round of day 2; null: it begins with the cut.",
    "time_zone": "Such as Europe/Berlin.",
    "address": "Street and city, for a map.",
    "entry_fee": "In words.",
    "contact": "A mail address, a page or a name, for everybody who sees the event.",
    "links": "One on each line: its name, then its address.",
    "guests_per_address": "New players from one network in ten minutes; null: no limit.",
    "invitation_only": "Nobody joins but invited players and whom the staff add.",
    "planned_rounds": "Null: as many as the players want.",
    "avoid_second_meetings": (
        "Of Swiss with one game a match. Null: where the rounds fit a round robin."
    ),
    "table_numbers": "Such as 1-20, 31-40.",
    "rated": "Whether the results of the finished, public event count there.",
    "planned_cut": "Players in the top cut; null: no cut.",
    "shows_needs": (
        "Whether everybody reads who is in or out in the last round, and chances before."
    ),
    "staff_need_second_factor": "Switched on by an account that has one.",
}


class SettingNumberField(StrictIntegerField):
    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "min_value": 0, "max_value": 32_767})


class DeckRulesBody(RequestBody):
    """The deck rules of the game: a format of anr, the rest of onr. What is not said stays."""

    runner_minimum = StrictIntegerField(min_value=1, max_value=999, required=False)
    corp_minimum = StrictIntegerField(min_value=1, max_value=999, required=False)
    exact_ratio = StrictBooleanField(required=False)
    ban_list = StrictBooleanField(required=False)
    format = StrictCharField(
        max_length=40,
        required=False,
        allow_blank=True,
        source="format_id",
        help_text="Empty: the basic rules.",
    )
    identities_only = StrictBooleanField(
        required=False, help_text="Of anr: a list may be its identity alone."
    )


class SettingsBody(RequestBody, serializers.ModelSerializer[Tournament]):
    """Settings to change; what is not said stays. A time without an offset is UTC."""

    serializer_field_mapping = {
        **serializers.ModelSerializer.serializer_field_mapping,
        models.BooleanField: StrictBooleanField,
        models.CharField: StrictCharField,
        models.PositiveSmallIntegerField: SettingNumberField,
        models.TextField: StrictCharField,
    }

    system = serializers.ChoiceField(FIRST_SYSTEMS, help_text="Of the first stage.")
    scoring_rule = serializers.ChoiceField(list(SCORING_RULES), help_text="One of the game.")
    rank_points = serializers.ListField(
        child=StrictIntegerField(min_value=0, max_value=999),
        max_length=8,
        help_text="Points by place, first place first; of Free Radicals. Empty: as usual.",
    )
    bye_points = SettingNumberField(allow_null=True, help_text="Null: as usual.")
    tie_breakers = serializers.ListField(
        child=serializers.ChoiceField(TIE_BREAKER_CHOICES),
        max_length=6,
        help_text="Of the game: between match points, which come first, and a lot.",
    )
    deck_rules = DeckRulesBody()

    class Meta:
        model = Tournament
        fields = [
            *("name", "starts_on", "start_time", "ends_on", "end_time"),
            *("day_two_on", "day_two_time", "day_two_round", "time_zone"),
            *("location", "address", "entry_fee", "contact", "links", "description"),
            *("visibility", "registration_is_open", "registration_closes_at"),
            *("max_players", "guests_per_address", "invitation_only", "has_waiting_list"),
            *("system", "scoring_rule", "rank_points", "bye_points", "tie_breakers"),
            *("planned_rounds", "avoid_second_meetings", "round_minutes", "overtime_minutes"),
            *("table_numbers", "feature_tables", "confirm_after_minutes", "no_show_minutes"),
            *("rated", "planned_cut", "shows_needs", "late_entry", "late_entry_until"),
            *("drops_absent", "staff_need_second_factor"),
            *("decks_required", "decks_close_at", "deck_rules"),
        ]
        extra_kwargs = {
            "description": {"max_length": 20_000},
            **{name: {"help_text": text} for name, text in SETTING_HELP_TEXTS.items()},
        }


class NewEventBody(SettingsBody):
    """A new event: its name and day are enough."""

    game = serializers.ChoiceField(games.choices(), help_text="Else onr.")

    class Meta(SettingsBody.Meta):
        fields = [*SettingsBody.Meta.fields, "game"]

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        for name in fields.keys() - {"name", "starts_on"}:
            fields[name].required = False
        return fields


class RulesNoticeSerializer(serializers.Serializer[Any]):
    """Something to know about the chosen deck rules, such as that no format is chosen."""

    code = serializers.CharField(help_text="no_format or outdated_card_data.")
    detail = serializers.CharField()


class SettingsSerializer(FirstSystemSerializer):
    """All settings of an event, for those who run it."""

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
        """Points by place; empty where the game has none."""
        rule = scoring_rule(tournament.scoring_rule)
        return list(rule.rank_points) if isinstance(rule, RankRule) else []

    def get_tie_breakers(self, tournament: Tournament) -> list[str]:
        """The ids between match points and the lot."""
        return [id_ for id_ in tournament.tie_breakers if id_ not in FIXED_TIE_BREAKERS]

    @extend_schema_field(RulesNoticeSerializer(many=True))
    def get_notices(self, tournament: Tournament) -> Any:
        """Empty where there is nothing to know."""
        return RulesNoticeSerializer(rules_notices(tournament), many=True).data

    def get_is_practice(self, tournament: Tournament) -> bool:
        """Whether this is a sandbox."""
        return tournament.practice_of_id is not None


class JoiningSerializer(serializers.Serializer[Any]):
    """The join code and the address that holds it."""

    join_code = serializers.CharField()
    url = serializers.URLField()


class StageSerializer(serializers.Serializer[Any]):
    """One part of the event."""

    number = serializers.IntegerField(source="stage.number")
    system = serializers.ChoiceField(list(SYSTEMS), source="stage.system")
    scoring_rule = serializers.CharField(source="stage.scoring_rule")
    scoring = serializers.CharField(help_text="The rule by its name.")
    decks_shown_to = serializers.ChoiceField(DeckAudience.choices, source="stage.decks_shown_to")
    decks_shown_at = serializers.DateTimeField(source="stage.decks_shown_at", allow_null=True)
    rounds = serializers.SerializerMethodField()

    def get_rounds(self, line: StageLine) -> list[int]:
        """The numbers of the rounds that are published."""
        return [one.number for one in line.rounds if one.state != RoundState.DRAFT]
