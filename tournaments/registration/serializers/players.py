"""What players say of themselves, and what they are told of their own day."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api_bodies import Body, Text, YesNo
from tournaments.models import DroppedBy, Registration, RegistrationState, codes
from tournaments.registration.pages.my_day import Now
from tournaments.registration.serializers.roster import DeckStateSerializer, NameBody
from tournaments.web.serializers import PlayerSerializer, PointsField


class JoinBody(Body):
    """Who joins. A known player needs to say nothing; somebody new says a name."""

    name = Text(max_length=200, required=False)
    pronouns = Text(max_length=60, required=False, allow_blank=True)
    is_another = YesNo(required=False, help_text="Somebody else of a name that is on the list.")


class JoinCodeBody(JoinBody):
    """A join code, however it is typed, and who joins."""

    code = Text(max_length=40)


class ClaimBody(Body):
    """The secret at the end of a personal link."""

    secret = Text(max_length=100)


class ProfileBody(NameBody):
    """The name at the table, and pronouns."""

    name = Text(max_length=200, required=False)


class ProfileSerializer(serializers.Serializer[Any]):
    """Who is asking: the account, and the player as others read of them."""

    username = serializers.CharField(allow_null=True, help_text="Null for a guest.")
    name = serializers.CharField(allow_null=True, help_text="Null for who never played.")
    pronouns = serializers.CharField(allow_blank=True)


class JoinedSerializer(serializers.Serializer[Any]):
    """A place in an event, or on its waiting list."""

    event = serializers.SlugField()
    player = PlayerSerializer()
    waiting_place = serializers.IntegerField(allow_null=True, help_text="1 moves up next.")
    claim_link = serializers.URLField(
        allow_null=True,
        help_text="Of a new guest, for other devices. Told once; null when sent again.",
    )


class WishesBody(Body):
    """What a player wishes of the room."""

    avoids_stream = YesNo(help_text="Not to be filmed: never at a feature table.")


class WantedBody(Body):
    """Yes or no."""

    wanted = YesNo()


class PhoneBody(WantedBody):
    """The subscription of a browser. To stop, its endpoint is enough; without one all phones."""

    endpoint = Text(max_length=500, required=False, allow_blank=True)
    p256dh = Text(max_length=200, required=False, allow_blank=True)
    auth = Text(max_length=100, required=False, allow_blank=True)


class NewsWishesSerializer(serializers.Serializer[Any]):
    """How this player hears of the next round. What is empty stands in the way of nothing."""

    wishes_mail = serializers.BooleanField()
    why_no_mail = serializers.CharField(allow_blank=True)
    phones = serializers.ListField(
        child=serializers.CharField(), help_text="SHA-256 of the endpoint of each phone."
    )
    why_no_push = serializers.CharField(allow_blank=True)
    push_key = serializers.CharField(allow_blank=True)


class MyOpponentSerializer(serializers.Serializer[Any]):
    """Somebody at the same table."""

    number = serializers.IntegerField()
    name = serializers.CharField()


class MyRoundSerializer(serializers.Serializer[Any]):
    """A round of this player; no table is a bye."""

    number = serializers.IntegerField(source="round.number")
    table = serializers.IntegerField(source="table.table", allow_null=True)
    opponents = MyOpponentSerializer(many=True)


class MyStandingSerializer(serializers.Serializer[Any]):
    """Where the player stands after the last closed round."""

    rank = serializers.IntegerField()
    match_points = PointsField()


class MeSerializer(serializers.ModelSerializer[Registration]):
    """A player's own place in the event."""

    # Wants the day of registration.pages.my_day as context "day".

    name = serializers.CharField(source="player.name")
    pronouns = serializers.CharField(source="player.pronouns")
    state = serializers.ChoiceField(RegistrationState.choices)
    dropped_by = serializers.ChoiceField([*DroppedBy.choices, ""])
    now = serializers.SerializerMethodField()
    can_check_in = serializers.SerializerMethodField()
    can_return = serializers.SerializerMethodField()
    waiting_place = serializers.SerializerMethodField()
    meeting_table = serializers.SerializerMethodField()
    check_in_code = serializers.SerializerMethodField()
    rounds = serializers.SerializerMethodField()
    standing = serializers.SerializerMethodField()
    decks = serializers.SerializerMethodField()

    class Meta:
        model = Registration
        fields = [
            "number",
            "name",
            "pronouns",
            "state",
            "dropped_by",
            "now",
            "can_check_in",
            "can_return",
            "waiting_place",
            "meeting_table",
            "avoids_stream",
            "check_in_code",
            "rounds",
            "standing",
            "decks",
        ]

    @extend_schema_field(serializers.ChoiceField([one.value for one in Now]))
    def get_now(self, _registration: Registration) -> str:
        """What is to be done first."""
        now: Now = self.context["day"]["state"]
        return now.value

    def get_can_check_in(self, _registration: Registration) -> bool:
        """Whether the player can say "I am here" now."""
        return bool(self.context["day"]["can_check_in"])

    def get_can_return(self, _registration: Registration) -> bool:
        """Whether who left can come back by themselves."""
        return bool(self.context["day"]["arriving"].can_return)

    def get_waiting_place(self, _registration: Registration) -> int | None:
        """1 for who moves up next; null for who does not wait."""
        place: int | None = self.context["day"]["arriving"].waiting_place
        return place

    def get_meeting_table(self, registration: Registration) -> int | None:
        """The seat at the player meeting, while it is on."""
        return registration.meeting_table if self.context["day"]["has_meeting"] else None

    def get_check_in_code(self, registration: Registration) -> str:
        """What the staff scan."""
        return codes.check_in_code(registration.pk)

    @extend_schema_field(MyRoundSerializer(many=True))
    def get_rounds(self, _registration: Registration) -> Any:
        """The published rounds, first to last."""
        return MyRoundSerializer(self.context["day"]["rounds"], many=True).data

    @extend_schema_field(MyStandingSerializer(allow_null=True))
    def get_standing(self, _registration: Registration) -> Any:
        """Null before the first round is closed."""
        standing = self.context["day"]["standing"]
        return MyStandingSerializer(standing).data if standing else None

    @extend_schema_field(DeckStateSerializer(many=True))
    def get_decks(self, registration: Registration) -> Any:
        """What was handed in."""
        decks = registration.deck_submissions.select_related("version").order_by("side")
        return DeckStateSerializer(decks, many=True).data
