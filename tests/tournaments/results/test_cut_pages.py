"""Cuts on the desk."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from tests.factories.cuts import LEVEL, decline, make_cut, play_cut_round, seed, stage_of
from tests.factories.sessions import logged_in
from tests.factories.tournaments import (
    add_staff,
    draft_round,
    enter_result,
    fresh,
    get_round,
    make_event,
    make_user,
    owner_of,
    play_round,
    start_round,
    sweep,
    table,
)
from tests.tournaments.cast import OWNER
from tests.tournaments.pages import HTMX, path, text_of, url
from tournaments.models import Registration, Tournament
from tournaments.registration import services as registration_services
from tournaments.results import cuts
from tournaments.rounds import cut as rounds_cut
from tournaments.rounds import services as rounds_services


def make_scene() -> Tournament:
    """Return an event of eight after the last planned round."""
    tournament = make_event(players=8, planned_rounds=1, owner=make_user(OWNER))
    play_round(tournament)
    return tournament


def seeds(players: list[Registration]) -> dict[str, int]:
    return {f"seed-{player.number}": place for place, player in enumerate(players, start=1)}


def choices(players: list[Registration], **changes: object) -> dict[str, object]:
    usual = {"system": "double_elimination", "scoring_rule": "onr_runner_only"}
    return {**usual, **seeds(players), **changes}


def test_desk_offers_the_cut_after_the_last_round(desk: Client, event: Tournament):
    page = text_of(desk.get(path(event)))

    assert "Next step Finish the event" in page
    assert "Start the top cut Pair round 2" in page


def test_planned_cut_is_the_next_step_after_the_last_round(desk: Client, event: Tournament):
    Tournament.objects.filter(pk=event.pk).update(planned_cut=6)

    step = desk.get(path(event)).context["step"]

    assert (step.kind, step.title, step.cut_size) == ("start_cut", "Start the top 6", 6)
    assert [(alternative.kind, alternative.title) for alternative in step.others] == [
        ("start_cut", "Start with single elimination: 3 rounds"),
        ("make_cut", "Choose size, seeds and scoring"),
        ("finish", "Finish without a cut"),
        ("pair", "Pair round 2"),
    ]
    assert desk.get(path(event, "desk/cut/")).context["form"].initial["size"] == 6
    answer = desk.get(f"/api/v1/events/{event.slug}/cut/candidates/").json()
    assert answer["usual_size"] == 6


def test_next_step_and_form_have_the_kind_of_the_planned_cut(desk: Client, event: Tournament):
    single = {"planned_cut": 6, "planned_cut_system": "single_elimination"}
    Tournament.objects.filter(pk=event.pk).update(**single)

    assert "seeded for single elimination" in desk.get(path(event)).context["step"].text
    form = desk.get(path(event, "desk/cut/")).context["form"]
    assert form.initial["system"] == "single_elimination"


def test_cut_can_start_with_the_other_elimination(desk: Client, event: Tournament):
    Tournament.objects.filter(pk=event.pk).update(planned_cut=6)
    other = desk.get(path(event)).context["step"].others[0]

    desk.post(url("cut_start", event), {"size": other.cut_size, "system": other.cut_system})

    assert stage_of(event).system == "single_elimination"


def test_step_names_the_rounds_of_the_planned_cut(desk: Client, event: Tournament):
    Tournament.objects.filter(pk=event.pk).update(planned_cut=4)

    text = desk.get(path(event)).context["step"].text

    assert "seeded for double elimination: 4 rounds, plus a possible bracket reset." in text


def test_unknown_elimination_starts_the_planned_cut(desk: Client, event: Tournament):
    Tournament.objects.filter(pk=event.pk).update(planned_cut=6)

    desk.post(url("cut_start", event), {"size": 6, "system": "swiss"})

    assert stage_of(event).system == "double_elimination"


def test_second_start_names_the_size_of_the_existing_cut(desk: Client, event: Tournament):
    Tournament.objects.filter(pk=event.pk).update(planned_cut=6)
    desk.post(url("cut_start", event), {"size": 6})

    answer = desk.post(url("cut_start", event), {"size": 4}, follow=True)

    assert "The top 6 are seeded." in text_of(answer)


def test_planned_cut_is_limited_to_the_number_of_players(desk: Client, event: Tournament):
    Tournament.objects.filter(pk=event.pk).update(planned_cut=64)

    assert desk.get(path(event)).context["step"].title == "Start the top 8"


def test_every_step_of_a_cut_names_its_round(desk: Client, event: Tournament):
    def titles() -> list[str]:
        step = desk.get(path(event)).context["step"]
        return [step.title, *(alternative.title for alternative in step.others)]

    cuts.publish_cut(make_cut(event, 4, system="single_elimination"), owner_of(event))
    published = titles()
    draft_round(event)
    drafted = titles()
    draft = text_of(desk.get(path(event, "rounds/2/draft/")))
    rounds_services.publish_round(get_round(event, 2), owner_of(event))
    to_start = titles()
    rounds_services.start_round(get_round(event, 2), owner_of(event))
    running = titles()

    assert published == ["Pair the semifinals", "Seeds and declined places"]
    assert drafted == ["Review the draft of the semifinals"]
    assert "Draft of the semifinals" in draft
    assert "Publish the semifinals" in draft
    assert to_start[0] == "Start the clock of the semifinals"
    assert running == ["Enter the results of the semifinals"]


def test_draft_of_a_cut_shows_seeds_and_no_swiss_marks(desk: Client, event: Tournament):
    make_cut(event, 4, system="single_elimination")
    draft = desk.get(path(event, f"rounds/{draft_round(event).number}/draft/")).context["draft"]

    seats = [seat for row in draft.tables for seat in row.seats]
    assert [seat.seed for seat in seats] == [1, 4, 2, 3]
    assert [seat.role for seat in seats] == [None] * 4
    assert [seat.chooses for seat in seats] == [True, False, True, False]
    assert not any(seat.floats or seat.met_before or seat.byes for seat in seats)
    assert not any(row.point_gap or row.is_repeat for row in draft.tables)


def test_form_seeds_the_requested_number_of_players(desk: Client, event: Tournament):
    page = desk.get(path(event, "desk/cut/?size=3"))

    form = page.context["form"]
    assert [field.initial for _, field in form.rows] == [1, 2, 3, None, None, None, None, None]
    assert [player for player, _ in form.rows] == event.cut_candidates()


@pytest.mark.parametrize("size", ["1", "9", "many", "-3", "9" * 30])
def test_invalid_size_is_an_error_at_the_field(desk: Client, event: Tournament, size: str):
    best = event.cut_candidates()[:4]

    for action in ("seed", ""):
        typed = choices(best, shown=4, size=size, action=action)
        answer = desk.post(path(event, "desk/cut/"), typed)

        assert answer.status_code == 422
        assert answer.context["form"].errors["size"]
    assert desk.get(path(event, "desk/cut/"), {"size": size}).context["form"].initial["size"] == 4


def test_typed_size_replaces_unchanged_seeds(desk: Client, event: Tournament):
    candidates = event.cut_candidates()
    as_shown = choices(candidates[:4], shown=4)

    desk.post(path(event, "desk/cut/"), {**as_shown, "size": 6})

    cut = [entry.registration for entry in stage_of(event).entries.accepted()]
    assert cut == candidates[:6]


def test_new_size_is_seeded_with_the_chosen_options(desk: Client, event: Tournament):
    best = event.cut_candidates()[:4]
    typed = choices(best, shown=4, size=2, system="single_elimination", action="seed")

    page = desk.post(path(event, "desk/cut/"), typed)

    assert page.status_code == 200
    form = page.context["form"]
    assert [field.value() for _, field in form.rows] == [1, 2, *[None] * 6]
    assert form["system"].value() == "single_elimination"
    assert event.get_cut() is None


def test_size_that_contradicts_manual_seeds_is_refused(desk: Client, event: Tournament):
    candidates = event.cut_candidates()
    by_hand = choices([candidates[5], *candidates[:3]], shown=4, size=6)

    answer = desk.post(path(event, "desk/cut/"), by_hand)

    assert answer.status_code == 422
    assert "You asked for a top 6, but 4 players have a seed." in text_of(answer)
    assert event.get_cut() is None


def test_cut_is_made_and_shown(desk: Client, event: Tournament):
    best = event.cut_candidates()[:4]

    answer = desk.post(path(event, "desk/cut/"), choices(best), follow=True)

    assert "The top 4 are seeded." in text_of(answer)
    assert "Next step Publish the seeds" in text_of(answer)
    assert [entry.registration for entry in stage_of(event).entries.accepted()] == best
    step = desk.get(path(event)).context["step"]
    assert (step.kind, step.title) == ("publish_seeds", "Publish the seeds")
    assert [(alternative.kind, alternative.title) for alternative in step.others] == [
        ("pair", "Pair the upper bracket semifinals")
    ]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({0: 2}, "Seed 2 is used more than once."),
        ({1: ""}, "Seed 2 is missing. Number the seeds from 1 without gaps."),
        ({1: "", 2: ""}, "Give at least two players a seed."),
    ],
)
def test_manual_seeds_must_count_from_one(
    desk: Client, event: Tournament, changes: dict[int, object], words: str
):
    best = event.cut_candidates()[:3]
    typed = choices(best)
    typed |= {f"seed-{best[place].number}": seed for place, seed in changes.items()}

    answer = desk.post(path(event, "desk/cut/"), typed)

    assert answer.status_code == 422
    assert words in text_of(answer)
    assert event.get_cut() is None


def test_declined_place_passes_to_the_next_in_line(desk: Client, event: Tournament):
    make_cut(event, 4)
    declined, successor = seed(event, 2), event.cut_candidates()[4]
    assert f"Next in line: {successor.player}" in text_of(desk.get(path(event, "desk/cut/")))

    query = {"kind": "decline", "player": str(declined.number)}
    preview = text_of(desk.get(path(event, "desk/cut/change/"), query))
    assert f"{declined.player} declined, {successor.player} moved up." in preview

    reason = {**query, "reason": "Has to catch a train"}
    answer = desk.post(path(event, "desk/cut/change/"), reason, follow=True)

    assert f"{declined.player} declined, {successor.player} moved up." in text_of(answer)
    assert f"Declined or replaced: {declined.player}" in text_of(answer)
    assert event.log.get(action="place declined").reason == "Has to catch a train"


def test_refused_change_of_a_published_cut_has_its_message_once(desk: Client, event: Tournament):
    make_cut(event, 4)
    change = {"kind": "decline", "player": seed(event, 2).number, "reason": "Has to leave"}
    start_round(event)

    page = desk.post(path(event, "desk/cut/change/"), change, follow=True)

    assert [str(message) for message in page.context["messages"]] == [
        "A round of the cut is published, so its players can no longer change."
    ]


def test_dropped_player_without_a_successor_needs_a_smaller_cut(desk: Client, event: Tournament):
    make_cut(event, 8)
    dropped = seed(event, 2)
    registration_services.drop_player(dropped, owner_of(event))

    page = text_of(desk.get(path(event, "desk/cut/")))

    assert f"Dropped: {dropped.player}" in page
    assert "Undo the cut and make a smaller one." in page
    assert "Decline place" not in page


def test_staff_choose_the_advancing_player_on_the_desk(desk: Client, event: Tournament):
    make_cut(event, 4)
    round_ = start_round(event)
    enter_result(table(round_, 1), LEVEL)
    enter_result(table(round_, 2), sweep(1))
    assert "Next step Choose who advances" in text_of(desk.get(path(event)))
    page = text_of(desk.get(path(event, "rounds/2/results/")))
    assert "Tied: choose who advances." in page
    assert "You decide who advances, for example by an extra game. The higher seed is " in page
    assert "Tied" in text_of(desk.get(path(event, "rounds/2/tables/1/decide/")))

    advancing = seed(event, 4)
    answer = desk.post(
        path(event, "rounds/2/tables/1/advance/"), {"player": advancing.number}, follow=True
    )

    assert f"{advancing.player} advances from table 1." in text_of(answer)
    assert "Next step Close this round" in text_of(answer)


def test_tie_is_decided_on_its_card(desk: Client, event: Tournament):
    make_cut(event, 4)
    round_ = start_round(event)
    enter_result(table(round_, 1), LEVEL)
    page = desk.get(path(event, "rounds/2/results/"))
    assert (page.context["tied"], page.context["all_in"]) == (1, False)

    advancing = seed(event, 4)
    answer = desk.post(
        path(event, "rounds/2/tables/1/advance/"),
        {"player": advancing.number, "page": "results"},
        headers=HTMX,
    )

    card = answer.context["card"]
    assert (card.is_tied, card.is_undecided) == (True, False)
    assert f"Tied: {advancing.player} advances by staff decision." in text_of(answer)


def test_player_number_of_five_digits_is_accepted(desk: Client, event: Tournament):
    make_cut(event, 4)
    round_, entry = start_round(event), seed(event, 4)
    event.registrations.filter(pk=entry.pk).update(number=10001)

    begins = desk.post(path(event, "rounds/2/tables/1/role/"), {"corp": "10001"}, follow=True)
    enter_result(table(round_, 1), LEVEL)
    goes_on = desk.post(path(event, "rounds/2/tables/1/advance/"), {"player": "10001"}, follow=True)

    assert f"{entry.player} is Corp in game 1." in text_of(begins)
    assert f"{entry.player} advances from table 1." in text_of(goes_on)


def test_version_of_a_tied_table_follows_the_player_who_advances(desk: Client, event: Tournament):
    make_cut(event, 4)
    round_ = start_round(event)
    enter_result(table(round_, 1), LEVEL)
    versions = []

    for number in (1, 4):
        player = seed(event, number).number
        desk.post(path(event, "rounds/2/tables/1/advance/"), {"player": player})
        page = desk.get(path(event, "rounds/2/results/")).text
        versions += re.findall(r'id="table-1" data-version="([^"]*)"', page)

    assert len(set(versions)) == 2


@pytest.mark.parametrize("player", ["", "99", "x", "9" * 40])
def test_unknown_player_cannot_advance(desk: Client, event: Tournament, player: str):
    make_cut(event, 4)
    round_ = start_round(event)
    enter_result(table(round_, 1), LEVEL)

    answer = desk.post(path(event, "rounds/2/tables/1/advance/"), {"player": player}, follow=True)

    assert "Choose one of the two players." in text_of(answer)
    assert rounds_cut.is_undecided(table(round_, 1))


def test_decided_cut_offers_to_finish_the_event(desk: Client, event: Tournament):
    make_cut(event, 2, system="single_elimination")
    play_cut_round(event, [2])

    page = text_of(desk.get(path(event)))

    assert "Next step Finish the event" in page
    assert f"{seed(event, 2).player} has won the event." in page


def test_draft_of_a_cut_offers_no_swap(desk: Client, event: Tournament):
    make_cut(event, 4)
    draft_round(event)

    page = text_of(desk.get(path(event, "rounds/2/draft/")))

    assert "Upper semifinal 1: seed 1 against seed 4." in page
    assert "Swap" not in page


def test_side_in_a_draft_is_hidden_from_judges_in_the_log(desk: Client, event: Tournament):
    make_cut(event, 4)
    draft = draft_round(event)
    choice = {"corp": seed(event, 4).number}
    desk.post(path(event, f"rounds/{draft.number}/tables/1/role/"), choice)
    judge = logged_in(add_staff(event, "judge"))

    assert "Side chosen" in text_of(desk.get(path(event, "desk/log/")))
    assert "Side chosen" not in text_of(judge.get(path(event, "desk/log/")))


def test_published_cut_is_public_before_its_first_games(
    desk: Client, event: Tournament, phone_of: Callable[[Registration], Client]
):
    make_cut(event, 4, system="single_elimination")
    best, reader = seed(event, 1), Client()
    assert "Next step Publish the seeds" in text_of(desk.get(path(event)))
    assert "No bracket yet" in text_of(reader.get(path(event, "bracket/")))

    desk.post(path(event, "desk/cut/publish/"))

    bracket = text_of(reader.get(path(event, "bracket/")))
    assert "The first matches are not paired yet" in bracket
    assert all(seed(event, place).player.name in bracket for place in (1, 2, 3, 4))
    assert "Top 4: seeds and first matches" in text_of(reader.get(event.get_absolute_url()))
    phone = text_of(phone_of(best).get(path(event, "me/")))
    last = seed(event, 4).player.name
    assert "You are in the top 4 as seed 1" in phone
    assert f"Your first match is against {last} (seed 4)." in phone
    answer = reader.get(f"/api/v1/events/{event.slug}/bracket/").json()
    assert [game["state"] for game in answer["games"]][:2] == ["ready", "ready"]


def test_change_of_a_published_cut_is_public_without_its_reason(desk: Client, event: Tournament):
    stage = make_cut(event, 4)
    cuts.publish_cut(stage, owner_of(event))
    version, declined = fresh(event).version, seed(event, 2)

    next_ = decline(stage, declined)

    page = text_of(Client().get(path(event, "bracket/")))
    assert f"Changes to the cut: {declined.player} declined, {next_.player} moved up." in page
    assert "train" not in page
    assert fresh(event).version > version


def test_cut_is_published_once(event: Tournament):
    stage = make_cut(event, 4)

    cuts.publish_cut(stage, owner_of(event))
    cuts.publish_cut(stage, owner_of(event))

    assert event.log.filter(action="cut published").count() == 1
    cuts.undo_cut(stage, owner_of(event))
    assert not fresh(event).has_public_bracket()
    with pytest.raises(cuts.CutRefused):
        cuts.publish_cut(stage, owner_of(event))
