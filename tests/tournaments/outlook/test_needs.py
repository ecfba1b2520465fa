"""Clinch scenarios of the last round: the job, the phone, the standings, the desk and the API."""

import re
from importlib import import_module

import pytest
import time_machine
from django.apps import apps
from django.contrib.humanize.templatetags.humanize import ordinal
from django.test import Client
from django.utils import timezone

from core import jobs
from matches.scoring.results import MatchResult
from rulings.guide import PenaltyKind
from tests.factories.cuts import make_cut
from tests.factories.penalties import penalise, take_back
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
from tests.tournaments.pages import FRAGMENT, section_of, text_of, url
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
from tournaments.outlook.pages import NOT_PROVEN, NeedLines, get_need_lines, needs_table
from tournaments.registration import services as registration_services
from tournaments.results import cuts
from tournaments.rounds import services as rounds_services

ANY_AGENDA = "win a game, or score at least 1 agenda point as Runner"


def first_wins(_pairing: Pairing) -> MatchResult:
    return sweep(1)


def last_round(cut: int | None = 2) -> Tournament:
    """Return an event in round 2 of 2; the first seats have won round 1."""
    event = make_event(players=4, planned_rounds=2, planned_cut=cut)
    play_round(event, play=first_wins)
    start_round(event)
    return event


def make_scene() -> Tournament:
    return last_round()


def compute_needs(event: Tournament) -> Tournament:
    """Compute the scenarios, as the timer does every few seconds."""
    outlook_services.request_outlook(fresh(event))
    for job in Job.objects.filter(kind=JobKind.OUTLOOK, state="queued"):
        jobs.run_aside(Job, job.pk, outlook_services.compute_outlook)
    return fresh(event)


def lines_of(player: Registration) -> NeedLines:
    lines = get_need_lines(player)
    assert lines is not None
    return lines


def rows(event: Tournament) -> dict[int, tuple[str, str]]:
    shown = needs_table(compute_needs(event))
    assert shown is not None
    return {row.number: (row.mark, row.words) for row in shown.rows}


def win_all_tables(event: Tournament, *, close: bool = False) -> None:
    round_ = get_round(event, 2)
    for pairing in tables_of(round_):
        enter_result(pairing, sweep(1))
    if close:
        close_round(round_)


class TestAnswers:
    def test_winners_of_round_1_need_points_and_no_verdict_is_certain(self, event: Tournament):
        winners = sitting(table(get_round(event, 2), 1))

        answers = rows(event)

        needed = ANY_AGENDA[0].upper() + ANY_AGENDA[1:]
        assert {answers[player.number] for player in winners} == {("open", needed)}
        assert {mark for mark, _ in answers.values()} == {"open"}

    def test_lost_game_changes_the_answers_of_both_players(self, event: Tournament):
        pairing = table(get_round(event, 2), 1)
        loser, opponent = sitting(pairing)
        before = rows(event)

        penalty = penalise(loser, PenaltyKind.GAME_LOSS, pairing=pairing, game=1)
        answers = rows(event)

        assert answers[loser.number] == (
            "open",
            "Win the other game, or score at least 1 agenda point in it",
        )
        assert "both games" not in str(lines_of(player_number(fresh(event), loser.number)))
        assert answers[opponent.number][0] == "in"
        take_back(penalty)
        assert rows(event) == before

    def test_certain_points_are_no_condition(self):
        """Without its penalty this table would need a win; the winner of game 1 has it already."""
        event = last_round(cut=1)
        pairing = table(get_round(event, 2), 1)
        loser, opponent = sitting(pairing)
        penalise(loser, PenaltyKind.GAME_LOSS, pairing=pairing, game=1)

        compute_needs(event)

        for player in (loser, opponent):
            lines = str(lines_of(player_number(fresh(event), player.number)))
            assert "both games" not in lines
            assert "win a game" not in lines

    def test_closed_last_round_decides_every_place(self, event: Tournament):
        win_all_tables(event, close=True)

        marks = sorted(mark for mark, _ in rows(event).values())

        assert marks == ["in, 1st", "in, 2nd", "out, 3rd", "out, 4th"]
        (sentence,) = lines_of(player_number(fresh(event), 1)).sentences
        assert re.fullmatch(r"You are (1st|2nd|3rd|4th) after the last round\.", sentence)

    def test_answers_end_once_players_see_the_cut(self, event: Tournament):
        finish_round(get_round(event, 2))
        compute_needs(event)
        before = lines_of(player_number(fresh(event), 1))
        stage = make_cut(fresh(event), 2, system="single_elimination")
        unseen = get_need_lines(player_number(fresh(event), 1))
        cuts.publish_cut(stage, owner_of(event))

        assert unseen == before
        assert get_need_lines(player_number(fresh(event), 1)) is None
        assert needs_table(fresh(event)) is None

    def test_result_makes_answers_certain_and_outdates_the_pages_of_their_players(
        self, event: Tournament
    ):
        event = compute_needs(event)
        top, _ = tables_of(get_round(event, 2))
        enter_result(top, sweep(1))
        before = dict(Registration.objects.values_list("number", "version"))

        event = compute_needs(event)

        winner, loser = sitting(top)
        outlook = Outlook.objects.get()
        assert outlook.needs[str(winner.number)]["verdict"] == "in"
        assert outlook.needs[str(winner.number)]["place"] == 1
        assert outlook.open_tables == 1
        changed = {
            entry.number
            for entry in Registration.objects.all()
            if entry.version != before[entry.number]
        }
        assert {winner.number, loser.number} <= changed

    def test_unchanged_event_is_not_computed_again(self, event: Tournament):
        event = compute_needs(event)
        computed_at, version = Outlook.objects.get().computed_at, event.version

        event = compute_needs(compute_needs(event))

        assert Outlook.objects.get().computed_at == computed_at
        assert event.version == version

    def test_long_computation_is_done_by_a_single_worker(self, event: Tournament):
        def look(_moment: str = "") -> None:
            clock.shift(50)
            waiting.extend(jobs.waiting_jobs(Job).filter(kind=JobKind.OUTLOOK))

        waiting: list[Job] = []
        answered = after("engine.clinch.needs.find_needs", look)
        with in_jobs(look), answered, time_machine.travel(timezone.now()) as clock:
            compute_needs(event)

        assert Outlook.objects.exists()
        assert waiting == []

    def test_without_a_cut_players_compete_for_first_place(self):
        event = compute_needs(last_round(cut=None))
        top, bottom = (sitting(pairing) for pairing in tables_of(get_round(event, 2)))

        assert lines_of(top[0]).heading.startswith("You finish first if you win")
        assert lines_of(bottom[0]).heading == "First place is out of reach"

    def test_dropped_leader_stays_first_without_a_cut(self):
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
        assert section_of(desk, "standings").counts == ("after round 2", "first place decided")

    @pytest.mark.parametrize("rounds", [3, None])
    def test_no_answers_before_the_last_round_or_without_planned_rounds(self, rounds: int | None):
        event = make_event(players=4, planned_rounds=rounds, planned_cut=2)
        start_round(event)

        assert needs_table(compute_needs(event)) is None
        page = text_of(Client().get(url("needs", event)))
        assert "chances to qualify appear here after each round" in page

    def test_no_answers_at_the_tables_unless_match_points_are_ranked_first(self, event: Tournament):
        Tournament.objects.update(tie_breakers=["games_won", "match_points"])

        assert needs_table(compute_needs(event)) is None

        win_all_tables(event, close=True)
        assert needs_table(compute_needs(event)) is not None

    def test_unpublished_round_has_no_answers(self, event: Tournament):
        event = compute_needs(event)
        rounds_services.unpublish_round(get_round(event, 2), owner_of(event), "The wrong room.")
        event = fresh(event)

        assert needs_table(event) is None
        assert get_need_lines(player_number(event, 1)) is None
        assert Client().get(f"/api/v1/events/{event.slug}/needs/").json()["rows"] == []

    def test_added_rounds_end_the_answers(self, event: Tournament):
        win_all_tables(event, close=True)
        event = compute_needs(event)
        assert needs_table(event) is not None

        Tournament.objects.filter(pk=event.pk).update(planned_rounds=4)

        assert needs_table(fresh(event)) is None
        start_round(fresh(event))
        assert get_need_lines(player_number(fresh(event), 1)) is None

    def test_answer_stored_by_an_earlier_release_is_still_shown(self, event: Tournament):
        event = compute_needs(event)
        outlook = Outlook.objects.get()
        for need in outlook.needs.values():
            need.pop("ordinary")
            for example in filter(None, (need["missing"], need["making"])):
                example.pop("ordinary")
        outlook.save()

        assert Client().get(url("needs", event)).status_code == 200
        assert all(map(get_need_lines, event.registrations.select_related("tournament")))

    def test_upgrade_counts_qualified_and_eliminated_players(self, event: Tournament):
        win_all_tables(event)
        compute_needs(event)
        Outlook.objects.update(players_in=0, players_out=0)

        import_module("tournaments.migrations.0036_players_in_and_out").count(apps, None)

        outlook = Outlook.objects.get()
        assert (outlook.players_in, outlook.players_out) == (2, 2)


class TestWords:
    @pytest.mark.parametrize(
        ("ordinary", "is_ordinary", "heading", "words"),
        [
            (
                "10",
                True,
                "You must win a game, and you need other results",
                "Must win a game, and needs other results",
            ),
            # A search that gave up may find no ordinary example although ordinary results do it.
            (
                "10",
                False,
                "You must win a game, and you need other results",
                "Must win a game, and needs other results",
            ),
            (
                None,
                False,
                "You need unusual results to reach the top 2",
                "Needs unusual results, such as a game without a winner",
            ),
        ],
    )
    def test_player_who_needs_other_results(
        self,
        event: Tournament,
        ordinary: str | None,
        is_ordinary: bool,
        heading: str,
        words: str,
    ):
        event = compute_needs(event)
        outlook = Outlook.objects.get()
        number, need = next((key, n) for key, n in outlook.needs.items() if n["safe"] is None)
        need |= {"ordinary": ordinary, "making": {**need["making"], "ordinary": is_ordinary}}
        outlook.save()

        lines = lines_of(player_number(fresh(event), int(number)))

        assert lines.heading == heading
        assert words in text_of(Client().get(url("needs", event)))
        titles = [example.title for example in lines.examples]
        assert ("How you could make it (unusual results only)" in titles) is not is_ordinary
        less = "Fewer points are enough only with unusual results, such as a game without a winner."
        assert (less in lines.sentences) is (ordinary is not None)

    @pytest.mark.parametrize(
        ("decided_by", "outcome"),
        [
            ("lot", "Then you are tied with {0}, and this tie-breaker decides: Random draw."),
            (None, "Then you are tied with {0} and share the place."),
        ],
    )
    def test_example_has_results_and_the_tie(
        self, event: Tournament, decided_by: str | None, outcome: str
    ):
        event = compute_needs(event)
        (me, opponent), other_tables = (
            sitting(pairing) for pairing in tables_of(get_round(event, 2))
        )
        numbers = [entry.number for entry in (me, opponent, *other_tables)]
        scores = [((0, 20), (1, 4)), ((1, 20), (0, 4)), ((0, 9), (1, 9))]
        scores += [((2, 20), (3, 4)), ((2, 9), (3, 9))]
        outlook = Outlook.objects.get()
        outlook.needs[str(me.number)]["missing"] |= {
            "tables": [
                [[numbers[name], str(points)] for name, points in seats] for seats in scores
            ],
            "whole": True,
            "level": [opponent.number],
            "by": decided_by,
        }
        outlook.save()

        (example, *_) = lines_of(me).examples

        names = [entry.player.name for entry in (opponent, *other_tables)]
        assert example.results == (
            f"You beat {names[0]} 20-4",
            f"{names[0]} beats you 20-4",
            f"You and {names[0]} draw 9-9",
            f"{names[1]} beats {names[2]} 20-4",
            f"{names[1]} and {names[2]} draw 9-9",
        )
        assert example.outcome == outcome.format(names[0])

    def test_unproven_answer_is_marked(self, event: Tournament):
        event = compute_needs(event)
        winner = sitting(table(get_round(event, 2), 1))[0]
        outlook = Outlook.objects.get()
        outlook.needs[str(winner.number)]["proven"] = False
        outlook.save()

        assert str(NOT_PROVEN) in lines_of(winner).sentences
        assert str(NOT_PROVEN) in text_of(Client().get(url("needs", event)))
        body = Client().get(f"/api/v1/events/{event.slug}/needs/").json()
        assert [row["number"] for row in body["rows"] if not row["is_proven"]] == [winner.number]


class TestPages:
    def test_phone_and_api_show_the_answers(self, event: Tournament):
        event = compute_needs(event)
        winner = sitting(table(get_round(event, 2), 1))[0]
        phone = Client()
        claim(phone, winner.player)

        page = text_of(phone.get(url("my_event", event)))
        body = Client().get(f"/api/v1/events/{event.slug}/needs/").json()

        assert f"You are in the top 2 if you {ANY_AGENDA}" in page
        assert "How you could miss it" in page
        assert "This assumes that nobody drops." in page
        assert (body["round"], body["goal"], body["open_tables"]) == (2, "the top 2", 2)
        assert {(row["outlook"], row["safe_from"]) for row in body["rows"]} == {
            ("open", 1),
            ("open", None),
        }

    def test_page_waits_for_the_job(self, event: Tournament):
        page = text_of(Client().get(url("needs", event)))

        assert "Calculating clinch scenarios" in page
        assert "appear here after each round" not in page

    def test_standings_have_marks_with_a_constant_number_of_queries(
        self, event: Tournament, django_assert_max_num_queries
    ):
        enter_result(table(get_round(event, 2), 1), sweep(1))
        event = compute_needs(event)
        stranger = Client()
        stranger.get(url("standings", event))
        event.bump_version()

        with django_assert_max_num_queries(12):
            page = stranger.get(url("standings", event))

        verdicts = [line.verdict for line in page.context["grid"].lines]
        assert verdicts == ["in", "", "", "out"]
        assert "In, 1st" not in text_of(page), "the place is in the first column"
        assert "Clinch scenarios: what it takes to make the top 2" in text_of(page)
        assert "In, 1st" in text_of(stranger.get(url("projector", event), {"show": "standings"}))

    def test_desk_counts_decided_places_of_the_cut(self, event: Tournament):
        desk, address = desk_of(event), url("desk", event)
        win_all_tables(event)
        before = desk.get(address)

        compute_needs(event)

        old = {"If-None-Match": before.context["etag"], **FRAGMENT}
        polled = desk.get(address, headers=old)
        assert section_of(before, "standings").counts == ("after round 1",)
        assert polled.status_code == 200
        assert section_of(polled, "standings").counts == (
            "after round 1",
            "2 of 2 places in the cut decided",
        )
        Tournament.objects.filter(pk=event.pk).update(shows_needs=False)
        assert section_of(desk.get(address), "standings").counts == ("after round 1",)

    def test_event_without_scenarios_has_no_page(self, event: Tournament):
        event = compute_needs(event)
        Tournament.objects.update(shows_needs=False)
        event = fresh(event)

        assert get_need_lines(player_number(event, 1)) is None
        assert Client().get(url("needs", event)).status_code == 404
        assert Client().get(f"/api/v1/events/{event.slug}/needs/").status_code == 404
        assert "Clinch scenarios" not in text_of(Client().get(url("standings", event)))
