from typing import Any

from rest_framework.test import APIClient

from tests.api import clients
from tests.api.people.conftest import AsStaff
from tests.factories import tournaments as make
from tournaments.event.permissions import NOBODY
from tournaments.models import Tournament
from tournaments.registration import services as registration_services

EVENT = "/api/v1/events/spring-run/"
ROSTER = f"{EVENT}registrations/"


def add(client: APIClient, *players: dict[str, Any], **fields: Any) -> Any:
    return client.post(ROSTER, {"players": list(players), **fields}, "json")


def test_players_are_added_all_or_none(event: Tournament, owner: APIClient):
    refused = add(owner, {"name": "Zed"}, {"name": "ada"}, {"name": " "})
    duplicate = add(owner, {"name": "Zed"}, {"name": "ada"})
    added = add(
        owner,
        {"name": "Zed", "seed": 2, "avoid_group": "Bonn", "first_round_bye": True},
        {"name": "Ada", "pronouns": "she/her", "is_another": True},
    )

    assert (refused.status_code, duplicate.status_code, added.status_code) == (400, 400, 201)
    assert refused.data["errors"]["players"][2]
    assert duplicate.data["errors"]["players"][0] == {}
    assert "Ada" in str(owner.get(f"{ROSTER}?search=ada").data)
    zed, ada = added.data["registrations"]
    assert (zed["number"], zed["seed"], zed["avoid_group"]) == (5, 2, "Bonn")
    assert (zed["first_round_bye"], zed["state"], zed["is_guest"]) == (True, "registered", True)
    assert (ada["name"], ada["pronouns"]) == ("Ada", "she/her")
    # Names that only look alike do not refuse the batch.
    similar = add(owner, {"name": "Ali"}, {"name": "AIi"}, {"name": "\u0410da"})
    assert [row["name"] for row in similar.data["registrations"]] == ["Ali", "AIi", "\u0410da"]


def test_patch_of_a_player_changes_the_named_fields_only(event: Tournament, owner: APIClient):
    owner.patch(f"{ROSTER}1/", {"seed": 3, "avoid_group": " Bonn "}, "json")
    changed = owner.patch(f"{ROSTER}1/", {"seed": None, "first_round_bye": True}, "json").data
    owner.post(f"{ROSTER}1/rename/", {"name": "Ada", "pronouns": "she/her"}, "json")
    renamed = owner.post(f"{ROSTER}1/rename/", {"name": " Ada  Lovelace"}, "json").data

    assert (changed["seed"], changed["avoid_group"]) == (None, "Bonn")
    assert changed["first_round_bye"]
    assert (renamed["name"], renamed["pronouns"]) == ("Ada Lovelace", "she/her")
    assert owner.patch(f"{ROSTER}1/", {"seed": 0}, "json").status_code == 400
    assert owner.post(f"{ROSTER}1/rename/", {"name": " "}, "json").status_code == 400
    assert owner.patch(f"{ROSTER}9/", {"seed": 1}, "json").status_code == 404
    assert owner.post(f"{ROSTER}9/rename/", {"name": "Zed"}, "json").status_code == 404


def test_roster_can_be_searched_and_filtered(event: Tournament, owner: APIClient):
    owner.post(f"{ROSTER}2/check-in/")

    names = [row["name"] for row in owner.get(f"{ROSTER}?state=checked_in").data["results"]]

    assert names == ["Bo"]
    assert owner.get(f"{ROSTER}?search=3").data["results"][0]["name"] == "Cy"
    assert owner.get(f"{ROSTER}?state=gone").status_code == 400
    assert owner.get(f"{ROSTER}?q=bo").status_code == 400


def test_check_in_does_not_return_a_dropped_player(owner: APIClient, staff: AsStaff):
    owner.post(f"{ROSTER}1/drop/")

    answers = [staff("judge").post(f"{ROSTER}1/{tap}/") for tap in ("undo-check-in", "check-in")]

    assert [answer.data["state"] for answer in answers] == ["dropped", "dropped"]


def test_table_preferences_are_visible_to_organisers_only(owner: APIClient, staff: AsStaff):
    changed = owner.patch(f"{ROSTER}1/", {"fixed_table": 7, "avoids_stream": True}, "json")
    shown = staff("scorekeeper").get(f"{ROSTER}1/")

    assert (changed.data["fixed_table"], changed.data["avoids_stream"]) == (7, True)
    assert (shown.data["fixed_table"], shown.data["avoids_stream"]) == (None, None)
    assert shown.data["check_in_code"] == changed.data["check_in_code"]


def test_claim_links_are_shown_once(event: Tournament, owner: APIClient):
    owner.post(f"{ROSTER}1/claim-link/")
    key: dict[str, Any] = {"HTTP_IDEMPOTENCY_KEY": "links-of-the-rest"}

    unclaimed = owner.post(f"{ROSTER}claim-links/", {}, "json", **key).data["links"]
    repeated = owner.post(f"{ROSTER}claim-links/", {}, "json", **key)
    all_links = owner.post(f"{ROSTER}claim-links/", {"anew": True}, "json").data["links"]

    assert [row["number"] for row in unclaimed] == [2, 3, 4]
    assert repeated.data["links"] is None
    assert [row["number"] for row in all_links] == [1, 2, 3, 4]
    secret = unclaimed[0]["claim_link"].rstrip("/").rpartition("/")[2]
    assert APIClient().post("/api/v1/claims/", {"secret": secret}, "json").status_code == 409


def test_email_address_as_a_name_is_refused(event: Tournament, owner: APIClient):
    gus = {"name": "gus@x.org"}

    answers = {
        "add": add(owner, gus),
        "rename": owner.post(f"{ROSTER}1/rename/", gus, "json"),
        "join": APIClient().post("/api/v1/join/", {"code": event.join_code, **gus}, "json"),
        "me": owner.patch("/api/v1/me/", gus, "json"),
    }

    for name, answer in answers.items():
        assert answer.status_code == 400, name
        assert "Enter a name, not an email address" in str(answer.data["errors"]), name


def test_bound_token_reaches_no_other_event_through_a_player(event: Tournament, owner: APIClient):
    user = make.owner_of(event).user
    second = make.make_event(players=0, owner=user)
    registration_services.register_player(second, make.player_number(event, 1).player, NOBODY)
    bound = clients.with_token(clients.make_token(user, tournament=event))

    links = bound.post(f"{ROSTER}claim-links/", {}, "json").data["links"]
    refused = [
        bound.post(f"{ROSTER}1/rename/", {"name": "Zed"}, "json"),
        bound.post(f"{ROSTER}1/claim-link/"),
    ]

    assert [row["number"] for row in links] == [2, 3, 4]
    assert [answer.data["code"] for answer in refused] == ["plays_elsewhere"] * 2
    assert owner.post(f"{ROSTER}1/rename/", {"name": "Zed"}, "json").status_code == 200


def test_list_is_previewed_and_added(event: Tournament, owner: APIClient):
    body = {"text": "Ada\nZed\nZed"}

    preview = owner.post(f"{ROSTER}lists/?preview=true", body, "json").data
    body["version"] = preview["version"]
    added = owner.post(f"{ROSTER}lists/", {**body, "also": [1, 3]}, "json").data["added"]
    repeated = owner.post(f"{ROSTER}lists/", body, "json")

    actions = [(line["name"], line["action"], line["number"]) for line in preview["lines"]]
    assert actions[0] == ("Ada", "registered", 1)
    assert [action for _, action, _ in actions[1:]] == ["add", "repeated"]
    assert preview["added"] == []
    assert [row["number"] for row in added] == [5, 6, 7]
    assert (repeated.status_code, repeated.data["code"]) == (409, "roster_has_changed")


def test_table_is_previewed_and_added_without_some_lines(event: Tournament, owner: APIClient):
    body = {"text": "Zed\tshe/her\tNBN\nEva Lindqvist\t\tHB\nEva Lindquist\t\t"}

    preview = owner.post(f"{ROSTER}lists/?preview=true", body, "json").data
    added = owner.post(f"{ROSTER}lists/", {**body, "without": [3]}, "json").data["added"]
    wrong = owner.post(f"{ROSTER}lists/", {**body, "layout": "cloud"}, "json")

    assert preview["layout"] == "tab"
    assert [column["use"] for column in preview["columns"]] == ["name", "pronouns", "ignored"]
    assert [line["action"] for line in preview["lines"]] == ["add", "add", "similar"]
    assert [row["name"] for row in added] == ["Zed", "Eva Lindqvist"]
    assert (wrong.status_code, list(wrong.data["errors"])) == (400, ["layout"])


def test_payment_is_visible_to_organisers_scorekeepers_and_the_player(
    event: Tournament, owner: APIClient, staff: AsStaff, guest: APIClient
):
    marked = staff("scorekeeper").post(f"{ROSTER}1/paid/", {"has_paid": True}, "json")

    assert marked.data["paid_at"]
    assert staff("judge").get(f"{ROSTER}1/").data["paid_at"] is None
    assert [row["number"] for row in owner.get(f"{ROSTER}?unpaid=true").data["results"]] == [
        2,
        3,
        4,
    ]
    assert staff("judge").get(f"{ROSTER}?unpaid=true").status_code == 403
    assert guest.get(f"{EVENT}me/").data["paid_at"]
    owner.post(f"{ROSTER}1/paid/", {"has_paid": False}, "json")
    assert guest.get(f"{EVENT}me/").data["paid_at"] is None
