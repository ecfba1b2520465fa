"""Comparison of the reports of a match, field by field."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from django.utils.translation import gettext as _

from matches.scoring.results import FactionFacts, Flag, GameEnd, GameResult, MatchResult, Role

# The number of a game, None for the match, and the label of a field.
FieldKey: TypeAlias = tuple[int | None, str]


@dataclass(frozen=True)
class ComparedField:
    """A field with its value in each report, as text for people."""

    # None for fields of the match as a whole.
    game: int | None
    label: str
    values: tuple[str, ...]

    @property
    def differs(self) -> bool:
        return len(set(self.values)) > 1


def compare_reports(
    reports: Sequence[MatchResult],
    names: Mapping[int, str],
    factions: Mapping[str, FactionFacts],
) -> list[ComparedField]:
    """Compare every field of the games, then of the match, between the reports.

    `names` are the players by seat position. A value is "" if the report does not have the field.
    """
    compared = [dict(_fields(report, names, factions)) for report in reports]
    keys = sorted(
        dict.fromkeys(key for fields in compared for key in fields),
        key=lambda key: (key[0] is None, key[0] or 0),
    )
    return [ComparedField(*key, tuple(fields.get(key, "") for fields in compared)) for key in keys]


def _fields(
    result: MatchResult, names: Mapping[int, str], factions: Mapping[str, FactionFacts]
) -> Iterator[tuple[FieldKey, str]]:
    for game in result.games:
        for label, value in _game_fields(game, names):
            yield (game.number, label), value
    by_seat = (
        (_("Total of %(name)s"), map(str, result.totals)),
        (_("Victory points of %(name)s"), map(str, result.victory_points)),
        (
            _("Faction of %(name)s"),
            (factions[id_].name if id_ in factions else id_ for id_ in result.factions),
        ),
    )
    for label, values in by_seat:
        for position, value in enumerate(values, start=1):
            yield (None, label % {"name": names[position]}), value
    for flag in Flag:
        if flag in result.flags:
            yield (None, _(flag.label)), _("Yes")


def _game_fields(game: GameResult, names: Mapping[int, str]) -> Iterator[tuple[str, str]]:
    yield _("Corp"), names[game.corp]
    yield _("Winner"), names[game.position(game.winner)] if game.winner else _("Nobody")
    if game.end is not GameEnd.NOT_RECORDED:
        yield _("How it ended"), _(game.end.label)
    for role in Role:
        points = game.agenda_points(role)
        if points is not None:
            label = (
                _("Agenda points of the Corp")
                if role is Role.CORP
                else _("Agenda points of the Runner")
            )
            yield label, str(points)
