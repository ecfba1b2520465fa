"""Local rulings, rulings cited, and the report of the judges."""

from typing import Any

from rest_framework import serializers

from core.api_bodies import Body, Text, Whole
from rulings.forms import LONGEST_NOTE
from tournaments.judging.serializers.calls import CallFiguresSerializer
from tournaments.judging.serializers.penalties import KINDS
from tournaments.web.serializers import A_CODE, CitesField, cited_by


class LocalRulingSerializer(serializers.Serializer[Any]):
    """A ruling that holds at the event, or held there; `text` is what holds.

    One that was not `made_here` was made at an earlier event and is used again.
    """

    id = serializers.IntegerField(source="local.pk")
    code = serializers.CharField(source="local.ruling.short_code")
    subject = serializers.CharField(source="local.ruling.subject")
    version = serializers.IntegerField(source="version.number", allow_null=True)
    newest = serializers.IntegerField(
        source="local.ruling.current.number", allow_null=True, help_text="Send it as `seen`."
    )
    text = serializers.CharField(source="version.text", allow_null=True)
    reason = serializers.CharField(source="version.reason", allow_null=True)
    made_here = serializers.BooleanField(source="local.made_here")
    has_ended = serializers.BooleanField()
    rulings = cited_by("local.basis")


class OfferedRulingSerializer(serializers.Serializer[Any]):
    """A ruling of an earlier event that may hold here as well."""

    code = serializers.CharField(source="short_code")
    subject = serializers.CharField()
    text = serializers.CharField(source="current.text", allow_null=True)


class _WordingWanted(Body):
    text = Text(max_length=LONGEST_NOTE)
    rulings = CitesField(default=list)


class LocalRulingWanted(_WordingWanted):
    """A new ruling: a card or a topic, its words, what it rests on, and why; public, all of it."""

    subject = Text(max_length=120)
    reason = Text(required=False, allow_blank=True, default="", max_length=200)


class NextVersionWanted(_WordingWanted):
    """Other words for a ruling, on top of the version that was read."""

    seen = Whole(min_value=1, max_value=9999)
    reason = Text(max_length=200)


class UseWanted(Body):
    """Which ruling of an earlier event holds here too."""

    code = Text(max_length=80, validators=[A_CODE])


class ReportedCitationSerializer(serializers.Serializer[Any]):
    """A version that was cited."""

    code = serializers.CharField()
    version = serializers.IntegerField()
    subject = serializers.CharField()


class ReportedEventSerializer(serializers.Serializer[Any]):
    """The event of the report."""

    slug = serializers.CharField()
    name = serializers.CharField()
    game = serializers.CharField()
    starts_on = serializers.DateField()


class ReportedCallSerializer(serializers.Serializer[Any]):
    """A call in the report; people go by their names."""

    round = serializers.IntegerField()
    table = serializers.IntegerField()
    players: Any = serializers.ListField(child=serializers.CharField())
    about = serializers.CharField()
    raised_by = serializers.CharField(allow_null=True)
    raised_at = serializers.DateTimeField()
    taken_by = serializers.CharField(allow_null=True)
    taken_at = serializers.DateTimeField(allow_null=True)
    escalated_at = serializers.DateTimeField(allow_null=True)
    is_appeal = serializers.BooleanField()
    overturned = serializers.BooleanField(allow_null=True)
    answered_by = serializers.CharField(allow_null=True)
    answered_at = serializers.DateTimeField(allow_null=True)
    taken_back_at = serializers.DateTimeField(allow_null=True)
    answer = serializers.CharField()
    minutes = serializers.IntegerField()
    rulings = ReportedCitationSerializer(many=True)


class ReportedPenaltySerializer(serializers.Serializer[Any]):
    """A penalty in the report."""

    round = serializers.IntegerField(allow_null=True)
    table = serializers.IntegerField(allow_null=True)
    player = serializers.CharField()
    number = serializers.IntegerField()
    infraction = serializers.CharField()
    infraction_name = serializers.CharField()
    penalty = serializers.ChoiceField(KINDS)
    expected = serializers.ChoiceField(KINDS)
    game = serializers.IntegerField(allow_null=True)
    text = serializers.CharField()
    rulings = ReportedCitationSerializer(many=True)
    given_by = serializers.CharField(allow_null=True)
    given_at = serializers.DateTimeField()
    waits = serializers.BooleanField()
    taken_back_by = serializers.CharField(allow_null=True)
    taken_back_at = serializers.DateTimeField(allow_null=True)
    taken_back_why = serializers.CharField()


class ReportedRulingSerializer(serializers.Serializer[Any]):
    """A local ruling in the report."""

    code = serializers.CharField()
    subject = serializers.CharField()
    version = serializers.IntegerField(allow_null=True)
    text = serializers.CharField()
    made_here = serializers.BooleanField()


class InfractionCountSerializer(serializers.Serializer[Any]):
    """How often something was penalised."""

    code = serializers.CharField()
    name = serializers.CharField()
    given = serializers.IntegerField()
    taken_back = serializers.IntegerField()


class ReportSerializer(serializers.Serializer[Any]):
    """All that happened between judges and tables, each list oldest first."""

    datafort = serializers.IntegerField()
    report = serializers.CharField()
    event = ReportedEventSerializer()
    calls = ReportedCallSerializer(many=True)
    penalties = ReportedPenaltySerializer(many=True)
    local_rulings = ReportedRulingSerializer(many=True)
    figures = CallFiguresSerializer()
    standing_penalties: Any = serializers.DictField(
        child=serializers.IntegerField(), help_text="Penalties that stand, by kind."
    )
    infractions = InfractionCountSerializer(many=True)


class CitedAtSerializer(serializers.Serializer[Any]):
    """Where it was cited: at a table, with a penalty, or for a local ruling."""

    at = serializers.DateTimeField()
    judge = serializers.CharField(source="note.author.staff_name", allow_null=True)
    text = serializers.CharField(source="note.text")
    round = serializers.IntegerField(source="pairing.round.number", allow_null=True)
    table = serializers.IntegerField(source="pairing.table_number", allow_null=True)
    penalty = serializers.IntegerField(source="penalty.pk", allow_null=True)
    local_ruling = serializers.IntegerField(source="local.pk", allow_null=True)


class CitedHereSerializer(serializers.Serializer[Any]):
    """A version of a ruling as it was cited; `newest` is the number of the newest by now."""

    code = serializers.CharField(source="version.ruling.short_code")
    version = serializers.IntegerField(source="version.number")
    newest = serializers.IntegerField()
    subject = serializers.CharField(source="version.ruling.subject")
    text = serializers.CharField(source="version.text")
    places = CitedAtSerializer(many=True, read_only=True)
