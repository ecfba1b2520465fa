"""Series as documents of the API, and what it takes of them."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api_bodies import Body, Text, Whole, YesNo
from tournaments.models import (
    EveningPlan,
    InvitedPlayer,
    Rhythm,
    Series,
    SeriesScoring,
    SeriesStaff,
    Tournament,
    Visibility,
)
from tournaments.series.pages import NextEvening, PlanLine
from tournaments.series.queries import ShownPlayer
from tournaments.series.rules.season import TIE_BREAKERS, Cell, Line
from tournaments.web.serializers import PointsField

MOST = 32_767


class SeriesBody(Body):
    """Settings of a series; what is not said stays."""

    name = Text(max_length=120, required=False)
    description = Text(max_length=20_000, required=False, allow_blank=True)
    visibility = serializers.ChoiceField(Visibility.choices, required=False)
    scoring = serializers.ChoiceField(SeriesScoring.choices, required=False)
    place_points = serializers.ListField(
        child=Whole(min_value=0, max_value=1_000),
        max_length=64,
        required=False,
        help_text="Points by place, first place first.",
    )
    points_for_playing = Whole(
        min_value=0, max_value=1_000, required=False, help_text="Of every later place."
    )
    planned_events = Whole(min_value=1, max_value=MOST, required=False, allow_null=True)
    best_of = Whole(
        min_value=1, max_value=MOST, required=False, allow_null=True, help_text="Null: all count."
    )
    tie_breakers = serializers.ListField(
        child=serializers.ChoiceField(list(TIE_BREAKERS)), max_length=3, required=False
    )
    target = Text(
        max_length=140,
        required=False,
        allow_null=True,
        help_text="The slug of the event that players qualify for.",
    )
    qualify_per_event = Whole(min_value=0, max_value=MOST, required=False)
    qualify_by_table = Whole(min_value=0, max_value=MOST, required=False)
    passes_down = YesNo(
        required=False, help_text="A place of who has qualified goes to the next player."
    )


class NewSeriesBody(SeriesBody):
    """A new series: a name is enough."""

    name = Text(max_length=120)


class SeriesSerializer(serializers.ModelSerializer[Series]):
    """A series and how it counts."""

    target = serializers.SerializerMethodField(help_text="The slug of the event; null for none.")
    tie_breakers = serializers.ListField(child=serializers.ChoiceField(list(TIE_BREAKERS)))
    place_points = serializers.ListField(child=serializers.IntegerField())
    url = serializers.HyperlinkedIdentityField(
        view_name="api:series", lookup_field="slug", lookup_url_kwarg="series"
    )
    page = serializers.HyperlinkedIdentityField(
        view_name="tournaments:series", lookup_field="slug", lookup_url_kwarg="series"
    )

    class Meta:
        model = Series
        fields = ["slug", *SeriesBody().fields, "url", "page"]

    def get_target(self, series: Series) -> str | None:
        """Where its readers may know of it."""
        targets: dict[int, str | None] = self.context.get("targets", {})
        return targets.get(series.pk)


class SeriesEventSerializer(serializers.ModelSerializer[Tournament]):
    """An event of a series."""

    url = serializers.HyperlinkedIdentityField(view_name="api:event", lookup_field="slug")

    class Meta:
        model = Tournament
        fields = ["slug", "name", "starts_on", "finished_at", "url"]


class SeasonCellSerializer(serializers.Serializer[Any]):
    """What one event brought."""

    event = serializers.SerializerMethodField()
    place = serializers.IntegerField()
    points = PointsField()
    counts = serializers.BooleanField()

    def get_event(self, cell: Cell) -> str:
        """The slug of the event; empty where it was hidden a moment ago."""
        slugs: dict[int, str] = self.context["slugs"]
        return slugs.get(cell.evening, "")


class SeasonLineSerializer(serializers.Serializer[Any]):
    """A player of the table."""

    place = serializers.IntegerField()
    player = serializers.SerializerMethodField()
    points = PointsField()
    played = serializers.IntegerField(help_text="Events played.")
    counted = serializers.IntegerField(help_text="Events that count.")
    moved = serializers.IntegerField(
        allow_null=True, help_text="Places up since the last event; null for somebody new."
    )
    decided_by = serializers.CharField(
        help_text="The tie-breaker that put the player behind the one above; empty for none."
    )
    events = serializers.SerializerMethodField()

    def get_player(self, line: Line) -> str:
        """The name."""
        players: dict[int, ShownPlayer] = self.context["players"]
        return players[line.player].name

    @extend_schema_field(SeasonCellSerializer(many=True))
    def get_events(self, line: Line) -> Any:
        """What each event brought, first to last."""
        return SeasonCellSerializer(line.cells, many=True, context=self.context).data


class QualifiedSerializer(serializers.Serializer[Any]):
    """Somebody who qualified, and how."""

    player = serializers.CharField(source="player.name")
    how = serializers.CharField()
    by_table = serializers.BooleanField()


class TiedSerializer(serializers.Serializer[Any]):
    """One of those who share the last place; `player` is the key that an invitation takes."""

    player = serializers.IntegerField(source="key")
    name = serializers.CharField()


class InviteBody(Body):
    """Invite who qualified, or one player who shares the last place, with a reason."""

    only_invited = YesNo(
        required=False, help_text="Whether nobody else can join the event from now on; else true."
    )
    player = Whole(
        required=False, help_text="Who shares the last place of the table; only this player then."
    )
    reason = Text(max_length=300, required=False, help_text="Why this player goes through.")


class InvitedNumberSerializer(serializers.Serializer[Any]):
    """How many players were invited."""

    invited = serializers.IntegerField()


class EventSlugBody(Body):
    """One of the events that you run."""

    event = Text(max_length=140)


class OrganiserBody(Body):
    """An account by its username."""

    username = Text(max_length=150)


class SeriesStaffSerializer(serializers.ModelSerializer[SeriesStaff]):
    """Who runs the series."""

    id = serializers.IntegerField(source="pk")
    username = serializers.CharField(source="user.username")

    class Meta:
        model = SeriesStaff
        fields = ["id", "username", "role"]


class PlanBody(Body):
    """Evenings that come again; hours are those of the time zone."""

    template = Text(max_length=140, help_text="The slug of the event that is copied.")
    first_on = serializers.DateField()
    rhythm = serializers.ChoiceField(Rhythm.choices)
    starts_at = serializers.TimeField()
    time_zone = Text(max_length=64)
    days_before = Whole(min_value=0, max_value=60, help_text="When registration opens.")
    opens_at = serializers.TimeField()
    last_on = serializers.DateField(required=False, allow_null=True)
    with_roster = YesNo(required=False)


class SkipBody(Body):
    """A day of the plan, and whether there is no evening on it."""

    day = serializers.DateField()
    skipped = YesNo()


class NextEveningSerializer(serializers.Serializer[Any]):
    """An evening to come."""

    day = serializers.DateField()
    opens_at = serializers.DateTimeField()
    is_skipped = serializers.BooleanField()
    event = serializers.SerializerMethodField()

    def get_event(self, evening: NextEvening) -> str | None:
        """The slug of the event it is already; null while it is not open."""
        return evening.event.slug if evening.event else None


class EveningPlanSerializer(serializers.ModelSerializer[EveningPlan]):
    """Recurring evenings, as they are kept."""

    id = serializers.IntegerField(source="pk")
    template = serializers.SerializerMethodField()

    class Meta:
        model = EveningPlan
        fields = ["id", *PlanBody().fields, "stopped_at", "stopped_why"]

    def get_template(self, plan: EveningPlan) -> str | None:
        """The slug of the event that is copied; null where it was deleted."""
        return plan.template.slug if plan.template else None


class EveningPlanLineSerializer(serializers.Serializer[Any]):
    """Recurring evenings, and the next of them."""

    plan = EveningPlanSerializer()
    when = serializers.CharField()
    upcoming = NextEveningSerializer(many=True)

    def to_representation(self, instance: PlanLine) -> dict[str, Any]:
        """The plan with what follows from it beside it."""
        shown = super().to_representation(instance)
        return {**shown.pop("plan"), **shown}


class AgainBody(Body):
    """What is different the next time."""

    name = Text(max_length=120)
    starts_on = serializers.DateField()
    start_time = serializers.TimeField(
        required=False, allow_null=True, input_formats=["%H:%M", "%H:%M:%S"]
    )
    with_roster = YesNo(required=False)


class InvitedSerializer(serializers.ModelSerializer[InvitedPlayer]):
    """Somebody who may join an event by invitation."""

    id = serializers.IntegerField(source="pk")
    player = serializers.CharField(source="player.name")
    series = serializers.SlugRelatedField[Series](
        slug_field="slug", read_only=True, allow_null=True
    )

    class Meta:
        model = InvitedPlayer
        fields = ["id", "player", "how", "series", "invited_at", "declined_at"]


class DeclinedBody(Body):
    """Whether the player does not come."""

    declined = YesNo()
