"""Deck checks: which tables can be drawn, whose decks lie there, and what was found."""

from collections import Counter, defaultdict
from collections.abc import Iterable

from django.db.models import QuerySet

from engine.lots import CheckableTable
from tournaments.models import (
    DeckCheck,
    DeckCheckDraw,
    DeckSubmission,
    Pairing,
    Registration,
    Round,
    Tournament,
)


def checkable_tables(round_: Round) -> list[CheckableTable]:
    """The tables of the round that were not drawn in it yet and where a deck was handed in.

    Five queries, however many tables there are.
    """
    tournament = round_.stage.tournament
    drawn = set(
        DeckCheck.objects.filter(
            draw__tournament=tournament, draw__round_number=round_.number
        ).values_list("table_number", flat=True)
    )
    decks = DeckSubmission.objects.filter(registration__tournament=tournament)
    with_decks = set(decks.values_list("registration__player", flat=True))
    checks = _checks_by_player(tournament)
    return [
        CheckableTable(number, tuple(checks[player] for player in players))
        for number, players in _players_by_table(round_).items()
        if number not in drawn and with_decks.intersection(players)
    ]


def decks_played_at(pairing: Pairing) -> list[DeckSubmission]:
    """The decks at the table, by seat and side: those of the roles that are played there.

    Where no role is known, all decks of the players.
    """
    tournament = pairing.round.stage.tournament
    places = {seat.player_id: seat.position for seat in pairing.seats}
    roles = _roles(pairing)
    submissions = DeckSubmission.objects.filter(
        registration__tournament=tournament, registration__player__in=places
    ).select_related("version", "registration")
    played = [
        deck
        for deck in submissions
        if not (known := roles[deck.registration.player_id]) or deck.side in known
    ]
    return sorted(played, key=lambda deck: (places[deck.registration.player_id], deck.side))


def without_a_deck(draw: DeckCheckDraw, round_: Round) -> list[tuple[int, Registration]]:
    """Who sits at a drawn table of the round with nothing to check, by table; five queries."""
    drawn = set(draw.checks.values_list("table_number", flat=True))
    tournament = round_.stage.tournament
    bare = tournament.registrations.filter(deck_submissions=None).select_related("player")
    by_player = {registration.player_id: registration for registration in bare}
    return [
        (number, by_player[player])
        for number, players in sorted(_players_by_table(round_).items())
        for player in players
        if number in drawn and player in by_player
    ]


def deck_checks(tournament: Tournament) -> QuerySet[DeckCheck]:
    """All checks of the event with whose deck it is, the newest draw first."""
    return (
        DeckCheck.objects.filter(draw__tournament=tournament)
        .select_related("draw", "submission__registration__player", "version", "checked_by")
        .order_by("-draw__number", "table_number", "submission__registration", "submission__side")
    )


def _checks_by_player(tournament: Tournament) -> Counter[int]:
    """How many draws each player was in; both decks of one draw count once."""
    checks = DeckCheck.objects.filter(draw__tournament=tournament)
    drawn = set(checks.values_list("submission__registration__player", "draw"))
    return Counter(player for player, _ in drawn)


def _players_by_table(round_: Round) -> dict[int, list[int]]:
    players: dict[int, list[int]] = {}
    pairings = round_.pairings.exclude(match=None).select_related("match")
    for pairing in pairings.prefetch_related("match__seats"):
        assert pairing.table_number is not None
        players[pairing.table_number] = pairing.players
    return players


def _roles(pairing: Pairing) -> defaultdict[int, set[str]]:
    """The roles each player has in the games of the match."""
    roles: defaultdict[int, set[str]] = defaultdict(set)
    assert pairing.match is not None
    games: Iterable[tuple[int, str]] = pairing.match.games.exclude(seats__role="").values_list(
        "seats__seat__player", "seats__role"
    )
    for player, role in games:
        roles[player].add(role)
    return roles
