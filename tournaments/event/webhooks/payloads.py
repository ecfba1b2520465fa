"""What a program is told: small, and only what everybody who reads the event sees."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from matches.models import SETTLED, Match
from matches.scoring import Points
from tournaments.models import Pairing, Round, Tournament, WebhookEvent

Payload = dict[str, Any]


@dataclass(frozen=True)
class Happening:
    """What happened, and where in the event."""

    event: WebhookEvent
    round_: Round | None = None
    pairing: Pairing | None = None


def payload_of(tournament: Tournament, happening: Happening) -> Payload:
    """All of a message but its own id."""
    version = Tournament.objects.values_list("version", flat=True).get(pk=tournament.pk)
    told: Payload = {
        "event": happening.event.value,
        "sent_at": timezone.now().isoformat(),
        "tournament": {"slug": tournament.slug, "name": tournament.name, "version": version},
        "urls": _urls(tournament, happening),
    }
    if happening.round_ is not None:
        told["round"] = happening.round_.number
    if happening.pairing is not None:
        told["table"] = happening.pairing.table_number
        told["result"] = _result(tournament, happening.pairing)
    return told


def _urls(tournament: Tournament, happening: Happening) -> dict[str, str]:
    """Where the API tells more; without a known address of the site from its root on."""
    slug = tournament.slug
    urls = {"tournament": _address("event", slug), "standings": _address("standings", slug)}
    if happening.round_ is not None:
        urls["round"] = _address("round", slug, happening.round_.number)
    return urls


def _address(name: str, *args: str | int) -> str:
    return f"{settings.SITE_ADDRESS}{reverse(f'api:{name}', args=args)}"


def _result(tournament: Tournament, pairing: Pairing) -> Payload | None:
    """The match points of a settled result, as everybody reads them; None when none stands."""
    assert pairing.match is not None, "a bye has no result to settle"
    match = Match.objects.filter(pk=pairing.match.pk, state__in=SETTLED).first()
    if match is None:
        return None
    numbers = dict(tournament.registrations.values_list("player", "number"))
    seats = match.seats.select_related("player").order_by("position")
    return {
        "seats": [
            {
                "number": numbers[seat.player_id],
                "name": seat.player.name,
                "match_points": _points(seat.points),
            }
            for seat in seats
        ]
    }


def _points(points: Points) -> int | str:
    return points if isinstance(points, int) else str(points)
