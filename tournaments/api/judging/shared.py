"""What the addresses of judges share."""

from typing import Any

from rest_framework.request import Request
from rest_framework.serializers import Serializer

from tournaments.models import Tournament


def asked(serializer: type[Serializer[Any]], request: Request) -> Any:
    """What the query parameters say. Raises ValidationError by parameter."""
    told = serializer(data=request.query_params.dict())
    told.is_valid(raise_exception=True)
    return told.validated_data


def numbers_of(tournament: Tournament) -> dict[str, Any]:
    """The context of answers that name players: their numbers by the key of the player."""
    return {"numbers": dict(tournament.registrations.values_list("player_id", "number"))}
