from collections.abc import Callable
from datetime import UTC, datetime
from html import unescape
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from players import services as players
from players.models import Player
from rulings.guide import PenaltyKind
from tests.factories.penalties import penalise
from tests.factories.submissions import plain_card, submit
from tests.factories.tournaments import (
    add_players,
    add_staff,
    draft_round,
    hide,
    make_event,
    make_user,
    owner_of,
    play_round,
    player_number,
    start_round,
)
from tests.faults.forms import forms_in
from tests.queries import queries_of
from tests.tournaments.cast import OWNER, browser_of, desk_of
from tests.tournaments.pages import FRAGMENT, HTMX, path, preview_answers, text_of, url
from tournaments.models import RegistrationState, Tournament, Visibility
from tournaments.registration import roster_changes, roster_views, services
from tournaments.registration.pages import RosterRow, RosterView, roster_view
from tournaments.registration.pasted_roster import MAX_BYTES


def make_scene() -> Tournament:
    return make_event(players=2, owner=make_user(OWNER), checked_in=False)


def names(event: Tournament) -> list[str]:
    return [entry.player.name for entry in event.registrations.order_by("number")]


def rows(desk: Client, event: Tournament, query: str = "") -> dict[int, RosterRow]:
    """Return the rows that the roster shows, by number."""
    page: Any = desk.get(path(event, f"roster/?{query}"))
    return {row.number: row for row in page.context["roster"].rows if row.is_shown}


def filters(desk: Client, event: Tournament) -> dict[str, int]:
    page: Any = desk.get(path(event, "roster/"))
    return {filter_.value: filter_.count for filter_ in page.context["roster"].filters}


@pytest.mark.parametrize(
    ("action", "fields", "expected"),
    [
        ("1/check-in", {}, {"state": "checked_in"}),
        ("2/not-here", {}, {"state": "registered"}),
        ("2/drop", {}, {"state": "dropped"}),
        ("3/return", {}, {"state": "checked_in"}),
        ("1/bye", {"bye": "yes"}, {"first_round_bye": True}),
        ("2/bye", {"bye": "no"}, {"first_round_bye": False}),
        (
            "1/seed",
            {"seed": "2", "avoid_group": " The  car "},
            {"seed": 2, "avoid_group": "The car"},
        ),
        (
            "1/wishes",
            {"fixed_table": "12", "avoids_stream": "on"},
            {"fixed_table": 12, "avoids_stream": True},
        ),
        ("4/up", {"reason": "A guest"}, {"state": "registered"}),
        ("5/waiting-place", {"place": "1", "reason": "Kin"}, {"waiting_rank": 1}),
        ("check-in", {}, {"state": "checked_in"}),
        ("1/remove", {}, None),
    ],
)
def test_row_action_changes_the_player(
    desk: Client, event: Tournament, action: str, fields: dict[str, str], expected: Any
):
    add_players(event, 3, checked_in=False)
    event.registrations.filter(number=2).update(state="checked_in", first_round_bye=True)
    event.registrations.filter(number=3).update(state="dropped", dropped_by="staff")
    event.registrations.filter(number__gt=3).update(state="waiting")
    number = int(action[0]) if action[0].isdigit() else 1

    desk.post(path(event, f"roster/{action}/"), fields)

    entry = event.registrations.filter(number=number).first()
    assert expected == (entry and {field: getattr(entry, field) for field in expected})


def test_check_in_of_all_leaves_out_dropped_and_waiting_players(desk: Client, event: Tournament):
    add_players(event, 2, checked_in=False)
    event.registrations.filter(number=2).update(state="dropped", dropped_by="staff")
    event.registrations.filter(number=3).update(state="waiting")

    answer = desk.post(path(event, "roster/check-in/"), follow=True)

    assert "2 players checked in." in answer.text
    states = list(event.registrations.order_by("number").values_list("state", flat=True))
    assert states == ["checked_in", "dropped", "waiting", "checked_in"]


def test_row_shows_a_changed_group(desk: Client, event: Tournament):
    for group in ("The car", "The train"):
        desk.post(path(event, "roster/1/seed/"), {"avoid_group": group})
        assert rows(desk, event)[1].details == (f"Group {group}",)


def test_typed_name_is_added_and_the_form_is_ready_for_the_next(desk: Client, event: Tournament):
    answer: Any = desk.post(path(event, "roster/add/"), {"name": " Zo\u00eb "}, follow=True)

    assert names(event) == ["Ada", "Bo", "Zo\u00eb"]
    assert "Zo\u00eb is on the roster." in text_of(answer)
    # A browser gives no field the focus on a page that opens at an anchor.
    assert answer.redirect_chain == [(path(event, "roster/?added"), 302)]
    assert answer.context["is_adding"]


def test_name_sent_by_script_is_answered_with_its_row(desk: Client, event: Tournament):
    added: Any = desk.post(path(event, "roster/add/"), {"name": "Cy"}, headers=HTMX)
    refused: Any = desk.post(path(event, "roster/add/"), {"name": "cy"}, headers=HTMX)

    assert (added.context["row"].name, added.status_code) == ("Cy", 200)
    assert "Cy is on the roster." in text_of(added)
    assert f'formaction="{path(event, "roster/3/remove/")}"' in added.text
    assert (refused.context.get("row"), refused.status_code) == (None, 422)
    assert "This is a different person" in refused.text
    assert names(event) == ["Ada", "Bo", "Cy"]


def test_entry_removed_during_the_request_is_not_found(
    desk: Client, event: Tournament, monkeypatch: pytest.MonkeyPatch
):
    def remove_first(tournament: Tournament, *args: Any) -> RosterView:
        roster_changes.remove_player(player_number(tournament, 1), owner_of(tournament))
        return roster_view(tournament, *args)

    monkeypatch.setattr(roster_views, "roster_view", remove_first)

    assert desk.get(url("roster_entry", event, 1)).status_code == 404


def test_late_entry_is_checked_in_when_added(desk: Client, event: Tournament):
    desk.post(path(event, "roster/check-in/"))
    start_round(event)

    answer = desk.post(path(event, "roster/add/"), {"name": "Late"}, follow=True)

    assert "Late is checked in and plays from round 2." in text_of(answer)
    late = player_number(event, 3)
    assert (late.is_active, late.joined_in_round) == (True, 2)
    assert rows(desk, event)[3].details == ("From round 2",)


def test_refused_name_gives_the_reason_and_a_duplicate_must_be_confirmed(
    desk: Client, event: Tournament
):
    taken = desk.post(path(event, "roster/add/"), {"name": "\uff21\uff44\uff41"})
    long = desk.post(path(event, "roster/add/"), {"name": "x" * 150})

    assert (taken.status_code, long.status_code) == (422, 422)
    assert "is on the roster" in taken.text
    assert "This is a different person" in taken.text
    assert "150 characters. The limit is 100" in long.text
    assert len(names(event)) == 2

    desk.post(path(event, "roster/add/"), {"name": "ADA", "is_other": "on"})
    assert names(event) == ["Ada", "Bo", "ADA"]


def test_similar_names_are_marked(desk: Client, event: Tournament):
    def similar(query: str = "") -> dict[int, str]:
        rows_by_name = rows(desk, event, query)
        return {number: row.lookalike for number, row in rows_by_name.items() if row.lookalike}

    assert similar() == {}

    players.rename_player(player_number(event, 2).player, "\u0410da")  # Cyrillic

    assert similar() == {1: "2 \u0410da", 2: "1 Ada"}
    # Also if the similar name is filtered out.
    assert similar("q=2") == {2: "1 Ada"}
    tapped: Any = desk.post(path(event, "roster/2/check-in/"), headers=HTMX)
    assert tapped.context["row"].lookalike == "1 Ada"


def test_pasted_list_is_previewed_by_line(desk: Client, event: Tournament):
    text = "1. Cy\n\n2. ada\n3. cy\n" + "y" * 120

    answer = desk.post(path(event, "roster/paste/"), {"kind": "names", "text": text})

    page = unescape(answer.content.decode())
    assert "Ada is already registered. If this is a different person" in page
    assert "Same name as line 1." in page
    assert "line 5: The name has 120 characters" in page
    assert names(event) == ["Ada", "Bo"]


def test_preview_is_applied_once_with_ticked_duplicates(desk: Client, event: Tournament):
    typed = {"kind": "names", "text": "Cy\nada\ncy\nDi"}
    preview = desk.post(path(event, "roster/paste/"), typed)
    sent = {**preview_answers(preview), "take-2": "on"}

    answer = desk.post(path(event, "roster/apply/"), sent, follow=True)
    again = desk.post(path(event, "roster/apply/"), sent)

    assert names(event) == ["Ada", "Bo", "Cy", "ada", "Di"]
    assert "3 players added, 1 duplicate skipped." in answer.text
    assert "The roster has changed" in again.text


def paste(desk: Client, event: Tournament, text: str, **more: str) -> Any:
    return desk.post(path(event, "roster/paste/"), {"kind": "names", "text": text, **more})


def apply_preview(desk: Client, event: Tournament, preview: Any, **more: str) -> Any:
    # An empty value unticks the box.
    sent = {**preview_answers(preview), **more}
    sent = {name: value for name, value in sent.items() if value or name == "layout"}
    return desk.post(path(event, "roster/apply/"), sent, follow=True)


def test_columns_of_a_pasted_table_are_shown_and_can_be_changed(desk: Client, event: Tournament):
    preview = paste(desk, event, "Li\tCy\tshe/her\tNBN\nMo\tDi\t\tHB")

    uses = [column.use for column in preview.context["columns"]]
    assert uses == ["name", "ignored", "pronouns", "ignored"]
    chosen = {"read_as": "tab", "use": ["last_name", "first_name", "pronouns", "ignored"]}
    again = desk.post(path(event, "roster/paste/"), {**preview_answers(preview), **chosen})
    sent = {**preview_answers(again), "read_as": "tab"}
    sent["use"] = [column.use for column in again.context["columns"]]  # type: ignore[assignment]
    desk.post(path(event, "roster/apply/"), sent)

    assert names(event) == ["Ada", "Bo", "Cy Li", "Di Mo"]
    assert player_number(event, 3).player.pronouns == "she/her"


def test_table_without_a_name_column_is_refused(desk: Client, event: Tournament):
    tab = {"kind": "names", "layout": "tab", "read_as": "tab"}
    answer = paste(desk, event, "Cy\tshe/her\nDi\t", **tab, use="ignored")
    twice = desk.post(
        path(event, "roster/paste/"), {**tab, "text": "Cy\tLi\nDi\tMo", "use": ["name", "name"]}
    )

    assert answer.status_code == 200  # The number of columns differs, so the choice is ignored.
    assert twice.status_code == 422
    assert "Two columns are chosen as &quot;Name&quot;." in twice.text


def test_unticked_line_is_not_added_and_ticked_heading_is(desk: Client, event: Tournament):
    preview = paste(desk, event, "Players tonight:\nCy\nDi")
    heading, _, _ = preview.context["lines"]
    assert (heading.entry.action, heading.is_ticked) == ("heading", False)
    empty = apply_preview(desk, event, preview, **{"take-2": "", "take-3": ""})
    assert (empty.status_code, "No line is ticked." in empty.text) == (422, True)

    answer = apply_preview(desk, event, preview, **{"take-1": "on", "take-3": ""})

    assert names(event) == ["Ada", "Bo", "Players tonight:", "Cy"]
    assert "2 players added, 1 line skipped." in answer.text


@pytest.mark.parametrize(
    ("choice", "added"),
    [("add", ["Eva Lindqvist", "Eva Lindquist"]), ("skip", ["Eva Lindqvist"])],
)
def test_similar_name_requires_a_choice(
    desk: Client, event: Tournament, choice: str, added: list[str]
):
    preview = paste(desk, event, "Eva Lindqvist\nEva Lindquist")
    assert "Almost the same as Eva Lindqvist on line 1." in unescape(preview.text)

    unanswered = apply_preview(desk, event, preview, **{"similar-2": ""})
    assert unanswered.status_code == 422
    assert "Line 2: is Eva Lindquist a different person?" in unanswered.text
    assert names(event) == ["Ada", "Bo"]
    apply_preview(desk, event, preview, **{"similar-2": choice})

    assert names(event) == ["Ada", "Bo", *added]


def test_email_address_is_replaced_by_a_typed_name(desk: Client, event: Tournament):
    preview = paste(desk, event, "gus@x.org\nCy")
    assert "Enter a name, not an email address" in preview.text

    wrong = apply_preview(desk, event, preview, **{"name-1": "gus@y.org"})
    assert (wrong.status_code, names(event)) == (422, ["Ada", "Bo"])
    apply_preview(desk, event, preview, **{"name-1": "Gus Mo"})

    assert names(event) == ["Ada", "Bo", "Gus Mo", "Cy"]


def test_typed_name_that_is_registered_is_not_skipped_silently(desk: Client, event: Tournament):
    preview = paste(desk, event, "gus@x.org\nCy")

    refused = apply_preview(desk, event, preview, **{"name-1": "Ada"})
    assert (refused.status_code, names(event)) == (422, ["Ada", "Bo"])
    assert "Line 1: Ada is already registered." in refused.text
    apply_preview(desk, event, refused, **{"name-1": "Ada", "take-1": "on"})

    assert names(event) == ["Ada", "Bo", "Ada", "Cy"]


def test_thousand_lines_are_added(desk: Client, event: Tournament):
    preview = paste(desk, event, "\n".join(f"Player {number}" for number in range(1000)))

    answer = apply_preview(desk, event, preview)

    assert "1000 players added." in answer.text


def test_uploaded_file_is_added_with_its_columns(desk: Client, event: Tournament):
    file = SimpleUploadedFile(
        "list.csv", b"name;pronouns;seed;first_round_bye\nCy;they;3;yes\nDi;;x;\n"
    )
    preview = desk.post(path(event, "roster/csv/"), {"kind": "csv", "text": "", "file": file})
    page = unescape(preview.content.decode())
    assert "line 3, seed: The seed must be a whole number" in page

    (form,) = [form for form in forms_in(preview.text) if form.action.endswith("/apply/")]
    sent = {**preview_answers(preview), "text": form.fields["text"][0]}
    desk.post(path(event, "roster/apply/"), sent)

    added = event.registrations.select_related("player").get(number=3)
    assert (added.player.name, added.player.pronouns) == ("Cy", "they")
    assert (added.seed, added.first_round_bye) == (3, True)
    assert len(names(event)) == 3


@pytest.mark.parametrize(
    ("kind", "text", "reason"),
    [
        ("csv", "surname\nCy", "must name the columns, one of them name"),
        ("csv", 'name\n"Cy', "The row that starts on line 2 cannot be read"),
        ("names", "\n\n", "The list has no names"),
    ],
)
def test_unreadable_list_is_refused_and_stays_in_the_form(
    desk: Client, event: Tournament, kind: str, text: str, reason: str
):
    page = "roster/csv/" if kind == "csv" else "roster/paste/"

    answer = desk.post(path(event, page), {"kind": kind, "text": text})

    assert answer.status_code == 422
    assert reason in unescape(answer.content.decode())
    assert text.strip() in unescape(answer.content.decode())


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("q=ad", ["Ada"]),
        ("q=BO", ["Bo"]),
        ("q=2", ["Bo"]),
        ("state=registered", ["Ada", "Bo"]),
        ("state=dropped", []),
    ],
)
def test_roster_search(desk: Client, event: Tournament, query: str, expected: list[str]):
    assert [row.name for row in rows(desk, event, query).values()] == expected


def test_filters_count_open_tasks(desk: Client):
    event = make_event(players=4, owner=make_user("fee"), checked_in=False, entry_fee="5 \u20ac")
    desk = desk_of(event)
    submit(player_number(event, 1), cards=(plain_card("Card"),))
    services.check_in([player_number(event, 1)], owner_of(event))
    services.drop_player(player_number(event, 2), owner_of(event))
    roster_changes.set_paid(event, [player_number(event, 3)], owner_of(event), has_paid=True)

    shown = rows(desk, event)

    expected = {"": 4, "registered": 2, "unpaid": 2, "no_deck": 3, "dropped": 1}
    assert filters(desk, event) == expected
    assert [sorted(shown[number].decks.values()) for number in (1, 3)] == [
        ["legal", "no_deck"],
        ["no_deck", "no_deck"],
    ]
    assert list(rows(desk, event, "state=unpaid")) == [1, 4]
    assert list(rows(desk, event, "state=no_deck&q=3")) == [3]


def test_decks_have_no_column_if_decks_are_not_collected(desk: Client):
    event = make_event(players=2, owner=make_user("casual"), decks_required=False)
    desk = desk_of(event)
    page: Any = desk.get(path(event, "roster/"))
    assert not page.context["roster"].shows_decks

    submit(player_number(event, 1), cards=(plain_card("Card"),))

    shown = rows(desk, event)
    assert (len(shown[1].decks), shown[2].decks) == (1, {})


def test_sign_ups_are_previewed_and_removed(desk: Client, event: Tournament):
    services.register_guest(event, "Made up 1")
    services.register_guest(event, "Made up 2", user=make_user("made-up"))
    page = path(event, "roster/sign-ups/")

    shown = desk.get(page, {"since": "2020-01-01T10:00", "until": "2200-01-01T10:00"}).text
    (numbers,) = [form.fields["numbers"][0] for form in forms_in(shown) if "numbers" in form.fields]
    assert '2</bdi> <span class="muted small">with an account' in shown
    assert names(event) == ["Ada", "Bo", "Made up 1", "Made up 2"]
    desk.post(page, {"numbers": numbers})

    assert names(event) == ["Ada", "Bo"]
    assert desk.get(page, {"since": "x", "until": ""}).status_code == 422


def test_sign_ups_of_a_finished_event_remain(desk: Client, event: Tournament):
    number = services.register_guest(event, "Made up").number
    Tournament.objects.filter(pk=event.pk).update(finished_at=timezone.now())

    answer = desk.post(path(event, "roster/sign-ups/"), {"numbers": number}, follow=True)

    assert "This event is finished." in answer.text
    assert names(event) == ["Ada", "Bo", "Made up"]


def test_repeated_form_adds_one_player(desk: Client, event: Tournament):
    forms = forms_in(desk.get(path(event, "roster/")).text)
    (key,) = [form.fields["idempotency_key"][0] for form in forms if form.action.endswith("/add/")]

    for _ in range(2):
        desk.post(path(event, "roster/add/"), {"name": "Zoe", "idempotency_key": key})

    assert names(event) == ["Ada", "Bo", "Zoe"]


def test_row_action_returns_or_redirects_to_the_row(desk: Client, event: Tournament):
    tapped: Any = desk.post(path(event, "roster/1/check-in/"), headers=HTMX)
    without = desk.post(path(event, "roster/1/check-in/"))

    assert player_number(event, 1).state == RegistrationState.CHECKED_IN
    assert (tapped.context["row"].number, tapped.context["row"].is_here) == (1, True)
    assert "<tr id=player-1 data-is=cn hx-swap-oob=true>" in tapped.text
    assert "1 of 2 checked in" in text_of(tapped)
    assert "To check in 1" in text_of(tapped)
    assert without["Location"] == path(event, "roster/#player-1")


@pytest.mark.parametrize(
    ("state", "tap", "words"),
    [
        ("dropped", "check-in", "Ada has dropped. Nothing was changed."),
        ("dropped", "not-here", "Ada has dropped. Nothing was changed."),
        ("waiting", "check-in", "Ada is on the waiting list. Nothing was changed."),
    ],
)
def test_tap_on_an_outdated_row_changes_nothing_and_shows_the_state(
    desk: Client, event: Tournament, state: str, tap: str, words: str
):
    event.registrations.filter(number=1).update(state=state, dropped_by="staff")

    answer: Any = desk.post(path(event, f"roster/1/{tap}/"), headers=HTMX)

    assert words in text_of(answer)
    assert answer.context["row"].state == player_number(event, 1).state == state


def test_second_tap_of_a_colleague_changes_nothing(desk: Client, event: Tournament):
    for _ in range(2):
        desk.post(path(event, "roster/1/check-in/"), headers=HTMX)
        desk.post(path(event, "roster/2/paid/"), {"paid": "yes"}, headers=HTMX)

    assert player_number(event, 1).is_active
    assert event.log.filter(action__in=["player checked in", "marked as paid"]).count() == 2


@pytest.mark.parametrize(
    ("action", "fields", "undone"),
    [
        ("drop", {}, {"state": "registered"}),
        ("seed", {"seed": "3"}, {"seed": None}),
        ("bye", {"bye": "yes"}, {"first_round_bye": False}),
        ("entry", {"name": "Zo\u00eb"}, {"number": 1}),
    ],
)
def test_message_leads_to_the_undo(
    desk: Client, event: Tournament, action: str, fields: dict[str, str], undone: dict[str, Any]
):
    page: Any = desk.post(path(event, f"roster/1/{action}/"), fields, follow=True)
    (message,) = page.context["messages"]

    desk.post(message.extra_tags)

    entry = player_number(event, 1)
    assert {field: getattr(entry, field) for field in undone} == undone
    assert entry.player.name == "Ada"


@pytest.mark.parametrize(
    ("action", "fields"),
    [
        ("drop", {}),
        ("seed", {"seed": "3"}),
        ("bye", {"bye": "yes"}),
        ("entry", {"name": "Zo\u00eb"}),
    ],
)
def test_save_that_changes_nothing_offers_no_undo(
    desk: Client, event: Tournament, action: str, fields: dict[str, str]
):
    address = path(event, f"roster/1/{action}/")
    desk.post(address, fields)
    desk.get(path(event, "roster/"))

    page: Any = desk.post(address, fields, follow=True)

    shown = [(str(message), message.extra_tags) for message in page.context["messages"]]
    assert shown == [("Nothing was changed.", "")]


def test_page_of_a_player_is_shown_without_a_script_and_in_the_sheet(
    desk: Client, event: Tournament
):
    services.drop_player(player_number(event, 2), owner_of(event))

    actions = {
        number: {form.action.split(f"/roster/{number}/")[-1] for form in forms_in(page.text)}
        for number in (1, 2)
        if (page := desk.get(path(event, f"roster/{number}/entry/")))
    }

    always = {"entry/", "seed/", "wishes/", "merge/", "remove/", "bye/"}
    assert actions[1] >= always | {"drop/"}
    assert actions[2] >= always | {"return/"}
    assert "data-sheet-content" in desk.get(path(event, "roster/1/entry/")).text


def test_refusal_is_shown_in_the_sheet(desk: Client, event: Tournament):
    in_sheet = {**HTMX, "HX-Target": "sheet-message"}

    long = desk.post(path(event, "roster/1/entry/"), {"name": "x" * 150}, headers=in_sheet)
    saved = desk.post(path(event, "roster/1/entry/"), {"name": "Zo\u00eb"}, headers=in_sheet)

    assert (long.status_code, saved.status_code) == (409, 200)
    assert "150 characters. The limit is 100" in text_of(long)
    assert "toast" not in long.text
    assert "Saved: number 1 is Zo\u00eb." in text_of(saved)


@pytest.mark.parametrize(
    ("page", "fields", "changed"),
    [
        ("seed", {"seed": "4", "seen_seed": "", "seen_group": ""}, {"seed": 2}),
        ("wishes", {"fixed_table": "4", "seen_table": ""}, {"fixed_table": 2}),
    ],
)
def test_form_filled_in_before_a_change_of_a_colleague_is_refused(
    desk: Client, event: Tournament, page: str, fields: dict[str, str], changed: dict[str, int]
):
    event.registrations.filter(number=1).update(**changed)

    answer = desk.post(path(event, f"roster/1/{page}/"), fields, headers=HTMX)

    assert answer.status_code == 409
    assert "have changed since you opened" in text_of(answer)
    assert {field: getattr(player_number(event, 1), field) for field in changed} == changed


@pytest.mark.parametrize(("role", "is_offered"), [("organiser", True), ("judge", False)])
def test_empty_roster_has_one_button_for_each_way_to_add(role: str, is_offered: bool):
    event = make_event(players=0)
    client = Client()
    client.force_login(add_staff(event, role))

    page = client.get(path(event, "roster/")).text

    assert ("Type a name above" in page) is is_offered
    assert page.count(f'href="{path(event, "roster/paste/")}"') == (2 if is_offered else 0)
    assert ('data-roster-add aria-controls="add" hidden' in page) is is_offered


@pytest.mark.parametrize(
    ("role", "links"), [("organiser", "entry"), ("judge", "conduct"), ("scorekeeper", "")]
)
def test_menu_of_a_row_has_only_permitted_links(event: Tournament, role: str, links: str):
    page = browser_of(role, event, player_number(event, 1)).get(path(event, "roster/")).text

    hrefs = {
        "entry": "href=1/entry/" in page,
        "conduct": f"href={url('conduct', event, 1)}" in page,
    }
    assert [name for name, is_there in hrefs.items() if is_there] == [links][: bool(links)]
    assert ("roster/add/" in page) == (role == "organiser")


def test_removed_row_is_taken_off_the_page(desk: Client, event: Tournament):
    removed = desk.post(path(event, "roster/1/remove/"), headers=HTMX)
    event.registrations.filter(number=2).update(state="checked_in")
    draft_round_of_two(event)
    refused: Any = desk.post(path(event, "roster/2/remove/"), headers=HTMX)

    assert '<tr id="player-1" hx-swap-oob="delete">' in removed.text
    assert "Ada was removed from the roster." in text_of(removed)
    assert (refused.status_code, refused.context["row"].number) == (409, 2)


def draft_round_of_two(event: Tournament) -> None:
    add_players(event, 1)
    draft_round(event)


ROSTER_BYTES, TAP_BYTES, ROSTER_QUERIES = 150_000, 6_000, 12


def test_roster_of_256_players_is_small(django_assert_max_num_queries: Callable[[int], Any]):
    """Names of 24 characters, pronouns, fee and decks: nothing is left out of a row."""
    event = make_event(players=0, owner=make_user("large"), entry_fee="5 \u20ac")
    new = [
        roster_changes.NewEntry(f"Bartholomew Cholmonde {number}", "they/them")
        for number in range(256)
    ]
    roster_changes.add_entries(event, new, owner_of(event))
    desk = desk_of(event)
    desk.get(path(event, "roster/"))

    page = desk.get(path(event, "roster/"))
    tapped = desk.post(path(event, "roster/128/check-in/"), headers=HTMX)

    assert len(page.content) < ROSTER_BYTES
    assert len(tapped.content) < TAP_BYTES
    assert page.text.count("<form") < 10
    assert queries_of(desk.get, path(event, "roster/")) <= ROSTER_QUERIES


def test_disqualified_player_cannot_return(desk: Client, event: Tournament):
    penalise(player_number(event, 1), PenaltyKind.DISQUALIFICATION)

    row = desk.post(path(event, "roster/1/return/"), headers=HTMX)
    page = desk.post(path(event, "roster/1/return/"), follow=True)

    assert row.status_code == 409
    for answer in (row, page):
        assert "Ada is disqualified and cannot return" in answer.text
    assert player_number(event, 1).state == RegistrationState.DROPPED


def test_personal_link_is_shown_once(desk: Client, event: Tournament):
    before = desk.get(path(event, "roster/1/link/")).text
    issued = desk.post(path(event, "roster/1/link/"))
    later = desk.get(path(event, "roster/1/link/")).text

    link = issued.text.split('id="claim-link">http://testserver')[1].split("<")[0]
    assert "data:image/svg+xml" in issued.text
    assert issued["Referrer-Policy"] == "no-referrer"
    # The forms in the next-step strip must send their Origin.
    assert '<meta name="referrer" content="same-origin">' in issued.text
    assert Client().get(link, follow=True).status_code == 200
    assert "replaces the old one" not in before
    assert "A new link replaces the old one" in later
    assert "/claim/" not in later
    assert "claim link given" in [entry.action for entry in event.log.all()]


def test_player_with_an_account_or_erased_gets_no_link(desk: Client, event: Tournament):
    for number, change, words in (
        (1, {"user": make_user()}, "so you do not need a link"),
        (2, {"erased_at": timezone.now()}, "was erased, so this player"),
    ):
        Player.objects.filter(pk=player_number(event, number).player_id).update(**change)

        answer = desk.post(path(event, f"roster/{number}/link/"))

        assert answer.status_code == 200
        assert words in answer.text
        assert 'id="claim-link"' not in answer.text


def test_paired_player_is_not_checked_out_by_a_tap(desk: Client, event: Tournament):
    desk.post(path(event, "roster/check-in/"))
    assert rows(desk, event)[1].tap == "not-here"
    play_round(event)
    (late,) = add_players(event, 1)

    shown = rows(desk, event)
    assert (shown[1].tap, shown[late.number].tap) == ("", "not-here")
    draft_round(event)
    assert rows(desk, event)[late.number].tap == ""

    page = desk.get(path(event, f"roster/{late.number}/entry/")).text
    assert path(event, f"roster/{late.number}/drop/") in [form.action for form in forms_in(page)]


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"seed": "0"}, "whole number from 1 to 9999"),
        ({"seed": "two"}, "whole number from 1 to 9999"),
        ({"avoid_group": "x" * 41}, "at most 40 characters"),
        ({"fixed_table": "twelve"}, "Enter a table number from 1 to 9999"),
    ],
)
def test_invalid_preference_is_refused(
    desk: Client, event: Tournament, typed: dict[str, str], words: str
):
    address = path(event, f"roster/1/{'wishes' if 'fixed_table' in typed else 'seed'}/")
    in_row = desk.post(address, typed, headers=HTMX)
    at_top = desk.post(address, typed)

    assert (in_row.status_code, words in in_row.text) == (409, True)
    # The message at the top of the page must be in view.
    assert at_top["Location"] == path(event, "roster/")
    assert words in desk.get(at_top["Location"]).text
    assert player_number(event, 1).seed is None


def test_player_opts_out_of_feature_tables():
    event = make_event(players=4, feature_tables="1")
    phone = browser_of("player", event, player_number(event, 1))
    address = url("my_stream", event)

    phone.post(address, {"avoids": "yes"})
    assert player_number(event, 1).avoids_stream
    phone.post(address, {"avoids": "no"})
    assert not player_number(event, 1).avoids_stream


def test_edited_list_keeps_its_text(desk: Client, event: Tournament):
    sent = {"kind": "names", "text": "Cy\nada", "seen": "0"}
    preview = desk.post(path(event, "roster/paste/"), sent)
    assert 'name="edit" value="yes"' in preview.text

    answer = desk.post(path(event, "roster/paste/"), {**sent, "edit": "yes"})

    assert answer.status_code == 200
    assert "Cy\nada</textarea>" in answer.text
    assert "Preview" in answer.text


@pytest.mark.parametrize(
    ("choice", "added"),
    [("Eva Lindqvist", ["Eva Lindqvist"]), ("Eva Lindquist", ["Eva Lindquist"]), ("", [])],
)
def test_similar_spelling_of_a_known_player_requires_a_choice(
    desk: Client, event: Tournament, choice: str, added: list[str]
):
    second_event = make_event(players=0, owner=make_user("elsewhere"), visibility=Visibility.PUBLIC)
    roster_changes.add_entries(
        second_event, [roster_changes.NewEntry("Eva Lindqvist")], owner_of(second_event)
    )
    preview = paste(desk, event, "Cy\nEva Lindquist")
    question, _ = preview.context["lines"]
    assert (question.known_name, preview.context["adding"]) == ("Eva Lindqvist", 1)

    sent = {**preview_answers(preview), "name-2": choice}
    unanswered = {name: value for name, value in sent.items() if name != "name-2"}
    refused = desk.post(path(event, "roster/apply/"), unanswered)
    answer = desk.post(path(event, "roster/apply/"), sent, follow=True)

    assert refused.status_code == 422
    assert "Line 2: how is Eva Lindquist spelt?" in refused.text
    assert names(event) == ["Ada", "Bo", "Cy", *added]
    assert f"{len(added) + 1} player" in answer.text


@pytest.mark.parametrize("hidden", ["private event", "hidden history"])
def test_players_hidden_from_the_public_are_not_suggested(
    desk: Client, event: Tournament, hidden: str
):
    is_private = hidden == "private event"
    second_event = make_event(
        players=0,
        owner=make_user("elsewhere"),
        visibility=Visibility.PRIVATE if is_private else Visibility.PUBLIC,
    )
    (known,) = roster_changes.add_entries(
        second_event, [roster_changes.NewEntry("Eva Lindqvist")], owner_of(second_event)
    )
    if not is_private:
        hide(known.player, hides_history=True)

    preview = paste(desk, event, "Eva Lindquist")

    assert [line.known_name for line in preview.context["lines"]] == [""]


def test_heading_is_the_title_of_the_page(desk: Client, event: Tournament):
    player = player_number(event, 1).player
    player.name = "Ada & Bo"
    player.save(update_fields=["name"])

    page = desk.get(path(event, "roster/1/erase/")).content.decode()

    assert "<h1>Erase the data of <bdi>Ada &amp; Bo</bdi></h1>" in page
    assert f"<title>Erase the data of Ada &amp; Bo - {event.name} - Datafort</title>" in page


@pytest.mark.parametrize("query", ["q=A%00da", "q=%00&state=%00"])
def test_search_accepts_nul(desk: Client, event: Tournament, query: str):
    assert desk.get(path(event, f"roster/?{query}")).status_code == 200


def test_too_large_file_is_refused(desk: Client, event: Tournament):
    file = SimpleUploadedFile("names.csv", b"name\n" + b"A" * MAX_BYTES)

    answer = desk.post(path(event, "roster/csv/"), {"kind": "csv", "file": file})

    assert answer.status_code == 422
    assert f"The file has {MAX_BYTES + 5:,} bytes" in answer.text


def test_lists_per_account_are_limited(desk: Client, event: Tournament, settings):
    settings.API_LIMITS = {**settings.API_LIMITS, "lists": 2}
    cache.clear()
    with time_machine.travel(datetime(2026, 5, 2, 12, tzinfo=UTC), tick=False):
        shown = [paste(desk, event, "Cy").status_code for _ in range(3)]
        applied = desk.post(path(event, "roster/apply/"), {"kind": "names", "text": "Cy"})
        form = desk.get(path(event, "roster/paste/"))

    assert shown == [200, 200, 429]
    assert (applied.status_code, form.status_code) == (429, 200)
    cache.clear()


def test_roster_is_polled(desk: Client, event: Tournament):
    page: Any = desk.get(path(event, "roster/"))
    known = {**FRAGMENT, "If-None-Match": page.context["etag"]}
    assert desk.get(path(event, "roster/"), headers=known).status_code == 304

    add_players(event, 1, checked_in=False)
    answer = desk.get(path(event, "roster/"), headers=known)

    assert answer.status_code == 200
    assert answer["ETag"] != page.context["etag"]
    assert event.registrations.last().player.name in answer.text
    assert 'id="roster-counts"' in answer.text
    assert "<html" not in answer.text
