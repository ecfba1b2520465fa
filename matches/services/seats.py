"""Matches and their seats, created, changed or deleted before a report."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Prefetch, prefetch_related_objects

from core.errors import Refusal
from decks import games
from matches.models import Game, GameSeat, Match, MatchState, Seat
from matches.scoring import Role, scoring_rule

# Rows that a result is read from and written to.
RESULT_ROWS = (Prefetch("seats", Seat.objects.select_related("player")), "games__seats", "reports")


class AlreadySettled(Refusal):
    pass


class WrongSeats(Refusal):
    """The game does not allow this number of players."""


@dataclass(frozen=True)
class NewMatch:
    """A match to create; `players` are primary keys in the order of their seats.

    With roles, the first player is Corp in game 1 and the second in game 2. With factions,
    `factions` are ordered by seat, and empty if not known yet.
    """

    players: tuple[int, ...]
    scoring_rule: str
    game_system: str = games.DEFAULT.id
    factions: tuple[str, ...] = ()


def create_matches(wanted: Sequence[NewMatch]) -> list[Match]:
    """Create matches with seats, games and roles in this order, with a few queries.

    Raises WrongSeats, UnknownScoringRule.
    """
    for new in wanted:
        _refuse_seats(new.scoring_rule, len(new.players))
    matches = Match.objects.bulk_create(
        Match(game_system=new.game_system, scoring_rule=new.scoring_rule) for new in wanted
    )
    seats = Seat.objects.bulk_create(
        Seat(match=match, position=position, player_id=player)
        for match, new in zip(matches, wanted, strict=True)
        for position, player in enumerate(new.players, start=1)
    )
    games = Game.objects.bulk_create(
        Game(match=match, number=number)
        for match in matches
        for number in range(1, match.rule.games_per_match + 1)
    )
    by_match: dict[int, list[Seat]] = {match.pk: [] for match in matches}
    for seat in seats:
        by_match[seat.match_id].append(seat)
    factions = {
        match.pk: new.factions or ("",) * len(new.players)
        for match, new in zip(matches, wanted, strict=True)
    }
    GameSeat.objects.bulk_create(
        _game_seat(game, seat, factions[game.match_id][seat.position - 1])
        for game in games
        for seat in by_match[game.match_id]
    )
    return matches


def _refuse_seats(rule_id: str, players: int) -> None:
    rule = scoring_rule(rule_id)
    if not rule.fewest_seats <= players <= rule.most_seats:
        few, most = rule.fewest_seats, rule.most_seats
        wanted = f"{few} players" if few == most else f"{few} to {most} players"
        raise WrongSeats(f"A table has {wanted} here, not {players}.")


def _game_seat(game: Game, seat: Seat, faction: str = "") -> GameSeat:
    """Build a seat of a game not played yet. The matches of both must be loaded."""
    if not game.match.rule.has_roles:
        return GameSeat(game=game, seat=seat, faction=faction)
    role = Role.CORP if seat.position == game.number else Role.RUNNER
    return GameSeat(game=game, seat=seat, role=role)


@transaction.atomic
def reseat(match: Match, players: tuple[int, ...], factions: tuple[str, ...] = ()) -> None:
    """Replace the players of a match without a result; in a pod their number may change.

    A loss imposed by a judge moves with its player, and is dropped if the player leaves. Raises
    WrongSeats, UnknownScoringRule or AlreadySettled.
    """
    match = locked(match)
    _refuse_seats(match.scoring_rule, len(players))
    if match.state != MatchState.OPEN:
        raise AlreadySettled("A result has been reported here, so the seats stay.")
    sat = dict(match.seats.values_list("position", "player"))
    # Clear all seats first: (match, player) is unique.
    match.seats.all().delete()
    fresh = [
        Seat.objects.create(match=match, position=position, player_id=player)
        for position, player in enumerate(players, start=1)
    ]
    known = factions or ("",) * len(players)
    GameSeat.objects.bulk_create(
        _game_seat(game, seat, known[seat.position - 1])
        for game in match.games.select_related("match")
        for seat in fresh
    )
    # Bump the version so that a result for the old seats is stale.
    match.losses = _moved_losses(match.losses, sat, players)
    match.version += 1
    match.save(update_fields=["version", "losses"])


def _moved_losses(
    losses: Sequence[dict[str, int | None]], sat: dict[int, int], players: tuple[int, ...]
) -> list[dict[str, int | None]]:
    now = {player: position for position, player in enumerate(players, start=1)}
    places = {position: now.get(player) for position, player in sat.items()}
    moved = [{**loss, "seat": places[loss["seat"] or 0]} for loss in losses]
    return [loss for loss in moved if loss["seat"] is not None]


def delete_matches(matches: Iterable[int]) -> None:
    """Delete open matches of an unpublished draft, by primary key."""
    Match.objects.filter(pk__in=list(matches), state=MatchState.OPEN).delete()


def locked(match: Match) -> Match:
    """Return the current match, locked until the transaction ends."""
    return Match.objects.select_for_update().get(pk=match.pk)


def held(match: Match) -> Match:
    """Lock the match as `locked` does, and fetch its result rows."""
    return with_result_rows(locked(match))


def with_result_rows(match: Match) -> Match:
    """Fetch the seats with players, games and reports of this match."""
    prefetch_related_objects([match], *RESULT_ROWS)
    return match
