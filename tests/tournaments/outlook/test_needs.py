"""What players need in the last round: on the phone, beside the standings, in the API."""

import re
from importlib import import_module

import time_machine
from django.apps import apps
from django.contrib.humanize.templatetags.humanize import ordinal
from django.test import Client
from django.utils import timezone

from core import jobs
from matches.scoring.results import MatchResult
from tests.factories.cuts import make_cut
from tests.factories.sessions import claim
from tests.factories.tournaments import (
    close_round,
    enter_result,
    finish_round,
    fresh,
    get_round,
    make_event,
    owner_of,
    play_round,
    player_number,
    sitting,
    start_round,
    sweep,
    table,
    tables_of,
)
from tests.moments import after, in_jobs
from tests.tournaments.cast import desk_of
from tests.tournaments.pages import FRAGMENT, place_at, text_of, url
from tournaments.models import (
    Job,
    JobKind,
    Outlook,
    Pairing,
    Registration,
    Standing,
    Tournament,
)
from tournaments.outlook import services as outlook_services
from tournaments.outlook.pages import get_need_lines, needs_table
from tournaments.registration import services as registration_services
from tournaments.results import cuts
from tournaments.rounds import services as rounds_services

A_POINT = "win a game, or have at least 1 agenda point as Runner"


def first_wins(_pairing: Pairing) -> MatchResult:
    return sweep(1)


def last_round(cut: int | None = 2) -> Tournament:
    """Round 2 of 2 is at the tables, and everybody's first seat has won round 1."""
    event = make_event(players=4, planned_rounds=2, planned_cut=cut)
    play_round(event, play=first_wins)
    start_round(event)
    return event


def make_scene() -> Tournament:
    return last_round()


def worked_out(event: Tournament) -> Tournament:
    """What the time of day does every few seconds."""
    outlook_services.request_outlook(fresh(event))
    for job in Job.objects.filter(kind=JobKind.OUTLOOK, state="queued"):
        jobs.run_aside(Job, job.pk, outlook_services.compute_outlook)
    return fresh(event)


def rows(event: Tournament) -> dict[int, tuple[str, str]]:
    found = needs_table(worked_out(event))
    assert found is not None
    return {row.number: (row.mark, row.words) for row in found.rows}


def test_verdicts_end_once_players_see_the_cut(event: Tournament):
    finish_round(get_round(event, 2))
    worked_out(event)
    before = get_need_lines(player_number(fresh(event), 1))
    stage = make_cut(fresh(event), 2, system="single_elimination")
    unseen = get_need_lines(player_number(fresh(event), 1))
    cuts.publish_cut(stage, owner_of(event))

    assert before is not None
    assert unseen == before
    assert get_need_lines(player_number(fresh(event), 1)) is None
    assert needs_table(fresh(event)) is None


def test_verdict_after_the_last_round_names_the_place_that_was_reached(event: Tournament):
    finish_round(get_round(event, 2))
    worked_out(event)

    found = get_need_lines(player_number(fresh(event), 1))

    assert found is not None
    (sentence,) = found.sentences
    assert re.fullmatch(r"You are (1st|2nd|3rd|4th) after the last round\.", sentence)


def test_the_winners_of_round_1_need_points_and_nobody_is_in_or_out_yet(event: Tournament):
    winners = sitting(table(get_round(event, 2), 1))

    found = rows(event)

    assert {found[one.number] for one in winners} == {("open", f"In with this: {A_POINT}")}
    assert {mark for mark, _ in found.values()} == {"open"}


def test_a_result_makes_answers_certain_and_only_those_who_read_another_get_a_new_page(
    event: Tournament,
):
    event = worked_out(event)
    top, _ = tables_of(get_round(event, 2))
    enter_result(top, sweep(1))
    before = dict(Registration.objects.values_list("number", "version"))

    event = worked_out(event)

    winner, loser = sitting(top)
    outlook = Outlook.objects.get()
    assert outlook.needs[str(winner.number)]["verdict"] == "in"
    assert outlook.needs[str(winner.number)]["place"] == 1
    assert outlook.open_tables == 1
    moved = {one.number for one in Registration.objects.all() if one.version != before[one.number]}
    assert {winner.number, loser.number} <= moved


def test_nothing_is_computed_again_until_something_has_changed(event: Tournament):
    event = worked_out(event)
    computed = Outlook.objects.get().computed_at
    version = event.version

    event = worked_out(worked_out(event))

    assert Outlook.objects.get().computed_at == computed
    assert event.version == version


def test_answers_that_take_minutes_are_worked_out_by_one_worker(event: Tournament):
    def look(_moment: str = "") -> None:
        clock.shift(50)
        waiting.extend(jobs.waiting_jobs(Job).filter(kind=JobKind.OUTLOOK))

    waiting: list[Job] = []
    answered = after("engine.clinch.needs.find_needs", look)
    with in_jobs(look), answered, time_machine.travel(timezone.now()) as clock:
        worked_out(event)

    assert Outlook.objects.exists()
    assert waiting == []


def test_the_phone_says_what_to_do_and_how_it_can_go_wrong(event: Tournament):
    event = worked_out(event)
    winner = sitting(table(get_round(event, 2), 1))[0]
    phone = Client()
    claim(phone, winner.player)

    page = text_of(phone.get(url("my_event", event)))

    assert f"You are in the top 2 if you {A_POINT}" in page
    assert "How you could miss it" in page
    assert "If nobody drops." in page


def test_a_search_that_gave_up_is_said(event: Tournament):
    event = worked_out(event)
    winner = sitting(table(get_round(event, 2), 1))[0]
    outlook = Outlook.objects.get()
    outlook.needs[str(winner.number)]["proven"] = False
    outlook.save()

    found = get_need_lines(winner)

    assert found is not None
    said = "Not every case could be checked: less may be enough."
    assert said in found.sentences
    assert said in text_of(Client().get(url("needs", event)))
    body = Client().get(f"/api/v1/events/{event.slug}/needs/").json()
    assert [row["number"] for row in body["rows"] if not row["is_proven"]] == [winner.number]


def open_need(event: Tournament, **answer: object) -> Registration:
    """A loser of round 1, for whom no result is safe, with a changed answer."""
    player = next(
        entry
        for entry in event.registrations.select_related("player", "tournament")
        if Outlook.objects.get().needs[str(entry.number)]["safe"] is None
    )
    outlook = Outlook.objects.get()
    outlook.needs[str(player.number)] |= answer
    outlook.save()
    return player


def test_player_who_needs_help_reads_the_least_result_first(event: Tournament):
    player = open_need(worked_out(event), ordinary="10")

    found = get_need_lines(player)

    assert found is not None
    assert found.heading == "You must win a game, and you need other results"
    page = text_of(Client().get(url("needs", event)))
    assert "Must win a game, and needs other results" in page
    assert "Less is enough only with unusual results, such as a game without a winner." in (
        found.sentences
    )


def test_player_whom_only_unusual_results_put_in_is_told(event: Tournament):
    event = worked_out(event)
    player = open_need(event)
    making = Outlook.objects.get().needs[str(player.number)]["making"] | {"ordinary": False}
    open_need(event, ordinary=None, making=making)

    found = get_need_lines(player)

    assert found is not None
    assert found.heading == "You need unusual results to reach the top 2"
    assert "How you could make it, only with unusual results" in [
        example.title for example in found.examples
    ]
    page = text_of(Client().get(url("needs", event)))
    assert "Needs unusual results, such as a game without a winner" in page


def test_unusual_example_does_not_hide_an_ordinary_way(event: Tournament):
    """A search that was given up may find no ordinary example, although ordinary results do it."""
    event = worked_out(event)
    player = open_need(event)
    making = Outlook.objects.get().needs[str(player.number)]["making"] | {"ordinary": False}
    open_need(event, ordinary="10", making=making)

    found = get_need_lines(player)

    assert found is not None
    assert found.heading == "You must win a game, and you need other results"


def test_answer_stored_by_an_earlier_release_is_still_shown(event: Tournament):
    event = worked_out(event)
    outlook = Outlook.objects.get()
    for need in outlook.needs.values():
        need.pop("ordinary")
        for example in filter(None, (need["missing"], need["making"])):
            example.pop("ordinary")
    outlook.save()

    assert Client().get(url("needs", event)).status_code == 200
    assert all(get_need_lines(one) for one in event.registrations.select_related("tournament"))


def test_page_says_that_scenarios_are_calculated_until_the_job_has_run(event: Tournament):
    page = text_of(Client().get(url("needs", event)))

    assert "Calculating clinch scenarios" in page
    assert "appear here after each round" not in page


def test_after_the_round_everybody_is_in_or_out(event: Tournament):
    finish = get_round(event, 2)
    for pairing in tables_of(finish):
        enter_result(pairing, sweep(1))
    close_round(finish)

    marks = sorted(mark for mark, _ in rows(event).values())

    assert marks == ["in, 1st", "in, 2nd", "out, 3rd", "out, 4th"]


def test_the_standings_mark_who_is_in_and_are_a_dozen_queries(
    event: Tournament, django_assert_max_num_queries
):
    enter_result(table(get_round(event, 2), 1), sweep(1))
    event = worked_out(event)
    stranger = Client()
    stranger.get(url("standings", event))
    event.bump_version()

    with django_assert_max_num_queries(12):
        page = text_of(stranger.get(url("standings", event)))

    assert "In, 1st" in page
    assert "Who needs what" in page
    assert "In, 1st" in text_of(stranger.get(url("projector", event), {"show": "standings"}))


def test_the_desk_counts_who_is_in_and_out_and_is_new_when_that_is_known(event: Tournament):
    desk, address = desk_of(event), url("desk", event)
    for pairing in tables_of(get_round(event, 2)):
        enter_result(pairing, sweep(1))
    before = desk.get(address)

    worked_out(event)

    old = {"If-None-Match": before.context["etag"], **FRAGMENT}
    after = desk.get(address, headers=old)
    assert place_at(before, "standings").counts == ("after round 1",)
    assert after.status_code == 200
    assert place_at(after, "standings").counts == ("after round 1", "2 in", "2 out")
    Tournament.objects.filter(pk=event.pk).update(shows_needs=False)
    assert place_at(desk.get(address), "standings").counts == ("after round 1",)


def test_an_upgrade_counts_who_is_in_and_out_in_stored_answers(event: Tournament):
    for pairing in tables_of(get_round(event, 2)):
        enter_result(pairing, sweep(1))
    worked_out(event)
    Outlook.objects.update(players_in=0, players_out=0)

    import_module("tournaments.migrations.0036_players_in_and_out").count(apps, None)

    outlook = Outlook.objects.get()
    assert (outlook.players_in, outlook.players_out) == (2, 2)


def test_nothing_is_said_before_the_last_round_or_without_a_number_of_rounds():
    early = make_event(players=4, planned_rounds=3, planned_cut=2)
    start_round(early)
    unplanned = make_event(players=4, planned_cut=2)
    start_round(unplanned)

    assert needs_table(worked_out(early)) is None
    assert needs_table(worked_out(unplanned)) is None
    assert "chances appear here after each round" in text_of(Client().get(url("needs", early)))


def test_nothing_is_said_at_the_tables_where_points_are_not_ranked_first(event: Tournament):
    Tournament.objects.update(tie_breakers=["games_won", "match_points"])

    assert needs_table(worked_out(event)) is None

    for pairing in tables_of(get_round(event, 2)):
        enter_result(pairing, sweep(1))
    close_round(get_round(event, 2))
    assert needs_table(worked_out(event)) is not None


def test_an_organiser_can_switch_it_off(event: Tournament):
    event = worked_out(event)
    Tournament.objects.update(shows_needs=False)
    event = fresh(event)
    somebody = event.registrations.select_related("tournament", "player").first()

    assert somebody is not None
    assert get_need_lines(somebody) is None
    assert Client().get(url("needs", event)).status_code == 404
    assert Client().get(f"/api/v1/events/{event.slug}/needs/").status_code == 404
    assert "Who needs what" not in text_of(Client().get(url("standings", event)))


def test_the_api_has_the_same_answers(event: Tournament):
    event = worked_out(event)

    body = Client().get(f"/api/v1/events/{event.slug}/needs/").json()

    assert (body["round"], body["goal"], body["open_tables"]) == (2, "the top 2", 2)
    assert {(row["outlook"], row["safe_from"]) for row in body["rows"]} == {
        ("open", 1),
        ("open", None),
    }


def test_without_a_cut_it_is_about_first_place():
    event = worked_out(last_round(cut=None))
    top, bottom = (sitting(one) for one in tables_of(get_round(event, 2)))

    words = [get_need_lines(one) for one in (top[0], bottom[0])]

    assert words[0] is not None
    assert words[0].heading.startswith("You come first if you win")
    assert words[1] is not None
    assert words[1].heading == "First place is out of reach"


def test_who_dropped_ahead_of_everybody_keeps_first_place():
    event = last_round(cut=None)
    top, bottom = tables_of(get_round(event, 2))
    enter_result(top, sweep(1))
    leader, _ = sitting(top)
    registration_services.drop_player(leader, owner_of(event))
    enter_result(bottom, sweep(1))
    close_round(get_round(event, 2))

    marks = {number: mark for number, (mark, _) in rows(event).items()}

    standings = Standing.objects.filter(snapshot__round=get_round(event, 2))
    ranks = dict(standings.values_list("registration__number", "rank"))
    assert marks == {number: ordinal(rank) for number, rank in ranks.items()}
    assert marks[leader.number] == "1st"
    desk = desk_of(event).get(url("desk", event))
    assert place_at(desk, "standings").counts == ("after round 2", "first place decided")


def test_nobody_reads_the_tables_of_a_round_that_was_taken_back(event: Tournament):
    event = worked_out(event)
    rounds_services.unpublish_round(get_round(event, 2), owner_of(event), "The wrong room.")
    event = fresh(event)

    assert needs_table(event) is None
    assert get_need_lines(player_number(event, 1)) is None
    assert Client().get(f"/api/v1/events/{event.slug}/needs/").json()["rows"] == []


def test_nobody_is_in_any_more_once_rounds_are_added(event: Tournament):
    for pairing in tables_of(get_round(event, 2)):
        enter_result(pairing, sweep(1))
    close_round(get_round(event, 2))
    event = worked_out(event)
    assert needs_table(event) is not None

    Tournament.objects.filter(pk=event.pk).update(planned_rounds=4)

    assert needs_table(fresh(event)) is None
    start_round(fresh(event))
    assert get_need_lines(player_number(fresh(event), 1)) is None
