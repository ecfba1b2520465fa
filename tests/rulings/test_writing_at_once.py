"""Concurrent writers of rulings, in real threads on both databases."""

from datetime import date
from functools import partial

import pytest

from rulings import services
from rulings.models import Ruling, RulingDocument
from tests.tournaments.races.threads import run_at_once

pytestmark = pytest.mark.django_db(transaction=True)

HANDS = 6


@pytest.fixture
def document():
    return RulingDocument.objects.create(slug="list", title="List", published_on=date(1998, 1, 1))


def test_one_of_two_concurrent_writers_is_refused(document):
    ruling = services.create_local_ruling(document, subject="Tracing", text="It fails.")
    write = partial(
        services.write_version,
        ruling,
        seen=1,
        sources=[],
        in_force_from=None,
        by=None,
        reason="Corrected.",
    )

    answers = run_at_once([partial(write, text=f"It fails {hand}.") for hand in range(HANDS)])

    assert sum(isinstance(answer, services.WrittenMeanwhile) for answer in answers) == HANDS - 1
    assert [version.number for version in ruling.versions.all()] == [2, 1]


def test_local_rulings_of_two_games_never_get_the_same_code():
    def make(game):
        return services.create_local_ruling(
            services.get_local_document(game), subject="Spills", text="Dry it."
        )

    answers = run_at_once([partial(make, game) for game in ["onr", "anr"] * 3])

    assert all(isinstance(answer, Ruling) for answer in answers), answers
    assert len({answer.short_code for answer in answers}) == HANDS
    assert RulingDocument.objects.count() == 2


def test_two_rulings_do_not_end_up_superseding_each_other(document):
    first, second = (
        services.create_local_ruling(document, subject="Tracing", text=text) for text in "ab"
    )

    answers = run_at_once(
        [
            partial(services.set_superseded, first, [second]),
            partial(services.set_superseded, second, [first]),
        ]
    )

    assert sum(isinstance(answer, services.CannotSupersede) for answer in answers) == 1
    assert first.supersedes.count() + second.supersedes.count() == 1
