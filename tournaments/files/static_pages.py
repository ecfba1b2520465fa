"""Export an event as a single HTML page without scripts, requests or a server.

It contains only what anyone with the event's address may read, because the file can be passed on.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.core.cache import caches
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.translation import get_language

from core.numbers import mixed_number
from decks.models import Side
from engine.bracket.games import ResultRefused
from matches.scoring.results import Points
from matches.scoring.rules import ScoringRule, scoring_rule
from tournaments.decklists.pages import PlayerDecks, deck_lists, deck_rules_in_words
from tournaments.event import visibility
from tournaments.event.pages import identities_beside_names
from tournaments.models import Registration, Round, StandingSnapshot, Tournament
from tournaments.results.bracket_pages import bracket_drawing
from tournaments.results.standings_pages import (
    PlacingLine,
    StandingsTable,
    TieBreakerSum,
    all_tie_breaker_sums,
    get_tie_breakers,
    placing_lines,
    standings_table,
)
from tournaments.rounds.cut import Cut, get_cut
from tournaments.rounds.pages import SeatLine, TableLine, table_lines
from tournaments.statistics.pages import sections_of, statistics_of_event
from tournaments.web.polling import assets_hash

STYLESHEETS = (
    "css/tokens.css",
    "css/components/bracket.css",
    "css/components/charts.css",
    "css/static_pages.css",
)
CACHED_SECONDS = 600
# Number of cached files; the file of a large event takes 9 MB.
SLOTS = 8
# Placeholder for the address in the cached file.
ADDRESS_MARK = "address-of-this-page-b1f0c2d4"
TEMPLATE = "tournaments/files/static_pages.html"


@dataclass(frozen=True)
class StaticRound:
    """A published round with its tables in order, byes last."""

    round: Round
    rule: ScoringRule
    lines: tuple[TableLine, ...]


@dataclass(frozen=True)
class StaticPlayerRound:
    """A player's result of one round; a bye has no opponents."""

    number: int
    line: TableLine
    seat: SeatLine
    opponents: tuple[SeatLine, ...]


@dataclass(frozen=True)
class StaticPlayer:
    """A player with their rounds and the calculation of every standings figure."""

    registration: Registration
    rounds: tuple[StaticPlayerRound, ...]
    rank: int | None
    match_points: Points | None
    sums: tuple[TieBreakerSum, ...]
    # Sides of the player's public decks, used in their anchors.
    sides: tuple[str, ...]


def static_page(tournament: Tournament, page: str = "") -> bytes:
    """Return the event as one HTML file; `page` is its address on the site.

    The number of queries depends on rounds, not players. Cached until the event or the layout
    changes, or another event takes the slot. The cached file has a placeholder for the address, so
    requests with other Host headers share it.
    """
    state = (
        tournament.version,
        visibility.count_passed_times(tournament),
        get_language(),
        assets_hash(),
    )
    stamp = repr((tournament.pk, tournament.join_code, *state, bool(page)))
    key = f"static-pages:{tournament.pk % SLOTS}"
    cached = caches["pages"].get(key)
    if cached is not None and cached[0] == stamp:
        file: bytes = cached[1]
    else:
        file = _render_page(tournament, ADDRESS_MARK if page else "")
        caches["pages"].set(key, (stamp, file), CACHED_SECONDS)
    return file.replace(ADDRESS_MARK.encode(), escape(page).encode())


def _render_page(tournament: Tournament, page: str) -> bytes:
    rounds = [*_published_rounds(tournament)]
    snapshot = tournament.snapshots.newest()
    table = standings_table(tournament, snapshot) if snapshot else None
    cut = _public_cut(tournament)
    decks = _public_decks(tournament)
    context: dict[str, Any] = {
        "tournament": tournament,
        "page": page,
        "style": _read_stylesheets(),
        "rule": scoring_rule(tournament.scoring_rule),
        "deck_rules": deck_rules_in_words(tournament) if tournament.has_decks else None,
        "tie_breakers": get_tie_breakers(tournament),
        "version": tournament.archive_version(),
        "corrections": tournament.log.corrections(),
        "places": _placing_lines(tournament, cut, table),
        "table": table,
        "snapshot": snapshot,
        "bracket": bracket_drawing(cut) if cut else None,
        "rounds": rounds,
        "identities": identities_beside_names(tournament, None),
        "decks": decks,
        "sections": sections_of(statistics_of_event(tournament).charts),
        "players": _static_players(tournament, rounds, table, snapshot, decks),
    }
    return render_to_string(TEMPLATE, context).encode()


def _read_stylesheets() -> str:
    """Concatenate the stylesheets; none of them loads other files."""
    texts = []
    for name in STYLESHEETS:
        path = finders.find(name)
        assert isinstance(path, str), name
        texts.append(Path(path).read_text(encoding="utf-8"))
    return "\n".join(texts)


def _published_rounds(tournament: Tournament) -> Iterable[StaticRound]:
    visible = tournament.rounds.published().select_related("stage")
    rounds = list(visible.defer("certificate", "relaxations"))
    Round.prefetch_names(rounds)
    for round_ in rounds:
        round_.stage.tournament = tournament
        rule = scoring_rule(round_.stage.scoring_rule)
        yield StaticRound(round_, rule, tuple(table_lines(round_)))


def _public_cut(tournament: Tournament) -> Cut | None:
    stage = tournament.get_cut()
    if stage is None or not stage.has_published_round():
        return None
    try:
        return get_cut(stage)
    except ResultRefused:
        # Results that contradict each other: show the rounds but no bracket.
        return None


def _placing_lines(
    tournament: Tournament, cut: Cut | None, table: StandingsTable | None
) -> list[PlacingLine]:
    """Return the final places, best first."""
    if cut is not None:
        return [line for line in placing_lines(tournament, cut) if not line.is_open]
    return [
        PlacingLine(
            line.rank,
            f"{mixed_number(line.match_points)} points",
            line.name,
            line.pronouns,
            line.number,
        )
        for line in (table.lines if table else ())
    ]


def _public_decks(tournament: Tournament) -> list[PlayerDecks]:
    """Decks that are public now."""
    if not tournament.has_decks or not visibility.has_decks_page(tournament, None):
        return []
    return deck_lists(visibility.decks_for_reader(tournament, None))


def _static_players(
    tournament: Tournament,
    rounds: Iterable[StaticRound],
    table: StandingsTable | None,
    snapshot: StandingSnapshot | None,
    decks: Iterable[PlayerDecks],
) -> list[StaticPlayer]:
    played = _rounds_by_player(rounds)
    lines = {line.number: line for line in (table.lines if table else ())}
    sums = all_tie_breaker_sums(tournament, snapshot.round) if snapshot else {}
    sides = {
        player.number: tuple(Side(deck.side).value for deck, _ in player.decks) for player in decks
    }
    return [
        StaticPlayer(
            registration=entry,
            rounds=tuple(played.get(entry.number, ())),
            rank=lines[entry.number].rank if entry.number in lines else None,
            match_points=lines[entry.number].match_points if entry.number in lines else None,
            sums=tuple(sums.get(entry.number, ())),
            sides=sides.get(entry.number, ()),
        )
        for entry in tournament.registrations.not_waiting()
        .select_related("player")
        .order_by("number")
    ]


def _rounds_by_player(rounds: Iterable[StaticRound]) -> Mapping[int, list[StaticPlayerRound]]:
    by_player: dict[int, list[StaticPlayerRound]] = defaultdict(list)
    for played in rounds:
        for line in played.lines:
            for seat in line.seats:
                opponents = tuple(opponent for opponent in line.seats if opponent is not seat)
                player_round = StaticPlayerRound(played.round.number, line, seat, opponents)
                by_player[seat.number].append(player_round)
    return by_player
