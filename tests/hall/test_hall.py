"""The hall simulation in small: everybody is answered, everything is accepted."""

import pytest

from tests.hall.apart import apart
from tests.hall.connection import forms_in
from tests.hall.day import Day, make_scene, run
from tests.hall.measures import share
from tests.live_site import Site

PHONES = 12


@pytest.mark.goal("G9", "G10")
def test_a_dozen_phones_see_a_round_published_and_every_result_counts(site: Site):
    scene = make_scene(site, PHONES)

    measured = apart(run(site, scene, Day(PHONES, 9))).measures

    assert measured.errors == []
    assert (measured.accepted, measured.reported) == (PHONES, PHONES)
    assert measured.rounds_published == 1
    # The wall as well.
    assert len(measured.seen_after) == PHONES + 1
    assert max(measured.unchanged_bytes) <= 400


def test_a_share_of_values_is_the_one_they_do_not_exceed():
    assert [share([3, 1, 2, 4], part) for part in (0.5, 0.99, 1)] == [3, 4, 4]
    assert share([], 0.5) == 0


def test_forms_are_found_by_where_they_are_sent():
    page = '<form action="/a/"><input type="hidden" name="seen" value="7"><input name="b"></form>'

    assert forms_in(page) == {"/a/": {"seen": "7"}}
