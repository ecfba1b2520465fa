"""Names typed, pasted and uploaded; players searched, checked in, dropped, removed, given links."""

import re
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
from tests.factories.tournaments import (
    add_players,
    draft_round,
    make_event,
    make_user,
    owner_of,
    play_round,
    player_number,
    start_round,
)
from tests.tournaments.cast import OWNER, browser_of
from tests.tournaments.pages import HTMX, path, preview_answers, url
from tournaments.models import RegistrationState, Tournament
from tournaments.registration import services
from tournaments.registration.pasted_roster import MAX_BYTES


def make_scene() -> Tournament:
    return make_event(players=2, owner=make_user(OWNER), checked_in=False)


def names(event: Tournament) -> list[str]:
    return [entry.player.name for entry in event.registrations.order_by("number")]


def test_a_typed_name_is_added_and_the_next_can_be_typed(desk: Client, event: Tournament):
    answer = desk.post(path(event, "roster/add/"), {"name": " Zo\u00eb "}, follow=True)

    page = answer.content.decode()
    assert names(event) == ["Ada", "Bo", "Zo\u00eb"]
    assert page.index('id="add-title"') < page.index("Zo\u00eb is on the roster.")
    # A browser gives no field the focus on a page that opens at an anchor.
    assert answer.redirect_chain == [(path(event, "roster/?added"), 302)]
    assert re.search(r'<input[^>]*id="id_name"[^>]*autofocus', page)


def test_a_name_that_is_not_added_says_why_and_a_duplicate_wants_a_second_yes(
    desk: Client, event: Tournament
):
    taken = desk.post(path(event, "roster/add/"), {"name": "\uff21\uff44\uff41"})
    long = desk.post(path(event, "roster/add/"), {"name": "x" * 150})

    assert (taken.status_code, long.status_code) == (422, 422)
    assert "is on the roster" in taken.text
    assert "another person" in taken.text
    assert "150 characters, 100 are allowed" in long.text
    assert len(names(event)) == 2

    desk.post(path(event, "roster/add/"), {"name": "ADA", "is_other": "on"})
    assert names(event) == ["Ada", "Bo", "ADA"]


def test_whoever_takes_a_name_that_looks_like_another_is_seen_on_the_roster(
    desk: Client, event: Tournament
):
    def similar(page: str) -> list[tuple[str, str]]:
        return re.findall(r"Similar name</span>.*?no. (\d) <bdi>(\w+)", page)

    assert similar(desk.get(path(event, "roster/")).text) == []

    players.rename_player(player_number(event, 2).player, "\u0410da")  # Cyrillic

    assert similar(desk.get(path(event, "roster/")).text) == [("2", "\u0410da"), ("1", "Ada")]
    # Also where the other one is not shown.
    assert similar(desk.get(path(event, "roster/"), {"q": "2"}).text) == [("1", "Ada")]
    tapped = desk.post(path(event, "roster/2/check-in/"), headers={"HX-Request": "true"})
    assert similar(tapped.text) == [("1", "Ada")]


def test_a_pasted_list_shows_every_line_before_anything_happens(desk: Client, event: Tournament):
    text = "1. Cy\n\n2. ada\n3. cy\n" + "y" * 120

    answer = desk.post(path(event, "roster/paste/"), {"kind": "names", "text": text})

    page = unescape(answer.content.decode())
    assert "Ada is already registered. If this is a different person" in page
    assert "Same name as line 1." in page
    assert "line 5: The name has 120 characters" in page
    assert names(event) == ["Ada", "Bo"]


def test_what_was_shown_is_applied_once_and_ticked_duplicates_with_it(
    desk: Client, event: Tournament
):
    typed = {"kind": "names", "text": "Cy\nada\ncy\nDi"}
    preview = desk.post(path(event, "roster/paste/"), typed)
    sent = {**preview_answers(preview), "take-2": "on"}

    answer = desk.post(path(event, "roster/apply/"), sent, follow=True)
    again = desk.post(path(event, "roster/apply/"), sent)

    assert names(event) == ["Ada", "Bo", "Cy", "ada", "Di"]
    assert "3 players added, 1 line skipped." in answer.text
    assert "The roster has changed" in again.text


def pasted(desk: Client, event: Tournament, text: str, **more: str) -> Any:
    """The preview of this text."""
    return desk.post(path(event, "roster/paste/"), {"kind": "names", "text": text, **more})


def apply_preview(desk: Client, event: Tournament, preview: Any, **more: str) -> Any:
    """The answer to the preview, with some of its fields changed; "" takes a tick away."""
    sent = {**preview_answers(preview), **more}
    sent = {name: value for name, value in sent.items() if value or name == "layout"}
    return desk.post(path(event, "roster/apply/"), sent, follow=True)


def test_columns_of_a_pasted_table_are_shown_and_can_be_changed(desk: Client, event: Tournament):
    preview = pasted(desk, event, "Li\tCy\tshe/her\tNBN\nMo\tDi\t\tHB")

    assert [column.use for column in preview.context["columns"]] == [
        "name",
        "ignored",
        "pronouns",
        "ignored",
    ]
    again = desk.post(
        path(event, "roster/paste/"),
        {
            **preview_answers(preview),
            "read_as": "tab",
            "use": ["last_name", "first_name", "pronouns", "ignored"],
        },
    )
    sent = {**preview_answers(again), "read_as": "tab"}
    sent["use"] = [column.use for column in again.context["columns"]]  # type: ignore[assignment]
    desk.post(path(event, "roster/apply/"), sent)

    assert names(event) == ["Ada", "Bo", "Cy Li", "Di Mo"]
    assert player_number(event, 3).player.pronouns == "she/her"


def test_another_layout_reads_the_list_again(desk: Client, event: Tournament):
    preview = pasted(desk, event, "Cy, Di")
    assert "Cy, Di" in unescape(preview.text)
    assert len(preview.context["lines"]) == 1

    again = pasted(desk, event, "Cy, Di", layout="list", read_as="lines")
    apply_preview(desk, event, again)

    assert names(event) == ["Ada", "Bo", "Cy", "Di"]


def test_table_without_a_name_column_is_refused(desk: Client, event: Tournament):
    answer = pasted(desk, event, "Cy\tshe/her\nDi\t", layout="tab", read_as="tab", use="ignored")
    twice = desk.post(
        path(event, "roster/paste/"),
        {
            "kind": "names",
            "text": "Cy\tLi\nDi\tMo",
            "layout": "tab",
            "read_as": "tab",
            "use": ["name", "name"],
        },
    )

    assert answer.status_code == 200  # Other columns than were chosen for: recognised again.
    assert twice.status_code == 422
    assert "Two columns are chosen as the name." in twice.text


def test_unticked_line_is_not_added_and_ticked_heading_is(desk: Client, event: Tournament):
    preview = pasted(desk, event, "Players tonight:\nCy\nDi")
    heading, _, _ = preview.context["lines"]
    assert (heading.entry.action, heading.is_ticked) == ("heading", False)

    answer = apply_preview(desk, event, preview, **{"take-1": "on", "take-3": ""})

    assert names(event) == ["Ada", "Bo", "Players tonight:", "Cy"]
    assert "2 players added, 1 line skipped." in answer.text


def test_list_without_a_tick_adds_nobody(desk: Client, event: Tournament):
    answer = apply_preview(desk, event, pasted(desk, event, "Cy"), **{"take-1": ""})

    assert answer.status_code == 422
    assert "No line is ticked." in answer.text
    assert names(event) == ["Ada", "Bo"]


@pytest.mark.parametrize(
    ("said", "added"), [("add", ["Eva Lindqvist", "Eva Lindquist"]), ("skip", ["Eva Lindqvist"])]
)
def test_similar_name_asks_and_counts_as_answered(
    desk: Client, event: Tournament, said: str, added: list[str]
):
    preview = pasted(desk, event, "Eva Lindqvist\nEva Lindquist")
    assert "Almost the same as Eva Lindqvist on line 1." in unescape(preview.text)

    unanswered = apply_preview(desk, event, preview, **{"similar-2": ""})
    assert unanswered.status_code == 422
    assert "Line 2: is Eva Lindquist a different person?" in unanswered.text
    assert names(event) == ["Ada", "Bo"]
    apply_preview(desk, event, preview, **{"similar-2": said})

    assert names(event) == ["Ada", "Bo", *added]


def test_email_address_in_place_of_a_name_asks_for_the_name(desk: Client, event: Tournament):
    preview = pasted(desk, event, "gus@x.org\nCy")
    assert "Enter a name, not an email address" in preview.text

    wrong = apply_preview(desk, event, preview, **{"name-1": "gus@y.org"})
    assert (wrong.status_code, names(event)) == (422, ["Ada", "Bo"])
    apply_preview(desk, event, preview, **{"name-1": "Gus Mo"})

    assert names(event) == ["Ada", "Bo", "Gus Mo", "Cy"]


def test_typed_name_that_is_registered_is_not_skipped_silently(desk: Client, event: Tournament):
    preview = pasted(desk, event, "gus@x.org\nCy")

    refused = apply_preview(desk, event, preview, **{"name-1": "Ada"})
    assert (refused.status_code, names(event)) == (422, ["Ada", "Bo"])
    assert "Line 1: Ada is already registered." in refused.text
    apply_preview(desk, event, refused, **{"name-1": "Ada", "take-1": "on"})

    assert names(event) == ["Ada", "Bo", "Ada", "Cy"]


def test_thousand_lines_are_added_at_once(desk: Client, event: Tournament):
    preview = pasted(desk, event, "\n".join(f"Player {number}" for number in range(1000)))

    answer = apply_preview(desk, event, preview)

    assert "1000 players added." in answer.text


def test_a_file_is_read_with_its_columns(desk: Client, event: Tournament):
    file = SimpleUploadedFile(
        "list.csv", b"name;pronouns;seed;first_round_bye\nCy;they;3;yes\nDi;;x;\n"
    )
    preview = desk.post(path(event, "roster/csv/"), {"kind": "csv", "text": "", "file": file})
    page = unescape(preview.content.decode())
    assert "line 3, seed: The seed must be a whole number" in page

    text = re.search(r"<textarea[^>]*>\n(.*?)</textarea>", page, re.DOTALL)
    assert text is not None
    sent = {**preview_answers(preview), "text": text[1]}
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
def test_an_unreadable_list_is_refused_with_its_text_kept(
    desk: Client, event: Tournament, kind: str, text: str, reason: str
):
    page = "roster/csv/" if kind == "csv" else "roster/paste/"

    answer = desk.post(path(event, page), {"kind": kind, "text": text})

    assert answer.status_code == 422
    assert reason in unescape(answer.content.decode())
    assert text.strip() in unescape(answer.content.decode())


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("q=ad", ["Ada"]),
        ("q=BO", ["Bo"]),
        ("q=2", ["Bo"]),
        ("state=registered", ["Ada", "Bo"]),
        ("state=dropped", []),
    ],
)
def test_the_roster_is_searched(desk: Client, event: Tournament, query: str, found: list[str]):
    page = desk.get(path(event, f"roster/?{query}")).content.decode()

    assert re.findall(r'<bdi class="player-name">(.*?)</bdi>', page) == found


def test_who_signed_up_themselves_is_shown_then_removed(desk: Client, event: Tournament):
    services.register_guest(event, "Made up 1")
    services.register_guest(event, "Made up 2", user=make_user("made-up"))
    page = path(event, "roster/sign-ups/")

    shown = desk.get(page, {"since": "2020-01-01T10:00", "until": "2200-01-01T10:00"}).text
    (numbers,) = re.findall(r'name="numbers" value="([0-9,]+)"', shown)
    assert "Made up 2</bdi>, with an account" in shown
    assert names(event) == ["Ada", "Bo", "Made up 1", "Made up 2"]
    desk.post(page, {"numbers": numbers})

    assert names(event) == ["Ada", "Bo"]
    assert desk.get(page, {"since": "x", "until": ""}).status_code == 422


def test_sign_ups_of_an_event_that_was_finished_meanwhile_stay(desk: Client, event: Tournament):
    number = services.register_guest(event, "Made up").number
    Tournament.objects.filter(pk=event.pk).update(finished_at=timezone.now())

    answer = desk.post(path(event, "roster/sign-ups/"), {"numbers": number}, follow=True)

    assert "This event is finished." in answer.text
    assert names(event) == ["Ada", "Bo", "Made up"]


def test_the_form_for_a_player_sent_twice_adds_one(desk: Client, event: Tournament):
    page = desk.get(path(event, "roster/")).text
    (key,) = re.findall(r'name="idempotency_key" value="(\w{32})"', page)

    for _ in range(2):
        desk.post(path(event, "roster/add/"), {"name": "Zoe", "idempotency_key": key})

    assert names(event) == ["Ada", "Bo", "Zoe"]


def test_a_tap_checks_in_and_swaps_the_row_or_without_scripts_leads_back(
    desk: Client, event: Tournament
):
    page = desk.post(path(event, "roster/1/check-in/"), headers=HTMX).text
    without = desk.post(path(event, "roster/1/check-in/"))

    assert player_number(event, 1).state == RegistrationState.CHECKED_IN
    assert page.strip().startswith('<tr id="player-1"')
    assert "<strong>1 of 2</strong> checked in" in page
    assert 'hx-swap-oob="true"' in page
    assert without["Location"] == path(event, "roster/#player-1")


def test_all_who_wait_are_checked_in_and_those_who_dropped_stay_away(
    desk: Client, event: Tournament
):
    desk.post(path(event, "roster/2/drop/"))

    desk.post(path(event, "roster/check-in/"))

    states = [entry.state for entry in event.registrations.order_by("number")]
    assert states == [RegistrationState.CHECKED_IN, RegistrationState.DROPPED]
    desk.post(path(event, "roster/2/return/"))
    assert player_number(event, 2).is_active
    desk.post(path(event, "roster/2/not-here/"))
    assert player_number(event, 2).state == RegistrationState.REGISTERED


def test_who_is_disqualified_does_not_return_and_the_page_says_so(desk: Client, event: Tournament):
    penalise(player_number(event, 1), PenaltyKind.DISQUALIFICATION)

    row = desk.post(path(event, "roster/1/return/"), headers=HTMX)
    page = desk.post(path(event, "roster/1/return/"), follow=True)

    assert row.status_code == 409
    for answer in (row, page):
        assert "Ada is disqualified and cannot return" in answer.text
    assert player_number(event, 1).state == RegistrationState.DROPPED


def test_the_door_does_not_bring_back_who_was_dropped(event: Tournament):
    judge = browser_of("judge", event, player_number(event, 1))
    services.drop_player(player_number(event, 1), owner_of(event))

    for tap in ("not-here", "check-in"):
        judge.post(path(event, f"roster/1/{tap}/"))
    judge.post(path(event, "roster/tick/"), {"tick": "1 not"})

    assert player_number(event, 1).state == RegistrationState.DROPPED


def test_a_player_is_removed(desk: Client, event: Tournament):
    desk.post(path(event, "roster/1/remove/"))

    assert names(event) == ["Bo"]


def test_a_first_round_bye_is_given_and_taken(desk: Client, event: Tournament):
    desk.post(path(event, "roster/1/bye/"), {"bye": "yes"})
    assert player_number(event, 1).first_round_bye

    desk.post(path(event, "roster/1/bye/"), {"bye": "no"})
    assert not player_number(event, 1).first_round_bye


def test_a_personal_link_is_shown_once(desk: Client, event: Tournament):
    given = desk.post(path(event, "roster/1/link/"))
    asked = desk.get(path(event, "roster/1/link/")).text

    link = re.search(r'id="claim-link">http://testserver(.*?)<', given.text)
    assert link is not None
    assert "data:image/svg+xml" in given.text
    assert given["Referrer-Policy"] == "no-referrer"
    # Its strip of the next step has forms, which must name where they come from.
    assert '<meta name="referrer" content="same-origin">' in given.text
    assert Client().get(link[1], follow=True).status_code == 200
    assert "A new link replaces the old one" in asked
    assert "/claim/" not in asked
    assert "claim link given" in [entry.action for entry in event.log.all()]


def test_who_has_an_account_or_was_erased_meanwhile_gets_no_link(desk: Client, event: Tournament):
    for number, change, words in (
        (1, {"user": make_user()}, "so a link is not needed"),
        (2, {"erased_at": timezone.now()}, "was erased, so this player"),
    ):
        Player.objects.filter(pk=player_number(event, number).player_id).update(**change)

        answer = desk.post(path(event, f"roster/{number}/link/"))

        assert answer.status_code == 200
        assert words in answer.text
        assert 'id="claim-link"' not in answer.text


def test_a_late_entry_is_shown_its_first_round_and_marked(desk: Client, event: Tournament):
    desk.post(path(event, "roster/check-in/"))
    start_round(event)

    answer = desk.post(path(event, "roster/add/"), {"name": "Late"}, follow=True)

    assert "can play from round 2" in answer.text
    assert "From round 2" in desk.get(path(event, "roster/")).text


def main_button(desk: Client, event: Tournament, number: int) -> str:
    page = desk.get(path(event, "roster/")).content.decode()
    row = page[page.index(f'id="player-{number}"') :]
    button = re.search(r"<button[^>]*>(.*?)</button>", row, re.DOTALL)
    assert button is not None
    return re.sub(r"<[^>]+>", "", button[1]).split(" ")[0].strip()


def test_a_late_entry_is_dropped_once_paired_and_not_here_before(desk: Client, event: Tournament):
    desk.post(path(event, "roster/check-in/"))
    assert main_button(desk, event, 1) == "Not"
    play_round(event)
    (late,) = add_players(event, 1)

    assert main_button(desk, event, 1) == "Drop"
    assert main_button(desk, event, late.number) == "Not"
    draft_round(event)
    assert main_button(desk, event, late.number) == "Drop"

    row = desk.post(path(event, f"roster/{late.number}/check-in/"), headers=HTMX).content.decode()
    assert path(event, f"roster/{late.number}/drop/") in row
    assert path(event, f"roster/{late.number}/not-here/") not in row


def test_a_seed_and_a_group_are_set_from_the_row(desk: Client, event: Tournament):
    desk.post(path(event, "roster/1/seed/"), {"seed": "2", "avoid_group": " The  car "})

    entry = player_number(event, 1)
    assert (entry.seed, entry.avoid_group) == (2, "The car")
    assert "Group <bdi>The car</bdi>" in desk.get(path(event, "roster/")).content.decode()


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"seed": "0"}, "whole number from 1 to 9999"),
        ({"seed": "two"}, "whole number from 1 to 9999"),
        ({"avoid_group": "x" * 41}, "at most 40 letters"),
    ],
)
def test_a_seed_or_group_that_cannot_be_is_refused(
    desk: Client, event: Tournament, typed: dict[str, str], words: str
):
    address = path(event, "roster/1/seed/")
    in_row = desk.post(address, typed, headers=HTMX)
    at_top = desk.post(address, typed)

    assert (in_row.status_code, words in in_row.text) == (409, True)
    # What is said at the top of the page is not scrolled out of sight.
    assert at_top["Location"] == path(event, "roster/")
    assert words in desk.get(at_top["Location"]).text
    assert player_number(event, 1).seed is None


def test_the_staff_set_a_fixed_table_and_the_stream(desk: Client, event: Tournament):
    address = url("wishes", event, 2)

    desk.post(address, {"fixed_table": "12", "avoids_stream": "on"})
    wrong = desk.post(address, {"fixed_table": "twelve"}, headers=HTMX)

    entry = player_number(event, 2)
    assert (entry.fixed_table, entry.avoids_stream) == (12, True)
    assert wrong.status_code == 409
    assert "A table is a number from 1 to 9999" in wrong.text
    assert f'hx-post="{address}"' in desk.get(path(event, "roster/")).text


def test_a_player_may_stay_away_from_the_cameras():
    event = make_event(players=4, feature_tables="1")
    phone = browser_of("player", event, player_number(event, 1))
    address = url("my_stream", event)

    phone.post(address, {"avoids": "yes"})
    assert player_number(event, 1).avoids_stream
    phone.post(address, {"avoids": "no"})
    assert not player_number(event, 1).avoids_stream


def test_a_list_that_is_to_be_changed_keeps_its_text(desk: Client, event: Tournament):
    sent = {"kind": "names", "text": "Cy\nada", "seen": "0"}
    preview = desk.post(path(event, "roster/paste/"), sent)
    assert 'name="edit" value="yes"' in preview.text

    answer = desk.post(path(event, "roster/paste/"), {**sent, "edit": "yes"})

    assert answer.status_code == 200
    assert "Cy\nada</textarea>" in answer.text
    assert "Preview" in answer.text


def test_a_page_has_its_heading_as_its_title_too(desk: Client, event: Tournament):
    player = player_number(event, 1).player
    player.name = "Ada & Bo"
    player.save(update_fields=["name"])

    page = desk.get(path(event, "roster/1/erase/")).content.decode()

    assert "<h1>Erase <bdi>Ada &amp; Bo</bdi></h1>" in page
    assert f"<title>Erase Ada &amp; Bo - {event.name} - Datafort</title>" in page


@pytest.mark.parametrize("asked", ["q=A%00da", "q=%00&state=%00"])
def test_a_search_with_a_nul_in_it_is_a_search(desk: Client, event: Tournament, asked: str):
    assert desk.get(path(event, f"roster/?{asked}")).status_code == 200


def test_a_file_that_is_too_large_is_refused_with_its_size(desk: Client, event: Tournament):
    file = SimpleUploadedFile("names.csv", b"name\n" + b"A" * MAX_BYTES)

    answer = desk.post(path(event, "roster/csv/"), {"kind": "csv", "file": file})

    assert answer.status_code == 422
    assert f"The file has {MAX_BYTES + 5:,} bytes" in answer.text


def test_lists_of_one_account_are_limited_but_the_empty_form_is_shown(
    desk: Client, event: Tournament, settings
):
    settings.API_LIMITS = {**settings.API_LIMITS, "lists": 2}
    cache.clear()
    with time_machine.travel(datetime(2026, 5, 2, 12, tzinfo=UTC), tick=False):
        shown = [pasted(desk, event, "Cy").status_code for _ in range(3)]
        applied = desk.post(path(event, "roster/apply/"), {"kind": "names", "text": "Cy"})
        form = desk.get(path(event, "roster/paste/"))

    assert shown == [200, 200, 429]
    assert (applied.status_code, form.status_code) == (429, 200)
    cache.clear()
