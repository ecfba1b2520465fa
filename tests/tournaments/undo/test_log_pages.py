from typing import Any

import pytest
from django.test import Client

from decks.models import Side
from tests.factories.decks import legal_corp_list
from tests.factories.library import load_cards
from tests.factories.sessions import logged_in
from tests.factories.submissions import submit_deck
from tests.factories.tournaments import (
    add_staff,
    draft_round,
    enter_result,
    get_round,
    owner_of,
    play_round,
    player_number,
    start_round,
    sweep,
    table,
)
from tests.tournaments.pages import url
from tournaments import tasks
from tournaments.decklists import deck_checks
from tournaments.event.permissions import Actor
from tournaments.models import LogEntry, ProgramReason, Registration, StaffRole, Tournament
from tournaments.registration import roster_changes
from tournaments.registration import services as registration_services
from tournaments.results import services as results_services
from tournaments.rounds import services as rounds_services


def page(client: Client, event: Tournament, **filters: Any) -> str:
    return client.get(url("log", event), filters).content.decode()


def words(html: str) -> str:
    return " ".join(html.replace("<bdi>", "").replace("</bdi>", "").split())


def address(name: str, entry: LogEntry) -> str:
    return url(name, entry.tournament, entry.pk)


def test_changed_result_shows_the_points_before(event: Tournament, desk: Client):
    pairing = table(start_round(event), 1)
    first, second = (seat.player.name for seat in pairing.match.seats.all())

    enter_result(pairing, sweep(1, 3))
    assert f"Result entered: round 1, table 1: {first} 20, {second} 3" in words(page(desk, event))
    enter_result(pairing, sweep(2, 6))

    sentence = f"Result changed: round 1, table 1: {first} 6, {second} 20, before: 20, 3"
    assert sentence in words(page(desk, event))


def test_log_is_filtered(event: Tournament, desk: Client):
    play_round(event)
    pairing = table(start_round(event), 1)
    ada = pairing.match.seats.select_related("player").get(position=1)
    results_services.report_result(pairing, ada, sweep(1, 3), Actor(player=ada.player))
    number = event.registrations.get(player=ada.player).number
    judge = add_staff(event, StaffRole.ORGANISER)
    roster_changes.set_seed_and_group(
        player_number(event, number), Actor(user=judge), seed=1, avoid_group="vans"
    )

    assert "round 1, table" not in page(desk, event, round="2", kind="results")
    assert "round 2, table 1" in page(desk, event, round="2", kind="results")
    of_player = page(desk, event, player=number)
    assert "Result reported" in of_player
    assert "Player checked in" in of_player
    assert "Role given" not in of_player
    by_judge = page(desk, event, by=f"user-{judge.pk}")
    assert by_judge.count('class="log__entry') == 1
    assert "Seed and group set" in by_judge
    by_player = page(desk, event, by=f"player-{ada.player_id}")
    assert by_player.count('class="log__entry') == 1
    of_words = page(desk, event, words="REPORTED table")
    assert of_words.count('class="log__entry') == 1


def test_log_is_searched_for_the_shown_action_and_reason(event: Tournament, desk: Client):
    pairing = table(start_round(event), 1)
    owner = owner_of(event)
    rounds_services.add_table_minutes(pairing, 2, owner, ProgramReason.JUDGE_CALL)

    for shown in ("Extra given", "CALLED to"):
        assert page(desk, event, words=shown).count('class="log__entry') == 1


@pytest.mark.parametrize(
    "filters", [{"round": "x"}, {"by": "user-x"}, {"player": "99999"}, {"kind": "'"}]
)
def test_invalid_filters_are_ignored(event: Tournament, desk: Client, filters: dict[str, str]):
    assert "entries" in page(desk, event, **filters)


def test_undo_is_previewed_and_done(event: Tournament, desk: Client):
    ada = player_number(event, 1)
    registration_services.drop_player(ada, owner_of(event))
    dropped = event.log.latest("pk")
    assert address("log_undo", dropped) in page(desk, event)

    plan = desk.get(address("log_undo", dropped)).content.decode()
    assert f"{ada.player} will be checked in and play from the next draft." in plan
    answer = desk.post(address("log_undo", dropped), {"reason": "Missed the train"}, follow=True)

    assert Registration.objects.get(pk=ada.pk).is_active
    shown = words(answer.content.decode())
    assert "Undone" in shown
    assert "Undid" in shown
    assert f'id="entry-{dropped.pk}"' in shown
    assert address("log_undo", dropped) not in shown


def test_refused_undo_shows_the_reason(event: Tournament, desk: Client):
    play_round(event)
    entry = event.log.filter(action="result entered").latest("pk")
    draft_round(event)

    plan = desk.get(address("log_undo", entry)).content.decode()
    answer = desk.post(address("log_undo", entry), follow=True).content.decode()

    assert "Round 2 was paired from this result" in plan
    assert ">Undo</button>" not in plan
    assert "Round 2 was paired from this result" in answer


def test_undo_of_a_result_shows_its_impact(event: Tournament, desk: Client):
    pairing = table(play_round(event), 1)
    first = pairing.match.seats.get(position=1).player
    enter_result(pairing, sweep(2, 6))
    entry = event.log.filter(action="result changed").latest("pk")

    plan = words(desk.get(address("log_undo", entry)).content.decode())

    assert "players affected" in plan
    assert f'<th scope="row">{first.name}</th>' in plan


def test_log_entry_shows_published_pairings(event: Tournament, desk: Client):
    round_ = start_round(event)
    seats = {seat.player.name for seat in table(round_, 1).match.seats.all()}
    entry = event.log.get(action="round published")

    shown = desk.get(address("log_entry", entry)).content.decode()
    listed = desk.get(url("versions", event)).content.decode()

    assert "Pairings at that time" in shown
    assert all(name in shown for name in seats)
    assert address("log_entry", entry) in listed


def test_earlier_standings_show_the_differences(event: Tournament, desk: Client):
    round_ = play_round(event)
    first = event.snapshots.get()
    enter_result(table(round_, 1), sweep(2, 6))
    tasks.recompute_standings(event.jobs.filter(kind="recompute_standings").latest("pk").pk)
    second = event.snapshots.exclude(pk=first.pk).get()

    listed = desk.get(url("versions", event)).content.decode()
    was = desk.get(url("standings_then", event, first.pk))
    newest = desk.get(url("standings_then", event, second.pk))

    assert "Version 2" in listed
    assert "What changed" not in was.content.decode()
    winner = table(round_, 1).match.seats.last().player.name
    changed = words(newest.content.decode()).split("What changed")[1].split("</table>")[0]
    assert winner in changed
    assert "These are the current standings" in newest.content.decode()


@pytest.mark.parametrize(
    ("role", "reads"), [(StaffRole.SCOREKEEPER, False), (StaffRole.JUDGE, True)]
)
def test_only_judges_see_deck_checks(event: Tournament, role: StaffRole, *, reads: bool):
    load_cards()
    start_round(event)
    ada = player_number(event, 1)
    submit_deck(ada, Side.CORP, legal_corp_list(), Actor(player=ada.player))
    round_ = get_round(event, 1)
    seated = round_.pairing_of(ada.player)
    assert seated.table_number is not None
    deck_checks.pick_table(round_, owner_of(event), seated.table_number)
    client = logged_in(add_staff(event, role))
    entry = event.log.get(action="deck check picked")

    assert ("Deck check picked" in page(client, event)) is reads
    assert ("Deck check picked" in page(client, event, kind="judges")) is reads
    assert client.get(address("log_entry", entry)).status_code == (200 if reads else 404)
