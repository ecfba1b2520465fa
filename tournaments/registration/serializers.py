"""Who joins, by name, code or personal link, as documents of the API."""

from datetime import datetime
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api_requests import RequestBody, StrictBooleanField, StrictCharField, StrictIntegerField
from core.text import clean
from decks.models import Side
from engine.table_plan import HIGHEST_TABLE
from players import names
from players.forms import validated_text
from players.models import Player, User
from tournaments.models import DroppedBy, LockedBy, Registration, codes
from tournaments.registration.pasted_roster import MAX_SEED, LineAction
from tournaments.registration.roster_changes import MAX_GROUP_LENGTH, MAX_REASON_LENGTH, NewEntry
from tournaments.registration.roster_layout import LAYOUTS, MAX_COLUMNS, USES
from tournaments.web.serializers import PlayerSerializer


class NameBody(RequestBody):
    """A player by name, checked as on the pages."""

    name = StrictCharField(max_length=200)
    pronouns = StrictCharField(max_length=60, required=False, allow_blank=True)

    def validate_name(self, typed: str) -> str:
        return validated_text(typed, names.name_problems)

    def validate_pronouns(self, typed: str) -> str:
        return validated_text(typed, names.pronoun_problems)


class ClaimLinksBody(RequestBody):
    """Links for those without one, or new ones for all."""

    anew = StrictBooleanField(required=False, help_text="Also for those who have one, which ends.")


class NewClaimLinkSerializer(serializers.Serializer[Any]):
    """A personal link; whoever has it is the player."""

    claim_link = serializers.URLField(
        allow_null=True, help_text="Shown once; null when sent again."
    )


class NamedLinkSerializer(serializers.Serializer[Any]):
    """The personal link of one player."""

    number = serializers.IntegerField(source="registration.number")
    name = serializers.CharField(source="registration.player.name")
    claim_link = serializers.URLField()


class ClaimLinksSerializer(serializers.Serializer[Any]):
    """Personal links, to be printed or sent."""

    links = NamedLinkSerializer(many=True, allow_null=True, help_text="Shown once, then null.")


class JoinBody(RequestBody):
    """Who joins. A known player needs to say nothing; somebody new says a name."""

    name = StrictCharField(max_length=200, required=False)
    pronouns = StrictCharField(max_length=60, required=False, allow_blank=True)
    is_another = StrictBooleanField(
        required=False, help_text="Somebody else of a name that is on the list."
    )


class JoinCodeBody(JoinBody):
    """A join code, however it is typed, and who joins."""

    code = StrictCharField(max_length=40)


class ClaimBody(RequestBody):
    """The secret at the end of a personal link."""

    secret = StrictCharField(max_length=100)


class ProfileSerializer(serializers.Serializer[Any]):
    """Who is asking: the account, and the player as others read of them."""

    username = serializers.CharField(allow_null=True, help_text="Null for a guest.")
    name = serializers.CharField(allow_null=True, help_text="Null for who never played.")
    pronouns = serializers.CharField(allow_blank=True)


def profile_of(user: User | None, player: Player | None) -> dict[str, str | None]:
    """What `ProfileSerializer` shows of an account or a guest."""
    return {
        "username": user.username if user else None,
        "name": player.name if player else None,
        "pronouns": player.pronouns if player else "",
    }


class JoinedSerializer(serializers.Serializer[Any]):
    """A place in an event, or on its waiting list."""

    event = serializers.SlugField()
    player = PlayerSerializer()
    waiting_place = serializers.IntegerField(allow_null=True, help_text="1 moves up next.")
    claim_link = serializers.URLField(
        allow_null=True,
        help_text="Of a new guest, for other devices. Shown once, then null.",
    )


# Players on the roster and lists of players as documents of the API.


MAX_PLAYERS_AT_ONCE = 500
MAX_LIST_BYTES = 200_000


class NewPlayerBody(NameBody):
    """Somebody to put on the roster."""

    seed = StrictIntegerField(min_value=1, max_value=MAX_SEED, required=False, allow_null=True)
    first_round_bye = StrictBooleanField(required=False)
    avoid_group = StrictCharField(max_length=MAX_GROUP_LENGTH, required=False, allow_blank=True)
    has_paid = StrictBooleanField(required=False, help_text="Marked as paid at once.")
    is_another = StrictBooleanField(
        required=False, help_text="Another person of a name that is on the roster already."
    )

    def validate_avoid_group(self, typed: str) -> str:
        """The group, cleaned; some letters are two then."""
        group = clean(typed)
        if len(group) > MAX_GROUP_LENGTH:
            raise serializers.ValidationError(f"A group has at most {MAX_GROUP_LENGTH} letters.")
        return group


class NewPlayersBody(RequestBody):
    """Players to put on the roster."""

    players = NewPlayerBody(  # type: ignore[call-arg]
        many=True, allow_empty=False, max_length=MAX_PLAYERS_AT_ONCE
    )
    late_reason = StrictCharField(
        max_length=MAX_REASON_LENGTH,
        required=False,
        allow_blank=True,
        help_text="Why they come in so late.",
    )


def new_entry_of(player: dict[str, Any]) -> NewEntry:
    """A player as the service takes them."""
    return NewEntry(
        player["name"],
        player.get("pronouns", ""),
        player.get("seed"),
        player.get("first_round_bye", False),
        player.get("avoid_group", ""),
        player.get("has_paid", False),
    )


class PlayerBody(RequestBody):
    """What the staff set for one player; what is not said stays."""

    seed = StrictIntegerField(min_value=1, max_value=MAX_SEED, allow_null=True)
    avoid_group = StrictCharField(max_length=MAX_GROUP_LENGTH, allow_blank=True)
    first_round_bye = StrictBooleanField()
    fixed_table = StrictIntegerField(min_value=1, max_value=HIGHEST_TABLE, allow_null=True)
    avoids_stream = StrictBooleanField()


class PaidBody(RequestBody):
    """Whether a player has paid the entry fee."""

    has_paid = StrictBooleanField()


class NumbersBody(RequestBody):
    """Players by number; null is everybody who is not here yet."""

    numbers = serializers.ListField(
        child=StrictIntegerField(min_value=1, max_value=32_767),
        max_length=MAX_PLAYERS_AT_ONCE,
        allow_null=True,
    )


class CheckedInSerializer(serializers.Serializer[Any]):
    """Number of players whose check-in is new."""

    checked_in = serializers.IntegerField()


class RosterListBody(RequestBody):
    """A list of players: a text of any layout, or CSV with a line of column names."""

    text = StrictCharField(max_length=MAX_LIST_BYTES, required=False, trim_whitespace=False)
    csv = StrictCharField(max_length=MAX_LIST_BYTES, required=False, trim_whitespace=False)
    also = serializers.ListField(
        child=StrictIntegerField(min_value=1, max_value=100_000),
        max_length=1000,
        required=False,
        help_text="Lines to add anyway: a name that is there already, or a heading.",
    )
    without = serializers.ListField(
        child=StrictIntegerField(min_value=1, max_value=100_000),
        max_length=1000,
        required=False,
        help_text="Lines to leave out, such as a similar name that is the same person.",
    )
    layout = serializers.ChoiceField(
        LAYOUTS, required=False, help_text="How to read text. Recognised when missing."
    )
    columns = serializers.ListField(
        child=serializers.ChoiceField(USES),
        max_length=MAX_COLUMNS,
        required=False,
        help_text="What each column of the text is, with a layout that has columns.",
    )
    version = StrictIntegerField(
        min_value=0,
        max_value=10**18,
        required=False,
        help_text="The `version` of the preview. Refused if the roster has changed since.",
    )
    late_reason = StrictCharField(max_length=MAX_REASON_LENGTH, required=False, allow_blank=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """One of the two ways."""
        if ("text" in attrs) == ("csv" in attrs):
            raise serializers.ValidationError({"text": ["Give either text or csv."]})
        return attrs


class DeckStateSerializer(serializers.Serializer[Any]):
    """A deck that was handed in, without a card of it."""

    side = serializers.ChoiceField(Side.choices)
    is_legal = serializers.BooleanField(source="version.is_legal")
    received_at = serializers.DateTimeField()
    locked_at = serializers.DateTimeField(allow_null=True)
    locked_by = serializers.ChoiceField(
        [*LockedBy.choices, ""], help_text="Empty: not locked by itself."
    )


class RegistrationSerializer(serializers.ModelSerializer[Registration]):
    """A player's place in the event, as the staff see it.

    The wishes for the room are null for staff who do not run the event.
    """

    name = serializers.CharField(source="player.name")
    pronouns = serializers.CharField(source="player.pronouns")
    dropped_by = serializers.ChoiceField([*DroppedBy.choices, ""])
    is_guest = serializers.SerializerMethodField()
    check_in_code = serializers.SerializerMethodField()
    fixed_table = serializers.SerializerMethodField()
    avoids_stream = serializers.SerializerMethodField()
    paid_at = serializers.SerializerMethodField()
    decks = DeckStateSerializer(source="deck_submissions", many=True, read_only=True)

    class Meta:
        model = Registration
        fields = [
            "number",
            "name",
            "pronouns",
            "state",
            "is_guest",
            "joined_in_round",
            "first_round_bye",
            "seed",
            "avoid_group",
            "fixed_table",
            "avoids_stream",
            "paid_at",
            "created_at",
            "checked_in_at",
            "day_two_at",
            "dropped_at",
            "dropped_by",
            "check_in_code",
            "decks",
        ]

    def get_is_guest(self, registration: Registration) -> bool:
        """Whether nobody has claimed this player yet."""
        return registration.player.user_id is None and registration.player.claimed_at is None

    def get_check_in_code(self, registration: Registration) -> str:
        """What stands in the QR code of the badge."""
        return codes.check_in_code(registration.pk)

    def get_fixed_table(self, registration: Registration) -> int | None:
        """The table of all their rounds."""
        return registration.fixed_table if self.context.get("runs") else None

    @extend_schema_field(serializers.BooleanField(allow_null=True))
    def get_avoids_stream(self, registration: Registration) -> bool | None:
        """Whether they are never put at a feature table."""
        return registration.is_off_stream if self.context.get("runs") else None

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_paid_at(self, registration: Registration) -> datetime | None:
        """When they were marked as paid; null for staff who do not mark it."""
        return registration.paid_at if self.context.get("sees_paid") else None


class AddedRegistrationsSerializer(serializers.Serializer[Any]):
    """Players of the roster."""

    registrations = RegistrationSerializer(many=True)


class PlannedSerializer(serializers.Serializer[Any]):
    """A line of a list, and what happens to it."""

    line = serializers.IntegerField(source="line.line")
    name = serializers.CharField(source="line.name", allow_blank=True)
    pronouns = serializers.CharField(source="line.pronouns", allow_blank=True)
    seed = serializers.IntegerField(source="line.seed", allow_null=True)
    first_round_bye = serializers.BooleanField(source="line.first_round_bye")
    has_paid = serializers.BooleanField(
        source="line.has_paid", help_text="Who is there already is marked as paid, too."
    )
    action = serializers.ChoiceField([(one.name.lower(), one.value) for one in LineAction])
    reason = serializers.CharField(allow_blank=True)
    number = serializers.IntegerField(
        source="existing_id", allow_null=True, help_text="Who has the name already."
    )

    def to_representation(self, instance: Any) -> dict[str, Any]:
        planned: dict[str, Any] = super().to_representation(instance)
        planned["action"] = instance.action.name.lower()
        return planned


class ColumnSerializer(serializers.Serializer[Any]):
    """A column of a pasted table, and its use."""

    use = serializers.ChoiceField(USES)
    title = serializers.CharField(allow_blank=True)
    sample = serializers.ListField(child=serializers.CharField())


class RosterListSerializer(serializers.Serializer[Any]):
    """A list, line by line, with what was not read of it; and whom it added."""

    lines = PlannedSerializer(many=True)
    notices = serializers.ListField(child=serializers.CharField())
    layout = serializers.ChoiceField([*LAYOUTS, ""], help_text="How the text was read.")
    columns = ColumnSerializer(many=True)
    version = serializers.IntegerField(help_text="Send it to add exactly these players.")
    added = RegistrationSerializer(many=True)
