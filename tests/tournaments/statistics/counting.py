"""Independent count of the statistics, row by row and event by event."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from matches.models import Game
from tournaments.event import visibility
from tournaments.models import DeckSubmission, Pairing, Round, StageEntry, Tournament

# Hits and totals by name.
Won = dict[object, list[int]]


def no_wins() -> Won:
    return defaultdict(lambda: [0, 0])


@dataclass
class ByHand:
    sides: Won = field(default_factory=no_wins)
    identities: Won = field(default_factory=no_wins)
    match_ups: Won = field(default_factory=no_wins)
    cut: Won = field(default_factory=no_wins)
    ends: Counter[tuple[str, str]] = field(default_factory=Counter)
    played: Counter[tuple[str, str]] = field(default_factory=Counter)
    cards: Counter[tuple[str, str]] = field(default_factory=Counter)
    copies: Counter[tuple[str, str]] = field(default_factory=Counter)


def count_events(events: Iterable[Tournament]) -> ByHand:
    """Return the statistics of these events for an anonymous reader."""
    counts = ByHand()
    for event in events:
        identities = {
            (deck.registration.player_id, deck.side): deck.version.identity.title
            for deck in visibility.identities_for_reader(event, None)
            if deck.version.identity is not None
        }
        for game in games_of(event):
            count_game(counts, game, identities)
        count_entries(counts, event, identities)
        for deck in visibility.decks_for_reader(event, None):
            count_cards(counts, deck)
    return counts


def games_of(event: Tournament) -> Iterator[Game]:
    """Yield the games of every published table with a result."""
    for pairing in Pairing.objects.filter(round__stage__tournament=event, match__isnull=False):
        is_settled = pairing.match.state in ("confirmed", "decided")
        if pairing.round.state != "draft" and is_settled:
            yield from (game for game in pairing.match.games.all() if game.end)


def count_game(counts: ByHand, game: Game, identities: dict[tuple[int, str], str]) -> None:
    seats = {part.role: part.seat for part in game.seats.all()}
    winner = next((role for role, seat in seats.items() if seat == game.winner), "")
    counts.ends[game.end, winner] += 1
    if not winner or game.end in ("no_show", "judge", "double_loss"):
        return
    titles = {role: identities.get((seat.player_id, role)) for role, seat in seats.items()}
    for role, title in titles.items():
        for name, tally in ((role, counts.sides), ((role, title), counts.identities)):
            tally[name][0] += role == winner
            tally[name][1] += 1
    both = titles["corp"], titles["runner"]
    counts.match_ups[both][0] += winner == "corp"
    counts.match_ups[both][1] += 1


def count_entries(
    counts: ByHand, event: Tournament, identities: dict[tuple[int, str], str]
) -> None:
    cuts = [stage for stage in event.stages.all() if stage.is_cut]
    has_cut = Round.objects.filter(stage__in=cuts).exclude(state="draft").exists()
    for place in event.registrations.all():
        if place.state == "waiting" or place.dropped_by == "absent":
            continue
        in_cut = StageEntry.objects.filter(stage__in=cuts, registration=place, declined=False)
        for side in ("corp", "runner"):
            title = identities.get((place.player_id, side))
            if title is None:
                continue
            counts.played[side, title] += 1
            if has_cut:
                counts.cut[side, title][0] += in_cut.exists()
                counts.cut[side, title][1] += 1


def count_cards(counts: ByHand, deck: DeckSubmission) -> None:
    for slot in deck.version.slots.all():
        counts.cards[deck.side, slot.card.title] += 1
        counts.copies[deck.side, slot.card.title] += slot.quantity
