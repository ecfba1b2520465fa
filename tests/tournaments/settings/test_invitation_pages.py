"""The link that makes somebody staff, from the page that makes it to the desk."""

import re

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from core.logs import leave_out_secrets
from players.models import Session
from tests.factories.sessions import logged_in
from tests.factories.tournaments import add_staff, make_event, make_user, owner_of
from tests.tournaments.pages import url
from tournaments.models import StaffInvitation, StaffRole, Tournament
from tournaments.settings import services

HERE = "/invitation/"


def make_scene() -> Tournament:
    return make_event(players=0)


def link(event: Tournament, role: str = "judge") -> str:
    """The address the page shows, without its host."""
    page = logged_in(owner_of(event).user).post(
        url("invite", event),
        {"role": role, "hours": 24, "note": "Mara"},
    )
    assert page["Referrer-Policy"] == "no-referrer"
    # Its strip of the next step has forms, which must name where they come from.
    assert '<meta name="referrer" content="same-origin">' in page.text
    return re.search(r"/invitation/[\w-]+/", page.content.decode()).group(0)


def test_a_link_leads_over_the_log_in_to_the_desk(event: Tournament):
    mara, there = make_user("mara"), link(event)
    client = Client()

    opened = client.get(there)
    assert (opened.status_code, opened["Location"]) == (302, HERE)
    assert "?next=/invitation/" in client.get(HERE).content.decode()
    client.post(
        reverse("account_login"),
        {"login": "mara", "password": "a long password", "next": HERE},
    )
    accepted = client.post(HERE, follow=True)

    assert accepted.redirect_chain[-1][0] == url("desk", event)
    assert event.staff.get(user=mara).role == StaffRole.JUDGE


def test_a_role_without_a_desk_leads_to_the_event(event: Tournament):
    client, there = logged_in(make_user()), link(event, "streamer")

    client.get(there)

    assert client.post(HERE)["Location"] == url("event", event)


def test_looking_at_the_link_uses_nothing_up(event: Tournament):
    client, there = logged_in(make_user()), link(event)

    client.get(there)
    page = client.get(HERE)

    assert (page.status_code, page["Referrer-Policy"]) == (200, "no-referrer")
    assert StaffInvitation.objects.get().used_at is None


def test_a_used_link_a_withdrawn_one_an_old_one_and_a_guess_are_gone(event: Tournament):
    used, withdrawn = link(event), link(event)
    first = logged_in(make_user())
    first.get(used)
    first.post(HERE)
    services.withdraw_invitation(StaffInvitation.objects.get(used_at=None), owner_of(event))
    old = link(event)
    StaffInvitation.objects.filter(used_at=None, withdrawn_at=None).update(ends_at=timezone.now())

    for there, words in (
        (used, "used already"),
        (withdrawn, "withdrawn"),
        (old, "too old"),
        ("/invitation/a-guess/", "is incomplete or does not exist"),
    ):
        client = logged_in(make_user())
        client.get(there)
        page = client.get(HERE)
        assert page.status_code == 410
        assert words in page.content.decode()
        assert client.post(HERE).status_code == 410


def test_no_table_and_no_log_line_holds_the_secret(event: Tournament):
    there = link(event)
    secret = there.split("/")[2]
    client = Client()
    client.get(there)

    held = [str(row.get_decoded()) for row in Session.objects.all()]
    assert secret not in str(held)
    line = leave_out_secrets(None, "info", {"event": f"GET {there} 302"})
    assert secret not in line["event"]


def test_the_log_says_until_when_in_words(event: Tournament):
    link(event)
    moment = timezone.localtime(StaffInvitation.objects.get().ends_at)

    page = logged_in(owner_of(event).user).get(url("log", event))

    assert f"Ends at: {moment.day} {moment:%B %Y, %H:%M}" in page.content.decode()


def test_who_has_a_role_sees_it_and_the_link_stays_good(event: Tournament):
    there = link(event)
    client = logged_in(add_staff(event, StaffRole.SCOREKEEPER))
    client.get(there)

    page = client.post(HERE, follow=True)

    assert "scorekeeper here already" in page.content.decode()
    assert StaffInvitation.objects.get().used_at is None


def test_the_page_lists_open_invitations_and_withdraws_them(event: Tournament):
    link(event)
    owner = logged_in(owner_of(event).user)
    page = url("staff", event)
    assert "Mara" in owner.get(page).content.decode()

    pk = StaffInvitation.objects.get().pk
    owner.post(url("invitation_withdraw", event, pk))

    assert "Mara" not in owner.get(page).content.decode()


def test_an_event_is_handed_over_by_a_box_that_is_ticked(event: Tournament):
    owner, heir = owner_of(event).user, add_staff(event, StaffRole.ORGANISER)
    there = url("staff_hand_over", event, event.staff.get(user=heir).pk)

    logged_in(owner).post(there)
    assert event.staff.get(role=StaffRole.OWNER).user == owner
    logged_in(owner).post(there, {"sure": "yes"})

    assert event.staff.get(role=StaffRole.OWNER).user == heir
    assert logged_in(owner).post(there, {"sure": "yes"}).status_code == 403
