"""Store a submitted list as a version of the player's deck."""

import datetime
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from django.db import transaction

from decks import games
from decks.legality.records import CardSlot, DeckRules
from decks.legality.verdict import Verdict
from decks.models import Decklist, DecklistVersion, DeckSlot
from decks.models.decklists import MOST_PROBLEMS
from decks.services.judging import check
from players.models import Player


@transaction.atomic
def hand_in(
    player: Player,
    *,
    side: str,
    text: str,
    rules: DeckRules,
    game: str = games.DEFAULT.id,
    date: datetime.date | None = None,
) -> DecklistVersion:
    """Store the list as the next version of the player's deck of this side.

    Illegal lists are stored too, as drafts with their breaches. If text and verdict are unchanged,
    the last version is returned instead.
    """
    verdict = check(text, game=game, side=side, rules=rules, date=date)
    decklist = _locked_decklist(player, game, side)
    last = decklist.versions.first()
    if last is not None and says_the_same(last, verdict):
        return last
    return _write_version(decklist, last.number + 1 if last else 1, verdict)


def _locked_decklist(player: Player, game: str, side: str) -> Decklist:
    decklist, _ = Decklist.objects.get_or_create(player=player, game=game, side=side, title="")
    # Lock the row: concurrent submissions would use the same version number.
    return Decklist.objects.select_for_update().get(pk=decklist.pk)


def says_the_same(version: DecklistVersion, verdict: Verdict) -> bool:
    """True if the version has the same list and verdict, for the same day and format."""
    # Compare breaches as well: different rules may produce another verdict.
    breaches, notices = _stored_problems(verdict)
    return (
        version.seal == verdict.seal
        and version.text == verdict.text
        and version.breaches == breaches
        and version.notices == notices
        and version.judged_on == verdict.date
        and version.format_id == (verdict.format_id or "")
        and version.snapshot_id == (verdict.snapshot_id or "")
    )


def _stored_problems(verdict: Verdict) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the breaches and notices to store, at most MOST_PROBLEMS of each.

    The breaches of 400 unreadable lines would be four times as long as the list.
    """
    breaches, notices = verdict.breaches_as_documents(), verdict.notices_as_documents()
    return breaches[:MOST_PROBLEMS], notices[:MOST_PROBLEMS]


def _write_version(decklist: Decklist, number: int, verdict: Verdict) -> DecklistVersion:
    breaches, notices = _stored_problems(verdict)
    version = DecklistVersion.objects.create(
        decklist=decklist,
        number=number,
        text=verdict.text,
        form=verdict.form,
        identity_id=verdict.identity.id if verdict.identity else None,
        size=verdict.size,
        agenda_points=verdict.agenda_points,
        is_legal=verdict.legal,
        breaches=breaches,
        notices=notices,
        seal=verdict.seal,
        format_id=verdict.format_id or "",
        snapshot_id=verdict.snapshot_id or "",
        judged_on=verdict.date,
    )
    _write_slots(version, verdict.slots)
    return version


def _write_slots(version: DecklistVersion, slots: Iterable[CardSlot]) -> None:
    copies: dict[tuple[int, str], int] = defaultdict(int)
    for slot in slots:
        copies[slot.card.id, slot.printing] += slot.quantity
    DeckSlot.objects.bulk_create(
        DeckSlot(
            version=version,
            card_id=card_id,
            printing=printing,
            position=position,
            quantity=quantity,
        )
        for position, ((card_id, printing), quantity) in enumerate(copies.items(), start=1)
    )
