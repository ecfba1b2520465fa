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

INVITATION = "/invitation/"


def make_scene() -> Tournament:
    return make_event(players=0)


def link(event: Tournament, role: str = "judge") -> str:
    page = logged_in(owner_of(event).user).post(
        url("invite", event),
        {"role": role, "hours": 24, "note": "Mara"},
    )
    assert page["Referrer-Policy"] == "no-referrer"
    # The forms in the next-step strip must send their Origin.
    assert '<meta name="referrer" content="same-origin">' in page.text
    return re.search(r"/invitation/[\w-]+/", page.content.decode()).group(0)


def test_link_leads_through_the_login_to_the_desk(event: Tournament):
    mara, address = make_user("mara"), link(event)
    client = Client()

    opened = client.get(address)
    assert (opened.status_code, opened["Location"]) == (302, INVITATION)
    assert "?next=/invitation/" in client.get(INVITATION).content.decode()
    client.post(
        reverse("account_login"),
        {"login": "mara", "password": "a long password", "next": INVITATION},
    )
    accepted = client.post(INVITATION, follow=True)

    assert accepted.redirect_chain[-1][0] == url("desk", event)
    assert event.staff.get(user=mara).role == StaffRole.JUDGE


def test_role_without_a_desk_leads_to_the_event(event: Tournament):
    client, address = logged_in(make_user()), link(event, "streamer")

    client.get(address)

    assert client.post(INVITATION)["Location"] == url("event", event)


def test_opened_link_is_not_used_up(event: Tournament):
    client, address = logged_in(make_user()), link(event)

    client.get(address)
    page = client.get(INVITATION)

    assert (page.status_code, page["Referrer-Policy"]) == (200, "no-referrer")
    assert StaffInvitation.objects.get().used_at is None


def test_invalid_link_is_a_410(event: Tournament):
    used, withdrawn = link(event), link(event)
    first = logged_in(make_user())
    first.get(used)
    first.post(INVITATION)
    services.withdraw_invitation(StaffInvitation.objects.get(used_at=None), owner_of(event))
    old = link(event)
    StaffInvitation.objects.filter(used_at=None, withdrawn_at=None).update(ends_at=timezone.now())

    for address, words in (
        (used, "was already used"),
        (withdrawn, "withdrawn"),
        (old, "has expired"),
        ("/invitation/a-guess/", "is incomplete or does not exist"),
    ):
        client = logged_in(make_user())
        client.get(address)
        page = client.get(INVITATION)
        assert page.status_code == 410
        assert words in page.content.decode()
        assert client.post(INVITATION).status_code == 410


def test_secret_is_in_no_table_or_log_line(event: Tournament):
    address = link(event)
    secret = address.split("/")[2]
    client = Client()
    client.get(address)

    session_data = [str(row.get_decoded()) for row in Session.objects.all()]
    assert secret not in str(session_data)
    line = leave_out_secrets(None, "info", {"event": f"GET {address} 302"})
    assert secret not in line["event"]


def test_log_shows_the_expiry(event: Tournament):
    link(event)
    moment = timezone.localtime(StaffInvitation.objects.get().ends_at)

    page = logged_in(owner_of(event).user).get(url("log", event))

    assert f"Ends at: {moment.day} {moment:%B %Y, %H:%M}" in page.content.decode()


def test_account_with_a_role_is_refused(event: Tournament):
    address = link(event)
    client = logged_in(add_staff(event, StaffRole.SCOREKEEPER))
    client.get(address)

    page = client.post(INVITATION, follow=True)

    assert "already scorekeeper here" in page.content.decode()
    assert StaffInvitation.objects.get().used_at is None


def test_open_invitations_are_listed_and_withdrawn(event: Tournament):
    link(event)
    owner = logged_in(owner_of(event).user)
    page = url("staff", event)
    assert "Mara" in owner.get(page).content.decode()

    pk = StaffInvitation.objects.get().pk
    owner.post(url("invitation_withdraw", event, pk))

    assert "Mara" not in owner.get(page).content.decode()


def test_handover_requires_a_ticked_box(event: Tournament):
    owner, heir = owner_of(event).user, add_staff(event, StaffRole.ORGANISER)
    address = url("staff_hand_over", event, event.staff.get(user=heir).pk)

    logged_in(owner).post(address)
    assert event.staff.get(role=StaffRole.OWNER).user == owner
    logged_in(owner).post(address, {"sure": "yes"})

    assert event.staff.get(role=StaffRole.OWNER).user == heir
    assert logged_in(owner).post(address, {"sure": "yes"}).status_code == 403
