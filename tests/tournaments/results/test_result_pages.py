"""The result entry: a card per table."""

import re
from datetime import timedelta
from typing import Any
from urllib.parse import urljoin
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from matches.models import MatchState
from matches.scoring.results import MatchResult, Role
from players.models import User
from rulings.guide import PenaltyKind
from tests.factories.cuts import event_with_cut, make_cut, seed
from tests.factories.penalties import penalise
from tests.factories.tournaments import (
    close_round,
    enter_result,
    make_event,
    play_round,
    sitting,
    start_round,
    sweep,
    table,
    tables_of,
    won_game,
)
from tests.faults.forms import Form, forms_in
from tests.tournaments.cast import desk_of
from tests.tournaments.pages import FRAGMENT, HTMX, path, text_of
from tests.tournaments.results.reporting import dispute, points, result_fields
from tests.tournaments.scenes import at_tables
from tournaments.event.permissions import Actor
from tournaments.models import Pairing, Round, Tournament
from tournaments.results import services
from tournaments.results.entry_pages import ResultCard
from tournaments.results.pages import Outcome

make_scene = at_tables

RESULTS = "rounds/1/results/"
ENTER = "rounds/1/tables/1/enter/"
ACCEPT = "rounds/1/tables/1/accept/"


def form_of(answer: Any, address: str) -> Form:
    """Return the form of the page that is sent to the address."""
    forms = forms_in(answer.content.decode())
    return next(form for form in forms if form.action and address_of(form, answer) == address)


def address_of(form: Form, answer: Any) -> str:
    page: str = answer.wsgi_request.path
    return urljoin(page, form.action)


def card_of(answer: Any, number: int) -> ResultCard:
    cards: list[ResultCard] = answer.context["cards"]
    return next(card for card in cards if card.table == number)


def parts_of(outcome: Outcome) -> list[str]:
    parts = ["–".join(map(str, outcome.numbers)), outcome.detail]
    return [part for part in parts if part]


def report(pairing: Pairing, position: int = 1, stolen: int = 3) -> None:
    seat = pairing.match.seats.select_related("player").get(position=position)
    services.report_result(pairing, seat, sweep(1, stolen), Actor(player=seat.player))


class TestOpenTable:
    def test_outcome_with_its_points_is_a_result(
        self, desk: Client, event: Tournament, round_: Round
    ):
        form = form_of(desk.get(path(event, RESULTS)), path(event, ENTER))

        sent = form.filled(**{"t1-code": "1", "t1-game_1_points_2": "4"})
        answer = desk.post(path(event, ENTER), sent)

        assert answer["Location"] == path(event, f"{RESULTS}#table-1")
        assert points(table(round_, 1)) == [20, 4]

    @pytest.mark.parametrize(
        ("game", "rule", "scores"),
        [
            (
                "onr",
                "onr_runner_only",
                ["2–0", "1–1 Corp won both", "1–1 Runner won both", "0–2"],
            ),
            (
                "anr",
                "anr_double",
                [
                    "6–0",
                    "3–3 Corp won both",
                    "3–3 Runner won both",
                    "0–6",
                    "2–2 Intentional draw",
                ],
            ),
            ("anr", "anr_single", ["Corp wins", "Runner wins", "Draw", "Intentional draw"]),
            ("free_radicals", "free_radicals", []),
        ],
    )
    def test_outcomes_depend_on_the_scoring(
        self, desk: Client, owner: User, game: str, rule: str, scores: list[str]
    ):
        event = make_event(players=4, owner=owner, game=game, scoring_rule=rule)
        start_round(event)

        outcomes = card_of(desk.get(path(event, RESULTS)), 1).outcomes

        assert [" ".join(parts_of(outcome)) for outcome in outcomes] == scores

    def test_points_that_count_are_requested_without_scripts(
        self, desk: Client, event: Tournament, round_: Round
    ):
        form = form_of(desk.get(path(event, RESULTS)), path(event, ENTER))

        answer = desk.post(path(event, ENTER), form.filled(**{"t1-code": "1"}))

        assert answer.status_code == 422
        assert "<html" in answer.content.decode()
        assert "enter the agenda points of Bo; 0 if there were none" in text_of(answer)
        again = form_of(answer, path(event, ENTER))
        assert again.fields["t1-code"] == ["1"]
        desk.post(path(event, ENTER), again.filled(**{"t1-game_1_points_2": "4"}))
        assert points(table(round_, 1)) == [20, 4]

    def test_drawn_games_of_a_code_are_known(self, desk: Client, event: Tournament, round_: Round):
        fields = desk.get(path(event, RESULTS)).context["code_fields"]

        assert [fields[code][2] for code in ("1", "5", "0")] == [(), (2,), (1, 2)]

    def test_code_has_an_example(self, desk: Client, event: Tournament, round_: Round):
        assert "Result code, e.g. 1 for 2–0" in text_of(desk.get(path(event, RESULTS)))

    def test_settled_table_shows_the_score(self, desk: Client, event: Tournament, round_: Round):
        enter_result(table(round_, 1), sweep(1, 4))

        page = desk.get(path(event, RESULTS))

        assert card_of(page, 1).score == "2–0"
        assert "20 Bo 4 2–0" in text_of(page)

    def test_other_rounds_are_linked(self, desk: Client, owner: User):
        event = make_event(players=4, owner=owner)
        play_round(event)
        start_round(event)

        page = desk.get(path(event, "rounds/2/results/"))

        assert [other.title for other in page.context["other_rounds"]] == ["Round 1"]
        assert path(event, RESULTS) in page.text

    def test_unknown_code_is_refused(self, desk: Client, event: Tournament, round_: Round):
        form = form_of(desk.get(path(event, RESULTS)), path(event, ENTER))

        answer = desk.post(path(event, ENTER), form.filled(**{"t1-code": "q"}))

        assert answer.status_code == 422
        assert "Choose one of these results" in text_of(answer)

    def test_points_before_the_round_are_beside_the_names(self, desk: Client, owner: User):
        event = make_event(players=4, owner=owner)
        first = start_round(event)
        for pairing in tables_of(first):
            enter_result(pairing, sweep(1, 3))
        close_round(first)
        second = start_round(event)

        card = card_of(desk.get(path(event, "rounds/2/results/")), 1)

        earned = {seat.player.name: seat.points for p in tables_of(first) for seat in p.seats}
        assert {seat.name: seat.so_far_text for seat in card.seats} == {
            place.player.name: f"{earned[place.player.name]} points so far"
            for place in sitting(table(second, 1))
        }

    def test_penalty_locks_its_game(self, desk: Client, event: Tournament, round_: Round):
        pairing = table(round_, 1)
        loser = sitting(pairing)[0]
        penalise(loser, PenaltyKind.GAME_LOSS, pairing=pairing, game=1)

        page = desk.get(path(event, RESULTS))
        form = form_of(page, path(event, ENTER))
        forged = form.filled(**{"t1-code": "1", "t1-game_2_points_2": "0"})
        desk.post(path(event, ENTER), forged)

        possible = {o.code: o.is_possible for o in card_of(page, 1).outcomes}
        assert possible == {"1": False, "3": False, "4": True, "2": True}
        assert f"Game 1 is lost by {loser.player.name}: penalty." in text_of(page)
        assert points(pairing) == [10, 10]


class TestTableOfACut:
    ROLE = "rounds/2/tables/1/role/"

    @pytest.fixture
    def cut(self) -> Tournament:
        event = event_with_cut(4, system="single_elimination")
        start_round(event)
        return event

    def results(self, event: Tournament) -> Any:
        return desk_of(event).get(path(event, "rounds/2/results/"))

    def test_sides_are_chosen_on_the_card_before_an_outcome(self, cut: Tournament):
        before = self.results(cut)
        seats = card_of(before, 1).seats

        chosen = {"page": "results", "seen": "", "corp": seats[1].number}
        answer = desk_of(cut).post(path(cut, self.ROLE), chosen, headers=HTMX)

        card = card_of(before, 1)
        assert (card.chooser, card.outcomes) == (seed(cut, 1).player.name, ())
        assert "is the higher seed and chooses which side to play first." in text_of(before)
        fresh = answer.context["card"]
        assert fresh.seats[0].name == seats[1].name
        assert [seat.side for seat in fresh.seats] == ["Corp first", ""]
        assert len(fresh.outcomes) == 4
        assert forms_in(answer.content.decode())

    def test_second_choice_of_a_different_side_is_refused(self, cut: Tournament):
        desk, seats = desk_of(cut), card_of(self.results(cut), 1).seats
        first, second = ({"page": "results", "seen": "", "corp": seat.number} for seat in seats)
        desk.post(path(cut, self.ROLE), first)

        answer = desk.post(path(cut, self.ROLE), second, headers=HTMX)
        next_page = desk.get(path(cut, "rounds/2/results/"))
        whole = desk.post(path(cut, self.ROLE), second)

        assert (answer.status_code, whole.status_code) == (409, 409)
        pages = answer, next_page, whole
        assert [text_of(page).count("The sides have been chosen.") for page in pages] == [1, 0, 1]

    def test_no_draw_is_offered(self):
        event = make_event(players=4, game="anr", scoring_rule="anr_single")
        play_round(event, play=lambda pairing: MatchResult((won_game(1, Role.CORP),)))
        make_cut(event, 4, system="single_elimination", scoring_rule="anr_single")
        start_round(event)
        number = card_of(self.results(event), 1).seats[0].number
        desk = desk_of(event)
        desk.post(path(event, self.ROLE), {"page": "results", "seen": "", "corp": number})

        page = self.results(event)
        edited = desk.get(path(event, "rounds/2/results/?edit=1"))

        details = [outcome.detail for outcome in card_of(page, 1).outcomes]
        assert details == ["Corp wins", "Runner wins"]
        assert [code.keys for code in page.context["codes"]] == ["1", "2"]
        assert not {"0", "9"} & page.context["code_fields"].keys()
        whole = form_of(edited, path(event, "rounds/2/tables/1/enter/"))
        assert "t1-intentional_draw" not in whole.names


class TestOtherResults:
    def test_other_results_open_every_field_of_one_table(
        self, desk: Client, event: Tournament, round_: Round
    ):
        page = desk.get(path(event, f"{RESULTS}?edit=1"))
        alone = desk.get(path(event, f"{RESULTS}?edit=1"), headers=HTMX)

        whole = form_of(page, path(event, ENTER))
        assert {"t1-game_1_winner", "t1-game_2_end", "t1-game_2_points_1"} <= whole.names.keys()
        second_form = form_of(page, path(event, "rounds/1/tables/2/enter/"))
        assert "t2-game_1_winner" not in second_form.names
        assert "<html" not in alone.content.decode()
        assert [form.action for form in forms_in(alone.content.decode())] == [path(event, ENTER)]

    def test_closing_the_fields_returns_the_card(self, desk: Client, event: Tournament):
        alone = desk.get(path(event, f"{RESULTS}?table=1"), headers=HTMX)

        assert "<html" not in alone.content.decode()
        assert "t1-game_1_winner" not in form_of(alone, path(event, ENTER)).names

    def test_game_by_game_is_a_result(self, desk: Client, event: Tournament, round_: Round):
        pairing = table(round_, 1)

        desk.post(path(event, ENTER), result_fields(pairing, "t1-"))

        assert points(pairing) == [20, 3]

    def test_opened_table_shows_its_report_unless_disputed(
        self, desk: Client, event: Tournament, round_: Round
    ):
        first, second = tables_of(round_)
        report(first)
        dispute(second)

        opened = [
            form_of(
                desk.get(path(event, f"{RESULTS}?edit={number}")),
                path(event, f"rounds/1/tables/{number}/enter/"),
            ).fields
            for number in (1, 2)
        ]

        assert opened[0]["t1-game_1_points_2"] == ["3"]
        assert opened[1]["t2-game_1_points_2"] == [""]

    def test_impossible_result_is_refused_with_its_reason_and_its_fields(
        self, desk: Client, event: Tournament, round_: Round
    ):
        pairing = table(round_, 1)
        fields = result_fields(pairing, "t1-", game_1_points_1="5")

        answer = desk.post(path(event, ENTER), fields, headers=HTMX)

        assert answer.status_code == 422
        assert "won by agenda points with 5, but 7 are needed" in text_of(answer)
        shown = form_of(answer, path(event, ENTER))
        assert shown.fields["t1-game_1_points_1"] == ["5"]
        assert points(pairing) == [None, None]

        assert "t1-forced" in shown.names
        without_a_note = desk.post(path(event, ENTER), {**fields, "t1-forced": "on"}, headers=HTMX)
        assert without_a_note.status_code == 409
        assert "Explain in the note why" in text_of(without_a_note)
        desk.post(path(event, ENTER), {**fields, "t1-forced": "on", "t1-note": "house rule"})
        assert points(pairing) == [20, 3]

    def test_incomplete_result_cannot_be_forced(
        self, desk: Client, event: Tournament, round_: Round
    ):
        fields = result_fields(table(round_, 1), "t1-", game_1_winner="")

        answer = desk.post(path(event, ENTER), fields)

        assert answer.status_code == 422
        assert "Game 1: choose who won, or Nobody." in text_of(answer)
        assert "t1-forced" not in form_of(answer, path(event, ENTER)).names


@pytest.mark.check(28)
def test_stale_card_shows_both_values_and_can_be_saved_again(
    desk: Client, event: Tournament, round_: Round
):
    pairing = table(round_, 1)
    old = result_fields(pairing, "t1-")
    enter_result(pairing, sweep(2, 5))

    answer = desk.post(path(event, ENTER), old, headers=HTMX)

    assert answer.status_code == 409
    text = text_of(answer)
    assert "Now recorded: game 1: Runner won (agenda points; Corp 5, Runner 7)" in text
    assert "You entered: game 1: Corp won (agenda points; Corp 7, Runner 3)" in text
    assert points(pairing) == [5, 20]
    desk.post(path(event, ENTER), form_of(answer, path(event, ENTER)).fields)
    assert points(pairing) == [20, 3]


def test_unusual_code_of_a_stale_card_is_kept(desk: Client, event: Tournament, round_: Round):
    pairing = table(round_, 1)
    form = form_of(desk.get(path(event, RESULTS)), path(event, ENTER))
    enter_result(pairing, sweep(2, 5))

    sent = form.filled(**{"t1-code": "c1", "t1-game_1_points_2": "2"})
    answer = desk.post(path(event, ENTER), sent, headers=HTMX)
    desk.post(path(event, ENTER), form_of(answer, path(event, ENTER)).fields)

    assert answer.status_code == 409
    assert points(pairing) == [20, 2]


class TestSettledTable:
    def test_saved_table_is_one_line_with_undo(
        self, desk: Client, event: Tournament, round_: Round
    ):
        answer = desk.post(path(event, ENTER), result_fields(table(round_, 1), "t1-"), headers=HTMX)

        assert answer.status_code == 200
        page = answer.content.decode()
        assert page.strip().startswith("<section")
        assert "data-settled" in page
        assert forms_in(page) == []
        assert answer.context["card"].undo == event.log.first().pk
        assert answer.context["card"].saved == "Table 1: Ada 20, Bo 3."

    def test_settled_tables_of_the_page_have_undo_and_no_form(
        self, desk: Client, event: Tournament, round_: Round
    ):
        enter_result(table(round_, 1), sweep(1, 3))

        page = desk.get(path(event, RESULTS))

        actions = [address_of(form, page) for form in forms_in(page.content.decode())]
        assert path(event, ENTER) not in actions
        assert [seat.points for seat in card_of(page, 1).seats] == [20, 3]
        assert f'value="{event.log.first().pk}" data-undo' in page.content.decode()

    def test_closed_round_has_no_undo(self, desk: Client, owner: User):
        event = make_event(players=4, owner=owner)
        round_ = start_round(event)
        for pairing in tables_of(round_):
            enter_result(pairing, sweep(1))
        close_round(round_)

        assert card_of(desk.get(path(event, RESULTS)), 1).undo is None

    def test_change_is_described_with_the_new_points(
        self, desk: Client, event: Tournament, round_: Round
    ):
        pairing = table(round_, 1)
        enter_result(pairing, sweep(2, 0))

        answer = desk.post(path(event, ENTER), result_fields(pairing, "t1-"), follow=True)

        text = text_of(answer)
        assert re.search(r"Table 1 changed: \w+ \d+, \w+ \d+\.", text)

    def test_saved_result_can_be_undone(self, desk: Client, event: Tournament, round_: Round):
        pairing = table(round_, 1)
        answer = desk.post(path(event, ENTER), result_fields(pairing, "t1-"), headers=HTMX)
        entry = answer.context["card"].undo

        undone = desk.post(
            path(event, "rounds/1/tables/1/take-back/"), {"entry": entry}, headers=HTMX
        )

        assert undone.status_code == 200
        assert undone.context["card"].saved == "Result of table 1 undone. It has no result now."
        assert "data-settled" not in undone.content.decode()
        assert points(pairing) == [None, None]
        assert event.log.first().undoes == event.log.get(pk=entry)

    def test_second_undo_is_refused(self, desk: Client, event: Tournament, round_: Round):
        pairing = table(round_, 1)
        desk.post(path(event, ENTER), result_fields(pairing, "t1-"))
        entry = {"entry": event.log.first().pk}
        place = path(event, "rounds/1/tables/1/take-back/")
        assert desk.post(place, entry).status_code == 302

        again = desk.post(place, entry)

        assert again.status_code == 409
        assert "This has already been undone." in text_of(again)

    def test_entry_of_a_different_table_undoes_nothing(
        self, desk: Client, event: Tournament, round_: Round
    ):
        desk.post(path(event, ENTER), result_fields(table(round_, 1), "t1-"))
        entry = {"entry": event.log.first().pk}

        answer = desk.post(path(event, "rounds/1/tables/2/take-back/"), entry)

        assert answer.status_code == 409
        assert points(table(round_, 1)) == [20, 3]


class TestUnconfirmedReport:
    def accept_fields(self, pairing: Pairing) -> dict[str, str]:
        return {"report": str(pairing.match.reports.get(state="proposed").pk), "page": "results"}

    def test_report_is_accepted_with_one_click(
        self, desk: Client, event: Tournament, round_: Round
    ):
        pairing = table(round_, 1)
        report(pairing)

        page = desk.get(path(event, RESULTS))
        answer = desk.post(path(event, ACCEPT), self.accept_fields(pairing))

        (claim,) = card_of(page, 1).claims
        assert claim.report_id == pairing.match.reports.get().pk
        assert claim.sentence == "Ada reports 2–0 for Ada (20–3 points)."
        assert answer.headers["Location"] == path(event, RESULTS)
        pairing.match.refresh_from_db()
        assert pairing.match.state == MatchState.CONFIRMED
        assert points(pairing) == [20, 3]

    def test_report_of_the_loser_names_the_winner(
        self, desk: Client, event: Tournament, round_: Round
    ):
        report(table(round_, 1), position=2)

        (claim,) = card_of(desk.get(path(event, RESULTS)), 1).claims

        assert claim.sentence == "Bo reports 2–0 for Ada (20–3 points)."

    def test_report_of_a_split_names_the_player_with_more_points(
        self, desk: Client, event: Tournament, round_: Round
    ):
        split = MatchResult(
            (
                won_game(1, Role.CORP, loser_points=5),
                won_game(2, Role.CORP, loser_points=4),
            )
        )
        ada = table(round_, 1).match.seats.select_related("player").get(position=1)
        services.report_result(table(round_, 1), ada, split, Actor(player=ada.player))

        (claim,) = card_of(desk.get(path(event, RESULTS)), 1).claims

        assert claim.sentence == "Ada reports 1–1. Bo leads 15–14 on points."

    def test_report_corrected_since_is_not_accepted(
        self, desk: Client, event: Tournament, round_: Round
    ):
        pairing = table(round_, 1)
        report(pairing)
        seen = self.accept_fields(pairing)
        report(pairing, stolen=5)

        answer = desk.post(path(event, ACCEPT), seen, headers=HTMX)
        next_page = desk.get(path(event, RESULTS))

        assert answer.status_code == 409
        (refusal,) = answer.context["card"].refusals
        assert refusal in text_of(answer)
        assert refusal not in text_of(next_page)
        assert points(pairing) == [None, None]

    def test_report_of_a_different_table_is_not_accepted(
        self, desk: Client, event: Tournament, round_: Round
    ):
        report(table(round_, 1))
        seen = self.accept_fields(table(round_, 1))

        answer = desk.post(path(event, "rounds/1/tables/2/accept/"), seen, headers=HTMX)

        assert answer.status_code == 409
        assert points(table(round_, 2)) == [None, None]

    def test_disputed_table_shows_both_reports_and_leads_to_its_page(
        self, desk: Client, event: Tournament, round_: Round
    ):
        dispute(table(round_, 1))

        page = desk.get(path(event, RESULTS))

        sentences = [claim.sentence for claim in card_of(page, 1).claims]
        assert sentences == [
            "Ada reports 2–0 for Ada (20–3 points).",
            "Bo reports 2–0 for Ada (20–4 points).",
        ]
        assert "Resolve the dispute" in text_of(page)
        assert "Accept" not in text_of(page)

    def test_report_of_a_pod_is_accepted_with_its_factions(
        self, desk: Client, owner: User, phone_of
    ):
        event = make_event(3, owner=owner, game="free_radicals")
        pairing = table(start_round(event), 1)
        reported = {f"victory_points_{seat}": str(10 * seat) for seat in (1, 2, 3)}
        phone = phone_of(sitting(pairing)[0])
        phone.post(path(event, "rounds/1/tables/1/report/"), {**reported, "faction_2": "farmers"})

        desk.post(path(event, ACCEPT), self.accept_fields(pairing))

        assert points(pairing) == [2, 3, 5]
        played = pairing.match.games.get().seats.get(seat__position=2)
        assert played.faction == "farmers"

    def test_time_of_the_automatic_confirmation_is_shown(self, desk: Client, owner: User):
        event = make_event(players=4, owner=owner, confirm_after_minutes=15, time_zone="Asia/Tokyo")
        pairing = table(start_round(event), 1)
        report(pairing)
        confirmed_at = pairing.match.reports.get().created_at + timedelta(minutes=15)

        text = text_of(desk.get(path(event, RESULTS)))

        assert (
            f"Counts automatically at {confirmed_at.astimezone(ZoneInfo('Asia/Tokyo')):%H:%M}"
            in text
        )


def test_page_counts_missing_results(desk: Client, event: Tournament, round_: Round):
    before = text_of(desk.get(path(event, RESULTS)))
    enter_result(table(round_, 1), sweep(1))
    between = text_of(desk.get(path(event, RESULTS)))
    enter_result(table(round_, 2), sweep(1))
    after = desk.get(path(event, RESULTS))

    assert "2 of 2 results missing" in before
    assert "1 of 2 results missing" in between
    assert after.context["missing"] == 0
    assert "All results are in." in text_of(after)


def test_reported_and_disputed_results_are_not_missing(
    desk: Client, event: Tournament, round_: Round
):
    report(table(round_, 1))
    dispute(table(round_, 2))

    page = desk.get(path(event, RESULTS))

    counts = [page.context[name] for name in ("missing", "reported", "disputed", "all_in")]
    assert counts == [0, 1, 1, False]
    assert "Waiting for confirmation: 1" in text_of(page)


def test_unchanged_tables_are_answered_with_304(desk: Client, event: Tournament, round_: Round):
    cards = desk.get(path(event, RESULTS), headers=FRAGMENT)
    assert cards.content.decode().count("<section") == 2
    assert "<html" not in cards.content.decode()

    again = {**FRAGMENT, "If-None-Match": cards["ETag"]}
    assert desk.get(path(event, RESULTS), headers=again).status_code == 304

    enter_result(table(round_, 1), sweep(1))
    fresh = desk.get(path(event, RESULTS), headers=again).content.decode()
    versions = re.findall(r'data-version="\d+-(\d+)"', fresh)
    assert versions == ["2", "1"]
