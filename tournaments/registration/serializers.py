"""API bodies and answers of the roster, of joining and of personal links."""

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
from tournaments.registration.roster_changes import MAX_GROUP_LENGTH, MAX_REASON_LENGTH
from tournaments.registration.roster_layout import LAYOUTS, MAX_COLUMNS, USES
from tournaments.web.serializers import PlayerSerializer


class NameBody(RequestBody):
    """The name and pronouns of a player."""

    name = StrictCharField(max_length=200)
    pronouns = StrictCharField(max_length=60, required=False, allow_blank=True)

    def validate_name(self, typed: str) -> str:
        return validated_text(typed, names.name_problems)

    def validate_pronouns(self, typed: str) -> str:
        return validated_text(typed, names.pronoun_problems)


class ClaimLinksBody(RequestBody):
    """Make links for players without a link, or new links for all."""

    anew = StrictBooleanField(required=False, help_text="true: also replace links that still work.")


class NewClaimLinkSerializer(serializers.Serializer[Any]):
    """A personal link. The first person to open it becomes the player."""

    claim_link = serializers.URLField(
        allow_null=True, help_text="Shown once; null when the request is repeated."
    )


class NamedLinkSerializer(serializers.Serializer[Any]):
    """The personal link of one player."""

    number = serializers.IntegerField(source="registration.number")
    name = serializers.CharField(source="registration.player.name")
    claim_link = serializers.URLField()


class ClaimLinksSerializer(serializers.Serializer[Any]):
    """Personal links to print or send."""

    links = NamedLinkSerializer(
        many=True, allow_null=True, help_text="Shown once; null when the request is repeated."
    )


class JoinBody(RequestBody):
    """The joining player. A known player sends no fields; a new player sends a name."""

    name = StrictCharField(max_length=200, required=False)
    pronouns = StrictCharField(max_length=60, required=False, allow_blank=True)
    is_another = StrictBooleanField(
        required=False, help_text="true: a different player with a name that is on the roster."
    )


class JoinCodeBody(JoinBody):
    """A join code, in any spelling, and the joining player."""

    code = StrictCharField(max_length=40)


class ClaimBody(RequestBody):
    """The secret at the end of a personal link."""

    secret = StrictCharField(max_length=100)


class ProfileSerializer(serializers.Serializer[Any]):
    """Your account, and your public name and pronouns."""

    username = serializers.CharField(allow_null=True, help_text="Null for a guest.")
    name = serializers.CharField(
        allow_null=True, help_text="Null for an account that has never played."
    )
    pronouns = serializers.CharField(allow_blank=True)


def profile_of(user: User | None, player: Player | None) -> dict[str, str | None]:
    return {
        "username": user.username if user else None,
        "name": player.name if player else None,
        "pronouns": player.pronouns if player else "",
    }


class JoinedSerializer(serializers.Serializer[Any]):
    """A registration for an event, or a place on its waiting list."""

    event = serializers.SlugField()
    player = PlayerSerializer()
    waiting_place = serializers.IntegerField(allow_null=True, help_text="1 moves up next.")
    claim_link = serializers.URLField(
        allow_null=True,
        help_text="The link of a new guest for other devices. Shown once, then null.",
    )


# The roster, and lists of players


MAX_PLAYERS_AT_ONCE = 500
MAX_LIST_BYTES = 200_000


class NewPlayerBody(NameBody):
    """A player to add to the roster."""

    seed = StrictIntegerField(min_value=1, max_value=MAX_SEED, required=False, allow_null=True)
    first_round_bye = StrictBooleanField(required=False)
    avoid_group = StrictCharField(max_length=MAX_GROUP_LENGTH, required=False, allow_blank=True)
    has_paid = StrictBooleanField(required=False, help_text="true: also mark as paid.")
    is_another = StrictBooleanField(
        required=False, help_text="true: a different player with a name that is on the roster."
    )

    def validate_avoid_group(self, typed: str) -> str:
        # Normalisation can lengthen the text.
        group = clean(typed)
        if len(group) > MAX_GROUP_LENGTH:
            raise serializers.ValidationError(f"A group has at most {MAX_GROUP_LENGTH} letters.")
        return group


class NewPlayersBody(RequestBody):
    """Players to add to the roster."""

    players = NewPlayerBody(  # type: ignore[call-arg]
        many=True, allow_empty=False, max_length=MAX_PLAYERS_AT_ONCE
    )
    late_reason = StrictCharField(
        max_length=MAX_REASON_LENGTH,
        required=False,
        allow_blank=True,
        help_text="Required once late entry is closed.",
    )


class PlayerBody(RequestBody):
    """Settings of a player to change."""

    seed = StrictIntegerField(min_value=1, max_value=MAX_SEED, allow_null=True)
    avoid_group = StrictCharField(max_length=MAX_GROUP_LENGTH, allow_blank=True)
    first_round_bye = StrictBooleanField()
    fixed_table = StrictIntegerField(min_value=1, max_value=HIGHEST_TABLE, allow_null=True)
    avoids_stream = StrictBooleanField()


class PaidBody(RequestBody):
    """The mark that a player has paid the entry fee."""

    has_paid = StrictBooleanField()


class NumbersBody(RequestBody):
    """Players by number; null for all who are not checked in yet."""

    numbers = serializers.ListField(
        child=StrictIntegerField(min_value=1, max_value=32_767),
        max_length=MAX_PLAYERS_AT_ONCE,
        allow_null=True,
    )


class CheckedInSerializer(serializers.Serializer[Any]):
    """The number of players who were not checked in before."""

    checked_in = serializers.IntegerField()


class RosterListBody(RequestBody):
    """A list of players: text in any layout, or CSV with a header."""

    text = StrictCharField(max_length=MAX_LIST_BYTES, required=False, trim_whitespace=False)
    csv = StrictCharField(max_length=MAX_LIST_BYTES, required=False, trim_whitespace=False)
    also = serializers.ListField(
        child=StrictIntegerField(min_value=1, max_value=100_000),
        max_length=1000,
        required=False,
        help_text="Lines to add anyway: a name on the roster, or a heading.",
    )
    without = serializers.ListField(
        child=StrictIntegerField(min_value=1, max_value=100_000),
        max_length=1000,
        required=False,
        help_text="Lines to leave out, such as a similar name that is the same person.",
    )
    layout = serializers.ChoiceField(
        LAYOUTS, required=False, help_text="Layout of the text; detected by default."
    )
    columns = serializers.ListField(
        child=serializers.ChoiceField(USES),
        max_length=MAX_COLUMNS,
        required=False,
        help_text="The use of each column, for a layout with columns.",
    )
    version = StrictIntegerField(
        min_value=0,
        max_value=10**18,
        required=False,
        help_text="The `version` of the preview. Rejected if the roster has changed since.",
    )
    late_reason = StrictCharField(max_length=MAX_REASON_LENGTH, required=False, allow_blank=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("text" in attrs) == ("csv" in attrs):
            raise serializers.ValidationError({"text": ["Give either text or csv."]})
        return attrs


class DeckStateSerializer(serializers.Serializer[Any]):
    """A submitted deck, without its cards."""

    side = serializers.ChoiceField(Side.choices)
    is_legal = serializers.BooleanField(source="version.is_legal")
    received_at = serializers.DateTimeField()
    locked_at = serializers.DateTimeField(allow_null=True)
    locked_by = serializers.ChoiceField(
        [*LockedBy.choices, ""], help_text="Empty unless this deck was locked separately."
    )


class RegistrationSerializer(serializers.ModelSerializer[Registration]):
    """A registration, as the staff see it.

    Table preferences are null for staff who do not run the event.
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
        """True until the player has an account or has opened a personal link."""
        return registration.player.user_id is None and registration.player.claimed_at is None

    def get_check_in_code(self, registration: Registration) -> str:
        """The content of the QR code on the badge."""
        return codes.check_in_code(registration.pk)

    def get_fixed_table(self, registration: Registration) -> int | None:
        """The player's table in every round."""
        return registration.fixed_table if self.context.get("runs") else None

    @extend_schema_field(serializers.BooleanField(allow_null=True))
    def get_avoids_stream(self, registration: Registration) -> bool | None:
        """True if the player is never seated at a feature table."""
        return registration.is_off_stream if self.context.get("runs") else None

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_paid_at(self, registration: Registration) -> datetime | None:
        """The time of the paid mark; null for staff without that permission."""
        return registration.paid_at if self.context.get("sees_paid") else None


class AddedRegistrationsSerializer(serializers.Serializer[Any]):
    """Registrations that were added."""

    registrations = RegistrationSerializer(many=True)


class PlannedSerializer(serializers.Serializer[Any]):
    """A line of a list, and its planned action."""

    line = serializers.IntegerField(source="line.line")
    name = serializers.CharField(source="line.name", allow_blank=True)
    pronouns = serializers.CharField(source="line.pronouns", allow_blank=True)
    seed = serializers.IntegerField(source="line.seed", allow_null=True)
    first_round_bye = serializers.BooleanField(source="line.first_round_bye")
    has_paid = serializers.BooleanField(
        source="line.has_paid", help_text="Also marks a player on the roster as paid."
    )
    action = serializers.ChoiceField([(action.name.lower(), action.value) for action in LineAction])
    reason = serializers.CharField(allow_blank=True)
    number = serializers.IntegerField(
        source="existing_id", allow_null=True, help_text="The player on the roster with this name."
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
    """A list by line, with notices on ignored text, and the players added."""

    lines = PlannedSerializer(many=True)
    notices = serializers.ListField(child=serializers.CharField())
    layout = serializers.ChoiceField([*LAYOUTS, ""], help_text="The layout of the text.")
    columns = ColumnSerializer(many=True)
    version = serializers.IntegerField(help_text="Send it back to add exactly these players.")
    added = RegistrationSerializer(many=True)
