"""A draft as its organiser wants it."""

from collections.abc import Iterable

import pytest

from tests.factories.tournaments import (
    add_players,
    draft_round,
    get_round,
    make_event,
    owner_of,
    play_round,
    player_number,
    table,
    tables_of,
)
from tests.queries import queries_of
from tests.tournaments.services.draft_talk import (
    entries,
    everybody,
    seats,
    sitting,
)
from tournaments import queries
from tournaments.models import Tournament
from tournaments.services import draft_guards, drafting
from tournaments.services.drafting import HandTable
from tournaments.sheets.draft import draft_sheet


def test_a_round_made_by_hand_begins_empty_and_holds_what_is_chosen():
    event = make_event(players=5, system="manual")
    draft = draft_round(event)
    assert not draft.pairings.exists()
    one, two, three, four, five = entries(event, 1, 2, 3, 4, 5)

    tables = [HandTable(1, (two, one)), HandTable(4, (three, four))]
    drafting.pair_by_hand(draft, tables, [five], owner_of(event))

    made = {pairing.table_number: seats(pairing) for pairing in draft.pairings.all()}
    assert made == {1: ["Bo", "Ada"], 4: ["Cy", "Di"], None: ["Ed"]}
    assert all(pairing.made_by_hand for pairing in draft.pairings.all())
    roles = (
        table(draft, 1).match.games.get(number=1).seats.values_list("seat__player__name", "role")
    )
    assert dict(roles) == {"Bo": "corp", "Ada": "runner"}


def test_a_round_made_by_hand_is_not_drawn_anew():
    event = make_event(players=4, system="manual")
    draft = draft_round(event)
    drafting.pair_by_hand(draft, [HandTable(1, entries(event, 1, 2))], [], owner_of(event))

    with pytest.raises(drafting.NothingToPair, match="by hand"):
        drafting.pair_the_rest(draft, owner_of(event))

    assert draft.pairings.count() == 1


def test_tables_that_are_chosen_again_keep_their_reasons():
    event = make_event(players=6)
    draft = draft_round(event)
    kept = table(draft, 2)
    first, two, three = (sitting(table(draft, number)) for number in (1, 2, 3))

    swapped = [
        HandTable(1, (first[0], three[1])),
        HandTable(2, two),
        HandTable(3, (three[0], first[1])),
    ]
    drafting.pair_by_hand(draft, swapped, [], owner_of(event))

    assert table(draft, 2).pk == kept.pk
    assert table(draft, 2).reasons
    assert [table(draft, number).made_by_hand for number in (1, 2, 3)] == [True, False, True]


@pytest.mark.parametrize(
    ("tables", "byes", "words"),
    [
        ([(1, (1, 2)), (2, (1, 3))], [], "Ada has two places"),
        ([(1, (1, 2))], [1], "Ada has two places"),
        ([(1, (1,))], [], "Table 1 has 1, not 2 players"),
        ([(1, (1, 2)), (1, (3, 4))], [], "Table 1 is there twice"),
        ([(0, (1, 2))], [], "no number of a table"),
        ([(1, (1, 5))], [], "Ed is not checked in"),
    ],
)
def test_tables_that_cannot_be_are_refused(
    event: Tournament, tables: Iterable[tuple[int, tuple[int, ...]]], byes: list[int], words: str
):
    add_players(event, 1, checked_in=False)
    draft = draft_round(event)
    before = everybody(draft)

    made = [HandTable(number, entries(event, *numbers)) for number, numbers in tables]
    with pytest.raises(drafting.NotBySeats, match=words):
        drafting.pair_by_hand(draft, made, entries(event, *byes), owner_of(event))

    assert everybody(draft) == before


def test_somebody_elses_change_of_the_draft_is_not_overwritten(event: Tournament):
    draft = draft_round(event)
    seen = queries.newest_draft_change(event)
    drafting.swap_seats(draft, player_number(event, 1), player_number(event, 2), owner_of(event))

    with pytest.raises(draft_guards.DraftHasChanged):
        drafting.pair_by_hand(draft, [], [], owner_of(event), seen=seen)


def test_groups_that_are_kept_apart_do_not_meet(event: Tournament):
    event.registrations.filter(number__in=(1, 2)).update(avoid_group="car")

    draft = draft_round(event)

    assert ["Ada", "Bo"] not in [sorted(seats(pairing)) for pairing in tables_of(draft)]


def test_a_row_made_by_hand_tells_its_warnings_and_its_price(event: Tournament):
    round_ = play_round(event)
    met = [entry.number for entry in sitting(table(round_, 1))]
    draft = draft_round(event)
    others = [number for number in (1, 2, 3, 4) if number not in met]

    tables = [HandTable(1, entries(event, *met)), HandTable(2, entries(event, *others))]
    drafting.pair_by_hand(draft, tables, [], owner_of(event))
    sheet = draft_sheet(get_round(event, 2))

    assert any("have met before, in round 1." in told for told in sheet.tables[0].warnings)
    assert "rematches 2" in sheet.cost


def test_the_sheet_of_a_draft_asks_a_constant_number_of_queries():
    counts = []
    for players in (6, 24):
        event = make_event(players=players)
        play_round(event)
        draft = get_round(event, draft_round(event).number)
        drafting.swap_seats(
            draft, player_number(event, 1), player_number(event, 2), owner_of(event)
        )
        counts.append(queries_of(draft_sheet, draft))

    assert counts[0] == counts[1]
