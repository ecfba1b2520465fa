"""Serializers of events, players, jobs, notes and results, shared by several slices."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api_requests import RequestBody, StrictCharField, StrictIntegerField
from core.jobs import JobState
from engine.standings.tie_breakers import TIE_BREAKERS
from matches import records as matches_records
from matches.scoring.results import MatchResult, Points
from rulings.forms import MAX_CITED, CitedRulingsField
from rulings.models import JudgeNote, NoteKind, Ruling, RulingVersion
from rulings.permissions import rulings_readable_with_token
from tournaments.event.snapshots import tie_breakers_of
from tournaments.models import Job, JobKind, Registration, Tournament

MAX_REASON_LETTERS = 500
MAX_VERSIONS = 9999
CODE_VALIDATOR = RegexValidator(r"^[A-Za-z0-9][A-Za-z0-9-]{0,79}$")
# Parts of a result with a value per player, and the key of the value in a body.
PLAYER_VALUE_KEYS = {"totals": "points", "victory_points": "points", "factions": "faction"}


class TieBreakerSerializer(serializers.Serializer[Any]):
    """A tie-breaker of the standings."""

    id = serializers.CharField()
    heading = serializers.CharField()
    name = serializers.CharField()


class EventSerializer(serializers.ModelSerializer[Tournament]):
    """An event in a list."""

    player_count = serializers.IntegerField()
    is_finished = serializers.BooleanField()
    url = serializers.HyperlinkedIdentityField(view_name="api:event", lookup_field="slug")
    page = serializers.HyperlinkedIdentityField(view_name="tournaments:event", lookup_field="slug")

    class Meta:
        model = Tournament
        fields = [
            "slug",
            "name",
            "game",
            "starts_on",
            "time_zone",
            "location",
            "visibility",
            "player_count",
            "is_finished",
            "finished_at",
            "url",
            "page",
        ]


class DeckRulesSerializer(serializers.Serializer[Any]):
    """Deck rules. The first four fields are for `onr`, the rest for `anr`."""

    runner_minimum = serializers.IntegerField(required=False)
    corp_minimum = serializers.IntegerField(required=False)
    exact_ratio = serializers.BooleanField(required=False)
    ban_list = serializers.BooleanField(required=False)
    format = serializers.CharField(required=False, source="format_id")
    identities_only = serializers.BooleanField(required=False)


class FirstSystemSerializer(serializers.ModelSerializer[Tournament]):
    system = serializers.SerializerMethodField()

    def get_system(self, tournament: Tournament) -> str:
        """The pairing system of the first stage."""
        return tournament.stages.get(number=1).system


class EventDetailSerializer(EventSerializer, FirstSystemSerializer):
    """An event with its rules."""

    deck_rules = DeckRulesSerializer()
    tie_breakers = serializers.SerializerMethodField()
    current_round = serializers.IntegerField(
        source="current_number",
        allow_null=True,
        help_text="Number of the newest published round; null before the first.",
    )

    class Meta(EventSerializer.Meta):
        fields = [
            *EventSerializer.Meta.fields,
            "start_time",
            "ends_on",
            "end_time",
            "day_two_on",
            "day_two_time",
            "day_two_round",
            "address",
            "entry_fee",
            "contact",
            "links",
            "language",
            "description",
            "registration_is_open",
            "registration_closes_at",
            "max_players",
            "system",
            "scoring_rule",
            "bye_points",
            "planned_rounds",
            "current_round",
            "round_minutes",
            "decks_required",
            "deck_rules",
            "tie_breakers",
        ]

    @extend_schema_field(TieBreakerSerializer(many=True))
    def get_tie_breakers(self, tournament: Tournament) -> Any:
        """The tie-breakers of the standings, in order."""
        breakers = [TIE_BREAKERS[id_] for id_ in tie_breakers_of(tournament)]
        return TieBreakerSerializer(breakers, many=True).data


class PlayerNameSerializer(serializers.ModelSerializer[Registration]):
    """A player of the event, by number and name."""

    name = serializers.CharField(source="player.name")

    class Meta:
        model = Registration
        fields = ["number", "name"]


def player_name(place: Registration) -> dict[str, Any]:
    """Serialize like PlayerNameSerializer, but much faster in lists with a player per row."""
    return {"number": place.number, "name": place.player.name}


class PlayerSerializer(PlayerNameSerializer):
    """A registration for the event."""

    pronouns = serializers.CharField(source="player.pronouns")

    class Meta(PlayerNameSerializer.Meta):
        fields = ["number", "name", "pronouns", "state", "joined_in_round"]


class JobSerializer(serializers.ModelSerializer[Job]):
    """A background job. It is over when its state is done, failed or parked."""

    kind = serializers.ChoiceField(JobKind.choices)
    state = serializers.ChoiceField(JobState.choices)
    label = serializers.CharField(  # type: ignore[assignment]
        source="get_kind_label", help_text="The kind of job in words."
    )
    number = serializers.SerializerMethodField(help_text="Number of its round, if any.")
    error = serializers.CharField(source="shown_error", required=False)

    class Meta:
        model = Job
        fields = [
            "id",
            "kind",
            "state",
            "error",
            "label",
            "number",
            "attempts",
            "created_at",
            "finished_at",
        ]

    def get_number(self, job: Job) -> int | None:
        """Number of the round of the job."""
        number = job.payload.get("number") or job.payload.get("from_round")
        return number if isinstance(number, int) else None


class CiteSerializer(RequestBody):
    """A version of a ruling, by default the one in force."""

    code = StrictCharField(
        max_length=80,
        validators=[CODE_VALIDATOR],
        help_text='The code or the short code, such as "R-0231".',
    )
    version = StrictIntegerField(min_value=1, max_value=MAX_VERSIONS, allow_null=True, default=None)


@extend_schema_field(CiteSerializer(many=True))
class CitesField(serializers.ListField):
    """Cited rulings in order, as RulingVersions. An unknown code is a 400."""

    child = CiteSerializer()

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"required": False, "max_length": MAX_CITED, **options})

    def to_internal_value(self, data: Any) -> list[RulingVersion]:
        """Return the versions. Raises ValidationError with the nearest codes."""
        among = rulings_readable_with_token(self.context["request"])
        return [_cited_version(cite, among) for cite in super().to_internal_value(data)]


def _cited_version(cite: dict[str, Any], among: QuerySet[Ruling]) -> RulingVersion:
    number = cite["version"]
    typed = f"{cite['code']} v{number}" if number else cite["code"]
    field = CitedRulingsField()
    field.among = among
    try:
        (version,) = field.clean(typed)
    except ValidationError as unknown:
        raise serializers.ValidationError(unknown.messages) from unknown
    return version


class CitedSerializer(serializers.Serializer[Any]):
    """A cited version of a ruling; `newest` is the number of the newest version."""

    code = serializers.CharField(source="version.ruling.short_code")
    version = serializers.IntegerField(source="version.number")
    newest = serializers.IntegerField()
    subject = serializers.CharField(source="version.ruling.subject")


def citations_field(note: str) -> Any:
    """A field with the citations of a note, which may be null; `note` is its attribute."""
    return CitedSerializer(many=True, source=f"{note}.citations.all", default=list, read_only=True)


class NoteSerializer(serializers.ModelSerializer[JudgeNote]):
    """A judge's note on a match."""

    kind = serializers.ChoiceField(NoteKind.choices)
    author = serializers.CharField(source="author.staff_name", allow_null=True)
    rulings = CitedSerializer(many=True, source="citations")

    class Meta:
        model = JudgeNote
        fields = ["id", "kind", "author", "text", "rulings", "created_at"]


@extend_schema_field(
    {"oneOf": [{"type": "integer"}, {"type": "string", "pattern": r"^-?\d+/\d+$"}]}
)
class PointsField(serializers.ReadOnlyField):
    """Points are integers; fractions of shared places are strings such as "10/3"."""

    def to_representation(self, value: Points) -> int | str:
        return points_to_body(value)


def points_to_body(points: Points) -> int | str:
    return points if isinstance(points, int) else str(points)


def result_to_body(result: MatchResult, numbers: Mapping[int, int]) -> dict[str, Any] | None:
    """The result as JSON, or None if it is empty. `numbers` are player numbers by position."""
    if not result:
        return None
    body = matches_records.result_to_document(result)
    body["games"] = [{**game, "corp": numbers[game["corp"]]} for game in body["games"]]
    for name, key in PLAYER_VALUE_KEYS.items():
        body[name] = [
            {"player": numbers[position], key: value}
            for position, value in enumerate(body[name], start=1)
        ]
    return body
