"""Queries on the tables of this app."""

from collections.abc import Mapping

from matches import scoring
from matches.models import Faction


def factions() -> Mapping[str, scoring.Faction]:
    """Return the factions as edited by staff, by id, or the defaults of the rules."""
    kept = {row.id: scoring.Faction(row.id, row.name, row.colour) for row in Faction.objects.all()}
    return kept or scoring.FACTIONS
