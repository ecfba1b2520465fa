"""What a stream may tell of an event, and to whom."""

import pytest

from tests.factories.tournaments import make_event, owner_of
from tournaments.models import Tournament, Visibility
from tournaments.services import practice
from tournaments.views import streams


@pytest.fixture
def event() -> Tournament:
    return make_event(players=2)


def test_an_event_is_told_by_its_version(event: Tournament) -> None:
    told = streams.told([event.slug, "no-such-event"])

    assert told == {event.slug: streams.Told(event.version, is_for_all=True)}
    assert streams.may_follow(event.slug, "")


@pytest.mark.parametrize("visibility", [Visibility.PRIVATE, Visibility.PUBLIC])
def test_a_sandbox_is_followed_by_nobody_who_passes_by(
    event: Tournament, visibility: Visibility
) -> None:
    sandbox = practice.copy(event, owner_of(event))
    Tournament.objects.filter(pk=sandbox.pk).update(visibility=visibility)

    assert not streams.told([sandbox.slug])[sandbox.slug].is_for_all
    assert not streams.may_follow(sandbox.slug, "")
