"""Contents of a player's page, read in a constant number of queries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import QuerySet

from core.languages import in_words
from decks.games import GAMES
from decks.models import Side
from matches.scoring.results import Points
from matches.scoring.rules import scoring_rule
from players.models import Player
from tournaments.event.pages import short_identity_name
from tournaments.models import DeckSubmission, Registration, StatedIdentity, Tournament
from tournaments.profiles import queries
from tournaments.profiles.queries import EventResults
from tournaments.profiles.rules import MatchRecord, event_place, record_of
from tournaments.ratings.pages import RatingHistory, rating_history
from tournaments.statistics.pages import (
    ChartPage,
    PlayerRecord,
    SectionPage,
    chart_page,
    records_of_player,
    sections_of,
)
from tournaments.statistics.queries import opponent_counts, scopes_by_game
from tournaments.statistics.rules import Chart, ChartSection
from tournaments.statistics.tallies import OpponentCount

# Numbers of opponents and rating steps on the page itself; complete lists have their own pages.
MAX_OPPONENTS, MAX_RATING_STEPS = 10, 5

# Sections that are shown open; all later sections are collapsed.
OPEN_SECTIONS = (ChartSection.PLAYED, ChartSection.WINS)


@dataclass(frozen=True)
class PlayedDeck:
    """A player's deck for one side; `identity` is "" if it is not public.

    `is_open` is True if the reader may open the decklist.
    """

    side: str
    identity: str
    name: str
    number: int
    is_open: bool

    @property
    def side_name(self) -> str:
        return str(Side(self.side).label)


@dataclass(frozen=True)
class PlayedEventLine:
    """An event the player took part in, with final place, record, points and decks.

    `record` is None without settled tables, and for multiplayer games. `points` is None without
    current standings.
    """

    event: Tournament
    number: int
    place: str
    has_won: bool
    record: MatchRecord | None
    points: Points | None
    decks: tuple[PlayedDeck, ...]

    @property
    def game_name(self) -> str:
        return GAMES[self.event.game].name


def event_lines(player: Player, events: Sequence[int], *, own: bool) -> list[PlayedEventLine]:
    """Return a line for each event key in the given order, skipping events without the player."""
    places = queries.registrations_at(player, events)
    found = [places[key] for key in events if key in places]
    played = queries.results_at(player, [place.tournament for place in found])
    decks = _decks_by_registration(
        player, [place.tournament_id for place in found], places, own=own
    )
    return [_event_line(place, played, decks.get(place.pk, ())) for place in found]


def _event_line(
    place: Registration, played: EventResults, decks: tuple[PlayedDeck, ...]
) -> PlayedEventLine:
    event, key, figures = place.tournament, place.tournament_id, place.__dict__
    standing = event_place(
        played.ranks.get(key),
        figures["came"] or 0,
        in_cut=played.place_in_cut(key, place.number),
        # An event with an undecided or hidden cut has no winner.
        is_finished=event.is_finished and key not in played.cuts,
    )
    record = record_of(played.tables.get(key, ()), figures["byes_had"])
    has_records = scoring_rule(event.scoring_rule).has_roles
    return PlayedEventLine(
        event=event,
        number=place.number,
        place=in_words(standing.words) if standing.words else "",
        has_won=standing.has_won,
        record=record if has_records and not record.is_empty else None,
        points=played.points.get(key),
        decks=decks,
    )


def _decks_by_registration(
    player: Player, events: Sequence[int], places: Mapping[int, Registration], *, own: bool
) -> dict[int, tuple[PlayedDeck, ...]]:
    """Return decks by registration key, Corp before Runner.

    A submitted deck takes precedence over an identity from an imported file.
    """
    numbers = {place.pk: place.number for place in places.values()}
    submissions, stated = queries.decks_of(player, events, own=own)
    found: dict[tuple[int, str], PlayedDeck] = {}
    for identity in stated:
        title = identity.card.title if identity.card else identity.title
        deck = _played_deck(identity, title, numbers, is_open=False)
        found[identity.registration_id, identity.side] = deck
    for submission in submissions:
        card, is_open = submission.version.identity, bool(submission.__dict__["is_open"])
        title = card.title if card else ""
        deck = _played_deck(submission, title, numbers, is_open=is_open)
        found[submission.registration_id, submission.side] = deck
    by_registration: dict[int, tuple[PlayedDeck, ...]] = {}
    for side in Side:
        for (key, deck_side), deck in found.items():
            if deck_side == side:
                by_registration[key] = (*by_registration.get(key, ()), deck)
    return by_registration


def _played_deck(
    row: DeckSubmission | StatedIdentity, title: str, numbers: Mapping[int, int], *, is_open: bool
) -> PlayedDeck:
    name = short_identity_name(title, row.__dict__["faction"])
    return PlayedDeck(row.side, title, name, numbers[row.registration_id], is_open)


@dataclass(frozen=True)
class OpponentLine:
    """Results against one opponent; `player` is None for the total of all unnamed opponents."""

    player: Player | None
    tables: int
    won: int
    drawn: int
    lost: int


def opponent_lines(opponents: Sequence[OpponentCount], wanted: str = "") -> list[OpponentLine]:
    """List named opponents in the given order, then all unnamed opponents as one line.

    With `wanted`, list only opponents whose name contains that text.
    """
    named = queries.nameable_players([count.player for count in opponents], wanted)
    lines = [
        OpponentLine(named[count.player], count.tables, count.won, count.drawn, count.lost)
        for count in opponents
        if count.player in named
    ]
    unnamed = [count for count in opponents if count.player not in named]
    if unnamed and not wanted.strip():
        lines.append(
            OpponentLine(
                None,
                sum(count.tables for count in unnamed),
                sum(count.won for count in unnamed),
                sum(count.drawn for count in unnamed),
                sum(count.lost for count in unnamed),
            )
        )
    return lines


@dataclass(frozen=True)
class GameSection:
    """Section of the page for one game: record, rating, charts and the first opponents.

    `charts` covers games played and won; `more` has the remaining chart sections.
    """

    record: PlayerRecord
    has_records: bool
    rating: RatingHistory | None
    charts: tuple[ChartPage, ...]
    more: tuple[SectionPage, ...]
    opponents: tuple[OpponentLine, ...]
    more_opponents: int

    @property
    def prefix(self) -> str:
        """Prefix of chart ids, which would otherwise repeat for each game."""
        return f"{self.record.game}-"

    @property
    def has_bars(self) -> bool:
        more = (chart for section in self.more for chart in section.charts)
        return any(chart.has_intervals for chart in (*self.charts, *more))


def game_sections(player: Player, events: QuerySet[Tournament], *, own: bool) -> list[GameSection]:
    """Return a section for each game played at these events, most played first."""
    sections = []
    for record in records_of_player(player, events, own=own):
        if not record.charts and not record.opponents:
            continue
        lines = opponent_lines(record.opponents)
        rule = scoring_rule(GAMES[record.game].scoring_rules[0])
        rating = rating_history(player, record.game)
        sections.append(
            GameSection(
                record=record,
                has_records=rule.has_roles,
                rating=rating and replace(rating, steps=rating.steps[:MAX_RATING_STEPS]),
                charts=tuple(
                    chart_page(chart) for chart in record.charts if chart.section in OPEN_SECTIONS
                ),
                more=tuple(
                    sections_of(
                        chart for chart in record.charts if chart.section not in OPEN_SECTIONS
                    )
                ),
                opponents=tuple(lines[:MAX_OPPONENTS]),
                more_opponents=max(0, len(lines) - MAX_OPPONENTS),
            )
        )
    return sections


def charts_of(
    player: Player, events: QuerySet[Tournament], game: str, *, own: bool
) -> Sequence[Chart]:
    records = records_of_player(player, events, own=own)
    return next((record.charts for record in records if record.game == game), ())


def opponents_of(
    player: Player, events: QuerySet[Tournament], game: str, wanted: str
) -> list[OpponentLine]:
    for scope in scopes_by_game(events.filter(game=game)):
        return opponent_lines(opponent_counts(player, scope), wanted)
    return []
