"""Settings as documents of the API."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api_requests import RequestBody, StrictBooleanField, StrictCharField, StrictIntegerField
from decks import games
from engine.standings.tie_breakers import FIXED_TIE_BREAKERS, TIE_BREAKERS
from engine.systems import SYSTEMS
from matches.scoring.rules import SCORING_RULES, RankRule, scoring_rule
from tournaments.decklists.services import rules_notices
from tournaments.models import DeckAudience, LateEntry, RoundState, Tournament, Visibility
from tournaments.rounds.pages import StageLine
from tournaments.web.serializers import DeckRulesSerializer, FirstSystemSerializer

FIRST_SYSTEMS = [system.id for system in SYSTEMS.values() if not system.is_elimination]
TIE_BREAKER_CHOICES = [id_ for id_ in TIE_BREAKERS if id_ not in FIXED_TIE_BREAKERS]
MAX_NUMBER = 32_767


def _number_field(**options: Any) -> StrictIntegerField:
    return StrictIntegerField(min_value=0, max_value=MAX_NUMBER, **options)


def _time_field(help_text: str) -> serializers.TimeField:
    return serializers.TimeField(allow_null=True, help_text=help_text)


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


class SettingsBody(RequestBody):
    """Settings to change; what is not said stays. A time without an offset is UTC."""

    name = StrictCharField(max_length=120)
    starts_on = serializers.DateField()
    start_time = _time_field("When it begins, by its own clocks.")
    ends_on = serializers.DateField(
        allow_null=True, help_text="The last day; null: it lasts one day."
    )
    end_time = _time_field("When it is expected to end. With two days, it holds for both.")
    day_two_on = serializers.DateField(
        allow_null=True, help_text="When players check in again; null: never."
    )
    day_two_time = _time_field("When day 2 begins.")
    day_two_round = _number_field(
        allow_null=True, help_text="The first round of day 2; null: it begins with the cut."
    )
    time_zone = StrictCharField(max_length=64, help_text="Such as Europe/Berlin.")
    location = StrictCharField(max_length=120, allow_blank=True)
    address = StrictCharField(
        max_length=200, allow_blank=True, help_text="Street and city, for a map."
    )
    entry_fee = StrictCharField(max_length=80, allow_blank=True, help_text="In words.")
    contact = StrictCharField(
        max_length=120,
        allow_blank=True,
        help_text="A mail address, a page or a name, for everybody who sees the event.",
    )
    links = StrictCharField(
        max_length=2_000,
        allow_blank=True,
        help_text="One on each line: its name, then its address.",
    )
    description = StrictCharField(max_length=20_000, allow_blank=True)
    visibility = serializers.ChoiceField(Visibility.choices)
    registration_is_open = StrictBooleanField()
    registration_closes_at = serializers.DateTimeField(allow_null=True)
    max_players = _number_field(allow_null=True)
    guests_per_address = _number_field(
        allow_null=True, help_text="New players from one network in ten minutes; null: no limit."
    )
    invitation_only = StrictBooleanField(
        help_text="Nobody joins but invited players and whom the staff add."
    )
    has_waiting_list = StrictBooleanField()
    system = serializers.ChoiceField(FIRST_SYSTEMS, help_text="Of the first stage.")
    scoring_rule = serializers.ChoiceField(list(SCORING_RULES), help_text="One of the game.")
    rank_points = serializers.ListField(
        child=StrictIntegerField(min_value=0, max_value=999),
        max_length=8,
        help_text="Points by place, first place first; of Free Radicals. Empty: as usual.",
    )
    bye_points = _number_field(allow_null=True, help_text="Null: as usual.")
    tie_breakers = serializers.ListField(
        child=serializers.ChoiceField(TIE_BREAKER_CHOICES),
        max_length=6,
        help_text="Of the game: between match points, which come first, and a lot.",
    )
    planned_rounds = _number_field(allow_null=True, help_text="Null: as many as the players want.")
    avoid_second_meetings = StrictBooleanField(
        allow_null=True,
        help_text="Of Swiss with one game a match. Null: where the rounds fit a round robin.",
    )
    round_minutes = _number_field()
    overtime_minutes = _number_field()
    table_numbers = StrictCharField(
        max_length=120, allow_blank=True, help_text="Such as 1-20, 31-40."
    )
    feature_tables = StrictCharField(max_length=60, allow_blank=True)
    confirm_after_minutes = _number_field(allow_null=True)
    no_show_minutes = _number_field(allow_null=True)
    rated = StrictBooleanField(
        help_text="Whether the results of the finished, public event count there."
    )
    planned_cut = _number_field(allow_null=True, help_text="Players in the top cut; null: no cut.")
    shows_needs = StrictBooleanField(
        help_text="Whether everybody reads who is in or out in the last round, and chances before."
    )
    late_entry = serializers.ChoiceField(LateEntry.choices)
    late_entry_until = _number_field(allow_null=True)
    drops_absent = StrictBooleanField()
    staff_need_second_factor = StrictBooleanField(
        help_text="Switched on by an account that has one."
    )
    decks_required = StrictBooleanField()
    decks_close_at = serializers.DateTimeField(allow_null=True)
    deck_rules = DeckRulesBody()


class NewEventBody(SettingsBody):
    """A new event: its name and day are enough."""

    game = serializers.ChoiceField(games.choices(), help_text="Else onr.")

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
            *SettingsBody().fields,
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
