"""Prepared queries find what Django's find, and write their SQL once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from typing import Any

import pytest
from django.core.exceptions import MultipleObjectsReturned
from django.db import connection, connections, transaction
from django.db.models import Count, QuerySet
from django.db.models.sql.compiler import SQLCompiler
from django.db.transaction import TransactionManagementError

from core.prepared import Given, Prepared
from matches.models import Match, MatchState, Seat
from players.models import Player


def sit(*names: str) -> Match:
    match = Match.objects.create(scoring_rule="onr-match-v1")
    for position, name in enumerate(names, start=1):
        player = Player.objects.create(name=name)
        Seat.objects.create(match=match, position=position, player=player)
    return match


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The SQL of every query that Django has written."""
    found: list[str] = []
    write = SQLCompiler.as_sql

    def as_sql(self: SQLCompiler, *args: bool, **kwargs: bool) -> object:
        told = write(self, *args, **kwargs)
        found.append(str(told[0]))
        return told

    monkeypatch.setattr(SQLCompiler, "as_sql", as_sql)
    return found


def seats_of(match: Any) -> QuerySet[Seat]:
    found = Seat.objects.select_related("player", "match").filter(match=match)
    return found.only("position", "points", "player__name", "match").order_by("position")


@pytest.mark.django_db
def test_it_finds_what_django_finds_with_all_that_is_selected(django_assert_num_queries):
    matches = sit("Ada", "Bo"), sit("Cy", "Di", "Eli")
    prepared = Prepared(lambda: seats_of(Given("match")))

    for match in matches:
        with django_assert_num_queries(1):
            rows = prepared.rows(match=match.pk)
            told = [(row.position, row.points, row.player.name, row.match.state) for row in rows]
        assert rows == list(seats_of(match))
        assert told == [(n, None, row.player.name, "open") for n, row in enumerate(rows, start=1)]
        assert rows[0].get_deferred_fields() == seats_of(match)[0].get_deferred_fields()


@pytest.mark.django_db
def test_what_is_annotated_stands_on_the_rows():
    pair, pod = sit("Ada", "Bo"), sit("Cy", "Di", "Eli")
    counted = Match.objects.annotate(players=Count("seats"))
    prepared = Prepared(lambda: counted.filter(pk=Given("pk")))

    assert [prepared.rows(pk=one.pk)[0].players for one in (pair, pod)] == [2, 3]  # type: ignore[attr-defined]


@pytest.mark.django_db
def test_its_sql_is_written_once_and_its_rows_are_those_of_now(written):
    match = sit("Ada")
    prepared = Prepared(lambda: Match.objects.filter(pk=Given("pk"), state=Given("state")))

    assert prepared.rows(pk=match.pk, state="open") == [match]
    assert prepared.rows(pk=match.pk + 1, state="open") == []
    Match.objects.update(state=MatchState.PROPOSED)
    assert prepared.rows(pk=match.pk, state="open") == []
    (now,) = prepared.rows(pk=match.pk, state="proposed")

    assert now.state == MatchState.PROPOSED
    assert len([sql for sql in written if sql.startswith("SELECT")]) == 1


@pytest.mark.django_db
def test_a_value_is_a_value_whatever_stands_in_it():
    hostile = "Ada' OR '1'='1 %s"
    sit("Ada", hostile)
    prepared = Prepared(lambda: Player.objects.filter(name=Given("name")))

    assert [player.name for player in prepared.rows(name=hostile)] == [hostile]


@pytest.mark.django_db
def test_one_is_one_or_none():
    sit("Ada", "Bo")
    by_name = Prepared(lambda: Player.objects.filter(name=Given("name")))
    all_but = Prepared(lambda: Player.objects.exclude(name=Given("name")))

    ada = by_name.one(name="Ada")

    assert ada is not None
    assert ada.name == "Ada"
    assert by_name.one(name="Cy") is None
    with pytest.raises(MultipleObjectsReturned, match="2 rows"):
        all_but.one(name="Cy")


@pytest.mark.django_db
def test_of_numbers_that_no_database_keeps_there_are_no_rows():
    sit("Ada")
    prepared = Prepared(lambda: Match.objects.filter(pk=Given("pk")))

    assert prepared.rows(pk=10**20) == []
    assert prepared.rows(pk=-(10**20)) == []


@pytest.mark.django_db
def test_another_connection_of_the_thread_has_its_own(monkeypatch, written):
    match = sit("Ada")
    prepared = Prepared(lambda: Match.objects.filter(pk=Given("pk")))
    prepared.rows(pk=match.pk)

    monkeypatch.setattr("core.prepared.connections", {"default": copy(connections["default"])})

    assert prepared.rows(pk=match.pk) == [match]
    assert len([sql for sql in written if sql.startswith("SELECT")]) == 2


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("find", "error"),
    [
        (lambda: Match.objects.filter(pk=Given("pk")), KeyError),
        (lambda: Match.objects.prefetch_related("seats"), ValueError),
    ],
    ids=["a value is missing", "more than its own rows"],
)
def test_what_it_cannot_ask_it_says(find: Callable[[], QuerySet[Match]], error: type[Exception]):
    with pytest.raises(error):
        Prepared(find).rows()


@pytest.mark.django_db
def test_nothing_is_equal_to_none():
    with pytest.raises(ValueError, match="None"):
        Prepared(lambda: Match.objects.filter(pk=Given("pk"))).rows(pk=None)  # type: ignore[arg-type]


@pytest.mark.django_db(transaction=True)
def test_rows_are_locked_within_a_transaction_only():
    prepared = Prepared(lambda: Match.objects.select_for_update())

    with pytest.raises(TransactionManagementError):
        prepared.rows()
    with transaction.atomic():
        assert prepared.rows() == []
    # Its SQL is written now, so that Django has no say any more.
    with pytest.raises(TransactionManagementError):
        prepared.rows()


@pytest.mark.django_db(transaction=True)
def test_many_threads_ask_at_once_each_for_its_own():
    matches = [sit(f"Ada {n}", f"Bo {n}") for n in range(8)]
    prepared = Prepared(lambda: seats_of(Given("match")))

    def ask(match: Match) -> bool:
        try:
            return all(
                [seat.match_id for seat in prepared.rows(match=match.pk)] == [match.pk, match.pk]
                for _ in range(20)
            )
        finally:
            connection.close()

    with ThreadPoolExecutor(len(matches)) as threads:
        assert list(threads.map(ask, matches)) == [True] * len(matches)
