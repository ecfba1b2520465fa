"""Export an event as a Datafort document from which it can be recreated.

The public part contains only public data. The private part is for organisers. Neither contains
email addresses, secrets or links.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, time
from fractions import Fraction
from typing import Any

from django.db.models import Prefetch

from engine.documents.ranking import DIGITS
from engine.standings import as_decimal
from engine.standings.records import Exact
from matches import records
from matches.models import SETTLED, Match, MatchState
from tournaments.event import queries
from tournaments.event.pages import identities_beside_names
from tournaments.event.queries.rounds import MISSED_ROUND
from tournaments.interchange.exports import private_part
from tournaments.interchange.formats.records import STRENGTHS
from tournaments.interchange.own_document.engine_documents import engine_part
from tournaments.interchange.own_document.results import games_document
from tournaments.interchange.own_document.shapes import FACTS, PLAYER_SHAPE, RATED, SETTINGS
from tournaments.models import (
    Pairing,
    Registration,
    RegistrationState,
    Round,
    Stage,
    StageEntry,
    Tournament,
)

Document = dict[str, Any]
# Registration fields visible only to the player and staff.
OF_THE_STAFF = (
    *("avoid_group", "fixed_table", "avoids_stream", "meeting_table"),
    *("checked_in_at", "dropped_at", "dropped_by", "paid_at"),
    *("day_two_at", "waiting_rank"),
)
# Fields that are omitted when empty.
ONLY_SAID = ("paid_at", "day_two_at", "waiting_rank")
# Hidden until a round is published: pairings and standings depend on these.
UNTIL_PLAYED = ("seed", "first_round_bye")


def document(tournament: Tournament, *, private: bool = False) -> Document:
    """Build the document: engine data at the top level, everything else under "event".

    The seed would allow random draws to be predicted, so it is public only after the event.
    """
    event = _WholeEvent(tournament, private=private).event()
    return {**engine_part(event), "standings": standings(tournament), "event": event}


def standings(tournament: Tournament) -> list[Document]:
    """Current standings, with each line as printed by `import_tournament --json`."""
    snapshot = queries.newest_snapshot(tournament)
    rows = queries.standing_rows(snapshot) if snapshot else []
    return [
        standing_line(row.registration.number, row.rank, row.match_points, row.tie_breakers)
        for row in rows
    ]


def standing_line(
    number: int, rank: int, points: Exact, figures: Mapping[str, Exact | str | None]
) -> Document:
    return {
        "id": number,
        "rank": rank,
        "match_points": _points(points),
        **{name: mean(Fraction(figures.get(name) or 0)) for name in STRENGTHS},
    }


def mean(value: Fraction) -> float:
    """Round to nine digits, halves away from zero."""
    return float(as_decimal(value, DIGITS))


class _WholeEvent:
    """Builds the document of an event with a constant number of queries."""

    def __init__(self, tournament: Tournament, *, private: bool) -> None:
        self.tournament, self.private = tournament, private
        self.shows_seed = private or tournament.is_finished
        self.is_played = queries.visible_rounds(tournament).exists()
        self.registrations = list(
            tournament.registrations.select_related("player").order_by("number")
        )
        self.by_player: Mapping[int, int] = {
            one.player_id: one.number for one in self.registrations
        }
        self.by_key: Mapping[int, int] = {one.pk: one.number for one in self.registrations}

    def event(self) -> Document:
        self.at_tables = (
            private_part.of_tables(self.tournament, self.by_player) if self.private else None
        )
        return {
            "settings": {key: _plain(value) for key, value in self._settings()},
            "seed": self.tournament.seed if self.shows_seed else None,
            "players": [*self._players()],
            "stages": [self._stage(stage) for stage in self._stages()],
            "private": private_part.document(self.tournament, self) if self.private else None,
        }

    def _settings(self) -> Iterator[tuple[str, Any]]:
        for key in SETTINGS:
            value = getattr(self.tournament, key)
            usual = {**FACTS, **RATED}
            if key not in usual or value != usual[key].default:
                yield key, value

    def _players(self) -> Iterator[Document]:
        identities = self._identities()
        for one in self.registrations:
            if one.state == RegistrationState.WAITING and not self.private:
                continue
            yield self._player(one, identities.get(one.number, []))

    def _player(self, one: Registration, identities: list[Document]) -> Document:
        facts = {key: _plain(getattr(one, key)) for key in PLAYER_SHAPE if hasattr(one, key)}
        # Documents lack the account-wide setting, so merge it in: the player must stay off stream.
        facts["avoids_stream"] = one.is_off_stream
        if not self.private:
            hidden = OF_THE_STAFF + (() if self.is_played else UNTIL_PLAYED)
            facts |= {key: PLAYER_SHAPE[key].default for key in hidden}
        facts = {key: value for key, value in facts.items() if value or key not in ONLY_SAID}
        named = {"id": one.number, "name": one.player.name, "pronouns": one.player.pronouns}
        return {**named, **facts, **named, "identities": identities}

    def _identities(self) -> dict[int, list[Document]]:
        """Identities shown beside names.

        The private part has only the identities of imported files, because decks contain the rest.
        """
        if not self.private:
            seen = identities_beside_names(self.tournament, None)
            return {
                number: [{"side": line.side, "title": line.title} for line in lines]
                for number, lines in seen.items()
            }
        found: dict[int, list[Document]] = defaultdict(list)
        for number, side, title in private_part.stated_identities(self.tournament):
            found[number].append({"side": side, "title": title})
        return found

    def _stages(self) -> Iterable[Stage]:
        # Prefetching more than 1,000 rows by a foreign key exceeds what SQLite parses.
        tables = Pairing.objects.select_related("match", "bye", "advances")
        rounds = self.tournament.stages.prefetch_related(
            Prefetch("entries", StageEntry.objects.select_related("registration")),
            Prefetch("rounds__pairings", tables),
            "rounds__pairings__match__seats",
            "rounds__pairings__match__games__seats",
        ).order_by("number")
        return [stage for stage in rounds if self.private or self._is_public(stage)]

    def _is_public(self, stage: Stage) -> bool:
        """Return True unless this is a cut without published seeds and rounds."""
        if not stage.way.is_elimination or stage.seeds_shown_at is not None:
            return True
        return _is_published(stage)

    def _stage(self, stage: Stage) -> Document:
        # A round robin's order is fixed by the first draft and reveals future opponents.
        shows_order = stage.way.is_elimination or _is_published(stage)
        return {
            "number": stage.number,
            "system": stage.system,
            "scoring_rule": stage.scoring_rule,
            "fixed_bracket": stage.fixed_bracket,
            "decks_shown_to": stage.decks_shown_to,
            "decks_shown_at": _plain(stage.decks_shown_at),
            "seeds_shown_at": _plain(stage.seeds_shown_at),
            "entries": [
                {
                    "player": entry.registration.number,
                    "seed": entry.seed,
                    "declined": entry.declined,
                    "place": entry.place,
                }
                for entry in stage.entries.all()
                if self.private or (shows_order and not entry.declined)
            ],
            "rounds": [
                self._round(round_, stage)
                for round_ in sorted(stage.rounds.all(), key=lambda one: one.number)
                if self.private or not round_.is_draft
            ],
        }

    def _round(self, round_: Round, stage: Stage) -> Document:
        keys = ("published_at", "started_at", "paused_at", "paused_seconds", "extra_minutes")
        return {
            "number": round_.number,
            "state": round_.state,
            "seed": round_.seed if self.shows_seed else None,
            **{key: _plain(getattr(round_, key)) for key in keys},
            "closed_at": _plain(round_.closed_at),
            "certificate": round_.certificate if self.private else {},
            "relaxations": round_.relaxations if self.private else [],
            "pairings": [
                self._pairing(one, stage) for one in sorted(round_.pairings.all(), key=_in_order)
            ],
        }

    def _pairing(self, one: Pairing, stage: Stage) -> Document:
        is_late = MISSED_ROUND in one.cost
        with_reasons = self.private or stage.way.is_elimination or is_late
        return {
            "table": one.table_number,
            "match": self._match(one.match) if one.match else None,
            "bye": one.bye.number if one.bye else None,
            "points": one.bye_points,
            "late_entry": is_late,
            "bracket_game": one.bracket_game,
            "advances": one.advances.number if one.advances else None,
            "made_by_hand": one.made_by_hand,
            "extra_minutes": one.extra_minutes,
            "is_locked": one.is_locked and self.private,
            "cost": one.cost if self.private or is_late else {},
            "reasons": one.reasons if with_reasons else [],
        }

    def _match(self, match: Match) -> Document:
        settled = match.state in SETTLED
        seats = sorted(match.seats.all(), key=lambda seat: seat.position)
        ids = {seat.position: self.by_player[seat.player_id] for seat in seats}
        positions = {seat.pk: seat.position for seat in seats}
        points = {
            (game.number, positions[played.seat_id]): _points(played.points)
            for game in match.games.all()
            for played in game.seats.all()
        }
        at_table = self.at_tables[match.pk] if self.at_tables is not None else {}
        return {
            "state": match.state if settled or self.private else MatchState.OPEN.value,
            "flags": match.flags,
            "settled_at": _plain(match.settled_at),
            "seats": [
                {
                    "id": ids[seat.position],
                    "points": _points(seat.points),
                    "typed": seat.typed_points,
                }
                for seat in seats
            ],
            "games": games_document(records.rows(match), ids, points),
            "losses": match.losses if self.private else [],
            "reports": at_table.get("reports", []),
            "notes": at_table.get("notes", []),
            "calls": at_table.get("calls", []),
            "absences": at_table.get("absences", []),
        }


def _is_published(stage: Stage) -> bool:
    return any(not round_.is_draft for round_ in stage.rounds.all())


def _in_order(pairing: Pairing) -> tuple[bool, int, int]:
    bye = pairing.bye.number if pairing.bye else 0
    return pairing.table_number is None, pairing.table_number or 0, bye


def _points(points: Any) -> Any:
    return points if points is None or isinstance(points, int) else str(points)


def _plain(value: Any) -> Any:
    """Convert dates and times to ISO 8601."""
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return value
