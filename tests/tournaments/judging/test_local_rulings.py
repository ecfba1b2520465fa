"""Local rulings: created, rewritten, withdrawn and reused."""

from datetime import date

import pytest
from django.utils import timezone

from core.errors import ReasonMissing
from decks.models import Card, Side
from players.services import create_player
from rulings import services as rulings_services
from rulings.models import RulingVersion
from tests.factories.tournaments import add_staff, fresh, make_event, owner_of
from tests.rulings.builders import write
from tournaments.event.permissions import Actor
from tournaments.judging import local_rulings
from tournaments.judging import queries as judging_queries
from tournaments.judging.local_rulings import Wording
from tournaments.models import LocalRuling, Tournament, Visibility


def make_scene() -> Tournament:
    return make_event(players=0)


@pytest.fixture
def head(event: Tournament) -> Actor:
    user = add_staff(event, "head_judge", "haas_logs_in")
    return Actor(user=user, player=create_player("Dr Haas", user=user))


@pytest.fixture
def cited_version() -> RulingVersion:
    document = rulings_services.get_local_document("onr")
    version = rulings_services.create_local_ruling(
        document, subject="Bits", text="As written."
    ).current
    assert version is not None
    return version


SLOW_PLAY = Wording("Three minutes a turn.", reason="A long game")


def test_ruling_names_its_author_event_and_date(event: Tournament, head: Actor):
    local = local_rulings.make(event, head, "Slow play", SLOW_PLAY)

    version = local.ruling.current
    citation = version.citations.get()
    assert (local.ruling.document.kind, local.ruling.document.game) == ("local", "onr")
    assert (version.text, version.written_by) == ("Three minutes a turn.", head.user)
    assert (citation.authority, citation.venue) == ("Dr Haas", "Spring Run")
    assert citation.date == timezone.localdate()
    assert event.log.get(action="local ruling made").subject.endswith("Slow play")


@pytest.mark.parametrize("visibility", [Visibility.PRIVATE, Visibility.UNLISTED])
def test_ruling_does_not_name_a_private_or_unlisted_event(visibility: Visibility, head: Actor):
    quiet = make_event(players=0, name="Our secret", visibility=visibility)

    local = local_rulings.make(quiet, owner_of(quiet), "Slow play", SLOW_PLAY)

    assert local.ruling.current.citations.get().venue == "a private event"


def test_ruling_about_a_card_references_the_card(event: Tournament, head: Actor):
    card = Card.objects.create(
        title="Loony Goon", slug="loony-goon", side=Side.RUNNER, type="program"
    )

    assert local_rulings.make(event, head, " loony goon", SLOW_PLAY).ruling.card == card
    assert local_rulings.make(event, head, "No such goon", SLOW_PLAY).ruling.card is None


def test_basis_keeps_the_cited_version(
    event: Tournament, head: Actor, cited_version: RulingVersion
):
    local = local_rulings.make(event, head, "Slow play", Wording("So.", [cited_version]))
    write(cited_version.ruling, "New.")

    (line,) = judging_queries.local_rulings_of(event)
    assert [citation.version for citation in line.basis.citations.all()] == [cited_version]
    assert line == local


def test_new_version_keeps_the_previous_version(event: Tournament, head: Actor):
    local = local_rulings.make(event, head, "Slow play", SLOW_PLAY)

    local_rulings.rewrite(local, head, 1, Wording("Two minutes.", reason="Three were too many"))

    versions = local.ruling.versions.order_by("number").values_list("text", flat=True)
    assert list(versions) == ["Three minutes a turn.", "Two minutes."]
    with pytest.raises(rulings_services.WrittenMeanwhile):
        local_rulings.rewrite(local, head, 1, Wording("One minute.", reason="Late"))
    with pytest.raises(ReasonMissing):
        local_rulings.rewrite(local, head, 2, Wording("One minute."))


def test_ruling_withdrawn_twice_is_withdrawn_once(event: Tournament, head: Actor):
    local = local_rulings.make(event, head, "Slow play", SLOW_PLAY)

    local_rulings.withdraw(local, head)
    local_rulings.withdraw(local, head)

    local.ruling.refresh_from_db()
    assert local.ruling.withdrawn_on == timezone.localdate()
    assert event.log.filter(action="local ruling withdrawn").count() == 1


def test_practice_copy_cannot_create_rulings(event: Tournament, head: Actor):
    Tournament.objects.filter(pk=event.pk).update(practice_of=make_event(0, name="Real"))

    with pytest.raises(local_rulings.NotInPractice):
        local_rulings.make(fresh(event), head, "Slow play", SLOW_PLAY)

    assert not LocalRuling.objects.exists()


def next_event(head: Actor, role: str = "judge") -> Tournament:
    return make_event(players=0, owner=head.user, name="Autumn Run", starts_on=date(2026, 9, 5))


def test_ruling_is_reused_by_staff_of_its_event(event: Tournament, head: Actor):
    ruling = local_rulings.make(event, head, "Slow play", SLOW_PLAY).ruling
    later = next_event(head)
    assert judging_queries.offered_rulings(head.user, later) == [ruling]

    again = local_rulings.reuse(later, ruling, head)

    assert not again.made_here
    assert local_rulings.reuse(later, ruling, head) == again
    assert judging_queries.offered_rulings(head.user, later) == []
    for service in (
        local_rulings.withdraw,
        lambda local, actor: local_rulings.rewrite(local, actor, 1, SLOW_PLAY),
    ):
        with pytest.raises(local_rulings.MadeElsewhere):
            service(again, head)


def test_rulings_are_not_offered_to_other_organisers_or_other_games(event: Tournament, head: Actor):
    ruling = local_rulings.make(event, head, "Slow play", SLOW_PLAY).ruling
    foreign_event = make_event(players=0, name="Others")
    radicals = make_event(
        0, owner=head.user, name="Evening", game="free_radicals", scoring_rule="free_radicals"
    )

    assert judging_queries.offered_rulings(owner_of(foreign_event).user, foreign_event) == []
    assert judging_queries.offered_rulings(head.user, radicals) == []
    with pytest.raises(local_rulings.NotYours):
        local_rulings.reuse(foreign_event, ruling, owner_of(foreign_event))


def test_withdrawn_ruling_is_not_offered(event: Tournament, head: Actor):
    local_rulings.withdraw(local_rulings.make(event, head, "Slow play", SLOW_PLAY), head)

    assert judging_queries.offered_rulings(head.user, next_event(head)) == []


def test_only_reused_rulings_can_be_removed_from_an_event(event: Tournament, head: Actor):
    local = local_rulings.make(event, head, "Slow play", SLOW_PLAY)
    later = next_event(head)
    again = local_rulings.reuse(later, local.ruling, head)

    with pytest.raises(local_rulings.MadeElsewhere):
        local_rulings.leave_out(local, head)
    local_rulings.leave_out(again, head)

    assert not judging_queries.has_local_rulings(later)
    assert judging_queries.has_local_rulings(event)


def test_changed_ruling_changes_the_version_of_every_event_with_the_ruling(
    event: Tournament, head: Actor
):
    local = local_rulings.make(event, head, "Slow play", SLOW_PLAY)
    later = next_event(head)
    local_rulings.reuse(later, local.ruling, head)
    before = fresh(later).version, fresh(event).version

    local_rulings.rewrite(local, head, 1, Wording("Two minutes.", reason="Too long"))

    assert fresh(later).version > before[0]
    assert fresh(event).version > before[1]
