"""What one version of an event says to its players: asked once, however many look.

Kept by each process as it is, and read by many requests at once: nothing here is changed by who
gets it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock

from django.core.cache import caches

from tournaments import queries, visibility
from tournaments.models import Registration, Round, Stage, Tournament
from tournaments.sheets.days import Day, KnownDay, day_of, days_of
from tournaments.systems import SystemKind


@dataclass
class Hall:
    """The newest published round with its stage; how many are `planned`, None where no page says.

    `has_meeting` until round 1 says where everybody sits. `version` is the `hall_version` of the
    event this was asked for.
    """

    tournament: Tournament
    version: int
    round: Round | None
    planned: int | None
    has_meeting: bool
    stages: list[Stage]
    _days: Mapping[int, KnownDay] | None = None
    _one_asks: Lock = field(default_factory=Lock)

    def day_of(self, registration: Registration, moves: int | None) -> Day:
        """The player's day; `moves` are theirs (days.MOVES) of now, None where they are not known.

        What concerns one table alone moves no version: whoever sits there is asked for anew.
        """
        if moves is None:
            return day_of(registration, self.round)
        with self._one_asks:
            if self._days is None:
                self._days = days_of(self.tournament, self.round)
        known = self._days.get(registration.player_id)
        if known is not None and known.moves == moves:
            return known.day
        return day_of(registration, self.round)


def hall_of(tournament: Tournament) -> Hall:
    """The hall at the version of this row or a newer one; no query while it is kept."""
    kept: Hall | None = caches["halls"].get(str(tournament.pk))
    if kept is None or kept.version < tournament.hall_version:
        # Read after the row: it is never older than its version says.
        kept = _read(tournament)
        caches["halls"].set(str(tournament.pk), kept, queries.KEPT_SECONDS)
    return kept


def _read(tournament: Tournament) -> Hall:
    newest = _newest_round(tournament)
    return Hall(
        tournament=tournament,
        version=tournament.hall_version,
        round=newest,
        planned=_planned(tournament, newest),
        has_meeting=newest is None and queries.meeting_is_on(tournament),
        stages=visibility.stages_with_facts(tournament) if tournament.has_decks else [],
    )


def _newest_round(tournament: Tournament) -> Round | None:
    rounds = queries.visible_rounds(tournament).select_related("stage")
    newest = rounds.defer("certificate", "relaxations").last()
    if newest is not None:
        newest.stage.tournament = tournament
    return newest


def _planned(tournament: Tournament, round_: Round | None) -> int | None:
    if round_ is None or round_.stage.way.is_elimination:
        return None
    is_fixed = round_.stage.way.kind is not SystemKind.ROUND_ROBIN
    return (tournament.planned_rounds if is_fixed else None) or queries.round_target(tournament)
