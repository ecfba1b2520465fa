"""The identities that stand beside the names on pages everybody may open."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import BigIntegerField, F, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Cast, Coalesce

from decks.models import CardFaction, Side
from players.models import Player
from tournaments.event import visibility
from tournaments.models import DeckSubmission, StatedIdentity, Tournament


@dataclass(frozen=True)
class IdentityLine:
    """One identity: its whole title, what people call it, its faction, and the side."""

    title: str
    name: str
    faction: str
    side: str


Identities = dict[int, tuple[IdentityLine, ...]]
"""By the player's number in the event, Corp before Runner; players who show none are left out."""


def identities_beside_names(tournament: Tournament, player: Player | None) -> Identities:
    """What this player may see now, or with None a passer-by; nothing for games without any."""
    if not tournament.game_played.has_identities:
        return {}
    decks = _told(tournament, visibility.identities_for_reader(tournament, player))
    rows = list(decks.union(_stated(tournament), all=True))
    owners = {owner for *_, owner in rows if owner}
    seen = visibility.identities_seen_of(tournament, player, owners) if owners else frozenset()
    # A deck that was handed in here goes before what a file says.
    return _by_number(
        [row for row in rows if row[-1] in seen] + [row for row in rows if not row[-1]]
    )


def identities_of(tournament: Tournament, decks: QuerySet[DeckSubmission]) -> Identities:
    """The identities of these decks, which the reader may see."""
    if not tournament.game_played.has_identities:
        return {}
    return _by_number(list(_told(tournament, decks)))


Row = tuple[int, str, str, str | None, int]
"""Number in the event, side, title, name of the faction; the player of one a file names, else 0."""


def _told(tournament: Tournament, decks: QuerySet[DeckSubmission]) -> QuerySet[Any, Row]:
    """The identities of decks."""
    nobody = Value(0, output_field=BigIntegerField())
    with_one = decks.exclude(version__identity=None)
    title, faction = F("version__identity__title"), "version__identity__faction"
    return _rows(tournament, with_one, title, faction, nobody)


def _stated(tournament: Tournament) -> QuerySet[Any, Row]:
    """The identities that a file names; of a card nobody knows here, the title alone."""
    stated = StatedIdentity.objects.filter(registration__tournament=tournament)
    owner = Cast("registration__player", BigIntegerField())
    return _rows(tournament, stated, Coalesce("card__title", "title"), "card__faction", owner)


def _rows(
    tournament: Tournament, found: QuerySet[Any], title: Any, faction: str, owner: Any
) -> QuerySet[Any, Row]:
    known = CardFaction.objects.filter(game=tournament.game, faction_id=OuterRef(faction))
    name = Subquery(known.values("name")[:1])
    told = found.annotate(shown=title, faction_name=name, owner=owner).order_by()
    columns = ("registration__number", "side", "shown", "faction_name", "owner")
    rows: QuerySet[Any, Row] = told.values_list(*columns)
    return rows


def _by_number(rows: Iterable[Row]) -> Identities:
    found: dict[int, dict[str, IdentityLine]] = defaultdict(dict)
    for number, side, title, faction, _ in rows:
        line = IdentityLine(title, short_name(title, faction), faction or "", side)
        found[number][side] = line
    return {
        number: tuple(sorted(lines.values(), key=lambda line: Side(line.side)))
        for number, lines in found.items()
    }


def short_name(title: str, faction: str | None) -> str:
    """What people call an identity: what stands before its colon, or behind its faction there."""
    before, colon, behind = title.partition(": ")
    return behind if colon and before == faction else before
