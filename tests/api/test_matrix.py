"""Permissions: every operation of the API by every kind of person and token."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import cycle
from typing import Any

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker
from rest_framework.test import APIClient

from tests.api.matrix.rows import ALL, PEOPLE, SCOPE_OF, expected, is_of_an_event
from tests.api.matrix.scene import Scene, make_scene
from tests.api.matrix.table import (
    DECLARED,
    EXPECTED,
    OPERATIONS,
    ROUTES,
    TOPICS,
    endpoint_of,
    is_list,
    methods_of,
    parts,
    template_of,
)
from tests.factories.tournaments import make_event
from tests.shared_rows import shared_rows
from tests.tournaments.matrix.scene import checksums
from tournaments.models import Tournament
from tournaments.web.viewsets import EventViewSet, SiteViewSet

pytestmark = [
    pytest.mark.usefixtures("quiet_requests"),
    pytest.mark.check(1, 2, 3, 24),
    pytest.mark.goal("G7"),
]
LET_IN = {200, 201, 202, 204, 400, 409, 412, 415, 422}
GROUPS = {
    "people": PEOPLE,
    "tokens": tuple(SCOPE_OF),
}
BELOW_EVENTS = [name for name in DECLARED if is_of_an_event(template_of(parts(name)[1]))]
OF_ROWS = [name for name in BELOW_EVENTS if template_of(parts(name)[1]).count("<") > 1]


@pytest.fixture(scope="module")
def scene(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Scene]:
    yield from shared_rows(django_db_blocker, make_scene)


def test_every_write_has_a_permission():
    writes = [name for name in OPERATIONS if not name.startswith("GET ")]
    said = {name: endpoint_of(name) for name in writes}

    assert [name for name in writes if said[name] is None or said[name].permission is None] == []


def test_endpoint_options_match_the_viewset():
    for operation in OPERATIONS:
        callback: Any = ROUTES[parts(operation)[1]].callback
        said = endpoint_of(operation)
        if said is not None and said.fresh_session:
            assert issubclass(callback.cls, SiteViewSet), operation
        if said is not None and said.is_shared:
            assert issubclass(callback.cls, EventViewSet), operation
            # Its ETag is the same for everybody.
            assert said.permission is None, operation


def test_every_operation_has_one_row():
    assert set(OPERATIONS) == set(EXPECTED)
    assert sum(len(topic.ROWS) for topic in TOPICS) == len(EXPECTED)


def outcome(
    client: APIClient, operation: str, address: str, body: Any = None, wanted: str = "ok"
) -> str:
    """ "ok", or the status of a refusal. Successful writes are rolled back."""
    send = getattr(client, parts(operation)[0].lower())
    # One row of a list shows as much as a hundred.
    few = "?page_size=1" if is_list(operation) else ""
    with transaction.atomic():
        reads = operation.startswith("GET")
        answer = send(address + few) if reads else send(address, body, "json")
        transaction.set_rollback(wanted == "ok" and not reads)
    return "ok" if answer.status_code in LET_IN else str(answer.status_code)


def wanted_of(actor: str, operation: str) -> str:
    method, name = parts(operation)
    return expected(actor, method, template_of(name), EXPECTED[operation])


def in_turn(crowd: list[str], place: int) -> set[str]:
    return {crowd[place % len(crowd)]} if crowd else set()


def quick_run() -> dict[str, list[str]]:
    """Operations by actor: both sides of each permission's border, and a rotating sample."""
    asked: dict[str, list[str]] = {actor: [] for group in GROUPS.values() for actor in group}
    for place, operation in enumerate(DECLARED):
        for actors in GROUPS.values():
            let_in = [person for person in actors if wanted_of(person, operation) == "ok"]
            refused = [person for person in actors if person not in let_in]
            chosen = in_turn(let_in, place) | in_turn(refused, place)
            if actors is PEOPLE:
                # They stand in the order of what they may do.
                chosen |= {*let_in[:1], *refused[-1:]}
            for actor in chosen:
                asked[actor].append(operation)
    return asked


def wrong_answers(scene: Scene, asked: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """Yield the differences from the table, and rows changed by reads or refused writes."""
    clients = {actor: scene.client(actor) for actor in asked}
    before = checksums()
    for actor, operation in ((who, what) for who in asked for what in asked[who]):
        wanted, address = wanted_of(actor, operation), scene.address(operation)
        found = outcome(clients[actor], operation, address, scene.body(operation), wanted)
        if found != wanted:
            yield f"{actor}: {operation} ({address}) is {found}, not {wanted}"
    changed = {name for name, digest in checksums().items() if digest != before[name]}
    # A token keeps when it was used last.
    if changed - {"tournaments.ApiToken"}:
        yield f"reading, or a write that was refused, changed {changed}"


@pytest.mark.parametrize("group", GROUPS)
def test_responses_match_the_table(group: str, scene: Scene):
    asked = quick_run()
    wrong = list(wrong_answers(scene, {actor: asked[actor] for actor in GROUPS[group]}))

    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_responses_match_the_whole_table(group: str, scene: Scene, figure):
    wrong = list(wrong_answers(scene, dict.fromkeys(GROUPS[group], DECLARED)))

    assert not wrong, "\n".join(wrong)
    asked = len(GROUPS[group]) * len(DECLARED)
    figure(f"{len(DECLARED)} operations of the API, {asked} cells of operation and {group}")


def test_private_event_is_a_404_for_outsiders(scene: Scene):
    Tournament.objects.filter(pk=scene.event.pk).update(visibility="private")

    clients = [scene.client(actor) for actor in ("anonymous", "stranger")]
    before = checksums()
    for operation, client in zip(BELOW_EVENTS, cycle(clients), strict=False):
        address, body = scene.address(operation), scene.body(operation)
        assert outcome(client, operation, address, body, "404") == "404", operation
    assert checksums() == before


@pytest.mark.parametrize(
    "actor", ["stranger", pytest.param("administrator", marks=pytest.mark.slow)]
)
def test_objects_of_another_event_are_a_404(actor: str, scene: Scene):
    mine = make_event(players=0, name="Mine", owner=scene.people["stranger"])
    client = scene.client(actor)
    before = checksums()
    wrong = []
    for operation in OF_ROWS:
        address, wanted = scene.address(operation, slug=mine.slug), EXPECTED[operation].foreign
        found = outcome(client, operation, address, scene.body(operation), wanted)
        if found != wanted:
            wrong.append(f"{operation} is {found}")

    assert not wrong, "\n".join(wrong)
    assert checksums() == before


def test_other_methods_are_a_405(scene: Scene):
    client = scene.client("administrator")
    for name in ROUTES:
        done = methods_of(name)
        key = f"{done[0]} {name}"
        if key not in EXPECTED:
            continue
        method = next(
            verb for verb in ("PUT", "DELETE", "PATCH", "POST", "GET") if verb not in done
        )
        answer = getattr(client, method.lower())(scene.address(key))
        assert answer.status_code == 405, (method, name)
        assert set(answer.json()) == {"code", "detail", "errors"}


def test_head_equals_get_and_restricted_reads_are_private(scene: Scene):
    client = scene.client("organiser")
    for operation in (name for name in DECLARED if name.startswith("GET ")):
        address = scene.address(operation)
        read, asked = client.get(address), client.head(address)
        assert read.status_code == asked.status_code, operation
        assert not asked.content
        if EXPECTED[operation].may != ALL and read.status_code == 200:
            assert "private" in read["Cache-Control"], operation
