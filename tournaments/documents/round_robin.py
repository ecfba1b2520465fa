"""A round of a round robin from an event document."""

from collections.abc import Iterator

from tournaments.documents import field, layout
from tournaments.documents.json_text import Json
from tournaments.documents.nodes import Node
from tournaments.documents.records import Event
from tournaments.documents.rounds import MOST_POINTS
from tournaments.pairing import PairedRound, Reason
from tournaments.pairing.round_robin import round_robin_round, rounds_needed
from tournaments.standings import PlayerId
from tournaments.standings.lots import lots


def round_robin(node: Node, event: Event) -> Json:
    """The next round of the fixed table. Raise PairingRefused, and DocumentRefused for locks.

    More planned rounds than one meeting each takes make it two or more cycles.
    """
    if event.locked:
        raise node.under("locked").refusal(
            "The table of a round robin is fixed, so nothing can be locked. Take the locks out."
        )
    order = _order(event)
    # One player makes no cycle; the engine says so in its own words.
    cycle = max(1, rounds_needed(len(order)))
    paired = round_robin_round(
        order,
        event.next_round,
        active={player.id for player in event.active},
        cycles=max(1, -(-(event.planned_rounds or 0) // cycle)),
    )
    tables = [layout.table(table) for table in paired.pairings]
    byes = [layout.bye(entry) for entry in paired.byes]
    relaxations = [*paired.relaxations, *_met_before(event, paired, cycle)]
    return layout.answer([*tables, *byes], paired.cost, relaxations, paired.certificate)


def _order(event: Event) -> list[PlayerId]:
    """Who began the event, seeds first and then by lot: the same in every round."""
    began = {player.id for player in event.active}
    if event.rounds:
        began = {player for entry in event.rounds[0] for player in entry.players}
    seeds = {player.id: player.seed for player in event.players if player.id in began}
    drawn = lots(seeds, event.seed)
    by_lot = sorted(seeds, key=drawn.__getitem__)
    return sorted(by_lot, key=lambda player: seeds[player] or MOST_POINTS + 1)


def _met_before(event: Event, paired: PairedRound, cycle: int) -> Iterator[Reason]:
    """Meetings that rounds made by hand, or another order, have brought forward."""
    past = {entrant.id: entrant for entrant in field.entrants(event)}
    meant = (event.next_round - 1) // cycle
    for table in paired.pairings:
        if len(past[table.corp].roles_against.get(table.runner, ())) > meant:
            text = "{0} and {1} meet again: they have met outside the fixed table."
            yield Reason("rematch", (table.corp, table.runner), text)
