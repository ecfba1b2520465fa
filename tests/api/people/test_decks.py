import pytest
from rest_framework.test import APIClient

from tests.api.clients import guest as guest_of
from tests.api.people.conftest import AsStaff
from tests.factories import tournaments as make
from tests.factories.decks import legal_corp_list
from tests.factories.library import load_cards
from tests.factories.submissions import plain_card, submit
from tournaments.models import Tournament

EVENT = "/api/v1/events/spring-run/"
MINE = f"{EVENT}me/decks/corp/"
HIS = f"{EVENT}decks/1/corp/"


@pytest.fixture
def cards(db: None) -> None:
    load_cards()


@pytest.mark.usefixtures("cards")
def test_deck_from_submission_to_unlocking(event: Tournament, guest: APIClient, staff: AsStaff):
    judge = staff("judge")
    first, second = legal_corp_list(), legal_corp_list(2)
    empty = guest.get(MINE).data

    received = guest.put(MINE, {"text": first, "version": 0}, "json")
    repeated = guest.put(MINE, {"text": first}, "json")
    stale = guest.put(MINE, {"text": second, "version": 0}, "json")
    assert (empty["text"], empty["verdict"], empty["receipts"]) == ("", None, [])
    assert (received.data["legal"], received.data["receipt"]["number"]) == (True, 1)
    assert (received.data["is_new"], repeated.data["is_new"]) == (True, False)
    assert (stale.status_code, stale.data["code"]) == (409, "stale_version")

    locked = guest.post(f"{MINE}lock/", {"version": 1}, "json")
    late = guest.put(MINE, {"text": second}, "json")
    assert locked.data["lock"]["by"] == "player"
    assert (late.status_code, late.data["code"]) == (409, "deck_is_locked")

    changed = judge.put(HIS, {"text": second, "reason": "A slip", "version": 1}, "json")
    opened = judge.post(f"{HIS}unlock/", {"reason": "A slip"}, "json")
    assert (changed.data["receipt"]["by_staff"], changed.data["receipt"]["number"]) == (True, 2)
    assert judge.put(HIS, {"text": first}, "json").data["errors"]["reason"]
    assert (opened.data["lock"], opened.data["text"]) == (None, second)
    assert judge.post(f"{HIS}lock/").data["lock"]["by"] == "staff"


def test_deck_is_hidden_from_outsiders_until_revealed(
    event: Tournament, guest: APIClient, owner: APIClient, staff: AsStaff
):
    submit(make.player_number(event, 1), cards=(plain_card("Hedge Fund"),))
    opponent = guest_of(make.player_number(event, 2))
    passer_by = APIClient()

    def visible_decks(client: APIClient) -> tuple[int, int]:
        return client.get(HIS).status_code, client.get(f"{EVENT}decks/").data["count"]

    assert visible_decks(guest) == (200, 1)
    assert visible_decks(staff("judge")) == (200, 1)
    assert [visible_decks(reader) for reader in (opponent, passer_by, staff("scorekeeper"))] == [
        (404, 0)
    ] * 3
    owner.post(f"{EVENT}decks/reveal/", {"revealed": True}, "json")
    assert [visible_decks(reader) for reader in (opponent, passer_by)] == [(200, 1)] * 2
    deck = passer_by.get(HIS).data
    assert deck["whole"] is None
    assert deck["cards"] == [{"quantity": 3, "title": "Hedge Fund", "slug": "card-1"}]
    assert "private" in passer_by.get(HIS).headers["Cache-Control"]
    assert guest.get(HIS).data["whole"]["text"] == "3 Hedge Fund"


@pytest.mark.usefixtures("cards")
def test_deck_is_exported_as_a_file(event: Tournament, guest: APIClient):
    guest.put(MINE, {"text": legal_corp_list()}, "json")

    body = guest.get(f"{HIS}export/plain_text/").data

    assert body["filename"].endswith(".txt")
    assert body["content_type"].startswith("text/plain")
    assert guest.get(f"{HIS}export/none/").status_code == 404
    assert APIClient().get(f"{HIS}export/plain_text/").status_code == 404


def test_deck_check_from_the_draw_to_the_outcome(
    event: Tournament, owner: APIClient, staff: AsStaff
):
    judge, checks = staff("judge"), f"{EVENT}deck-checks/"
    early = judge.post(checks, {"count": 1}, "json")
    owner.post(f"{EVENT}registrations/check-in/", {"numbers": None}, "json")
    submit(make.player_number(event, 1), cards=(plain_card("Hedge Fund"),))
    make.start_round(event)

    drawn = judge.post(checks, {"count": 1}, "json")
    (check,) = drawn.data["draw"]["checks"]
    deck_check = judge.put(
        f"{checks}{check['id']}/", {"outcome": "fine", "note": "Neat"}, "json"
    ).data

    assert (early.status_code, early.data["code"]) == (409, "nothing_to_check")
    assert (drawn.status_code, drawn.data["draw"]["by_lot"]) == (201, True)
    assert [row["table"] for row in drawn.data["without_a_deck"]] == [check["table"]]
    assert deck_check["check"]["outcome"] == "fine"
    assert deck_check["groups"][0]["lines"] == [{"place": 1, "quantity": 3, "title": "Hedge Fund"}]
    assert judge.get(checks).data["results"][0]["checks"][0]["note"] == "Neat"
    assert judge.put(f"{checks}{check['id']}/", {"outcome": ""}, "json").status_code == 400
    assert judge.post(checks, {"count": 1, "table": 1}, "json").status_code == 400
    assert judge.get(f"{checks}999/").status_code == 404
