"""Roles and invitations as the API takes and tells them."""

from typing import Any

from rest_framework import serializers

from core.api_bodies import Body, Choice, Text
from tournaments.models import Staff, StaffInvitation, StaffRole

GIVEN_ROLES = [choice for choice in StaffRole.choices if choice[0] != StaffRole.OWNER]
LIFETIMES = [1, 8, 24, 72, 168]


class StaffBody(Body):
    """An account by its username, and its role."""

    username = Text(max_length=150)
    role = serializers.ChoiceField(GIVEN_ROLES)


class InvitationBody(Body):
    """A role for whoever opens the link first."""

    role = serializers.ChoiceField(GIVEN_ROLES)
    hours = Choice(LIFETIMES, required=False, help_text="How long the link is good; else 24.")
    note = Text(max_length=80, required=False, allow_blank=True, help_text="For whom it is.")


class InvitationSecretBody(Body):
    """The secret at the end of the link of an invitation."""

    secret = Text(max_length=100)


class StaffSerializer(serializers.ModelSerializer[Staff]):
    """An account with its role at the event."""

    id = serializers.IntegerField(source="pk")
    username = serializers.CharField(source="user.username")

    class Meta:
        model = Staff
        fields = ["id", "username", "role"]


class GivenRoleSerializer(StaffSerializer):
    """The role that an invitation gave."""

    event = serializers.SlugField(source="tournament.slug")

    class Meta(StaffSerializer.Meta):
        fields = [*StaffSerializer.Meta.fields, "event"]


class InvitationSerializer(serializers.ModelSerializer[StaffInvitation]):
    """A link to a role that still works. The link itself is told once, when it is made."""

    id = serializers.IntegerField(source="pk")
    role = serializers.ChoiceField(GIVEN_ROLES)
    made_by = serializers.SerializerMethodField()

    class Meta:
        model = StaffInvitation
        fields = ["id", "role", "note", "made_by", "made_at", "ends_at"]

    def get_made_by(self, invitation: StaffInvitation) -> str | None:
        """The username of who made it; null when that account is gone."""
        return invitation.made_by.username if invitation.made_by else None


class NewInvitationSerializer(serializers.Serializer[Any]):
    """A new link: whoever opens it first takes the role."""

    link = serializers.URLField(allow_null=True, help_text="Told once; null when sent again.")
    role = serializers.ChoiceField(GIVEN_ROLES)
    note = serializers.CharField(allow_blank=True)
    ends_at = serializers.DateTimeField()
