"""Who joins, by name, code or personal link, as documents of the API."""

from collections.abc import Iterable
from typing import Any

from rest_framework import serializers

from core.api_bodies import Body, Text, YesNo
from core.text import clean
from players import names
from players.models import Player, User
from tournaments.web.serializers import PlayerSerializer


class NameBody(Body):
    """A player by name, checked as on the pages."""

    name = Text(max_length=200)
    pronouns = Text(max_length=60, required=False, allow_blank=True)

    def validate_name(self, typed: str) -> str:
        """The name, cleaned."""
        return _checked(typed, names.problems(typed))

    def validate_pronouns(self, typed: str) -> str:
        """The pronouns, cleaned."""
        return _checked(typed, names.pronoun_problems(typed))


def _checked(typed: str, problems: Iterable[str]) -> str:
    if found := list(problems):
        raise serializers.ValidationError(found)
    return clean(typed)


class ClaimLinksBody(Body):
    """Links for those without one, or new ones for all."""

    anew = YesNo(required=False, help_text="Also for those who have one, which ends.")


class ClaimLinkSerializer(serializers.Serializer[Any]):
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
