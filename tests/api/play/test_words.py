"""Sentences about a draft are words for a program: names as they are, no marks of a page."""

from typing import Any

from players.models import Player
from tests.api.play.conftest import EVENT, client, seated
from tests.factories import tournaments as make
from tournaments.models import Tournament

DRAFT = f"{EVENT}rounds/2/draft/"
ODD = "O'B <b>&amp;"


def odd_names(event: Tournament) -> None:
    """As somebody might call themselves who knows HTML."""
    for place in event.registrations.all():
        Player.objects.filter(pk=place.player_id).update(name=f"{ODD} {place.number}")


def sentences(draft: Any) -> list[str]:
    """Every sentence of the rows of a draft."""
    rows = [*draft["tables"], *draft["byes"]]
    return [one for row in rows for one in (*row["reasons"], *row["warnings"])]


def partner_of(draft: Any, number: int) -> int:
    """Who sits opposite this player in a draft."""
    rows = [[seat["player"]["number"] for seat in row["seats"]] for row in draft["tables"]]
    table: list[int] = next(numbers for numbers in rows if number in numbers)
    return next(other for other in table if other != number)


def test_a_draft_and_what_would_break_it_are_told_in_plain_words():
    event = make.make_event(players=5)
    odd_names(event)
    make.play_round(event)
    make.draft_round(event)
    desk, met = client(event), [place.number for place in seated(event)]

    draft = desk.get(DRAFT).json()
    by_hand = {"tables": [{"table": 1, "seats": met}]}
    hand = desk.put(f"{DRAFT}by-hand/", by_hand, format="json").json()["errors"]
    two = {"one": met[1], "other": partner_of(draft, met[0])}
    swap = desk.post(f"{DRAFT}swap/", two, format="json").json()["errors"]

    for told in (sentences(draft), hand["warnings"], swap["broken"]):
        assert any(ODD in one for one in told)
        assert not set("<>&") & set("".join(told).replace(ODD, ""))
