"""Work that is written down, as the API tells it."""

from typing import Any

from rest_framework import serializers

from core.api_bodies import Body, Text, Whole
from core.jobs import JobState
from tournaments.models import Job, JobKind, RoundState

MOST_ROUNDS, LONGEST_REASON = 999, 500


class JobSerializer(serializers.ModelSerializer[Job]):
    """One piece of work. It is over when its state is done, failed or parked."""

    kind = serializers.ChoiceField(JobKind.choices)
    state = serializers.ChoiceField(JobState.choices)
    label = serializers.CharField(  # type: ignore[assignment]
        source="get_kind_label", help_text="The work in words."
    )
    number = serializers.SerializerMethodField(help_text="The round it is for, where there is one.")

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
        """The round it is for."""
        number = job.payload.get("number") or job.payload.get("from_round")
        return number if isinstance(number, int) else None


class JobRoundSerializer(serializers.Serializer[Any]):
    """The round a job has made; `url` is where it is read: a draft has an address of its own."""

    number = serializers.IntegerField()
    state = serializers.ChoiceField(RoundState.choices)
    url = serializers.CharField()


class JobDetailSerializer(JobSerializer):
    """One piece of work, and the round it has made."""

    round = JobRoundSerializer(allow_null=True)

    class Meta(JobSerializer.Meta):
        fields = [*JobSerializer.Meta.fields, "round"]


class PairingBody(Body):
    """Which round to pair: the next one unless told."""

    number = Whole(
        min_value=1, max_value=MOST_ROUNDS, required=False, allow_null=True, default=None
    )
    force_reason = Text(
        max_length=LONGEST_REASON,
        required=False,
        allow_blank=True,
        default="",
        help_text="Close the round before although results are missing, and why.",
    )


class PairingAskedSerializer(serializers.Serializer[Any]):
    """The job that pairs round `number`; ask for it until it is over."""

    job = JobSerializer()
    number = serializers.IntegerField()
