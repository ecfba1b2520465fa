"""The staff page of one table."""

import re

from django.test import Client

from matches.models import MatchState
from matches.scoring.results import MatchResult, Role
from rulings import queries as rulings_queries
from tests.factories.library import load_few_rulings
from tests.factories.sessions import logged_in
from tests.factories.tournaments import add_staff, enter_result, owner_of, table, won_game
from tests.tournaments.pages import path, text_of, url
from tests.tournaments.results.reporting import dispute, points, result_fields
from tests.tournaments.scenes import at_tables
from tournaments.models import Pairing, Round, StaffRole, Tournament
from tournaments.rounds import services as rounds_services

make_scene = at_tables


def test_both_reports_and_their_differences_are_on_top(
    desk: Client, event: Tournament, round_: Round
):
    pairing = table(round_, 1)
    dispute(pairing)

    page = desk.get(path(event, "rounds/1/tables/1/decide/"))

    first, second = (seat.player.name for seat in pairing.match.seats.order_by("position"))
    assert [sentence for _report, sentence in page.context["claims"]] == [
        f"{first} reports 2–0 for {first} (20–3 points).",
        f"{second} reports 2–0 for {first} (20–4 points).",
    ]
    compared = page.context["dispute"]
    differences = [(field.game, field.label, values) for field, values in compared.differences]
    assert differences == [
        (1, "Agenda points of the Runner", [(first, "3"), (second, "4")]),
        (2, "Agenda points of the Corp", [(first, "3"), (second, "4")]),
    ]
    assert len(compared.rows) > len(differences)


def test_form_starts_from_the_chosen_report(desk: Client, event: Tournament, round_: Round):
    pairing = table(round_, 1)
    dispute(pairing)
    second = pairing.match.reports.order_by("pk")[1]

    page = desk.get(path(event, f"rounds/1/tables/1/decide/?report={second.pk}")).content.decode()

    assert re.search(r'name="game_1_points_2"[^>]*value="4"', page)


def test_decision_settles_the_dispute(desk: Client, event: Tournament, round_: Round):
    pairing = table(round_, 1)
    dispute(pairing)

    answer = desk.post(
        path(event, "rounds/1/tables/1/decide/"),
        result_fields(pairing, note="both agreed in the end"),
    )

    assert answer["Location"] == path(event)
    pairing.match.refresh_from_db()
    assert pairing.match.state == MatchState.DECIDED
    assert event.log.get(action="result entered").reason == "both agreed in the end"


class TestReportOfAPlayer:
    ADDRESS = "rounds/1/tables/1/decide/"

    def choice(self, pairing: Pairing) -> dict[str, int]:
        second = pairing.match.reports.order_by("pk")[1]
        return {"report": second.pk, "seen": pairing.match.version}

    def test_is_recorded_in_one_step_with_undo(
        self, desk: Client, event: Tournament, round_: Round
    ):
        dispute(table(round_, 1))
        pairing = table(round_, 1)

        answer = desk.post(path(event, self.ADDRESS), self.choice(pairing), follow=True)

        assert points(pairing) == [20, 4]
        assert table(round_, 1).match.state == MatchState.DECIDED
        entry = event.log.get(action="result entered")
        assert url("log_undo", event, entry.pk) in answer.content.decode()

    def test_is_refused_after_a_newer_change(self, desk: Client, event: Tournament, round_: Round):
        dispute(table(round_, 1))
        pairing = table(round_, 1)
        old = self.choice(pairing)
        games = (won_game(1, Role.CORP), won_game(2, Role.CORP))
        enter_result(pairing, MatchResult(games))

        answer = desk.post(path(event, self.ADDRESS), old, follow=True)

        assert "Someone changed this result" in text_of(answer)
        assert points(pairing) == [10, 10]

    def test_is_filled_in_but_not_recorded_once_the_round_is_closed(
        self, desk: Client, event: Tournament, round_: Round
    ):
        dispute(table(round_, 1))
        pairing = table(round_, 1)
        choice = self.choice(pairing)
        number = round_.number + 1
        rounds_services.close_round_by_force(event, number, owner_of(event), "The shop closes.")

        answer = desk.post(path(event, self.ADDRESS), choice, follow=True)

        assert "The round is closed now." in text_of(answer)
        assert re.search(r'name="game_1_points_2"[^>]*value="4"', answer.text)
        assert points(pairing) == [None, None]

    def test_of_another_table_is_refused(self, desk: Client, event: Tournament, round_: Round):
        dispute(table(round_, 2))
        pairing = table(round_, 1)
        other = self.choice(table(round_, 2))

        answer = desk.post(path(event, self.ADDRESS), other, follow=True)

        assert "this report has been replaced" in text_of(answer)
        assert points(pairing) == [None, None]

    def test_is_not_recorded_by_a_judge(self, event: Tournament, round_: Round):
        dispute(table(round_, 1))
        pairing = table(round_, 1)
        judge = logged_in(add_staff(event, StaffRole.JUDGE))

        answer = judge.post(path(event, self.ADDRESS), self.choice(pairing), follow=True)

        assert "You may write notes here, but not enter results." in text_of(answer)
        assert points(pairing) == [None, None]


def test_dispute_page_has_no_next_step(desk: Client, event: Tournament, round_: Round):
    strip = 'class="next-strip'
    address = path(event, "rounds/1/tables/1/decide/")
    assert strip in desk.get(address).content.decode()

    dispute(table(round_, 1))

    assert strip not in desk.get(address).content.decode()


def test_stale_decision_is_refused_and_shown_again(desk: Client, event: Tournament, round_: Round):
    pairing = table(round_, 1)
    old = result_fields(pairing)
    games = (won_game(1, Role.CORP), won_game(2, Role.CORP))
    enter_result(pairing, MatchResult(games))

    answer = desk.post(path(event, "rounds/1/tables/1/decide/"), old)

    assert answer.status_code == 409
    assert "Someone changed this result" in text_of(answer)
    assert points(pairing) == [10, 10]


def test_judge_can_write_notes_but_not_decide(event: Tournament, round_: Round):
    judge = logged_in(add_staff(event, StaffRole.JUDGE))
    pairing = table(round_, 1)

    page = judge.get(path(event, "rounds/1/tables/1/decide/")).content.decode()
    answer = judge.post(
        path(event, "rounds/1/tables/1/decide/"), result_fields(pairing), follow=True
    )
    judge.post(path(event, "rounds/1/tables/1/note/"), {"text": "Slow play."})

    assert "Record this result" not in page
    assert "You may write notes here, but not enter results." in text_of(answer)
    assert points(pairing) == [None, None]
    assert pairing.match is not None
    assert rulings_queries.notes_of(pairing.match).get().text == "Slow play."


def test_note_cites_the_current_version_of_a_ruling(desk: Client, event: Tournament, round_: Round):
    load_few_rulings()
    desk.get(path(event, "rounds/1/tables/1/decide/"))
    form_page = desk.get(
        path(event, "rounds/1/tables/1/decide/?rulings=tracing-1")
    ).content.decode()
    assert 'value="tracing-1"' in form_page
    assert desk.session["citing"] == {
        "label": "table 1, round 1",
        "url": path(event, "rounds/1/tables/1/decide/#notes"),
    }

    desk.post(
        path(event, "rounds/1/tables/1/note/"), {"text": "Used twice.", "rulings": "tracing-1"}
    )

    page = text_of(desk.get(path(event, "rounds/1/tables/1/decide/")))
    assert "Used twice." in page
    assert "R-0001 Tracing, version 1" in page


def test_note_is_shown_again_with_an_unknown_ruling(desk: Client, event: Tournament, round_: Round):
    load_few_rulings()

    answer = desk.post(
        path(event, "rounds/1/tables/1/note/"), {"text": "Used twice.", "rulings": "tracign-1"}
    )

    assert answer.status_code == 422
    assert "Did you mean tracing-1" in text_of(answer)
    assert "Used twice." in text_of(answer)


class TestOverride:
    ADDRESS = "rounds/1/tables/1/decide/"
    IMPOSSIBLE = {"game_2_end": "flatline", "game_2_winner": "1"}

    def test_override_is_offered_only_with_a_contradiction(
        self, desk: Client, event: Tournament, round_: Round
    ):
        impossible = result_fields(table(round_, 1), **self.IMPOSSIBLE)

        shown = desk.get(path(event, self.ADDRESS))
        refused = desk.post(path(event, self.ADDRESS), impossible)
        noteless = desk.post(path(event, self.ADDRESS), {**impossible, "forced": "on"})
        fields = {**impossible, "forced": "on", "note": "Both saw it."}
        taken = desk.post(path(event, self.ADDRESS), fields)

        assert "override" not in text_of(shown).lower()
        assert (refused.status_code, noteless.status_code, taken.status_code) == (422, 409, 302)
        for page in (refused, noteless):
            assert "Override the rules" in text_of(page)
