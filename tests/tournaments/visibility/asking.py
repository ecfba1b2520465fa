"""What somebody sees of an event, by the numbers of the players."""

from datetime import timedelta

from tests.factories.tournaments import (
    fresh,
    owner_of,
    player_number,
    tables_of,
)
from tournaments import visibility
from tournaments.actors import Actor
from tournaments.models import (
    DeckAudience,
    Registration,
    Round,
    Tournament,
)
from tournaments.services.audiences import Shown, show_decks

HOUR = timedelta(hours=1)


def playing(registration: Registration) -> Actor:
    """As on the phone of a guest with a personal link."""
    return Actor(player=registration.player)


def number(tournament: Tournament, wanted: int) -> Actor:
    return playing(player_number(tournament, wanted))


def seen_by(actor: Actor, tournament: Tournament) -> set[int]:
    """The numbers of the players whose deck is seen."""
    return set(
        visibility.visible_decks(actor, fresh(tournament)).values_list(
            "registration__number", flat=True
        )
    )


def identities_seen_by(actor: Actor, tournament: Tournament) -> set[int]:
    return set(
        visibility.visible_identities(actor, fresh(tournament)).values_list(
            "registration__number", flat=True
        )
    )


def show(tournament: Tournament, to: DeckAudience, *, stage: int = 1, at=None, **more) -> None:
    show_decks(tournament, owner_of(tournament), {stage: Shown(to, at)}, **more)


def neighbours(round_: Round, registration: Registration) -> set[int]:
    """Who sits at the table of this player, with the player."""
    for pairing in tables_of(round_):
        players = {seat.player_id for seat in pairing.match.seats.all()}
        if registration.player_id in players:
            found = registration.tournament.registrations.filter(player__in=players)
            return set(found.values_list("number", flat=True))
    return {registration.number}
