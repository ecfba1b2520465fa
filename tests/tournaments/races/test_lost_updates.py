"""Editors of one object who open and save in any order: no unseen value is overwritten."""

import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from core.errors import StaleVersion
from matches import records as matches_records
from matches.models import Match
from tests.factories.tournaments import fresh, make_event, owner_of, start_round, table
from tests.tournaments.pages import text_of
from tests.tournaments.races.clients import browsers
from tests.tournaments.results.reporting import result_fields
from tournaments.models import Pairing, Tournament
from tournaments.settings import services as settings_services

pytestmark = [pytest.mark.django_db, pytest.mark.check(28), pytest.mark.goal("G6")]

SETTINGS = ("round_minutes", "planned_rounds", "max_players")
VALID_MINIMUM = 5
"""A valid number of minutes per round, of rounds and of players."""
HTMX = {"HX-Request": "true"}


def interleaved(chance: random.Random) -> Iterator[tuple[int, bool]]:
    """Yield (editor, is_saving) in random order; each of two to four editors opens, then saves."""
    steps = [editor for editor in range(chance.randint(2, 4)) for _ in range(2)]
    chance.shuffle(steps)
    has_opened: set[int] = set()
    for editor in steps:
        yield editor, editor in has_opened
        has_opened.add(editor)


class ResultPage:
    """The row of one table, as editors on the desk open and save it."""

    def __init__(self, event: Tournament, pairing: Pairing, desk: Client) -> None:
        self.pairing, self.desk = pairing, desk
        self.prefix = f"t{pairing.table_number}-"
        place = [event.slug, pairing.round.number, pairing.table_number]
        self.address = reverse("tournaments:enter", args=place)
        self.newest = 0

    def open(self) -> tuple[int, str]:
        """Return the version and the result that the page shows."""
        match = Match.objects.get(pk=self.pairing.match.pk)
        return match.version, matches_records.result_summary(matches_records.settled_result(match))

    def save(self, seen: int) -> tuple[Any, str]:
        """Save a new result; return the response and the text of the result."""
        self.newest += 1
        winner, lost = 1 + self.newest % 2, self.newest // 2 % 6
        changed = {f"game_{game}_winner": winner for game in (1, 2)}
        changed |= {f"game_{game}_points_{3 - winner}": lost for game in (1, 2)}
        usual = result_fields(self.pairing, self.prefix)
        sent = {key: value for key, value in usual.items() if "points" not in key}
        sent |= {f"{self.prefix}{name}": value for name, value in {**changed, "seen": seen}.items()}
        side = "Corp" if winner == 1 else "Runner"
        return self.desk.post(self.address, sent, headers=HTMX), f"game 1: {side} won"


def edit_a_result(page: ResultPage, chance: random.Random) -> int:
    """Run one interleaving of editors; return the number of refused saves."""
    opened: dict[int, tuple[int, str]] = {}
    refused = 0
    for editor, is_saving in interleaved(chance):
        if not is_saving:
            opened[editor] = page.open()
            continue
        recorded = page.open()
        answer, entered = page.save(opened[editor][0])
        if opened[editor] == recorded:
            assert answer.status_code == 200
            assert page.open()[1].startswith(entered)
        else:
            assert answer.status_code == 409
            assert page.open() == recorded
            assert f"Now recorded: {recorded[1]}" in text_of(answer)
            assert f"You entered: {entered}" in text_of(answer)
            refused += 1
    return refused


def edit_settings(event: Tournament, chance: random.Random) -> int:
    """Like `edit_a_result`; editors of different settings do not block each other."""
    owner, refused = owner_of(event), 0
    opened: dict[int, tuple[int, dict[str, int]]] = {}
    for editor, is_saving in interleaved(chance):
        recorded = {name: getattr(fresh(event), name) for name in SETTINGS}
        if not is_saving:
            opened[editor] = event.log.newest_id(), recorded
            continue
        seen, shown = opened[editor]
        entered = {
            name: VALID_MINIMUM + chance.randrange(900) for name in chance.sample(SETTINGS, 2)
        }
        changed = {name: value for name, value in entered.items() if value != recorded[name]}
        save = partial(settings_services.change_settings, event, owner, seen_log=seen, **entered)
        if all(shown[name] == recorded[name] for name in changed):
            save()
        else:
            with pytest.raises(StaleVersion) as refusal:
                save()
            recorded_values = {name: recorded[name] for name in changed}
            assert refusal.value.details == {"recorded": recorded_values, "entered": changed}
            refused += 1
            changed = {}
        current = {name: getattr(fresh(event), name) for name in SETTINGS}
        assert current == {**recorded, **changed}
    return refused


def interleave(numbers: range, figure: Callable[[str], None]) -> None:
    """Run these interleavings: odd numbers edit a result, even numbers edit settings."""
    event = make_event(players=2, max_players=100, planned_rounds=3)
    pairing = table(start_round(event), 1)
    page = ResultPage(event, pairing, browsers(owner_of(event).user, 1)[0])
    refused = 0
    for number in numbers:
        chance = random.Random(number)
        with transaction.atomic():
            refused += edit_a_result(page, chance) if number % 2 else edit_settings(event, chance)
            transaction.set_rollback(True)
    assert refused
    figure(f"{len(numbers)} interleavings of 2 to 4 editors, {refused} losers shown both values")


def test_unseen_value_is_not_overwritten(figure: Callable[[str], None]):
    interleave(range(20), figure)


@pytest.mark.slow
def test_unseen_value_is_not_overwritten_in_many_interleavings(figure: Callable[[str], None]):
    """1,000 interleavings on both databases together."""
    interleave(range(750) if connection.vendor == "sqlite" else range(750, 1_000), figure)
