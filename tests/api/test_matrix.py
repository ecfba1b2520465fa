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
    endpoints = {name: endpoint_of(name) for name in writes}

    assert [
        name for name in writes if endpoints[name] is None or endpoints[name].permission is None
    ] == []


def test_endpoint_options_match_the_viewset():
    for operation in OPERATIONS:
        callback: Any = ROUTES[parts(operation)[1]].callback
        endpoint = endpoint_of(operation)
        if endpoint is not None and endpoint.fresh_session:
            assert issubclass(callback.cls, SiteViewSet), operation
        if endpoint is not None and endpoint.is_shared:
            assert issubclass(callback.cls, EventViewSet), operation
            # Its ETag is the same for everybody.
            assert endpoint.permission is None, operation


def test_every_operation_has_exactly_one_row():
    assert set(OPERATIONS) == set(EXPECTED)
    assert sum(len(topic.ROWS) for topic in TOPICS) == len(EXPECTED)


def outcome(
    client: APIClient, operation: str, address: str, body: Any = None, expected_status: str = "ok"
) -> str:
    """ "ok", or the status of a refusal. Successful writes are rolled back."""
    send = getattr(client, parts(operation)[0].lower())
    # A page of one row covers the permission; more rows only take longer.
    query = "?page_size=1" if is_list(operation) else ""
    with transaction.atomic():
        reads = operation.startswith("GET")
        answer = send(address + query) if reads else send(address, body, "json")
        transaction.set_rollback(expected_status == "ok" and not reads)
    return "ok" if answer.status_code in LET_IN else str(answer.status_code)


def expected_outcome(actor: str, operation: str) -> str:
    method, name = parts(operation)
    return expected(actor, method, template_of(name), EXPECTED[operation])


def rotating_choice(actors: list[str], index: int) -> set[str]:
    return {actors[index % len(actors)]} if actors else set()


def quick_run() -> dict[str, list[str]]:
    """Operations by actor: both sides of each permission's border, and a rotating sample."""
    operations_of: dict[str, list[str]] = {
        actor: [] for group in GROUPS.values() for actor in group
    }
    for index, operation in enumerate(DECLARED):
        for actors in GROUPS.values():
            let_in = [person for person in actors if expected_outcome(person, operation) == "ok"]
            denied = [person for person in actors if person not in let_in]
            selected = rotating_choice(let_in, index) | rotating_choice(denied, index)
            if actors is PEOPLE:
                # Actors are ordered by permission.
                selected |= {*let_in[:1], *denied[-1:]}
            for actor in selected:
                operations_of[actor].append(operation)
    return operations_of


def wrong_answers(scene: Scene, operations_of: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """Yield the differences from the table, and rows changed by reads or refused writes."""
    clients = {actor: scene.client(actor) for actor in operations_of}
    before = checksums()
    for actor, operation in (
        (person, operation_) for person in operations_of for operation_ in operations_of[person]
    ):
        expected_status, address = expected_outcome(actor, operation), scene.address(operation)
        status = outcome(clients[actor], operation, address, scene.body(operation), expected_status)
        if status != expected_status:
            yield f"{actor}: {operation} ({address}) is {status}, not {expected_status}"
    changed = {name for name, digest in checksums().items() if digest != before[name]}
    # Using a token updates its last use.
    if changed - {"tournaments.ApiToken"}:
        yield f"reading, or a write that was refused, changed {changed}"


@pytest.mark.parametrize("group", GROUPS)
def test_responses_match_the_table(group: str, scene: Scene):
    operations_of = quick_run()
    wrong = list(wrong_answers(scene, {actor: operations_of[actor] for actor in GROUPS[group]}))

    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_responses_match_the_whole_table(group: str, scene: Scene, figure):
    wrong = list(wrong_answers(scene, dict.fromkeys(GROUPS[group], DECLARED)))

    assert not wrong, "\n".join(wrong)
    count = len(GROUPS[group]) * len(DECLARED)
    figure(f"{len(DECLARED)} operations of the API, {count} cells of operation and {group}")


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
    own_event = make_event(players=0, name="Mine", owner=scene.people["stranger"])
    client = scene.client(actor)
    before = checksums()
    wrong = []
    for operation in OF_ROWS:
        address, expected_status = (
            scene.address(operation, slug=own_event.slug),
            EXPECTED[operation].foreign,
        )
        status = outcome(client, operation, address, scene.body(operation), expected_status)
        if status != expected_status:
            wrong.append(f"{operation} is {status}")

    assert not wrong, "\n".join(wrong)
    assert checksums() == before


def test_other_methods_are_a_405(scene: Scene):
    client = scene.client("administrator")
    for name in ROUTES:
        actual = methods_of(name)
        key = f"{actual[0]} {name}"
        if key not in EXPECTED:
            continue
        method = next(
            verb for verb in ("PUT", "DELETE", "PATCH", "POST", "GET") if verb not in actual
        )
        answer = getattr(client, method.lower())(scene.address(key))
        assert answer.status_code == 405, (method, name)
        assert set(answer.json()) == {"code", "detail", "errors"}


def test_head_equals_get_and_restricted_reads_are_private(scene: Scene):
    client = scene.client("organiser")
    for operation in (name for name in DECLARED if name.startswith("GET ")):
        address = scene.address(operation)
        get_response, head_response = client.get(address), client.head(address)
        assert get_response.status_code == head_response.status_code, operation
        assert not head_response.content
        if EXPECTED[operation].may != ALL and get_response.status_code == 200:
            assert "private" in get_response["Cache-Control"], operation
