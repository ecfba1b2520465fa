"""Organisers choose the order in which ties are broken."""

from django import forms

from tournaments.forms.scoring import ALWAYS, PLACES, TieBreakersField
from tournaments.standings import DEFAULT_TIE_BREAKERS, TIE_BREAKERS


class Order(forms.Form):
    tie_breakers = TieBreakersField()


def order(*chosen: str) -> Order:
    return Order({f"tie_breakers_{place}": id_ for place, id_ in enumerate(chosen)})


def test_points_come_first_and_a_lot_last_whatever_is_chosen() -> None:
    form = order("head_to_head", "", "buchholz")

    assert form.is_valid()
    assert form.cleaned_data["tie_breakers"] == ["match_points", "head_to_head", "buchholz", "lot"]


def test_nothing_chosen_leaves_points_and_the_lot() -> None:
    form = order("", "")

    assert form.is_valid()
    assert form.cleaned_data["tie_breakers"] == ["match_points", "lot"]


def test_one_chosen_twice_is_refused_by_name() -> None:
    form = order("buchholz", "head_to_head", "buchholz")

    assert not form.is_valid()
    assert form.errors["tie_breakers"] == ['"Buchholz" is chosen twice. Choose it in one place.']


def test_one_that_does_not_exist_is_refused() -> None:
    assert not order("luck").is_valid()


def test_the_usual_orders_come_back_as_they_are() -> None:
    widget = TieBreakersField().widget

    for ids in (DEFAULT_TIE_BREAKERS, ("match_points", "games_won", "lot")):
        assert order(*widget.decompress(list(ids))).is_valid()
        assert [id_ for id_ in widget.decompress(list(ids)) if id_] == [
            id_ for id_ in ids if id_ not in ALWAYS
        ]


def test_every_choice_has_a_name_that_is_read_out() -> None:
    page = str(Order()["tie_breakers"])

    assert all(f'aria-label="{place} tie-breaker"' in page for place in PLACES)
    assert all(f'value="{id_}"' in page for id_ in TIE_BREAKERS if id_ not in ALWAYS)
