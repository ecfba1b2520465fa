"""Every address of the events app, asked by everybody who might come along."""

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
    OF_AN_EVENT,
    OF_ITS_ROWS,
    ROUTES,
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

EVERYBODY = (
    *("anonymous", "player", "opponent", "judge"),
    *("scorekeeper", "organiser", "owner", "administrator"),
)
"""Asked everywhere in every run."""
OTHERS = tuple(actor for actor in ACTORS if actor not in EVERYBODY)
"""Asked everywhere in the long run, otherwise in turn."""
WRITES = ("POST", "PUT", "PATCH", "DELETE")
METHODS = ("GET", *WRITES)
REASON = {"reason": "Why not"}
Cell = tuple[str, str, str]
"""An actor, the name of an address, a method."""


@pytest.fixture(scope="module")
def scene(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Scene]:
    yield from shared_rows(django_db_blocker, make_scene)


def test_every_address_has_a_row_in_the_table():
    assert ROUTES.keys() == EXPECTED.keys()


def answer_to(
    browser: Client, method: str, address: str, fields: dict[str, str] = REASON
) -> HttpResponse:
    """What is answered; whatever the request changed is taken back."""
    with transaction.atomic():
        answer = asked(browser, method, address, fields)
        if method != "GET":
            transaction.set_rollback(True)
    return answer


def asked(
    browser: Client, method: str, address: str, fields: dict[str, str] = REASON
) -> HttpResponse:
    """What is answered, and what the request changed stays."""
    sent: Any = {} if method == "GET" else fields if method == "POST" else ""
    return cast(HttpResponse, getattr(browser, method.lower())(address, sent))


def outcome(answer: HttpResponse) -> str:
    """The answer as one word."""
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
        # Who sits at the table has a personal link, and no account.
        return "log in" if actor in (*WITHOUT_ACCOUNT, "opponent") else "403"
    return "403" if row.refusal == FORBIDDEN else "404"


def quick_cells() -> Iterator[Cell]:
    """Where leave begins and ends: the first and the last who are refused, the first let in.

    They stand in the order of what they may do. One more of each kind and one of the others are
    asked in turn. Of the methods that an address does not have one is tried, by one in turn.
    """
    others, everybody, methods = cycle(OTHERS), cycle((*EVERYBODY, *OTHERS)), cycle(METHODS)
    for place, (name, row) in enumerate(EXPECTED.items()):
        yield next(everybody), name, next(one for one in methods if one not in row.methods)
        for method in row.methods:
            let_in = [one for one in EVERYBODY if expected(one, method, row) == "ok"]
            refused = [one for one in EVERYBODY if one not in let_in]
            asking = [*refused[:1], *refused[-1:], *let_in[:1], next(others)]
            for kind in (refused, let_in):
                asking += kind[place % max(len(kind), 1) :][:1]
            yield from ((actor, name, method) for actor in dict.fromkeys(asking))


def all_cells() -> Iterator[Cell]:
    return product((*EVERYBODY, *OTHERS), EXPECTED, METHODS)


def wrong_answers(scene: Scene, cells: Iterator[Cell]) -> Iterator[str]:
    """What differs from the table. Only what may succeed is taken back afterwards."""
    addresses = {name: scene.address(name) for name in EXPECTED}
    by_actor: dict[str, list[Cell]] = {}
    for cell in cells:
        by_actor.setdefault(cell[0], []).append(cell)
    for actor, own in by_actor.items():
        # The people come for this actor alone, and leave no rows behind.
        with transaction.atomic():
            yield from _wrong_answers_of(scene.browser(actor), addresses, own)
            transaction.set_rollback(True)


def _wrong_answers_of(
    browser: Client, addresses: dict[str, str], cells: list[Cell]
) -> Iterator[str]:
    before = checksums()
    for actor, name, method in cells:
        wanted = expected(actor, method, EXPECTED[name])
        ask = answer_to if wanted == "ok" else asked
        found = outcome(ask(browser, method, addresses[name]))
        if found != wanted:
            yield f"{actor}: {method} {name} is {found}, not {wanted}"
    changed = {table for table, sum_ in checksums().items() if sum_ != before[table]}
    if changed:
        yield f"{actor}: looking, or a write that was refused, changed {changed}"


def test_everybody_is_answered_as_the_table_says_and_looking_changes_nothing(scene: Scene):
    wrong = list(wrong_answers(scene, quick_cells()))

    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
def test_everybody_is_answered_as_the_table_says_by_every_method(scene: Scene, figure):
    cells = list(all_cells())

    wrong = list(wrong_answers(scene, iter(cells)))

    assert not wrong, "\n".join(wrong)
    figure(f"{len(EXPECTED)} addresses of pages, {len(cells)} cells of route, method and actor")


@pytest.mark.parametrize(
    "actors",
    [
        ("anonymous", "other_organiser"),
        *(
            pytest.param((one,), marks=pytest.mark.slow)
            for one in ("anonymous", "other_organiser", "stranger")
        ),
    ],
)
def test_a_private_event_does_not_exist_for_outsiders(actors: tuple[str, ...], scene: Scene):
    """In every run they take turns."""
    Tournament.objects.filter(pk=scene.event.pk).update(visibility="private")
    asking = cycle([(actor, scene.browser(actor)) for actor in actors])
    before = checksums()

    for name in OF_AN_EVENT:
        row = EXPECTED[name]
        for method in row.methods:
            actor, browser = next(asking)
            at_the_door = row.refusal == DOOR and actor in WITHOUT_ACCOUNT
            answer = outcome(asked(browser, method, scene.address(name)))
            assert answer == ("log in" if at_the_door else "404"), (actor, name, method)
    assert checksums() == before


@pytest.mark.parametrize("actor", ["owner", pytest.param("administrator", marks=pytest.mark.slow)])
def test_rows_of_another_event_do_not_exist_under_this_one(actor: str, scene: Scene):
    mine = make_event(players=0, name="Mine")
    browser = Scene(mine, scene.player, scene.opponent).browser(actor)
    before = checksums()

    for name in OF_ITS_ROWS:
        for method in EXPECTED[name].methods:
            answer = outcome(asked(browser, method, scene.address(name, slug=mine.slug)))
            # A draft that is gone is no error, an overlay waits for its table, and every event has
            # the sections of the desk.
            is_empty = name in ("discard", "overlay_table", "desk_section")
            assert answer == ("ok" if is_empty else "404"), (name, method)
    assert checksums() == before
