"""Cuts made, declined and undone."""

import pytest

from tests.factories.cuts import (
    decline,
    event_with_cut,
    make_cut,
    seed,
    stage_of,
)
from tests.factories.tournaments import (
    draft_round,
    enter_result,
    fresh,
    games_for,
    get_round,
    make_event,
    meanwhile,
    owner_of,
    play_round,
    player_number,
    removed_meanwhile,
    start_round,
    tables_of,
)
from tournaments.event.history import EventIsFinished, PlayerRemoved
from tournaments.models import StageEntry, Tournament
from tournaments.registration import roster_changes
from tournaments.registration import services as registration_services
from tournaments.results import cuts
from tournaments.rounds import draft_changes
from tournaments.rounds import services as rounds_services
from tournaments.rounds.drafting import RoundStillOpen
from tournaments.settings import services as settings_services


def make_scene() -> Tournament:
    """Return an event of eight after one round, with a cut of the best four."""
    return event_with_cut(4)


def names(entries) -> list[str]:
    return [str(entry.registration.player) for entry in entries]


def in_cut(event: Tournament) -> list[str]:
    return names(stage_of(event).entries.accepted())


def standing_names(event: Tournament) -> list[str]:
    return [str(entry.player) for entry in event.cut_candidates()]


def test_best_players_are_seeded_in_the_order_of_the_standings(event: Tournament):
    assert in_cut(event) == standing_names(event)[:4]


def test_manual_cut_accepts_any_order():
    event = make_event(players=4)
    chosen = [player_number(event, number) for number in (3, 1, 4)]

    stage = cuts.make_cut(event, chosen, owner_of(event), system="single_elimination")

    assert in_cut(event) == [str(entry.player) for entry in chosen]
    assert stage.number == 2


def test_manual_seeds_order_the_candidates_before_round_1():
    event = make_event(players=4)
    event.registrations.filter(number=3).update(seed=1)

    assert [entry.number for entry in event.cut_candidates()] == [3, 1, 2, 4]


def test_dropped_player_is_no_candidate():
    event = make_event(players=8)
    play_round(event)
    best = event.cut_candidates()[0]
    registration_services.drop_player(best, owner_of(event))

    assert best not in event.cut_candidates()


@pytest.mark.parametrize(
    ("numbers", "words"),
    [((1,), "2 to 256 players; you chose 1"), ((1, 2, 1), "two seeds")],
)
def test_cut_requires_two_different_players(numbers, words):
    event = make_event(players=4)
    chosen = [player_number(event, number) for number in numbers]

    with pytest.raises(cuts.CutRefused, match=words):
        cuts.make_cut(event, chosen, owner_of(event), system="double_elimination")


def test_players_of_other_events_and_swiss_systems_are_refused():
    event, foreign_event = make_event(players=4), make_event(players=2, name="Elsewhere")
    own_players = list(event.registrations.active())
    stranger = player_number(foreign_event, 1)

    with pytest.raises(cuts.CutRefused, match="not checked in"):
        cuts.make_cut(event, [*own_players, stranger], owner_of(event), system="double_elimination")
    with pytest.raises(cuts.CutRefused, match="cannot be used for a cut"):
        cuts.make_cut(event, own_players, owner_of(event), system="double")
    with pytest.raises(cuts.CutRefused, match="another game"):
        make_cut(event, 2, scoring_rule="anr_single")


def test_player_who_left_during_the_request_is_not_in_the_cut():
    event = make_event(players=4)
    chosen = [player_number(event, number) for number in (1, 2)]

    def cut() -> None:
        cuts.make_cut(event, chosen, owner_of(event), system="single_elimination")

    with (
        pytest.raises(cuts.CutRefused, match="not checked in"),
        meanwhile(
            lambda: registration_services.drop_player(player_number(event, 2), owner_of(event))
        ),
    ):
        cut()
    with pytest.raises(PlayerRemoved), removed_meanwhile(player_number(event, 2)):
        cut()

    assert event.get_cut() is None


def test_cut_requires_a_closed_round():
    event = make_event(players=4)
    start_round(event)

    with pytest.raises(cuts.CutRefused, match="Close round 1"):
        make_cut(event, 2)


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        ("queued", "still being computed. Reload the page"),
        ("running", "still being computed. Reload the page"),
        ("failed", "could not be computed. Try again on the desk"),
        ("parked", "could not be computed. Try again on the desk"),
    ],
)
def test_cut_requires_current_standings(state: str, reason: str):
    event = make_event(players=4)
    play_round(event)
    event.jobs.filter(kind="recompute_standings").update(state=state)

    with pytest.raises(cuts.CutRefused, match=reason):
        make_cut(event, 2)


def test_event_has_at_most_one_cut(event: Tournament):
    with pytest.raises(cuts.CutRefused, match="Undo it"):
        make_cut(event, 2)


def test_declined_place_passes_to_the_next_player(event: Tournament):
    before = standing_names(event)

    successor = decline(stage_of(event), seed(event, 2))

    assert in_cut(event) == [before[0], before[2], before[3], before[4]]
    assert str(successor.player) == before[4]
    assert names(stage_of(event).entries.declined_in_order()) == [before[1]]


def test_player_who_declined_is_no_successor(event: Tournament):
    before = standing_names(event)

    decline(stage_of(event), seed(event, 4))
    decline(stage_of(event), seed(event, 4))

    assert in_cut(event) == [*before[:3], before[5]]


def test_place_without_a_successor_cannot_be_declined():
    event = event_with_cut(4, players=4)

    with pytest.raises(cuts.CutRefused, match="No player is left"):
        decline(stage_of(event), seed(event, 1))

    assert len(in_cut(event)) == 4


def test_declined_place_discards_the_draft(event: Tournament):
    draft_round(event)

    decline(stage_of(event), seed(event, 1))

    assert event.rounds.count() == 1


def test_cut_cannot_change_once_its_games_are_published(event: Tournament):
    start_round(event)

    with pytest.raises(cuts.CutIsPublic):
        decline(stage_of(event), seed(event, 1))
    with pytest.raises(cuts.CutIsPublic):
        cuts.undo_cut(stage_of(event), owner_of(event))


def test_undone_cut_leaves_no_trace_and_swiss_continues(event: Tournament):
    draft_round(event)

    cuts.undo_cut(stage_of(event), owner_of(event))

    assert event.get_cut() is None
    assert not StageEntry.objects.exists()
    assert len(tables_of(draft_round(event))) == 4


def test_player_with_a_place_in_the_cut_cannot_be_removed():
    event = make_event(players=4)
    make_cut(event, 4)

    with pytest.raises(registration_services.AlreadyPlayed, match="place in the cut"):
        roster_changes.remove_player(player_number(event, 1), owner_of(event))


def test_side_of_a_discarded_table_cannot_be_chosen(event: Tournament):
    draft = draft_round(event)
    discarded = tables_of(draft)[0]
    draft_changes.discard_draft(draft, owner_of(event))

    with pytest.raises(cuts.NothingToSay, match="no longer exists"):
        cuts.choose_corp(discarded, seed(event, 4), owner_of(event))


def test_round_before_the_cut_cannot_be_reopened(event: Tournament):
    last = get_round(event, event.rounds.count())

    with pytest.raises(RoundStillOpen, match="Undo the cut first"):
        rounds_services.reopen_round(last, owner_of(event), "A slip turned up.")

    cuts.undo_cut(stage_of(event), owner_of(event))
    rounds_services.reopen_round(last, owner_of(event), "A slip turned up.")
    assert not get_round(event, last.number).is_closed


class TestPlannedCut:
    def event_with_planned_cut(self, size: int | None = 4, players: int = 8) -> Tournament:
        event = make_event(players=players, planned_cut=size)
        play_round(event)
        return fresh(event)

    @pytest.mark.parametrize(
        ("game", "rule", "cut_rule"),
        [("onr", "onr_either_side", "onr_either_side"), ("anr", "anr_double", "anr_single")],
    )
    def test_best_of_the_standings_are_seeded(self, game: str, rule: str, cut_rule: str):
        event = make_event(players=8, game=game, scoring_rule=rule, planned_cut=4)
        play_round(event)

        stage = cuts.make_planned_cut(fresh(event), owner_of(event), size=4)

        assert in_cut(event) == standing_names(event)[:4]
        assert (stage.system, stage.scoring_rule) == ("double_elimination", cut_rule)

    def test_cut_is_played_as_planned(self):
        event = make_event(players=8, planned_cut=4, planned_cut_system="single_elimination")
        play_round(event)

        stage = cuts.make_planned_cut(fresh(event), owner_of(event), size=4)

        assert stage.system == "single_elimination"

    def test_second_click_returns_the_same_cut(self):
        event = self.event_with_planned_cut()

        stages = {cuts.make_planned_cut(fresh(event), owner_of(event), size=4) for _ in range(2)}

        assert len(stages) == 1
        assert event.log.filter(action="cut made").count() == 1

    @pytest.mark.parametrize(
        ("planned", "words"), [(8, "has changed"), (None, "No cut of this size is planned")]
    )
    def test_size_that_is_no_longer_planned_is_refused(self, planned: int | None, words: str):
        event = self.event_with_planned_cut(planned)

        with pytest.raises(cuts.CutRefused, match=words):
            cuts.make_planned_cut(event, owner_of(event), size=4)

        assert event.get_cut() is None

    def test_size_is_limited_to_the_players_left(self):
        event = self.event_with_planned_cut(4, players=4)
        registration_services.drop_player(player_number(event, 1), owner_of(event))

        with pytest.raises(cuts.CutRefused, match="has changed"):
            cuts.make_planned_cut(event, owner_of(event), size=4)
        cuts.make_planned_cut(event, owner_of(event), size=3)

        assert len(in_cut(event)) == 3

    def test_open_round_is_refused(self):
        event = make_event(players=8, planned_cut=4)
        start_round(event)

        with pytest.raises(cuts.CutRefused, match="Close round 1"):
            cuts.make_planned_cut(event, owner_of(event), size=4)

    def test_outdated_standings_are_refused(self):
        event = make_event(players=8, planned_cut=4)
        round_ = start_round(event)
        for pairing in tables_of(round_):
            enter_result(pairing, games_for(pairing))
        rounds_services.close_round(get_round(event, 1), owner_of(event))

        with pytest.raises(cuts.CutRefused, match="still being computed"):
            cuts.make_planned_cut(event, owner_of(event), size=4)

    def test_finished_event_is_refused(self):
        event = self.event_with_planned_cut()
        settings_services.finish_event(event, owner_of(event))

        with pytest.raises(EventIsFinished):
            cuts.make_planned_cut(event, owner_of(event), size=4)
