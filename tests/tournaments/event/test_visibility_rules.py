"""Visibility rules: each audience with each viewer, and properties of all events."""

from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tournaments.event.visibility_rules import (
    Audience,
    EventFacts,
    StageFacts,
    Viewer,
    can_others_see_decks,
    can_see_deck,
    can_see_identities,
    can_see_identity,
    has_decks_page,
)
from tournaments.models import DeckAudience

NOW = datetime(2026, 5, 2, 12, tzinfo=UTC)
BEFORE, AFTER = NOW - timedelta(minutes=1), NOW + timedelta(minutes=1)
# The deck is Ada's. Bo has met Ada, Cy is in the cut with her, Di plays in the event.
ADA, BO, CY, DI = 1, 2, 3, 4

CUT = frozenset({ADA, CY})
MET = frozenset({ADA})

OWNER, OPPONENT, FINALIST, PLAYER = (Viewer(player) for player in (ADA, BO, CY, DI))
PASSER_BY, JUDGE, SHUT_OUT = Viewer(), Viewer(judges=True), Viewer(reads_event=False)


def swiss(audience: Audience, viewer: Viewer, **facts: Any) -> StageFacts:
    met = MET if viewer is OPPONENT else frozenset()
    return StageFacts(audience, **{"is_published": True, "met": met, **facts})


def cut(audience: Audience, **facts: Any) -> StageFacts:
    return StageFacts(audience, **{"is_published": True, "players": CUT, **facts})


def sees(viewer: Viewer, *stages: StageFacts, owner: int = ADA, **event: bool) -> bool:
    return can_see_deck(owner, viewer, EventFacts(stages, **event), NOW)


def test_audiences_equal_those_of_the_models():
    assert [audience.value for audience in Audience] == DeckAudience.values


@pytest.mark.parametrize(
    ("viewer", "least"),
    [
        (OWNER, Audience.PRIVATE),
        (JUDGE, Audience.PRIVATE),
        (OPPONENT, Audience.OPPONENT),
        (FINALIST, Audience.PARTICIPANTS),
        (PLAYER, Audience.PARTICIPANTS),
        (PASSER_BY, Audience.PUBLIC),
        (SHUT_OUT, None),
    ],
)
@pytest.mark.parametrize("audience", Audience)
def test_swiss_stage_shows_the_deck_from_the_given_audience_up(viewer, least, audience):
    order = list(Audience)
    expected = least is not None and order.index(audience) >= order.index(least)

    assert sees(viewer, swiss(audience, viewer)) == expected


@pytest.mark.parametrize(
    ("viewer", "least"),
    [
        (OWNER, Audience.PRIVATE),
        (JUDGE, Audience.PRIVATE),
        (FINALIST, Audience.CUT),
        (PLAYER, Audience.PARTICIPANTS),
        (PASSER_BY, Audience.PUBLIC),
        (SHUT_OUT, None),
    ],
)
@pytest.mark.parametrize("audience", Audience)
def test_cut_shows_the_decks_of_its_players_from_the_given_audience_up(viewer, least, audience):
    order = list(Audience)
    expected = least is not None and order.index(audience) >= order.index(least)

    assert sees(viewer, cut(audience)) == expected


@pytest.mark.parametrize("audience", Audience)
@pytest.mark.parametrize("viewer", [OPPONENT, FINALIST, PLAYER, PASSER_BY])
def test_cut_hides_decks_of_players_outside_the_cut(audience, viewer):
    outsider = 9

    assert not sees(viewer, cut(audience), owner=outsider)


def test_declined_player_is_not_in_the_cut():
    without_ada = cut(Audience.CUT, players=frozenset({CY}))

    assert not sees(FINALIST, without_ada)
    assert not sees(Viewer(ADA), without_ada, owner=CY)


def test_empty_cut_shows_nothing_to_viewers_without_a_place():
    assert not sees(PASSER_BY, cut(Audience.CUT, players=frozenset()))


def test_cut_audience_of_a_swiss_stage_shows_only_opponents():
    assert not sees(PLAYER, swiss(Audience.CUT, PLAYER))
    assert sees(OPPONENT, swiss(Audience.CUT, OPPONENT))


@pytest.mark.parametrize(
    ("shown_at", "is_published", "counts"),
    [
        (None, False, False),
        (None, True, True),
        (BEFORE, False, True),
        (NOW, False, True),
        (AFTER, False, False),
        (AFTER, True, False),
        (BEFORE, True, True),
    ],
)
def test_stage_counts_from_its_time_or_its_first_round(shown_at, is_published, counts):
    stage = StageFacts(Audience.PUBLIC, shown_at=shown_at, is_published=is_published)

    assert stage.counts(NOW) == counts
    assert sees(PASSER_BY, stage) == counts
    assert has_decks_page(PASSER_BY, EventFacts((stage,)), NOW) == counts
    assert can_others_see_decks(EventFacts((stage,)), NOW) == counts


def test_widest_audience_of_all_stages_applies():
    narrow, wide = swiss(Audience.PRIVATE, PASSER_BY), cut(Audience.PUBLIC)

    assert sees(PASSER_BY, narrow, wide)
    assert not sees(PASSER_BY, narrow, cut(Audience.PUBLIC, shown_at=AFTER))


def test_revealed_decks_are_visible_to_every_reader():
    assert sees(PASSER_BY, is_revealed=True)
    assert not sees(SHUT_OUT, is_revealed=True)


@pytest.mark.parametrize(
    ("viewer", "audience", "opens"),
    [
        (PASSER_BY, Audience.PARTICIPANTS, False),
        (PLAYER, Audience.PARTICIPANTS, True),
        (PLAYER, Audience.OPPONENT, False),
        (OPPONENT, Audience.OPPONENT, True),
        (OPPONENT, Audience.CUT, True),
        (PLAYER, Audience.PRIVATE, False),
        (PASSER_BY, Audience.PUBLIC, True),
        (SHUT_OUT, Audience.PUBLIC, False),
    ],
)
def test_viewers_of_the_decks_page(viewer, audience, opens):
    assert has_decks_page(viewer, EventFacts((swiss(audience, viewer),)), NOW) == opens


def test_only_players_of_the_cut_have_a_page_of_decks():
    event = EventFacts((cut(Audience.CUT),))

    assert has_decks_page(FINALIST, event, NOW)
    assert not has_decks_page(PLAYER, event, NOW)
    assert not has_decks_page(PASSER_BY, event, NOW)


IDENTITY_CASES = [
    # stage audience, round published, deck public: visible to a stranger?
    (True, False, False, False),
    (True, True, False, True),
    (True, False, True, True),
    (False, True, False, False),
    (False, True, True, True),
]


@pytest.mark.parametrize(("by_round", "published", "public", "seen"), IDENTITY_CASES)
def test_identities_are_hidden_before_round_1_unless_the_deck_is_visible(
    by_round, published, public, seen
):
    stage = StageFacts(Audience.PUBLIC if public else Audience.PRIVATE, shown_at=BEFORE)
    facts = {"identities_by_round": by_round, "is_round_published": published}
    event = EventFacts((stage,), has_identities=True, **facts)
    without = EventFacts((stage,), has_identities=False, **facts)

    assert can_see_identity(ADA, PASSER_BY, event, NOW) == seen
    assert can_see_identities(PASSER_BY, event) == (by_round and published)
    assert can_others_see_decks(event, NOW) == (public or (by_round and published))
    assert not can_see_identity(ADA, PASSER_BY, without, NOW)
    assert not can_see_identity(ADA, SHUT_OUT, event, NOW)


def test_judges_and_the_player_see_an_identity_at_any_time():
    hidden = EventFacts(has_identities=True, identities_by_round=False)

    assert can_see_identities(JUDGE, hidden)
    assert can_see_identity(ADA, JUDGE, hidden, NOW)
    assert can_see_identity(ADA, OWNER, hidden, NOW)
    assert not can_see_identity(ADA, PLAYER, hidden, NOW)


players = st.integers(1, 6)
moments = st.sampled_from([None, BEFORE, NOW, AFTER])
stages = st.builds(
    StageFacts,
    audience=st.sampled_from(Audience),
    shown_at=moments,
    is_published=st.booleans(),
    players=st.none() | st.frozensets(players),
    met=st.frozensets(players),
)
viewers = st.builds(
    Viewer, player=st.none() | players, reads_event=st.booleans(), judges=st.booleans()
)
events = st.builds(
    EventFacts,
    stages=st.lists(stages, max_size=3).map(tuple),
    is_revealed=st.booleans(),
    has_identities=st.booleans(),
    identities_by_round=st.booleans(),
    is_round_published=st.booleans(),
)


@given(events, stages, viewers, players)
def test_additional_stage_never_hides_a_deck(event, stage, viewer, owner):
    more = EventFacts((*event.stages, stage), event.is_revealed)

    assert can_see_deck(owner, viewer, more, NOW) >= can_see_deck(owner, viewer, event, NOW)


@given(stages, viewers, players)
def test_wider_audience_never_hides_a_deck(stage, viewer, owner):
    # A viewer without a place in the event has met no one.
    assume(viewer.player is not None or not stage.met)
    seen = [
        sees(viewer, StageFacts(audience, **facts_of(stage)), owner=owner) for audience in Audience
    ]

    assert seen == sorted(seen)


def facts_of(stage: StageFacts) -> dict[str, Any]:
    return {
        "shown_at": stage.shown_at,
        "is_published": stage.is_published,
        "players": stage.players,
        "met": stage.met,
    }


@given(events, players)
def test_stranger_sees_no_more_than_a_reader_with_a_place(event, owner):
    for player in range(1, 7):
        assert can_see_deck(owner, Viewer(player), event, NOW) >= can_see_deck(
            owner, PASSER_BY, event, NOW
        )


@given(events, viewers, players)
def test_visible_deck_implies_the_page_and_a_new_version(event, viewer, owner):
    if viewer.judges or viewer.player == owner or not can_see_deck(owner, viewer, event, NOW):
        return

    assert has_decks_page(viewer, event, NOW)
    assert can_others_see_decks(event, NOW)


@given(events, viewers, players)
def test_visible_deck_shows_its_identity(event, viewer, owner):
    if event.has_identities:
        seen = can_see_deck(owner, viewer, event, NOW)
        assert can_see_identity(owner, viewer, event, NOW) >= seen


def test_only_owner_and_judge_see_decks_before_any_stage_counts():
    for audience, viewer in product(Audience, [OPPONENT, FINALIST, PLAYER, PASSER_BY]):
        assert not sees(viewer, swiss(audience, viewer, is_published=False))
    assert sees(OWNER)
    assert sees(JUDGE)
