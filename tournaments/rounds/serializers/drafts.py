"""A draft as the API shows it to those who run the event, and what they change about it."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api_bodies import Body, Text, Whole, YesNo
from matches.scoring import Role
from tournaments.event.queries.history import newest_draft_change
from tournaments.event.queries.rounds import is_reported
from tournaments.rounds.pages.draft import DraftPage
from tournaments.rounds.pages.reasons import plain
from tournaments.web.serializers import LONGEST_REASON, PlayerNameSerializer, PointsField

MOST_TABLES, MOST_PLAYERS, LARGEST_ID = 9999, 5000, 2**53
SEEN = "`seen` of the draft as you read it: refused when somebody has changed it since."


class SentenceField(serializers.CharField):
    """A sentence that a page shows too."""

    def to_representation(self, value: Any) -> str:
        return plain(value)


class DraftSeatSerializer(serializers.Serializer[Any]):
    """A player of the draft with what the pairing weighs."""

    player = PlayerNameSerializer(source="registration")
    match_points = PointsField()
    byes = serializers.IntegerField()
    role = serializers.ChoiceField(
        [role.value for role in Role], allow_null=True, help_text="In game 1."
    )
    met_before = serializers.BooleanField()
    floats = serializers.ChoiceField(["", "down", "up"])
    balance = serializers.IntegerField(
        allow_null=True, help_text="Corp minus Runner games, where a match is one game."
    )
    seed = serializers.IntegerField(allow_null=True, help_text="In a cut.")
    chooses = serializers.BooleanField(help_text="Still chooses a side, so nobody has a role.")


class DraftRowSerializer(serializers.Serializer[Any]):
    """A table, or a bye with one seat and no table."""

    table = serializers.IntegerField(source="pairing.table_number", allow_null=True)
    seats = DraftSeatSerializer(many=True)
    reasons = serializers.ListField(child=SentenceField())
    warnings = serializers.ListField(child=SentenceField())
    cost = serializers.ListField(child=serializers.CharField(), help_text="In words.")
    parts = serializers.DictField(
        child=serializers.IntegerField(), help_text="The same as numbers, by rule."
    )
    is_locked = serializers.BooleanField(source="pairing.is_locked")
    made_by_hand = serializers.BooleanField(source="pairing.made_by_hand")
    is_told = serializers.SerializerMethodField()

    def get_is_told(self, row: Any) -> bool:
        """Whether somebody has reported a result here: the table stays whatever is paired anew."""
        return is_reported(row.pairing)


class CertificateSerializer(serializers.Serializer[Any]):
    """One thing the draft was made from, so that it can be made again."""

    name = serializers.CharField()
    value = serializers.CharField(allow_blank=True)


class DraftSerializer(serializers.Serializer[Any]):
    """The whole draft. `seen` goes along with every change of it.

    `relaxations` say which rules had to give way; `gone` and `arrived` who left and who came since
    it was made. What has `can_be_published` false is paired again first, or published without
    latecomers where only these are new.
    """

    number = serializers.SerializerMethodField()
    seen = serializers.SerializerMethodField()
    tables = DraftRowSerializer(many=True)
    byes = DraftRowSerializer(many=True)
    cost = serializers.ListField(child=serializers.CharField())
    relaxations = serializers.ListField(child=SentenceField())
    certificate = serializers.SerializerMethodField()
    gone = PlayerNameSerializer(many=True)
    arrived = PlayerNameSerializer(many=True)
    can_be_drawn = serializers.BooleanField()
    is_fixed = serializers.BooleanField()
    results_changed = serializers.BooleanField()
    can_be_published = serializers.BooleanField()

    def get_number(self, draft: DraftPage) -> int:
        """Which round it is."""
        number: int = self.context["round"].number
        return number

    def get_seen(self, draft: DraftPage) -> int:
        """Which change of it this is."""
        return newest_draft_change(self.context["round"].stage.tournament)

    @extend_schema_field(CertificateSerializer(many=True))
    def get_certificate(self, draft: DraftPage) -> list[dict[str, str]]:
        """What the draft was made from."""
        return [{"name": name, "value": value} for name, value in draft.certificate]


class SwapBody(Body):
    """Two players who change places; what that breaks wants `confirmed`."""

    one = Whole(min_value=1)
    other = Whole(min_value=1)
    seen = Whole(min_value=0, max_value=LARGEST_ID, required=False, allow_null=True, default=None)
    confirmed = YesNo(required=False, default=False)


class TableLockBody(Body):
    """A table by its number, or the bye of a player, to be kept or let go."""

    table = Whole(min_value=1, required=False)
    bye = Whole(min_value=1, required=False, help_text="The number of the player.")
    locked = YesNo()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("table" in attrs) == ("bye" in attrs):
            raise serializers.ValidationError({"table": ["Name a table or a bye, one of the two."]})
        return attrs


class RestBody(Body):
    """Which tables stay when the others are paired anew, and why.

    In a draft those that are locked stay. In a published round `keep_tables` and `keep_byes` say
    which; tables with a result or a report stay in any case.
    """

    reason = Text(max_length=LONGEST_REASON, required=False, allow_blank=True, default="")
    keep_tables = serializers.ListField(
        child=Whole(min_value=1), max_length=MOST_TABLES, required=False
    )
    keep_byes = serializers.ListField(
        child=Whole(min_value=1), max_length=MOST_PLAYERS, required=False
    )


class HandTableBody(Body):
    """A table made by hand; the first seat is Corp in game 1."""

    table = Whole(min_value=1, max_value=MOST_TABLES)
    seats = serializers.ListField(child=Whole(min_value=1), min_length=1, max_length=5)


class ByHandBody(Body):
    """Who meets and who has a bye, beside what is locked; what that breaks wants `confirmed`."""

    tables = serializers.ListField(child=HandTableBody(), max_length=MOST_TABLES)
    byes = serializers.ListField(
        child=Whole(min_value=1), max_length=MOST_PLAYERS, required=False, default=list
    )
    seen = Whole(min_value=0, max_value=LARGEST_ID, required=False, allow_null=True, default=None)
    confirmed = YesNo(required=False, default=False)


class PublishBody(Body):
    """How a draft is published."""

    leave_out_latecomers = YesNo(
        required=False, default=False, help_text="Who came since then plays from the next round."
    )
    seen = Whole(
        min_value=0,
        max_value=LARGEST_ID,
        required=False,
        allow_null=True,
        default=None,
        help_text=SEEN,
    )
