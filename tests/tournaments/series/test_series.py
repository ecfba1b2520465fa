from typing import Any

import pytest
from django.http import Http404
from django.test import Client

from players.models import Player, User
from tests.factories.cuts import event_with_cut
from tests.factories.series import (
    changed,
    evening,
    final,
    first_evening,
    make_players,
    make_series,
    open_evening,
    owner_of_series,
    places,
)
from tests.factories.sessions import logged_in
from tests.factories.tournaments import (
    fresh,
    make_event,
    make_user,
    meanwhile,
    owner_of,
)
from tests.moments import before
from tests.queries import queries_of
from tests.tournaments.pages import page
from tournaments.event.permissions import Actor
from tournaments.models import LogAction, Series, Tournament
from tournaments.series import pages, permissions, queries, services
from tournaments.series.services import EventsChanged, NotThisEvent, OwnerStays

make_scene = first_evening


def table(series: Series) -> list[tuple[int, str, Any, int | None]]:
    lines = pages.series_table(series).lines
    names = queries.shown_players(series, [line.player for line in lines])
    return [(line.place, names[line.player].name, line.points, line.moved) for line in lines]


def test_table_of_finished_events_shows_movement(
    series: Series, event: Tournament, regulars: list[Player]
):
    changed(series, place_points=[10, 6, 4], points_for_playing=1)
    first, second = event, evening(series, regulars[::-1], number=2)
    open_evening(series, regulars, number=3)
    brought = {1: 10, 2: 6, 3: 4, 4: 1}
    points = {
        name: brought[places(first).index(name) + 1] + brought[places(second).index(name) + 1]
        for name in ("Ada", "Bo", "Cy", "Di")
    }

    assert {name: total for _, name, total, _ in table(series)} == points
    before = {name: place for place, name in enumerate(places(first), start=1)}
    assert all(moved == before[name] - place for place, name, _, moved in table(series))


def test_cut_decides_places():
    event = event_with_cut(4)
    series = make_series(owner_of(event).user)
    services.add_event(series, event, owner_of(event))
    Tournament.objects.filter(pk=event.pk).update(finished_at="2026-05-06T00:00Z")
    from tournaments.results.standings_pages import places_with_cut

    decided = places_with_cut(fresh(event))
    (played,) = queries.season_events(series)
    numbers = dict(event.registrations.values_list("player", "number"))
    places = {numbers[result.player]: result.place for result in played.results}

    assert {number: places[number] for number in decided} == decided
    assert sorted(places.values()) == list(range(1, len(places) + 1))


@pytest.mark.parametrize(
    ("of_series", "of_event", "counts"),
    [
        ("public", "public", True),
        ("public", "unlisted", False),
        ("public", "private", False),
        ("unlisted", "unlisted", True),
        ("unlisted", "private", False),
        ("private", "private", True),
    ],
)
def test_event_counts_if_visible_to_all_readers_of_the_series(
    of_series: str, of_event: str, counts: bool, series: Series
):
    changed(series, visibility=of_series)
    series.events.update(visibility=of_event, name="Backroom")

    assert bool(table(series)) is counts
    shown = page(Client(), series.get_absolute_url())
    assert ("Backroom" in shown) is (counts and of_series != "private")


def test_private_series_is_visible_to_its_organisers_only():
    series = make_series(visibility="private")
    address = series.get_absolute_url()

    assert Client().get(address).status_code == 404
    assert logged_in(make_user()).get(address).status_code == 404
    assert logged_in(owner_of_series(series).user).get(address).status_code == 200
    assert not permissions.series_known_to(Actor()).filter(pk=series.pk).exists()


def test_event_counts_for_one_series_named_in_the_log(regulars: list[Player]):
    first, second = make_series(name="First"), make_series(name="Second")
    event = open_evening(first, regulars)
    services.add_event(second, event, owner_of(event))

    assert list(second.events.all()) == [event]
    assert not first.events.exists()
    logged = event.log.filter(action=LogAction.SERIES_SET).order_by("pk")
    assert [entry.subject for entry in logged] == ["First", "Second"]
    assert first.log.filter(action="event taken out").exists()


def test_event_moved_to_a_different_series_is_not_removed(series: Series, event: Tournament):
    second_series, owner = make_series(name="Autumn Series"), owner_of_series(series)
    desk = logged_in(owner.user)

    with meanwhile(lambda: services.add_event(second_series, event, owner)):
        desk.post(f"/series/{series.slug}/desk/events/remove/", {"event": event.slug})

    assert fresh(event).series == second_series


def test_concurrent_series_with_the_same_name_are_both_created(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(queries, "free_slug", lambda _name: "autumn-series")

    first, second = make_series(name="Autumn Series"), make_series(name="Autumn Series")

    assert first.slug == "autumn-series"
    assert second.slug.startswith("autumn-series-")


def test_practice_event_is_refused(regulars: list[Player]):
    event = open_evening(None, regulars)
    copy = make_event(0, practice_of=event)

    with pytest.raises(NotThisEvent):
        services.add_event(make_series(), copy, owner_of(copy))


def test_owner_of_a_series_cannot_be_removed_before_a_handover():
    series, successor = make_series(), make_user()
    owner = owner_of_series(series)
    with pytest.raises(OwnerStays):
        services.remove_organiser(series, owner, series.staff.get())
    helper = services.add_organiser(series, owner, successor)
    services.hand_over_series(series, owner, helper)

    assert owner_of_series(series).user == successor
    assert permissions.can_run(owner, series)
    assert not permissions.can_own(owner, series)


def test_open_events_of_the_owner_are_handed_over(
    series: Series, event: Tournament, regulars: list[Player]
):
    heir = make_user()
    owner = owner_of_series(series)
    own_event = open_evening(series, regulars, number=2, owner=owner.user)
    foreign_event = open_evening(series, regulars, number=3)
    helper = services.add_organiser(series, owner, heir)
    desk = logged_in(owner.user)

    shown = page(desk, f"/series/{series.slug}/desk/")
    assert "are handed over too: <bdi>Spring Evening 2</bdi>." in shown
    desk.post(f"/series/{series.slug}/desk/staff/{helper.pk}/hand-over/")

    assert owner_of(own_event).user == heir
    assert roles(own_event, owner.user) == ["organiser"]
    assert owner_of(event) == owner
    assert roles(event, heir) == roles(foreign_event, heir) == []
    assert own_event.log.filter(action=LogAction.EVENT_HANDED_OVER).exists()


def test_handover_is_refused_if_an_event_opens_at_the_same_time(
    series: Series, regulars: list[Player]
):
    owner = owner_of_series(series)
    helper = services.add_organiser(series, owner, make_user())

    opened: list[int] = []

    def open_event() -> None:
        # Opening an event of the plan locks the series too, when the event is added.
        if not opened:
            opened.append(2)
            open_evening(series, regulars, number=2, owner=owner.user)

    # The events to hand over are locked by this point.
    locking_series = before("tournaments.series.services.lock_series", open_event)
    with locking_series, pytest.raises(EventsChanged):
        services.hand_over_series(series, owner, helper)

    assert owner_of_series(series) == owner


def test_event_with_required_factor_is_not_handed_over(series: Series, regulars: list[Player]):
    heir, owner = make_user(), owner_of_series(series)
    own_event = open_evening(series, regulars, number=2, owner=owner.user)
    Tournament.objects.filter(pk=own_event.pk).update(staff_need_second_factor=True)
    helper = services.add_organiser(series, owner, heir)

    assert "are handed over too" not in page(logged_in(owner.user), f"/series/{series.slug}/desk/")
    services.hand_over_series(series, owner, helper)

    assert owner_of_series(series).user == heir
    assert owner_of(own_event) == owner


def roles(event: Tournament, user: User | None) -> list[str]:
    return list(event.staff.filter(user=user).values_list("role", flat=True))


def test_erased_player_has_no_name(series: Series, regulars: list[Player]):
    regulars[0].name, regulars[0].erased_at = "Player 17", "2026-06-01T00:00Z"
    regulars[0].save()

    assert {name for _, name, _, _ in table(series)} == {"Player 17", "Bo", "Cy", "Di"}


def test_hidden_player_has_a_place_without_a_name(series: Series, event: Tournament):
    changed(series, qualify_per_event=1)
    Player.objects.filter(name=places(event)[0]).update(hides_history=True)
    Player.objects.filter(name=places(event)[1]).update(shown_name="Somebody")

    assert [name for _, name, _, _ in table(series)][:2] == ["Name hidden", "Somebody"]
    for address in ("", "table.csv"):
        shown = page(Client(), f"{series.get_absolute_url()}{address}")
        assert places(event)[0] not in shown
    answer = Client().get(f"/api/v1/series/{series.slug}/qualified/").json()
    assert answer["results"][0]["player"] == "Name hidden"


@pytest.mark.parametrize(("visibility", "linked"), [("public", 2), ("unlisted", 0), ("private", 0)])
def test_only_players_with_a_public_page_are_linked(
    series: Series, regulars: list[Player], visibility: str, linked: int
):
    changed(series, visibility=visibility)
    Player.objects.filter(pk=regulars[0].pk).update(hides_history=True)
    Player.objects.filter(pk=regulars[1].pk).update(erased_at="2026-06-01T00:00Z")
    reader = logged_in(owner_of_series(series).user)

    shown = page(reader, series.get_absolute_url())

    table = shown[shown.index('id="standings"') : shown.index("</table>")]
    assert table.count('href="/people/') == linked
    for player in regulars[:2]:
        assert f'href="/people/{player.pk}/"' not in shown


def test_number_of_queries_does_not_grow(series: Series, regulars: list[Player]):
    changed(series, qualify_per_event=1)
    few = queries_of(Client().get, series.get_absolute_url())
    other_players = make_players(*"EFGH")
    for number in (2, 3):
        evening(series, [*regulars, *other_players], number=number)

    assert queries_of(Client().get, series.get_absolute_url()) <= few


@pytest.mark.parametrize(
    "change", [{"name": "Summer League"}, {"visibility": "private"}, {"target": None}, None]
)
def test_changed_series_invalidates_event_pages(
    series: Series,
    event: Tournament,
    change: dict[str, Any] | None,
    django_capture_on_commit_callbacks: Any,
):
    shown_by = {event, final(series)}
    before = {shown: fresh(shown).version for shown in shown_by}

    with django_capture_on_commit_callbacks(execute=True):
        if change is None:
            services.delete_series(series)
        else:
            services.change_series(series, owner_of_series(series), **change)

    assert all(fresh(shown).version > before[shown] for shown in shown_by)


def test_deleted_series_cannot_be_changed(series: Series):
    owner = owner_of_series(series)
    services.delete_series(Series.objects.get(pk=series.pk))

    with pytest.raises(Http404):
        services.change_series(series, owner, name="Summer League")


def test_new_target_shows_the_series(series: Series, django_capture_on_commit_callbacks: Any):
    target = make_event(0, invitation_only=True)
    assert "Spring Series" not in page(Client(), target.get_absolute_url())

    with django_capture_on_commit_callbacks(execute=True):
        services.change_series(series, owner_of_series(series), target=target)

    assert "Spring Series" in page(Client(), target.get_absolute_url())


def test_changed_scoring_does_not_invalidate_event_pages(
    series: Series, event: Tournament, django_capture_on_commit_callbacks: Any
):
    before = fresh(event).version

    with django_capture_on_commit_callbacks(execute=True):
        services.change_series(series, owner_of_series(series), best_of=2)

    assert fresh(event).version == before
