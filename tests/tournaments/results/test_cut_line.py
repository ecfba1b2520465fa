"""The random draw at the line of a cut."""

from django.test import Client

from tests.factories.cuts import LEVEL, make_cut
from tests.factories.tournaments import (
    fresh,
    make_event,
    make_user,
    owner_of,
    play_round,
    sweep,
)
from tests.tournaments.cast import OWNER
from tests.tournaments.pages import path, text_of
from tournaments.models import Tournament
from tournaments.registration import services as registration_services
from tournaments.results import cuts
from tournaments.results.standings_pages import cut_line_draw, made_cut_draw, planned_cut_draw
from tournaments.settings import services as settings_services

DRAW = "A random draw decides the cut."


def make_scene() -> Tournament:
    """Return an event of four with equal figures after the last round; a top 2 is planned."""
    event = make_event(players=4, planned_rounds=1, planned_cut=2, owner=make_user(OWNER))
    play_round(event, play=lambda pairing: LEVEL)
    return event


def test_draw_across_the_cut_line_names_both_sides(event: Tournament):
    candidates = event.cut_candidates()

    draw = cut_line_draw(event, [entry.number for entry in candidates[:2]])

    assert draw is not None
    assert draw.inside == tuple(entry.player for entry in candidates[:2])
    assert draw.outside == tuple(entry.player for entry in candidates[2:])
    assert planned_cut_draw(event) == draw


def test_no_draw_if_points_separate_the_players():
    event = make_event(players=2, planned_rounds=1)
    play_round(event, play=lambda pairing: sweep(1))

    best = event.cut_candidates()[0]

    assert cut_line_draw(event, [best.number]) is None


def test_no_draw_if_all_tied_players_qualify(event: Tournament):
    everyone = [entry.number for entry in event.cut_candidates()]

    assert cut_line_draw(event, everyone) is None


def test_ties_before_the_last_round_are_not_mentioned(desk: Client, event: Tournament):
    Tournament.objects.filter(pk=event.pk).update(planned_rounds=3)

    assert DRAW not in text_of(desk.get(path(event, "standings/")))


def test_suggested_rounds_count_like_planned_rounds(event: Tournament):
    Tournament.objects.filter(pk=event.pk).update(planned_rounds=None)

    assert fresh(event).round_target() > 1
    assert planned_cut_draw(fresh(event)) is None


def test_event_finished_without_its_planned_cut_has_no_draw(event: Tournament):
    settings_services.finish_event(event, owner_of(event))

    assert planned_cut_draw(fresh(event)) is None


def test_draw_of_a_made_cut_stays_after_a_player_of_the_cut_drops(event: Tournament):
    stage = make_cut(event, 2, system="single_elimination")
    before = made_cut_draw(stage)
    registration_services.drop_player(stage.entries.get(seed=1).registration, owner_of(event))

    assert before is not None
    assert made_cut_draw(stage) == before


def test_standings_and_cut_pages_mention_the_draw(desk: Client, event: Tournament):
    standings = text_of(desk.get(path(event, "standings/")))
    form = text_of(desk.get(path(event, "desk/cut/")))
    stage = make_cut(event, 2, system="single_elimination")
    seeds = text_of(desk.get(path(event, "desk/cut/")))

    assert DRAW in standings
    assert "Top 2, decided by a random draw" in standings
    assert DRAW in form
    assert DRAW in seeds
    assert made_cut_draw(stage) is not None


def test_manual_seeds_are_no_random_draw(event: Tournament):
    by_hand = event.cut_candidates()[2:]

    stage = cuts.make_cut(
        event, by_hand, owner_of(event), system="single_elimination", reason="Qualified earlier"
    )

    assert made_cut_draw(stage) is None
