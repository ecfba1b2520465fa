"""Who was told to be missing at the tables of an event that came in as a file."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.utils.dateparse import parse_datetime

from players.models import User
from tournaments.models import Absence, Pairing
from tournaments.services.importing.tables import BATCH, Places

Told = Mapping[str, Any]


def store_absences(
    tables: Iterable[tuple[Pairing, Told]], places: Places, user: Callable[[str], User | None]
) -> None:
    """The absences told at each table with its match; `user` is the account of a username."""
    told = [(pairing, one) for pairing, match in tables for one in match["absences"]]
    rows = Absence.objects.bulk_create(
        (
            Absence(
                pairing=pairing,
                registration=places[one["player"]],
                user=user(one["username"]),
                player_id=places[one["by"]].player_id if one["by"] else None,
                applied_at=_moment(one["applied_at"]),
            )
            for pairing, one in told
        ),
        batch_size=BATCH,
    )
    # The moment of writing stands there until the told one is put in its place.
    for row, (_, one) in zip(rows, told, strict=True):
        row.told_at = _moment(one["told_at"]) or row.told_at
    Absence.objects.bulk_update(rows, ["told_at"], batch_size=BATCH)


def _moment(text: str | None) -> Any:
    return parse_datetime(text) if text else None
