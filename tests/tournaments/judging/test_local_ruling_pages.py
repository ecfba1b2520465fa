"""Pages of local rulings, and their visibility."""

import pytest
from django.test import Client
from django.utils import timezone

from decks.models import Card, Side
from players.models import User
from players.services import create_player
from rulings.forms import CiteForm
from rulings.services import withdraw_ruling
from tests.factories.sessions import logged_in
from tests.factories.tournaments import (
    add_staff,
    make_event,
    owner_of,
    play_round,
    start_round,
    tables_of,
)
from tests.players.factors import give_app
from tests.tournaments.pages import url
from tournaments.event import visibility
from tournaments.event.permissions import NOBODY, Actor
from tournaments.judging import calls, local_rulings
from tournaments.judging import queries as judging_queries
from tournaments.judging.calls import CallAnswer
from tournaments.judging.local_rulings import Wording
from tournaments.models import LocalRuling, Tournament, Visibility
from tournaments.settings import services as settings_services


def make_ruling(event: Tournament, text: str = "Three minutes a turn."):
    return local_rulings.make(event, owner_of(event), "Slow play", Wording(text))


def read(browser: Client, address: str) -> str:
    return browser.get(address, follow=True).text


def test_ruling_of_the_head_judge_is_visible_to_all_readers(event: Tournament, head_judge: Client):
    assert url("event_rulings", event) not in read(Client(), url("event", event))
    assert "No local rulings" in read(Client(), url("event_rulings", event))
    assert "No local rulings yet" in read(head_judge, url("local_rulings", event))

    answer = head_judge.post(
        url("local_ruling_new", event),
        {"subject": "Slow play", "text": "<b>Three</b> minutes.", "reason": "A long game"},
        follow=True,
    )

    (local,) = judging_queries.local_rulings_of(event)
    assert f"{local.ruling.short_code} now applies at this event" in answer.text
    assert url("event_rulings", event) in read(Client(), url("event", event))
    shown = read(Client(), url("event_rulings", event))
    for words in ("&lt;b&gt;Three&lt;/b&gt; minutes.", "Head judge", "Spring Run", "Local ruling"):
        assert words in shown
    head_judge.post(url("local_ruling_withdraw", event, local.pk))
    assert "Withdrawn" in read(Client(), url("event_rulings", event))


def test_invalid_ruling_is_not_saved(event: Tournament, head_judge: Client):
    answer = head_judge.post(url("local_ruling_new", event), {"subject": "", "rulings": "R-99999"})

    assert answer.status_code == 422
    assert "There is no ruling with the code" in answer.text
    assert not judging_queries.has_local_rulings(event)


def test_ruling_sent_twice_is_created_once(event: Tournament, head_judge: Client):
    fields = {"subject": "Slow play", "text": "So.", "idempotency_key": "a-key"}

    for _ in range(2):
        assert head_judge.post(url("local_ruling_new", event), fields).status_code == 302

    assert event.local_rulings.count() == 1


def test_answer_to_a_call_prefills_the_ruling_form(event: Tournament, head_judge: Client):
    basis = make_ruling(event, "Earlier words.")
    pairing = tables_of(start_round(event))[0]
    call = calls.raise_call(pairing, owner_of(event), "How long?")
    answer = CallAnswer("As long as it takes.", cited=[basis.ruling.current])
    calls.answer(event, call, owner_of(event), answer)

    filled = read(head_judge, f"{url('local_ruling_new', event)}?call={call.pk}")

    for words in ("As long as it takes.", "How long?", f"{basis.ruling.short_code} v1"):
        assert words in filled
    assert head_judge.get(f"{url('local_ruling_new', event)}?call=99999999999").status_code == 200
    assert head_judge.get(f"{url('local_ruling_new', event)}?call=x").status_code == 200


def test_concurrent_versions_are_shown_side_by_side(event: Tournament, head_judge: Client):
    local = make_ruling(event)
    edit = url("local_ruling_edit", event, local.pk)
    fields = {"text": "Mine.", "reason": "Better", "seen": "1"}
    head_judge.post(edit, {"text": "Theirs.", "reason": "Faster", "seen": "1"})

    late = head_judge.post(edit, fields)

    assert late.status_code == 409
    for words in ("Theirs.", "Mine.", "Current wording: version 2", 'name="seen" value="2"'):
        assert words in late.text
    assert head_judge.post(edit, {**fields, "seen": "2"}).status_code == 302
    assert local.ruling.versions.first().text == "Mine."


def test_etag_changes_when_an_administrator_changes_a_ruling(event: Tournament):
    local, browser, address = make_ruling(event), Client(), url("event_rulings", event)
    known = {"If-None-Match": browser.get(address)["ETag"]}
    assert browser.get(address, headers=known).status_code == 304

    withdraw_ruling(local.ruling, timezone.localdate())

    changed = browser.get(address, headers=known)
    assert "Withdrawn" in changed.text


def test_finished_event_keeps_the_wording_of_its_rulings(event: Tournament, head_judge: Client):
    local = make_ruling(event)
    play_round(event)
    settings_services.finish_event(event, owner_of(event))

    answer = head_judge.post(
        url("local_ruling_edit", event, local.pk),
        {"text": "Other words.", "reason": "Late", "seen": "1"},
    )

    assert answer.status_code == 409
    assert "finished" in answer.text
    assert "Three minutes a turn." in read(Client(), url("event_rulings", event))


def test_ruling_is_reused_at_and_removed_from_an_event(event: Tournament):
    local = make_ruling(event)
    owner = event.staff.get().user
    later = make_event(players=0, owner=owner, name="Autumn Run")
    browser = logged_in(owner)
    assert "Use at this event" in read(browser, url("local_rulings", later))

    browser.post(url("local_ruling_use", later, local.ruling.pk))
    assert "Three minutes a turn." in read(Client(), url("event_rulings", later))
    browser.post(url("local_ruling_leave", later, later.local_rulings.get().pk))

    assert "Three minutes a turn." not in read(Client(), url("event_rulings", later))


RULING_TEXT = "The goon stays loony."


@pytest.fixture
def card() -> Card:
    return Card.objects.create(
        title="Loony Goon", slug="loony-goon", side=Side.RUNNER, type="program"
    )


def make_ruling_by_judge(visibility: Visibility = Visibility.PRIVATE) -> tuple[LocalRuling, User]:
    """Return a local ruling and the account that created it."""
    event = make_event(players=1, visibility=visibility)
    user = add_staff(event, "head_judge", "haas_logs_in")
    judge = Actor(user=user, player=create_player("Dr Haas", user=user))
    return local_rulings.make(event, judge, "Loony Goon", Wording(RULING_TEXT)), user


def site_wide_addresses(local: LocalRuling) -> list[str]:
    ruling = local.ruling
    return [
        "/rulings/card/loony-goon/",
        ruling.document.get_absolute_url(),
        f"/rulings/search/?q=loony&document={ruling.document.slug}",
        "/rulings/pick/?q=loony",
        "/api/v1/rulings/?local=true",
        "/api/v1/rulings/?card=loony-goon&related=true&local=true",
    ]


def addresses_by_code(local: LocalRuling) -> list[str]:
    ruling = local.ruling
    return [
        ruling.get_absolute_url(),
        f"{ruling.get_absolute_url()}changes/",
        ruling.short_url,
        f"/api/v1/rulings/{ruling.short_code}/",
    ]


def statuses(browser: Client, addresses: list[str]) -> set[int]:
    return {browser.get(address, follow=True).status_code for address in addresses}


@pytest.mark.parametrize("visibility", Visibility)
def test_local_ruling_is_on_no_site_wide_page(card: Card, visibility: Visibility):
    local, _ = make_ruling_by_judge(visibility)

    for address in site_wide_addresses(local):
        assert RULING_TEXT not in read(Client(), address), address


def test_code_opens_the_ruling_for_readers_of_its_event(card: Card):
    local, judge = make_ruling_by_judge()
    inside, outside = logged_in(judge), logged_in(User.objects.create_user("somebody"))

    assert (
        statuses(Client(), addresses_by_code(local))
        == statuses(outside, addresses_by_code(local))
        == {404}
    )
    assert statuses(inside, addresses_by_code(local)) == {200}
    settings_services.change_settings(
        local.tournament, Actor(user=judge), visibility=Visibility.PUBLIC
    )
    assert statuses(Client(), addresses_by_code(local)) == {200}
    # No shared cache may store the page for unauthorised readers.
    changes = f"{local.ruling.get_absolute_url()}changes/"
    for address in (local.ruling.get_absolute_url(), changes):
        assert "private" in Client().get(address)["Cache-Control"], address


@pytest.mark.parametrize("visibility", Visibility)
def test_citable_rulings_are_from_own_and_public_events(card: Card, visibility: Visibility):
    _, judge = make_ruling_by_judge(visibility)
    inside, outside = logged_in(judge), Client()
    for browser in (inside, outside):
        session = browser.session
        session["citing"] = {"label": "table 5", "url": "/events/x/"}
        session.save()

    for address in ("/rulings/search/?q=loony", "/rulings/pick/?q=loony"):
        assert "Local ruling</span>" in read(inside, address)
        assert ("Local ruling</span>" in read(outside, address)) == (
            visibility == Visibility.PUBLIC
        )


@pytest.mark.parametrize(("code", "status"), [("L-0007", 404), ("L-7K3MQ2XA", 200)])
def test_guessable_code_of_an_unlisted_event_is_refused(card: Card, code: str, status: int):
    local, _ = make_ruling_by_judge(Visibility.UNLISTED)
    local.ruling.short_code = code
    local.ruling.save(update_fields=["short_code"])

    assert statuses(Client(), [local.ruling.short_url]) == {status}


def test_codes_of_rulings_are_not_consecutive(card: Card):
    local, _ = make_ruling_by_judge()
    event = make_event(players=0, name="Another")
    head = Actor(user=add_staff(event, "head_judge", "other"))
    second = local_rulings.make(event, head, "Loony Goon", Wording(RULING_TEXT)).ruling

    assert len(local.ruling.short_code) == len(second.short_code) == len("L-7K3MQ2XA")
    assert local.ruling.short_code[:6] != second.short_code[:6]
    assert int(second.code.rpartition("-")[2]) > 10**11


def test_unreadable_ruling_cannot_be_cited(card: Card):
    local, judge = make_ruling_by_judge()
    typed = {"rulings": local.ruling.short_code, "text": ""}

    assert CiteForm(typed, among=visibility.rulings_for(Actor(user=judge))).is_valid()
    assert not CiteForm(typed, among=visibility.rulings_for(NOBODY)).is_valid()
    assert not CiteForm(typed).is_valid()


def test_pages_show_no_username(card: Card):
    local, _ = make_ruling_by_judge(Visibility.PUBLIC)
    page = url("event_rulings", local.tournament)

    for address in (page, *addresses_by_code(local)):
        assert "haas_logs_in" not in read(Client(), address)
    assert "Dr Haas" in read(Client(), local.ruling.get_absolute_url())


def test_site_adopts_a_ruling_of_a_public_event(card: Card):
    local, _ = make_ruling_by_judge(Visibility.PUBLIC)
    address = url("event_ruling_adopt", local.tournament, local.pk)
    administrator = User.objects.create_superuser("root")
    give_app(administrator)
    staff = logged_in(administrator)
    assert "Add to the Rulings pages" in read(staff, url("event_rulings", local.tournament))

    staff.post(address)
    assert all(
        RULING_TEXT in read(Client(), address)
        for address in site_wide_addresses(local)
        if "pick" not in address
    )

    staff.post(address, {"take_back": ""})
    assert RULING_TEXT not in read(Client(), "/rulings/card/loony-goon/")


def test_adopted_ruling_is_public_while_its_event_is_public(card: Card):
    local, judge = make_ruling_by_judge(Visibility.PUBLIC)
    local_rulings.adopt(local)
    inside, address = logged_in(judge), url("event_rulings", local.tournament)

    for setting in (Visibility.PRIVATE, Visibility.UNLISTED, Visibility.PUBLIC):
        settings_services.change_settings(local.tournament, Actor(user=judge), visibility=setting)

        is_shown = RULING_TEXT in read(Client(), "/rulings/card/loony-goon/")
        assert is_shown == (setting == Visibility.PUBLIC)
        assert ("when the event is public again" in read(inside, address)) != is_shown


def test_invalid_adoption_is_refused(card: Card):
    local, judge = make_ruling_by_judge()
    address = url("event_ruling_adopt", local.tournament, local.pk)
    inside = logged_in(judge)

    assert inside.post(address).status_code == 403
    with pytest.raises(local_rulings.NotPublic):
        local_rulings.adopt(local)
