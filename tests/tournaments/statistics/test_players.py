"""A player's record, compared with a loop over the player's tables."""

import random
from collections import Counter, defaultdict

import pytest
from django.db.models import QuerySet

from engine.systems import CUT_SYSTEMS
from matches.models import Seat
from matches.scoring.results import GameEnd, Role
from players.models import Player
from tests.factories.cuts import make_cut
from tests.factories.tournaments import fresh, player_number
from tests.queries import queries_of
from tests.tournaments.statistics.evenings import evening, finish, play_at_random
from tournaments.models import Pairing, Registration, StageEntry, Tournament
from tournaments.statistics.pages import PlayerRecord, records_of_player


def make_scene() -> Tournament:
    """Return the earlier of two events; it has a cut."""
    first = evening(1, players=8, rounds=2, cut=4)
    evening(2, players=7, rounds=3)
    return first


@pytest.fixture
def later(event: Tournament) -> Tournament:
    return Tournament.objects.exclude(pk=event.pk).get()


def regular(event: Tournament, later: Tournament) -> Player:
    """Return the first player of the first evening, who is also the first player of the second."""
    player, place = player_number(event, 1).player, player_number(later, 1)
    Seat.objects.filter(player=place.player).update(player=player)
    Registration.objects.filter(pk=place.pk).update(player=player)
    return player


def events_of(player: Player) -> QuerySet[Tournament]:
    return Tournament.objects.filter(registrations__player=player)


def record(player: Player, **how: bool) -> PlayerRecord:
    (player_record,) = records_of_player(player, events_of(player), **how)
    return player_record


def lines(player_record: PlayerRecord, id_: str) -> dict[str, tuple[int, int]]:
    """Return hits and totals by name."""
    return {name: counts for (name, _), counts in pairs(player_record, id_).items()}


def pairs(player_record: PlayerRecord, id_: str) -> dict[tuple[str, str], tuple[int, int]]:
    """Return hits and totals by name and by the name of the opposite side."""
    return {
        (str(line.name), str(line.against)): (line.hits, line.of)
        for chart in player_record.charts
        if chart.id == id_
        for line in chart.lines
    }


def test_record_has_games_and_opponents_of_all_tables(event: Tournament, later: Tournament):
    player = regular(event, later)

    own = record(player)

    results: dict[int, Counter[str]] = defaultdict(Counter)
    sides: dict[str, list[int]] = {"Corp": [0, 0], "Runner": [0, 0]}
    for seat in Seat.objects.filter(player=player):
        (opposite,) = seat.match.seats.exclude(pk=seat.pk)
        better = (seat.points > opposite.points) - (seat.points < opposite.points)
        results[opposite.player_id][("drawn", "won", "lost")[better]] += 1
        for part in seat.game_seats():
            if part.game.winner_id and part.game.end != "no_show":
                sides[part.role.capitalize()][0] += part.game.winner_id == seat.pk
                sides[part.role.capitalize()][1] += 1
    assert {
        opponent.player: Counter(
            {"won": opponent.won, "drawn": opponent.drawn, "lost": opponent.lost}
        )
        for opponent in own.opponents
    } == results
    assert lines(own, "own_sides") == {name: tuple(pair) for name, pair in sides.items()}
    assert (own.game, own.events) == ("anr", 2)
    assert own.won + own.drawn + own.lost == sum(opponent.tables for opponent in own.opponents)


def test_public_identities_count_for_readers_and_all_identities_for_the_player(
    event: Tournament, later: Tournament
):
    player = regular(event, later)
    Tournament.objects.filter(pk=later.pk).update(identities_shown="with_decks")

    seen, own = record(player), record(player, own=True)

    identities = lines(seen, "corp_identities_wins")
    assert identities.keys() == titles(player, event)
    all_games = lines(own, "own_sides")["Corp"][1]
    assert sum(total for _, total in identities.values()) < all_games
    assert sum(total for _, total in lines(own, "corp_identities_wins").values()) == all_games


def test_match_ups_endings_and_cuts_agree_with_the_games(event: Tournament, later: Tournament):
    player = regular(event, later)

    player_record = record(player)

    ends: Counter[tuple[str, str]] = Counter()
    match_ups: dict[str, Counter[tuple[str, str, int]]] = defaultdict(Counter)
    for seat in Seat.objects.filter(player=player):
        evening_ = Pairing.objects.get(match=seat.match).round.stage.tournament
        (opponent_seat,) = seat.match.seats.exclude(pk=seat.pk)
        for part in seat.game_seats():
            winner = part.game.winner_id
            winner_name = (
                "Nobody" if winner is None else "This player" if winner == seat.pk else "Opponent"
            )
            ends[GameEnd(part.game.end).label, winner_name] += 1
            if winner is None or part.game.end == "no_show":
                continue
            (own_title,) = titles(player, evening_, part.role)
            (opponent_title,) = titles(opponent_seat.player, evening_, Role(part.role).other)
            match_ups[part.role][own_title, opponent_title, winner == seat.pk] += 1
    del (
        ends[GameEnd.NOT_RECORDED.label, "This player"],
        ends[GameEnd.NOT_RECORDED.label, "Opponent"],
    )
    assert pairs(player_record, "own_ends") == {
        ending: (count, ends.total()) for ending, count in ends.items()
    }
    for role, counted in match_ups.items():
        assert pairs(player_record, f"{role}_identities_match_ups") == {
            pair: (counted[*pair, True], counted[*pair, True] + counted[*pair, False])
            for pair in {played[:2] for played in counted}
        }
    registration = Registration.objects.get(player=player, tournament=event)
    in_cut = StageEntry.objects.filter(registration=registration, stage__system__in=CUT_SYSTEMS)
    assert lines(player_record, "own_cut") == {"All events": (int(in_cut.exists()), 1)}
    assert lines(player_record, "corp_identities_cut") == {
        title: (int(in_cut.exists()), 1) for title in titles(player, event)
    }


def test_hidden_identity_of_an_opponent_does_not_count(event: Tournament, later: Tournament):
    player = regular(event, later)
    Tournament.objects.all().update(identities_shown="with_decks")

    own = record(player, own=True)

    assert lines(own, "corp_identities_wins")
    assert not pairs(own, "corp_identities_match_ups")


def titles(player: Player, event: Tournament, side: str = "corp") -> set[str]:
    place = Registration.objects.get(player=player, tournament=event)
    return {
        deck.version.identity.title
        for deck in place.deck_submissions.filter(side=side)
        if deck.version.identity
    }


def test_dropped_player_with_a_bye_counts_for_the_cut_with_submitted_decks():
    event = evening(3, players=5, rounds=1, is_over=False)
    place = Pairing.objects.get(round__stage__tournament=event, bye__isnull=False).bye
    assert place is not None
    Registration.objects.filter(pk=place.pk).update(state="dropped")
    make_cut(fresh(event), 2)
    play_at_random(fresh(event), random.Random(1), in_cut=True)
    finish(event)

    player_record = record(place.player)

    assert not lines(player_record, "own_sides")
    assert lines(player_record, "own_cut") == {"All events": (0, 1)}
    assert lines(player_record, "corp_identities_cut") == dict.fromkeys(
        titles(place.player, event), (0, 1)
    )


def test_identities_of_a_running_event_do_not_count(event: Tournament):
    Tournament.objects.filter(pk=event.pk).update(finished_at=None)
    player = player_number(event, 1).player

    assert lines(record(player), "own_sides")
    assert not lines(record(player), "corp_identities_wins")
    assert lines(record(player, own=True), "corp_identities_wins")


def test_queries_do_not_depend_on_events(event: Tournament, later: Tournament):
    player = player_number(event, 1).player
    once = queries_of(records_of_player, player, events_of(player))
    regular(event, later)

    assert queries_of(records_of_player, player, events_of(player)) == once
