import pytest
from django.test import Client
from django.urls import reverse

from players.models import Player
from tests.factories.series import (
    changed,
    evening,
    final,
    first_evening,
    make_series,
    owner_of_series,
    places,
)
from tests.factories.sessions import claim, logged_in
from tests.factories.tournaments import add_staff, fresh, make_event, make_user, owner_of
from tests.tournaments.pages import page
from tests.tournaments.series.test_series import table
from tournaments.event.permissions import Actor
from tournaments.models import Series, Tournament
from tournaments.privacy.erasure import data_subject_of, erase
from tournaments.registration import roster_changes
from tournaments.registration import services as registration_services
from tournaments.registration.services import NotInvited
from tournaments.series import pages, services

make_scene = first_evening


def test_only_qualified_players_are_invited_and_can_join(
    series: Series, event: Tournament, regulars: list[Player]
):
    first, second = event, evening(series, regulars, number=2)
    event = final(series)
    services.invite_qualified(series, owner_of_series(series))
    winner, runner_up = places(first)[0], places(second)[1]

    assert dict(event.invited.values_list("player__name", "how")) == {
        winner: f"1st at {first.name}",
        runner_up: f"2nd at {second.name}, place 1 already qualified",
    }
    by_name = {player.name: player for player in regulars}
    registration_services.register_player(
        fresh(event), by_name[winner], Actor(player=by_name[winner])
    )
    outsider = by_name[places(first)[3]]
    with pytest.raises(NotInvited, match="players who qualified in Spring Series"):
        registration_services.register_player(fresh(event), outsider, Actor(player=outsider))
    with pytest.raises(NotInvited):
        registration_services.register_guest(fresh(event), "Somebody")


def test_staff_of_the_target_read_nothing_of_a_private_series(series: Series, event: Tournament):
    first, event = event, final(series)
    owner = owner_of_series(changed(series, visibility="private"))
    services.invite_qualified(series, owner)
    owner_desk, organiser_desk = logged_in(owner.user), logged_in(add_staff(event, "organiser"))
    desk = f"/events/{event.slug}/desk/"

    read = [page(organiser_desk, f"{desk}invited/"), page(organiser_desk, f"{desk}log/")]

    assert not any(name in text for name in (series.name, first.name) for text in read)
    assert not any(series.slug in text for text in read)
    assert "1st at a private event" in read[0]
    assert series.name in page(owner_desk, f"{desk}invited/")


def test_staff_add_players_without_an_invitation():
    event = make_event(0, invitation_only=True)

    roster_changes.add_entries(event, [roster_changes.NewEntry("Ada")], owner_of(event))

    assert event.registrations.count() == 1


@pytest.mark.parametrize("is_erased", [False, True])
def test_declined_place_goes_to_the_next_player(series: Series, event: Tournament, is_erased: bool):
    first, event, owner = event, final(series), owner_of_series(series)
    services.invite_qualified(series, owner)
    if is_erased:
        erase(data_subject_of(None, event.invited.get().player))
    else:
        services.set_invitation_declined(event.invited.get(), owner, declined=True)
    services.invite_qualified(series, owner)

    assert event.invited.get(declined_at=None).how == f"2nd at {first.name}, place 1 declined"


def test_player_invited_by_a_different_series_takes_no_second_place(
    series: Series, event: Tournament, regulars: list[Player]
):
    first, event, owner = event, final(series), owner_of_series(series)
    second_series = make_series(target=event, qualify_per_event=1)
    winner = next(player for player in regulars if player.name == places(first)[0])
    event.invited.create(player=winner, series=second_series, how="1st of the other one")
    services.invite_qualified(series, owner)

    how = event.invited.get(series=series).how
    assert how == f"2nd at {first.name}, place 1 already qualified"


def test_invited_players_are_not_invited_again(series: Series):
    final(series)
    services.invite_qualified(series, owner_of_series(series))

    with pytest.raises(services.NobodyToInvite):
        services.invite_qualified(series, owner_of_series(series))


def test_table_qualifies_once_the_season_is_over(series: Series, regulars: list[Player]):
    changed(series, qualify_by_table=1, planned_events=2, tie_breakers=["last_event"])
    assert pages.qualified_page(series).lines == ()
    evening(series, regulars, number=2)

    (line,) = pages.qualified_page(series).lines
    assert (line.player.name, line.how) == (table(series)[0][1], "1st of the table")


def test_organiser_chooses_among_tied_players_with_a_reason(series: Series, regulars: list[Player]):
    target = final(series)
    same = {"place_points": [], "points_for_playing": 1, "tie_breakers": []}
    changed(series, qualify_per_event=0, qualify_by_table=1, planned_events=1, **same)
    chosen, second = regulars[:2]
    desk, address = logged_in(owner_of_series(series).user), f"/series/{series.slug}/desk/"
    shown = page(desk, address)
    assert "Who takes the tied place?" in shown
    assert f'value="{chosen.pk}"' in shown

    desk.post(f"{address}invite/", {"player": chosen.pk, "reason": " "})
    assert not target.invited.exists()
    desk.post(f"{address}invite/", {"player": chosen.pk, "reason": "Won the play-off"})
    desk.post(f"{address}invite/", {"player": second.pk, "reason": "Lost it"})

    assert [(row.player, row.how) for row in target.invited.all()] == [
        (chosen, "Chosen among 4 who share the last place of the table")
    ]
    assert series.log.first().after["reason"] == "Won the play-off"
    qualified = pages.qualified_page(changed(series, qualify_by_table=1))
    assert [(line.player.key, line.how) for line in qualified.lines] == [
        (chosen.pk, "1st of the table, chosen by the organiser")
    ]
    assert qualified.tied == ()


def test_join_page_names_the_qualifying_series(series: Series):
    event = final(series)
    services.invite_qualified(series, owner_of_series(series))
    invited = event.invited.get().player
    code = f"/join/{event.join_code}/"
    client = Client()
    claim(client, invited)

    assert "players who qualified in" in page(Client(), code)
    assert f"Join as <bdi>{invited.name}" in page(client, code)
    assert "By invitation only" in page(Client(), event.get_absolute_url())


@pytest.fixture
def invited(series: Series, event: Tournament) -> tuple[Client, Tournament]:
    target = final(series)
    Tournament.objects.filter(pk=target.pk).update(visibility="private")
    services.invite_qualified(series, owner_of_series(series))
    winner = fresh(target).invited.get().player
    winner.user = make_user("winner")
    winner.save()
    return logged_in(winner.user), fresh(target)


def answer(client: Client, event: Tournament, choice: str) -> str:
    address = reverse("tournaments:invitation_answer", args=[event.slug])
    return client.post(address, {"answer": choice}, follow=True).text


class TestInvitation:
    def test_invited_player_finds_and_opens_the_private_event(
        self, invited: tuple[Client, Tournament], event: Tournament
    ):
        client, target = invited
        outsider = logged_in(make_user())

        for address in ("/my-events/", "/me/"):
            shown = page(client, address)
            assert f'href="{target.get_absolute_url()}"' in shown
            assert f"1st at {event.name}" in shown
            assert target.name not in page(outsider, address)
        assert client.get(target.get_absolute_url()).status_code == 200
        assert outsider.get(target.get_absolute_url()).status_code == 404

    def test_accepting_puts_the_player_on_the_roster_once(self, invited: tuple[Client, Tournament]):
        client, target = invited

        shown = [answer(client, target, "accept") for _ in range(2)]

        assert all(f"You are registered for {target.name}." in text for text in shown)
        assert target.registrations.count() == 1
        assert "Invitations" not in page(client, "/my-events/")

    def test_declining_closes_the_invitation_and_the_private_event(
        self, invited: tuple[Client, Tournament]
    ):
        client, target = invited

        shown = answer(client, target, "decline")

        assert f"You declined the invitation to {target.name}." in shown
        assert target.invited.get().declined_at is not None
        assert "Invitations" not in page(client, "/me/")
        assert client.get(target.get_absolute_url()).status_code == 404
        assert "You have no open invitation" in answer(client, target, "accept")
        assert not target.registrations.exists()

    def test_declining_after_joining_changes_nothing(self, invited: tuple[Client, Tournament]):
        client, target = invited
        answer(client, target, "accept")

        shown = answer(client, target, "decline")

        assert "You have already joined The Final." in shown
        assert target.invited.get().declined_at is None

    def test_closed_registration_offers_no_accept(self, invited: tuple[Client, Tournament]):
        client, target = invited
        Tournament.objects.filter(pk=target.pk).update(registration_is_open=False)

        shown = page(client, "/my-events/")

        assert 'value="accept"' not in shown
        assert "Registration is closed right now." in shown
        assert "Registration is closed." in answer(client, target, "accept")

    def test_player_who_is_not_invited_cannot_answer(self, invited: tuple[Client, Tournament]):
        _, target = invited
        address = reverse("tournaments:invitation_answer", args=[target.slug])

        for client in (logged_in(make_user()), Client()):
            assert client.post(address, {"answer": "accept"}).status_code == 404

    def test_organiser_is_warned_that_the_event_is_private(
        self, invited: tuple[Client, Tournament], series: Series
    ):
        _, target = invited
        desk = logged_in(owner_of_series(series).user)
        addresses = [f"/series/{series.slug}/desk/", f"/events/{target.slug}/desk/invited/"]

        warned = [f"{target.name}</bdi> is private." in page(desk, text) for text in addresses]
        Tournament.objects.filter(pk=target.pk).update(visibility="unlisted")

        assert warned == [True, True]
        assert not any("is private." in page(desk, text) for text in addresses)
