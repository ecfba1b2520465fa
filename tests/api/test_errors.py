"""Error messages for authors of programs."""

import pytest
from rest_framework.test import APIClient

from matches.scoring.rules import SCORING_RULES
from tests.api.clients import client, make_token
from tests.factories import tournaments as make
from tournaments.models import Tournament, Visibility

EVENT = "/api/v1/events/spring-run/"
ROSTER = f"{EVENT}registrations/"
ZED = {"players": [{"name": "Zed"}]}


@pytest.fixture
def spring_run(db: None) -> Tournament:
    return make.make_event(players=3)


@pytest.fixture
def owner(spring_run: Tournament) -> APIClient:
    return client(spring_run)


class TestMissingSlash:
    @pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
    @pytest.mark.parametrize("debug", [False, True])
    def test_write_is_redirected_with_its_method_and_names_the_address(
        self, owner, settings, method: str, debug: bool
    ):
        settings.DEBUG = debug

        answer = getattr(owner, method)(f"{ROSTER.rstrip('/')}?page=1", ZED, format="json")

        assert (answer.status_code, answer["Location"]) == (308, f"{ROSTER}?page=1")
        assert answer.json()["code"] == "slash_missing"
        assert f"{ROSTER}?page=1" in answer.json()["detail"]

    def test_write_that_follows_the_redirect_keeps_its_body(self, spring_run, owner):
        answer = owner.post(ROSTER.rstrip("/"), ZED, "json", follow=True)

        assert answer.status_code == 201
        assert spring_run.registrations.count() == 4

    def test_program_without_a_csrf_token_is_redirected_too(self, spring_run):
        program = APIClient(enforce_csrf_checks=True)

        assert program.post(ROSTER.rstrip("/"), ZED, "json").status_code == 308

    def test_read_is_redirected(self, owner):
        answer = owner.get(ROSTER.rstrip("/"))

        assert (answer.status_code, answer["Location"]) == (301, ROSTER)


class TestNotFound:
    @pytest.mark.parametrize(
        ("address", "detail"),
        [
            ("/api/v1/events/autumn-run/", "Event autumn-run was not found."),
            (f"{EVENT}rounds/7/", "Round 7 was not found."),
            (f"{EVENT}rounds/7/draft/", "Round 7 was not found."),
            (f"{EVENT}standings/9/", "Player 9 was not found."),
            (f"{EVENT}webhooks/5/", "Webhook 5 was not found."),
            (f"{EVENT}cut/", "This event has no cut."),
            (f"{EVENT}exports/pdf/", "Format pdf was not found."),
            ("/api/v1/rulings/nothing-1/", "Ruling nothing-1 was not found."),
        ],
    )
    def test_detail_names_the_missing_object(self, owner, address: str, detail: str):
        answer = owner.get(address)

        assert (answer.status_code, answer.json()["detail"]) == (404, detail)

    def test_unknown_address_is_named_with_the_list_of_addresses(self, owner):
        detail = owner.get("/api/v1/evnts/").json()["detail"]

        assert "/api/v1/evnts/" in detail
        assert "/api/docs/" in detail

    def test_hidden_event_and_draft_look_like_missing_objects(self, spring_run):
        make.draft_round(spring_run)
        draft = APIClient().get(f"{EVENT}rounds/1/")
        Tournament.objects.update(visibility=Visibility.PRIVATE)
        event = APIClient().get(EVENT)

        assert draft.json()["detail"] == "Round 1 was not found."
        assert event.json()["detail"] == "Event spring-run was not found."


class TestInvalidBody:
    def test_missing_fields_are_called_missing(self, owner):
        answer = owner.post(f"{EVENT}webhooks/", {"events": ["nothing"]}, "json")

        assert answer.json()["detail"].startswith("Missing: url. Invalid value: events.0.")

    def test_unknown_choice_is_answered_with_the_choices(self, owner):
        cut = {"players": [1, 2], "system": "single_elimination", "scoring_rule": "x"}
        anr = make.make_event(name="Anr", game="anr", decks_required=False)
        format_ = {"deck_rules": {"format": "x"}}

        answers = {
            "visibility": owner.patch(f"{EVENT}settings/", {"visibility": "secret"}, "json"),
            "scoring_rule": owner.patch(f"{EVENT}settings/", {"scoring_rule": "x"}, "json"),
            "cut": owner.post(f"{EVENT}cut/", cut, "json"),
            "form": client(anr).patch(f"/api/v1/events/{anr.slug}/settings/", format_, "json"),
        }

        errors = {name: answer.json()["errors"] for name, answer in answers.items()}
        for name, choices in (("visibility", Visibility.values), ("scoring_rule", SCORING_RULES)):
            assert errors[name][name][0].endswith(f"Choose one of: {', '.join(choices)}.")
        assert "Choose one of: onr_runner_only" in errors["cut"]["scoring_rule"][0]
        assert "Choose one of:" in str(errors["form"])

    def test_field_of_an_item_is_named_with_its_place(self, owner):
        body = {"players": [{"name": "Zed"}, {"pronouns": "they"}]}

        detail = owner.post(ROSTER, body, "json").json()["detail"]

        assert detail.startswith("Missing: players.1.name. See errors")


class TestAuthorization:
    @pytest.mark.parametrize("scheme", ["Token", "Bearer", "bearer"])
    def test_token_is_taken_with_either_scheme(self, spring_run, scheme: str):
        program = APIClient()
        token = make_token(make.owner_of(spring_run).user)
        program.credentials(HTTP_AUTHORIZATION=f"{scheme} {token}")

        assert program.post(ROSTER, ZED, "json").status_code == 201

    def test_401_names_the_authorization_header(self, spring_run):
        answer = APIClient().post(ROSTER, ZED, "json")

        assert answer.status_code == 401
        assert "Authorization: Token" in answer.json()["detail"]

    def test_csrf_refusal_names_the_header_and_the_cookie(self, spring_run, settings):
        settings.CSRF_COOKIE_NAME = "__Host-csrf"
        browser = APIClient(enforce_csrf_checks=True)
        browser.force_login(make.owner_of(spring_run).user)  # type: ignore[arg-type]

        detail = browser.post(ROSTER, ZED, "json").json()["detail"]

        assert "X-CSRFToken" in detail
        assert "__Host-csrf" in detail
