"""The identities that stand beside the names on pages everybody may open."""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import OuterRef, QuerySet, Subquery

from decks.games import GameSystem
from decks.models import CardFaction, Side
from players.models import Player
from tournaments import visibility
from tournaments.models import DeckSubmission, Tournament


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
    return identities_of(tournament, visibility.identities_for_reader(tournament, player))


def identities_of(tournament: Tournament, decks: QuerySet[DeckSubmission]) -> Identities:
    """The identities of these decks, which the reader may see."""
    if tournament.game != GameSystem.ANR:
        return {}
    factions = CardFaction.objects.filter(
        game=tournament.game, faction_id=OuterRef("version__identity__faction")
    )
    rows = (
        decks.exclude(version__identity=None)
        .annotate(faction_name=Subquery(factions.values("name")[:1]))
        .values_list("registration__number", "side", "version__identity__title", "faction_name")
    )
    found: dict[int, list[IdentityLine]] = defaultdict(list)
    for number, side, title, faction in rows:
        found[number].append(IdentityLine(title, short_name(title, faction), faction or "", side))
    return {
        number: tuple(sorted(lines, key=lambda line: Side(line.side)))
        for number, lines in found.items()
    }


def short_name(title: str, faction: str | None) -> str:
    """What people call an identity: what stands before its colon, or behind its faction there."""
    before, colon, behind = title.partition(": ")
    return behind if colon and before == faction else before
