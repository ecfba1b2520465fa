"""Who sits at a match: made, changed and taken back before anything is reported."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Prefetch, prefetch_related_objects

from core.errors import Refusal
from decks import games
from matches.models import Game, GameSeat, Match, MatchState, Seat
from matches.scoring import Role, scoring_rule

# What a result is read from and written to.
RESULT_ROWS = (Prefetch("seats", Seat.objects.select_related("player")), "games__seats", "reports")


class AlreadySettled(Refusal):
    """Players cannot change a settled result."""


class WrongSeats(Refusal):
    """This game is not played by so many players."""


@dataclass(frozen=True)
class NewMatch:
    """Who will meet, in the order of their seats; by key of the player.

    Where the game has roles, the first is Corp in game 1 and the second in game 2; where it has
    factions, `factions` are theirs by seat, empty when not known yet.
    """

    players: tuple[int, ...]
    scoring_rule: str
    game_system: str = games.DEFAULT.id
    factions: tuple[str, ...] = ()


def create_matches(wanted: Sequence[NewMatch]) -> list[Match]:
    """Matches with seats, games and roles, in the order asked for; a few queries for any number.

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
    """A seat in a game that is not played yet. The matches of both are loaded."""
    if not game.match.rule.has_roles:
        return GameSeat(game=game, seat=seat, faction=faction)
    role = Role.CORP if seat.position == game.number else Role.RUNNER
    return GameSeat(game=game, seat=seat, role=role)


@transaction.atomic
def reseat(match: Match, players: tuple[int, ...], factions: tuple[str, ...] = ()) -> None:
    """Other players take the seats of a match that has no result yet; more or fewer in a pod.

    What a judge took from somebody stays with them, wherever they sit, and goes when they do.
    """
    match = locked(match)
    _refuse_seats(match.scoring_rule, len(players))
    if match.state != MatchState.OPEN:
        raise AlreadySettled("A result has been reported here, so the seats stay.")
    sat = dict(match.seats.values_list("position", "player"))
    # All get up before anybody sits down: nobody may hold two seats in between.
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
    # Whoever was about to settle a result did so for the seats as they were.
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
    """Take back matches of a draft that never were seen; by primary key."""
    Match.objects.filter(pk__in=list(matches), state=MatchState.OPEN).delete()


def locked(match: Match) -> Match:
    """The match as it stands, held until the transaction ends."""
    return Match.objects.select_for_update().get(pk=match.pk)


def held(match: Match) -> Match:
    """As `locked`, with all that a result is read from and written to (`with_result_rows`)."""
    return with_result_rows(locked(match))


def with_result_rows(match: Match) -> Match:
    """This match with its seats and players, its games and its reports; what it has is kept."""
    prefetch_related_objects([match], *RESULT_ROWS)
    return match
