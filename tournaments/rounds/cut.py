"""The state of a cut: its bracket, seeds, results and next games.

Players are identified by their number in the event, as in all engines.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _

from core.errors import Refusal
from engine.bracket.display import RoundCode, RoundName, round_names
from engine.bracket.games import (
    Bracket,
    BracketState,
    GameWon,
    ImportedGame,
    NextGame,
    ResultRefused,
    bracket_for,
    imported_bracket,
    imported_state,
    is_eliminated,
    play_bracket,
    rounds_left,
)
from engine.standings.records import PlayerId
from engine.systems import IMPORTED_CUT
from matches import records as matches_records
from matches.models import Match
from players.models import Player
from tournaments.models import Pairing, Registration, Round, Stage, StageEntry, Tournament


class NoGameToPlay(Refusal):
    """The bracket has a winner, or a drawn match needs a decision by the staff."""


@dataclass(frozen=True)
class Cut:
    """A cut with its current results; `pairings` are the published ones by bracket game."""

    stage: Stage
    entries: tuple[StageEntry, ...]
    pairings: Mapping[int, Pairing]
    bracket: Bracket
    state: BracketState

    @cached_property
    def registrations(self) -> Mapping[int, Registration]:
        return {entry.registration.number: entry.registration for entry in self.entries}

    @cached_property
    def seeds(self) -> Mapping[int, int]:
        return {entry.registration.number: entry.seed or 0 for entry in self.entries}

    @property
    def winner(self) -> Registration | None:
        return self.player_at(1)

    @property
    def next_rounds(self) -> tuple[RoundName, ...]:
        return round_names(self.bracket, [game.number for game in self.state.games])

    @property
    def is_reset_next(self) -> bool:
        return any(name.code is RoundCode.BRACKET_RESET for name in self.next_rounds)

    def rounds_after(self, at_tables: Round | None) -> int:
        """Return the number of rounds until the cut is decided, without the one at the tables."""
        if self.stage.system == IMPORTED_CUT:
            return 0
        games = [
            number
            for number, pairing in self.pairings.items()
            if at_tables is not None and pairing.round_id == at_tables.pk
        ]
        return rounds_left(self.bracket, self.state.states, games) - bool(games)

    def place_of(self, number: int) -> int | None:
        return next((line.rank for line in self.state.placings if line.id == number), None)

    def is_out(self, number: int) -> bool:
        """Return True if this player has no match left; the place may still be undecided."""
        return is_eliminated(self.bracket, self.state, number)

    def player_at(self, rank: int) -> Registration | None:
        """Return the player in this place; None while it is undecided."""
        number = self.state.placings[rank - 1].id
        return None if number is None else self.registrations[int(number)]


def get_cut(stage: Stage) -> Cut:
    """Return the cut with all published results. Raises ResultRefused if they contradict."""
    return _build_cut(stage, tuple(stage.entries.accepted()), Pairing.objects.of_brackets(stage))


def public_cuts(events: Iterable[Tournament]) -> dict[int, Cut | None]:
    """Return the public cuts by event key, None for a cut with contradictory results."""
    stages = Stage.objects.cuts_of(events)
    entries, pairings = defaultdict(list), defaultdict(list)
    for entry in StageEntry.objects.filter(stage__in=stages).accepted() if stages else ():
        entries[entry.stage_id].append(entry)
    for pairing in Pairing.objects.of_brackets(*stages) if stages else ():
        pairings[pairing.round.stage_id].append(pairing)
    cuts: dict[int, Cut | None] = {}
    for stage in stages:
        if not pairings[stage.pk]:
            continue
        try:
            cut = _build_cut(stage, tuple(entries[stage.pk]), pairings[stage.pk])
        except ResultRefused:
            cuts[stage.tournament_id] = None
        else:
            cuts[stage.tournament_id] = cut
    return cuts


def cut_winners(events: Iterable[Tournament]) -> dict[int, Player | None]:
    """Return the winners of public cuts by event key, None for an undecided cut."""
    cuts = public_cuts(events)
    won = {event: cut.winner if cut else None for event, cut in cuts.items()}
    return {event: winner.player if winner else None for event, winner in won.items()}


def decided_places(events: Iterable[Tournament]) -> dict[int, dict[int, int]]:
    """Return the decided places of public cuts by event key, then player key."""
    return {
        event: {
            player.player_id: rank
            for rank in range(1, len(cut.entries) + 1)
            if (player := cut.player_at(rank)) is not None
        }
        for event, cut in public_cuts(events).items()
        if cut
    }


def _build_cut(stage: Stage, entries: tuple[StageEntry, ...], pairings: Sequence[Pairing]) -> Cut:
    if stage.system == IMPORTED_CUT:
        return _build_imported_cut(stage, entries, pairings)
    bracket = bracket_for(stage.system, len(entries), fixed=stage.fixed_bracket)
    numbers = {entry.registration.player_id: entry.registration.number for entry in entries}
    state = play_bracket(
        bracket,
        [entry.registration.number for entry in entries],
        [*_game_results(pairings, numbers)],
        seed=stage.tournament.seed,
    )
    by_game = {pairing.bracket_game: pairing for pairing in pairings if pairing.bracket_game}
    return Cut(stage, entries, by_game, bracket, state)


def _build_imported_cut(
    stage: Stage, entries: tuple[StageEntry, ...], pairings: Sequence[Pairing]
) -> Cut:
    numbers = {entry.registration.player_id: entry.registration.number for entry in entries}
    seeds = [entry.registration.number for entry in entries]
    bracket = imported_bracket([*_imported_games(pairings, numbers)], seeds)
    by_place = {entry.place: entry.registration.number for entry in entries if entry.place}
    places = [by_place.get(rank) for rank in range(1, len(entries) + 1)]
    state = imported_state(bracket, seeds, [*_game_results(pairings, numbers)], places)
    by_game = {pairing.bracket_game: pairing for pairing in pairings if pairing.bracket_game}
    return Cut(stage, entries, by_game, bracket, state)


def _imported_games(
    pairings: Sequence[Pairing], numbers: Mapping[int, int]
) -> Iterator[ImportedGame]:
    first = min((pairing.round.number for pairing in pairings), default=1)
    for pairing in pairings:
        assert pairing.match is not None
        first_seat, second_seat = (numbers[seat.player_id] for seat in pairing.match.seats.all())
        round_ = pairing.round.number - first + 1
        yield ImportedGame(pairing.bracket_game or 0, round_, (first_seat, second_seat))


def _game_results(pairings: Sequence[Pairing], numbers: Mapping[int, int]) -> list[GameWon]:
    return [
        GameWon(
            pairing.bracket_game or 0,
            numbers[winner],
            None if (corp := get_corp_player_id(pairing)) is None else numbers[corp],
        )
        for pairing in pairings
        if (winner := get_advancing_player_id(pairing)) is not None
    ]


def get_advancing_player_id(pairing: Pairing) -> int | None:
    assert pairing.match is not None
    if not pairing.match.is_settled:
        return None
    best = _leaders(pairing.match)
    if len(best) == 1:
        return best[0]
    # After a draw the staff choose.
    return pairing.advances.player_id if pairing.advances else None


def is_tied(pairing: Pairing) -> bool:
    """Return True if the match is settled and tied, so its points do not decide who advances."""
    match = pairing.match
    return match is not None and match.is_settled and len(_leaders(match)) > 1


def is_undecided(pairing: Pairing) -> bool:
    return is_tied(pairing) and pairing.advances_id is None


def _leaders(match: Match) -> list[int]:
    points = {seat.player_id: seat.points or 0 for seat in match.seats.all()}
    most = max(points.values())
    return [player for player, taken in points.items() if taken == most]


def get_corp_player_id(pairing: Pairing) -> int | None:
    """Return the key of the Corp player in game 1; None if an open side choice was not made."""
    assert pairing.match is not None
    first = next(iter(pairing.match.games.all()))
    if not first.end and pairing.has_open_choice:
        return None
    corp = matches_records.corps_by_game(pairing.match).get(first.number)
    seats = pairing.match.seats.all()
    return next((seat.player_id for seat in seats if seat.position == corp), None)


def get_chosen_corp(pairing: Pairing) -> str:
    """Return the player key of the chosen Corp in game 1 as text; "" while the choice is open."""
    if pairing.has_open_choice or pairing.match is None:
        return ""
    first = next(iter(pairing.match.seats.all()))
    return str(first.player_id)


def undecided_tables(round_: Round) -> list[Pairing]:
    if not round_.is_in_cut:
        return []
    return [pairing for pairing in round_.pairings.with_players() if is_undecided(pairing)]


def games_to_play(stage: Stage) -> tuple[Cut, tuple[NextGame, ...]]:
    """Return the cut and its playable games. Raise NoGameToPlay if there are none."""
    cut = get_cut(stage)
    waiting = [pairing for pairing in cut.pairings.values() if is_undecided(pairing)]
    if waiting:
        table = waiting[0]
        raise NoGameToPlay(
            _("First choose who advances from round %(round)s, %(table)s: the match is tied.")
            % {"round": table.round.number, "table": table}
        )
    if not cut.state.games:
        raise NoGameToPlay(_("The cut is decided: all games are played. Finish the event."))
    return cut, cut.state.games


def is_draft_current(round_: Round) -> bool:
    """Return True if the draft has exactly the currently playable games with their players."""
    cut = get_cut(round_.stage)
    playable = {game.number: {seat.id for seat in game.seats} for game in cut.state.games}
    drafted = round_.pairings.with_players()
    return playable == {pairing.bracket_game: _player_numbers(pairing, cut) for pairing in drafted}


def is_bracket_consistent(stage: Stage) -> bool:
    """Return True if the players of every published game match the results of earlier games."""
    try:
        cut = get_cut(stage)
    except ResultRefused:
        return False
    states = [(cut.state.states[number], pairing) for number, pairing in cut.pairings.items()]
    return all(
        state.is_needed and _player_numbers(pairing, cut) == set(state.players)
        for state, pairing in states
    )


def _player_numbers(pairing: Pairing, cut: Cut) -> set[PlayerId | None]:
    assert pairing.match is not None
    by_player = {entry.player_id: number for number, entry in cut.registrations.items()}
    return {by_player.get(seat.player_id) for seat in pairing.match.seats.all()}
