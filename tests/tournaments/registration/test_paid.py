from collections.abc import Callable
from typing import Any

from django.test import Client
from django.utils import timezone

from players.models import User
from tests.factories.tournaments import (
    fresh,
    make_event,
    make_user,
    owner_of,
    player_number,
    removed_meanwhile,
)
from tests.tournaments.cast import OWNER, browser_of
from tests.tournaments.pages import FRAGMENT, path, preview_answers, text_of
from tournaments.files.whole_event import event_document
from tournaments.models import Registration, Tournament
from tournaments.registration import roster_changes
from tournaments.undo import services as undo_services


def make_scene() -> Tournament:
    return make_event(players=3, owner=make_user(OWNER), checked_in=False, entry_fee="5 €")


def pay(event: Tournament, *numbers: int) -> int:
    places = [player_number(event, number) for number in numbers]
    return roster_changes.set_paid(event, places, owner_of(event), has_paid=True)


def payers(event: Tournament) -> list[int]:
    marked = event.registrations.exclude(paid_at=None).order_by("number")
    return list(marked.values_list("number", flat=True))


def test_roster_counts_and_filters_payments(desk: Client, event: Tournament):
    desk.post(path(event, "roster/2/paid/"), {"paid": "yes"})

    assert "1 of 3 paid" in text_of(desk.get(path(event, "roster/")))
    missing: Any = desk.get(path(event, "roster/?state=unpaid"))
    assert missing.context["roster"].shown_count == 2
    desk.post(path(event, "roster/2/paid/"), {"paid": "no"})
    assert "0 of 3 paid" in text_of(desk.get(path(event, "roster/")))


def test_payments_are_hidden_without_a_fee(desk: Client, owner: User):
    event = make_event(players=3, owner=owner)

    assert "paid" not in text_of(desk.get(path(event, "roster/")))
    assert "Paid" not in text_of(desk.get(path(event, "roster/tick/")))
    pay(event, 1)
    assert "1 of 3 paid" in text_of(desk.get(path(event, "roster/")))


def test_check_in_list_marks_payments(desk: Client, event: Tournament):
    answer = desk.post(path(event, "roster/tick/"), {"paid": "2 yes"}, headers=FRAGMENT)
    assert answer.json() == {"is_on": True, "count": 1, "words": "Bo has paid."}

    answer = desk.post(path(event, "roster/tick/"), {"paid": "2 no"}, headers=FRAGMENT)
    assert answer.json() == {"is_on": False, "count": 0, "words": "Bo has not paid."}


def test_scan_marks_payments(desk: Client, event: Tournament):
    door = path(event, "roster/scan/")
    arrived = desk.post(door, {"typed": "2"}, headers=FRAGMENT).content.decode()
    paid = desk.post(door, {"paid": "2"}, headers=FRAGMENT).content.decode()

    assert "Not paid." in arrived
    assert ("Marked as paid." in paid, "Not paid." in paid, payers(event)) == (True, False, [2])


def test_scan_at_a_finished_event_is_refused(desk: Client, event: Tournament):
    Tournament.objects.filter(pk=event.pk).update(finished_at=timezone.now())

    answer = desk.post(path(event, "roster/scan/"), {"paid": "2"}, headers=FRAGMENT)

    assert "Not marked as paid: This event is finished." in text_of(answer)
    assert payers(event) == []


def test_scan_of_a_removed_player_is_refused(desk: Client, event: Tournament):
    with removed_meanwhile(player_number(event, 2)):
        answer = desk.post(path(event, "roster/scan/"), {"paid": "2"}, headers=FRAGMENT)

    assert "removed from the roster" in text_of(answer)


def test_judge_sees_no_payments(event: Tournament):
    pay(event, 1)
    judge = browser_of("judge", event, player_number(event, 1))

    pages = [text_of(judge.get(path(event, page))) for page in ("roster/", "roster/tick/")]

    assert not any("paid" in page.lower() for page in pages)


def test_player_sees_only_their_own_payment(
    event: Tournament, phone_of: Callable[[Registration], Client]
):
    ada, bo = (phone_of(player_number(event, number)) for number in (1, 2))
    before = ada.get(path(event, "me/"))["ETag"]
    pay(event, 1)

    after = ada.get(path(event, "me/"))

    assert after["ETag"] != before
    assert "You have paid." in text_of(after)
    assert "Not marked as paid yet." in text_of(bo.get(path(event, "me/")))


def test_list_marks_new_and_known_players(desk: Client, event: Tournament):
    text = "name;paid\nBo;yes\nCy;no\nDi;x\nEd;\n"
    preview = desk.post(path(event, "roster/csv/"), {"kind": "csv", "text": text})
    assert "Bo is already registered and will be marked as paid." in text_of(preview)
    assert "1 player on the roster is marked as paid in this list" in text_of(preview)

    desk.post(path(event, "roster/apply/"), preview_answers(preview))

    assert payers(event) == [2, 4]


def test_ticked_duplicate_is_marked_instead_of_the_known_player(desk: Client, event: Tournament):
    text = "name;paid\nBo;yes\n"
    preview = desk.post(path(event, "roster/csv/"), {"kind": "csv", "text": text})

    desk.post(path(event, "roster/apply/"), {**preview_answers(preview), "take-2": "on"})

    assert payers(event) == [4]


def test_mark_is_logged_once_and_undone(event: Tournament):
    version = event.version
    assert (pay(event, 1, 2), pay(event, 1, 2)) == (2, 0)
    entry = event.log.get(action="marked as paid", registration__number=2)

    undo_services.undo(entry, owner_of(event))

    assert payers(event) == [1]
    assert fresh(event).version == version


def test_waiting_and_dropped_players_are_not_counted(event: Tournament):
    pay(event, 1, 2)
    event.registrations.filter(number=2).update(state="dropped")
    event.registrations.filter(number=3).update(state="waiting")

    assert event.payment_count() == (1, 1)


def test_mark_is_exported_in_the_private_document_only(event: Tournament):
    pay(event, 1)

    public, private = (event_document(event, private=private) for private in (False, True))

    assert "paid_at" not in public["event"]["players"][0]
    assert private["event"]["players"][0]["paid_at"] is not None


def test_roster_csv_marks_no_payments_when_imported(desk: Client, event: Tournament):
    pay(event, 1)
    second_event = make_event(players=1, owner=owner_of(event).user, entry_fee="5 €")

    text = desk.get(path(event, "roster.csv")).content.decode("utf-8-sig")
    fields = {"kind": "csv", "text": text}
    preview = desk.post(path(second_event, "roster/csv/"), fields)
    desk.post(path(second_event, "roster/apply/"), preview_answers(preview))

    assert "paid_at" in text.splitlines()[0]
    assert (second_event.registrations.count(), payers(second_event)) == (3, [])
