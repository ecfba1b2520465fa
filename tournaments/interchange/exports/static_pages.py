"""Export an event as a single HTML page without scripts, requests or a server.

It contains only what anyone with the event's address may read, because the file can be passed on.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.staticfiles import finders
from django.core.cache import caches
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.translation import get_language

from decks.models import Side
from engine.bracket import ResultRefused
from matches.scoring import Points, ScoringRule, scoring_rule
from tournaments.decklists.pages.decks import DeckLists, deck_lists, deck_rules_in_words
from tournaments.event import queries, visibility
from tournaments.event.pages import identities_beside_names
from tournaments.models import Registration, Round, StandingSnapshot, Tournament
from tournaments.results.pages.bracket import BracketDrawing, bracket_drawing
from tournaments.results.pages.standings import (
    PlacingLine,
    StandingsTable,
    Sum,
    all_sums,
    placing_lines,
    standings_table,
    tie_breakers_in_words,
)
from tournaments.rounds.elimination import Cut, cut_of
from tournaments.rounds.pages.tables import SeatLine, TableLine, table_lines
from tournaments.statistics.pages.drawing import sections_of
from tournaments.statistics.pages.figures import statistics_of_event
from tournaments.web.views.polling import look

STYLES = (
    "css/tokens.css",
    "css/components/bracket.css",
    "css/components/charts.css",
    "css/static_pages.css",
)
KEPT_SECONDS = 600
# Number of cached files; the file of a large event takes 9 MB.
SLOTS = 8
# Placeholder for the address in the cached file.
ADDRESS_MARK = "address-of-this-page-b1f0c2d4"
TEMPLATE = "tournaments/interchange/static_pages.html"


@dataclass(frozen=True)
class PlayedRound:
    """A published round with its tables in order, byes last."""

    round: Round
    rule: ScoringRule
    lines: tuple[TableLine, ...]


@dataclass(frozen=True)
class PlayerRound:
    """A player's result of one round; a bye has no opponents."""

    number: int
    line: TableLine
    me: SeatLine
    others: tuple[SeatLine, ...]


@dataclass(frozen=True)
class PlayerPart:
    """A player with their rounds and the calculation of every standings figure."""

    registration: Registration
    rounds: tuple[PlayerRound, ...]
    rank: int | None
    match_points: Points | None
    sums: tuple[Sum, ...]
    # Sides of the player's public decks, used in their anchors.
    sides: tuple[str, ...]


def static_pages(tournament: Tournament, page: str = "") -> bytes:
    """Return the event as one HTML file; `page` is its address on the site.

    The number of queries depends on rounds, not players. Cached until the event or the layout
    changes, or another event takes the slot. The cached file has a placeholder for the address, so
    requests with other Host headers share it.
    """
    state = (tournament.version, visibility.moments_passed(tournament), get_language(), look())
    stamp = repr((tournament.pk, tournament.join_code, *state, bool(page)))
    key = f"static-pages:{tournament.pk % SLOTS}"
    kept = caches["pages"].get(key)
    if kept is not None and kept[0] == stamp:
        made: bytes = kept[1]
    else:
        made = _made(tournament, ADDRESS_MARK if page else "")
        caches["pages"].set(key, (stamp, made), KEPT_SECONDS)
    return made.replace(ADDRESS_MARK.encode(), escape(page).encode())


def _made(tournament: Tournament, page: str) -> bytes:
    rounds = [*_rounds(tournament)]
    snapshot = queries.newest_snapshot(tournament)
    table = standings_table(tournament, snapshot) if snapshot else None
    cut = _public_cut(tournament)
    decks = _open_decks(tournament)
    context: dict[str, Any] = {
        "tournament": tournament,
        "page": page,
        "style": _style(),
        "rule": scoring_rule(tournament.scoring_rule),
        "deck_rules": deck_rules_in_words(tournament) if tournament.has_decks else None,
        "tie_breakers": tie_breakers_in_words(tournament),
        "version": queries.archive_version(tournament),
        "corrections": queries.corrections(tournament),
        "places": _places(tournament, cut, table),
        "table": table,
        "snapshot": snapshot,
        "bracket": _drawing(cut),
        "rounds": rounds,
        "identities": identities_beside_names(tournament, None),
        "decks": decks,
        "sections": sections_of(statistics_of_event(tournament).charts),
        "players": _players(tournament, rounds, table, snapshot, decks),
    }
    return render_to_string(TEMPLATE, context).encode()


def _style() -> str:
    """Concatenate the stylesheets; none of them loads other files."""
    found = (finders.find(name) for name in STYLES)
    texts = []
    for path in found:
        assert isinstance(path, str), "a stylesheet of the site"
        with open(path, encoding="utf-8") as file:
            texts.append(file.read())
    return "\n".join(texts)


def _rounds(tournament: Tournament) -> Iterable[PlayedRound]:
    visible = queries.visible_rounds(tournament).select_related("stage")
    rounds = list(visible.defer("certificate", "relaxations"))
    queries.name_rounds(rounds)
    for round_ in rounds:
        round_.stage.tournament = tournament
        rule = scoring_rule(round_.stage.scoring_rule)
        yield PlayedRound(round_, rule, tuple(table_lines(round_)))


def _public_cut(tournament: Tournament) -> Cut | None:
    stage = queries.cut_of_event(tournament)
    if stage is None or not queries.cut_has_begun(stage):
        return None
    try:
        return cut_of(stage)
    except ResultRefused:
        # Results that contradict each other: show the rounds but no bracket.
        return None


def _drawing(cut: Cut | None) -> BracketDrawing | None:
    return bracket_drawing(cut) if cut else None


def _places(
    tournament: Tournament, cut: Cut | None, table: StandingsTable | None
) -> list[PlacingLine]:
    """Final places, best first."""
    if cut is not None:
        return [line for line in placing_lines(tournament, cut) if not line.is_open]
    return [
        PlacingLine(line.rank, f"{line.match_points} points", line.name, line.pronouns, line.number)
        for line in (table.lines if table else ())
    ]


def _open_decks(tournament: Tournament) -> list[DeckLists]:
    """Decks that are public now."""
    if not tournament.has_decks or not visibility.has_decks_page(tournament, None):
        return []
    return deck_lists(visibility.decks_for_reader(tournament, None))


def _players(
    tournament: Tournament,
    rounds: Iterable[PlayedRound],
    table: StandingsTable | None,
    snapshot: StandingSnapshot | None,
    decks: Iterable[DeckLists],
) -> list[PlayerPart]:
    played = _by_player(rounds)
    lines = {line.number: line for line in (table.lines if table else ())}
    sums = all_sums(tournament, snapshot.round) if snapshot else {}
    sides = {one.number: tuple(Side(deck.side).value for deck, _ in one.decks) for one in decks}
    return [
        PlayerPart(
            registration=entry,
            rounds=tuple(played.get(entry.number, ())),
            rank=lines[entry.number].rank if entry.number in lines else None,
            match_points=lines[entry.number].match_points if entry.number in lines else None,
            sums=tuple(sums.get(entry.number, ())),
            sides=sides.get(entry.number, ()),
        )
        for entry in queries.players(tournament).select_related("player").order_by("number")
    ]


def _by_player(rounds: Iterable[PlayedRound]) -> Mapping[int, list[PlayerRound]]:
    found: dict[int, list[PlayerRound]] = {}
    for played in rounds:
        for line in played.lines:
            for seat in line.seats:
                others = tuple(other for other in line.seats if other is not seat)
                one = PlayerRound(played.round.number, line, seat, others)
                found.setdefault(seat.number, []).append(one)
    return found
