"""Responses of every address of the events app to every kind of actor."""

from collections.abc import Iterator
from itertools import cycle, product
from typing import Any, cast

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from pytest_django import DjangoDbBlocker

from tests.factories.tournaments import make_event
from tests.shared_rows import shared_rows
from tests.tournaments.cast import ACTORS, WITHOUT_ACCOUNT
from tests.tournaments.matrix.rows import DOOR, EXPECTED, FORBIDDEN, Row
from tests.tournaments.matrix.scene import (
    EVENT_ROUTES,
    ROUTES,
    ROW_ROUTES,
    Scene,
    checksums,
    make_scene,
)
from tournaments.models import Tournament

pytestmark = [
    pytest.mark.usefixtures("quiet_requests"),
    pytest.mark.check(1, 2, 3, 19),
    pytest.mark.goal("G7"),
]

QUICK_ACTORS = (
    *("anonymous", "player", "opponent", "judge"),
    *("scorekeeper", "organiser", "owner", "administrator"),
)
"""Actors that send every request in every run."""
SLOW_ACTORS = tuple(actor for actor in ACTORS if actor not in QUICK_ACTORS)
"""Actors that send every request only in slow runs, and take turns otherwise."""
WRITES = ("POST", "PUT", "PATCH", "DELETE")
METHODS = ("GET", *WRITES)
REASON = {"reason": "Why not"}
Cell = tuple[str, str, str]
"""Actor, route name and method."""


@pytest.fixture(scope="module")
def scene(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Scene]:
    yield from shared_rows(django_db_blocker, make_scene)


def test_every_route_is_in_the_table():
    assert ROUTES.keys() == EXPECTED.keys()


def request_and_roll_back(
    browser: Client, method: str, address: str, fields: dict[str, str] = REASON
) -> HttpResponse:
    """Send a request and roll back its changes."""
    with transaction.atomic():
        answer = send(browser, method, address, fields)
        if method != "GET":
            transaction.set_rollback(True)
    return answer


def send(
    browser: Client, method: str, address: str, fields: dict[str, str] = REASON
) -> HttpResponse:
    """Send a request and keep its changes."""
    sent: Any = {} if method == "GET" else fields if method == "POST" else ""
    return cast(HttpResponse, getattr(browser, method.lower())(address, sent))


def outcome(answer: HttpResponse) -> str:
    """Return the response as one word."""
    if answer.status_code == 302:
        return "log in" if answer["Location"].startswith("/account/login/") else "ok"
    if answer.status_code in (200, 204, 409, 410, 422):
        return "ok"
    return str(answer.status_code)


def expected(actor: str, method: str, row: Row) -> str:
    if method not in row.methods:
        return "405"
    if actor in row.may:
        return "ok"
    if row.refusal == DOOR:
        # Players at the table have a personal link and no account.
        return "log in" if actor in (*WITHOUT_ACCOUNT, "opponent") else "403"
    return "403" if row.refusal == FORBIDDEN else "404"


def quick_cells() -> Iterator[Cell]:
    """Yield the cells at the boundary of each permission: two refused actors, one permitted.

    QUICK_ACTORS is sorted by permissions. Each row also gets one further refused and one further
    permitted actor and one of SLOW_ACTORS, in turn, and one method that the address does not have.
    """
    other_actors, all_actors, methods = (
        cycle(SLOW_ACTORS),
        cycle((*QUICK_ACTORS, *SLOW_ACTORS)),
        cycle(METHODS),
    )
    for position, (name, row) in enumerate(EXPECTED.items()):
        yield (
            next(all_actors),
            name,
            next(method for method in methods if method not in row.methods),
        )
        for method in row.methods:
            permitted = [actor for actor in QUICK_ACTORS if expected(actor, method, row) == "ok"]
            refused = [actor for actor in QUICK_ACTORS if actor not in permitted]
            actors = [*refused[:1], *refused[-1:], *permitted[:1], next(other_actors)]
            for group in (refused, permitted):
                actors += group[position % max(len(group), 1) :][:1]
            yield from ((actor, name, method) for actor in dict.fromkeys(actors))


def all_cells() -> Iterator[Cell]:
    return product((*QUICK_ACTORS, *SLOW_ACTORS), EXPECTED, METHODS)


def wrong_answers(scene: Scene, cells: Iterator[Cell]) -> Iterator[str]:
    """Yield differences from the table.

    Only permitted requests are rolled back, so that the checksums detect a refused request that
    writes.
    """
    addresses = {name: scene.address(name) for name in EXPECTED}
    by_actor: dict[str, list[Cell]] = {}
    for cell in cells:
        by_actor.setdefault(cell[0], []).append(cell)
    for actor, actor_cells in by_actor.items():
        # Remove the accounts that the browser of this actor creates.
        with transaction.atomic():
            yield from _wrong_answers_of(scene.browser(actor), addresses, actor_cells)
            transaction.set_rollback(True)


def _wrong_answers_of(
    browser: Client, addresses: dict[str, str], cells: list[Cell]
) -> Iterator[str]:
    before = checksums()
    for actor, name, method in cells:
        expected_outcome = expected(actor, method, EXPECTED[name])
        request = request_and_roll_back if expected_outcome == "ok" else send
        actual = outcome(request(browser, method, addresses[name]))
        if actual != expected_outcome:
            yield f"{actor}: {method} {name} is {actual}, not {expected_outcome}"
    changed = {table for table, sum_ in checksums().items() if sum_ != before[table]}
    if changed:
        yield f"{actor}: a read or a refused write changed {changed}"


def test_boundary_actors_match_the_table_and_reads_change_nothing(scene: Scene):
    wrong = list(wrong_answers(scene, quick_cells()))

    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
def test_all_actors_and_methods_match_the_table(scene: Scene, figure):
    cells = list(all_cells())

    wrong = list(wrong_answers(scene, iter(cells)))

    assert not wrong, "\n".join(wrong)
    figure(f"{len(EXPECTED)} addresses of pages, {len(cells)} cells of route, method and actor")


@pytest.mark.parametrize(
    "actors",
    [
        ("anonymous", "other_organiser"),
        *(
            pytest.param((actor,), marks=pytest.mark.slow)
            for actor in ("anonymous", "other_organiser", "stranger")
        ),
    ],
)
def test_private_event_is_not_found_by_outsiders(actors: tuple[str, ...], scene: Scene):
    """In quick runs the two actors take turns."""
    Tournament.objects.filter(pk=scene.event.pk).update(visibility="private")
    turns = cycle([(actor, scene.browser(actor)) for actor in actors])
    before = checksums()

    for name in EVENT_ROUTES:
        row = EXPECTED[name]
        for method in row.methods:
            actor, browser = next(turns)
            is_sent_to_login = row.refusal == DOOR and actor in WITHOUT_ACCOUNT
            answer = outcome(send(browser, method, scene.address(name)))
            assert answer == ("log in" if is_sent_to_login else "404"), (actor, name, method)
    assert checksums() == before


@pytest.mark.parametrize("actor", ["owner", pytest.param("administrator", marks=pytest.mark.slow)])
def test_rows_of_a_different_event_are_not_found(actor: str, scene: Scene):
    own_event = make_event(players=0, name="Mine")
    browser = Scene(own_event, scene.player, scene.opponent).browser(actor)
    before = checksums()

    for name in ROW_ROUTES:
        for method in EXPECTED[name].methods:
            answer = outcome(send(browser, method, scene.address(name, slug=own_event.slug)))
            # Discarding a missing draft is no error, an overlay waits for its table, and every
            # event has the desk sections.
            is_empty = name in ("discard", "overlay_table", "desk_section")
            assert answer == ("ok" if is_empty else "404"), (name, method)
    assert checksums() == before
