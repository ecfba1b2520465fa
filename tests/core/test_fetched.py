import pytest

from core.fetched import is_laid, lay
from matches.models import Match, Seat
from players.models import Player


@pytest.mark.django_db
def test_what_is_laid_is_what_a_relation_has_without_asking(django_assert_num_queries):
    match = Match.objects.create(scoring_rule="onr-match-v1")
    for position, name in enumerate(("Ada", "Bo"), start=1):
        player = Player.objects.create(name=name)
        Seat.objects.create(match=match, position=position, player=player)
    again = Match.objects.get(pk=match.pk)
    rows = list(Seat.objects.filter(match=match).select_related("player").order_by("-position"))

    with django_assert_num_queries(0):
        assert not is_laid(again, "seats")
        lay(again, "seats", rows)
        told = [(seat.player.name, seat.match is again) for seat in again.seats.all()]
        assert is_laid(again, "seats")
        assert again.seats.count() == 2

    assert told == [("Bo", True), ("Ada", True)]
    # Whoever asks for some of them asks the database, as after any prefetch.
    assert again.seats.get(position=1).player.name == "Ada"
    lay(again, "seats", rows[:1])
    assert len(again.seats.all()) == 1
