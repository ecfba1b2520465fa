"""News outside the site, the player meeting, and sandboxes."""

from typing import Any

from rest_framework import serializers

from core.api_bodies import Body, Choice, Text, YesNo
from core.jobs import JobState
from tournaments.models import Job, JobKind

SENT = [(kind.value, kind.label) for kind in (JobKind.NOTIFY, JobKind.MAIL, JobKind.PUSH)]
SEATS = [2, 4]


class AnnouncingBody(Body):
    """What is told where. What is not said stays."""

    webhook = Text(
        max_length=300,
        required=False,
        allow_blank=True,
        help_text="The address of a channel, told to nobody again. Empty: it is forgotten.",
    )
    tells_pairings = YesNo(required=False)
    tells_standings = YesNo(required=False)
    allows_mail = YesNo(required=False)
    allows_push = YesNo(required=False)


class SendingSerializer(serializers.ModelSerializer[Job]):
    """Something that was told outside the site."""

    kind = serializers.ChoiceField(SENT)
    state = serializers.ChoiceField(JobState.choices)

    class Meta:
        model = Job
        fields = ["kind", "state", "error", "created_at"]


class AnnouncingSerializer(serializers.Serializer[Any]):
    """What is told where, what became of it, and the same as text to copy."""

    site = serializers.CharField(allow_blank=True, help_text="Of the webhook; its address is kept.")
    tells_pairings = serializers.BooleanField()
    tells_standings = serializers.BooleanField()
    allows_mail = serializers.BooleanField()
    allows_push = serializers.BooleanField()
    can_mail = serializers.BooleanField()
    can_push = serializers.BooleanField()
    sendings = SendingSerializer(many=True)
    pairings = serializers.ListField(child=serializers.CharField())
    standings = serializers.ListField(child=serializers.CharField())


class MeetingBody(Body):
    """How the players are seated."""

    seats = Choice(SEATS)
    with_registered = YesNo(required=False, help_text="Those who are not checked in as well.")


class MeetingSeatSerializer(serializers.Serializer[Any]):
    """A player and the table of the meeting."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    pronouns = serializers.CharField(allow_blank=True)
    table = serializers.IntegerField()


class MeetingSerializer(serializers.Serializer[Any]):
    """The player meeting. Once it is over its seats are told to those who run the event."""

    is_on = serializers.BooleanField()
    seats = MeetingSeatSerializer(many=True)


class PracticeBody(Body):
    """A sandbox to make."""

    with_rounds = YesNo(required=False, help_text="As far as the event is; else from its start.")


class PlayBody(Body):
    """What chance plays: the open tables, or a whole round."""

    what = Choice(["tables", "round"], required=False)


class PlayedSerializer(serializers.Serializer[Any]):
    """What was played."""

    tables = serializers.IntegerField(allow_null=True, help_text="Null for a whole round.")
    round = serializers.IntegerField(allow_null=True, help_text="Null for tables.")


class PracticeSerializer(serializers.Serializer[Any]):
    """A sandbox."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    url = serializers.HyperlinkedIdentityField(view_name="api:event", lookup_field="slug")
    page = serializers.HyperlinkedIdentityField(view_name="tournaments:desk", lookup_field="slug")
