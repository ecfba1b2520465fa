"""A local ruling is for the readers of its event, until its site adopts it."""

import pytest
from django.test import Client

from decks.models import Card, Side
from players.models import User
from players.services import create_player
from rulings.forms import CiteForm
from tests.factories.tournaments import add_staff, make_event
from tests.players.factors import give_app
from tests.tournaments.views.pages import url
from tournaments import visibility
from tournaments.actors import NOBODY, Actor
from tournaments.models import LocalRuling, Visibility
from tournaments.services import events, local_rulings
from tournaments.services.local_rulings import Wording

WORDS = "The goon stays loony."


@pytest.fixture
def card() -> Card:
    return Card.objects.create(
        title="Loony Goon", slug="loony-goon", side=Side.RUNNER, type="program"
    )


def made(visibility: Visibility = Visibility.PRIVATE) -> tuple[LocalRuling, User]:
    """A ruling of an event, and its judge."""
    event = make_event(players=1, visibility=visibility)
    user = add_staff(event, "head_judge", "haas_logs_in")
    judge = Actor(user=user, player=create_player("Dr Haas", user=user))
    return local_rulings.make(event, judge, "Loony Goon", Wording(WORDS)), user


def everywhere(local: LocalRuling) -> list[str]:
    """Where everybody reads rulings."""
    ruling = local.ruling
    return [
        "/rulings/card/loony-goon/",
        ruling.document.get_absolute_url(),
        f"/rulings/search/?q=loony&document={ruling.document.slug}",
        "/rulings/pick/?q=loony",
        "/api/v1/rulings/?local=true",
        "/api/v1/rulings/?card=loony-goon&related=true&local=true",
    ]


def by_code(local: LocalRuling) -> list[str]:
    ruling = local.ruling
    return [
        ruling.get_absolute_url(),
        f"{ruling.get_absolute_url()}changes/",
        ruling.short_url,
        f"/api/v1/rulings/{ruling.short_code}/",
    ]


def read(browser: Client, address: str) -> str:
    return browser.get(address, follow=True).content.decode()


def statuses(browser: Client, addresses: list[str]) -> set[int]:
    return {browser.get(one, follow=True).status_code for one in addresses}


@pytest.mark.parametrize("visibility", Visibility)
def test_a_local_ruling_stands_on_no_page_of_everybody(card: Card, visibility: Visibility):
    local, _ = made(visibility)

    for address in everywhere(local):
        assert WORDS not in read(Client(), address), address


def test_a_ruling_of_a_private_event_opens_to_its_readers_alone(card: Card):
    local, judge = made()
    inside, outside = Client(), Client()
    inside.force_login(judge)
    outside.force_login(User.objects.create_user("somebody"))

    assert statuses(Client(), by_code(local)) == statuses(outside, by_code(local)) == {404}
    assert statuses(inside, by_code(local)) == {200}


def test_a_ruling_of_a_public_event_opens_to_everybody_by_its_code(card: Card):
    local, _ = made(Visibility.PUBLIC)

    assert statuses(Client(), by_code(local)) == {200}


@pytest.mark.parametrize("visibility", Visibility)
def test_whoever_cites_finds_those_of_the_own_events_and_of_public_ones(
    card: Card, visibility: Visibility
):
    _, judge = made(visibility)
    inside, outside = Client(), Client()
    inside.force_login(judge)
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
def test_nobody_counts_up_to_a_ruling_of_an_unlisted_event(card: Card, code: str, status: int):
    local, _ = made(Visibility.UNLISTED)
    local.ruling.short_code = code
    local.ruling.save(update_fields=["short_code"])

    assert statuses(Client(), [local.ruling.short_url]) == {status}


def test_codes_cannot_be_counted_up(card: Card):
    local, _ = made()
    event = make_event(players=0, name="Another")
    head = Actor(user=add_staff(event, "head_judge", "other"))
    second = local_rulings.make(event, head, "Loony Goon", Wording(WORDS)).ruling

    assert len(local.ruling.short_code) == len(second.short_code) == len("L-7K3MQ2XA")
    assert local.ruling.short_code[:6] != second.short_code[:6]
    assert int(second.code.rpartition("-")[2]) > 10**11


def test_whoever_may_not_read_a_ruling_cannot_cite_it(card: Card):
    local, judge = made()
    typed = {"rulings": local.ruling.short_code, "text": ""}

    assert CiteForm(typed, among=visibility.rulings_for(Actor(user=judge))).is_valid()
    assert not CiteForm(typed, among=visibility.rulings_for(NOBODY)).is_valid()
    assert not CiteForm(typed).is_valid()


def test_no_page_says_how_a_judge_logs_in(card: Card):
    local, _ = made(Visibility.PUBLIC)
    page = url("event_rulings", local.tournament)

    for address in (page, *by_code(local)):
        assert "haas_logs_in" not in read(Client(), address)
    assert "Dr Haas" in read(Client(), local.ruling.get_absolute_url())


def test_the_site_adopts_a_ruling_of_a_public_event(card: Card):
    local, _ = made(Visibility.PUBLIC)
    staff, address = (
        Client(),
        url("event_ruling_adopt", local.tournament, local.pk),
    )
    administrator = User.objects.create_superuser("root")
    give_app(administrator)
    staff.force_login(administrator)
    assert "Adopt for the pages" in read(staff, url("event_rulings", local.tournament))

    staff.post(address)
    assert all(WORDS in read(Client(), one) for one in everywhere(local) if "pick" not in one)

    staff.post(address, {"take_back": ""})
    assert WORDS not in read(Client(), "/rulings/card/loony-goon/")


def test_an_adopted_ruling_is_for_everybody_while_its_event_is_public(card: Card):
    local, judge = made(Visibility.PUBLIC)
    local_rulings.adopt(local)
    inside, address = Client(), url("event_rulings", local.tournament)
    inside.force_login(judge)

    for now in (Visibility.PRIVATE, Visibility.UNLISTED, Visibility.PUBLIC):
        events.change_settings(local.tournament, Actor(user=judge), visibility=now)

        is_shown = WORDS in read(Client(), "/rulings/card/loony-goon/")
        assert is_shown == (now == Visibility.PUBLIC)
        assert ("once the event is public again" in read(inside, address)) != is_shown


def test_nobody_else_adopts_and_no_ruling_of_a_private_event(card: Card):
    local, judge = made()
    address = url("event_ruling_adopt", local.tournament, local.pk)
    inside = Client()
    inside.force_login(judge)

    assert inside.post(address).status_code == 403
    with pytest.raises(local_rulings.NotPublic):
        local_rulings.adopt(local)
