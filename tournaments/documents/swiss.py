"""A round of Swiss from an event document."""

from collections.abc import Iterator

from matches.scoring import Role
from tournaments.documents import field, layout
from tournaments.documents.json_text import Json
from tournaments.documents.nodes import Node
from tournaments.documents.records import Bye, Event, Table
from tournaments.pairing import PROFILES, LockedBye, LockedTable, pair_round


def swiss_round(node: Node, event: Event) -> Json:
    """The next round by the profile of the event's system. Raise PairingRefused."""
    paired = pair_round(
        field.entrants(event),
        round_number=event.next_round,
        seed=event.seed,
        profile=PROFILES[event.system.id],
        planned_rounds=event.planned_rounds,
        locked=list(_locks(node.under("locked"), event)),
    )
    tables = [layout.table(table) for table in paired.pairings]
    byes = [layout.bye(entry) for entry in paired.byes]
    return layout.answer(
        [*tables, *byes], paired.cost, paired.relaxations, paired.certificate, paired.notes
    )


def _locks(node: Node, event: Event) -> Iterator[LockedTable | LockedBye]:
    for place, entry in enumerate(event.locked):
        if isinstance(entry, Bye):
            yield LockedBye(entry.player)
        else:
            yield _locked_table(Node(node.value[place], node, place), entry)


def _locked_table(node: Node, table: Table) -> LockedTable:
    corp, runner = table.seat_with(Role.CORP), table.seat_with(Role.RUNNER)
    if corp is None or runner is None:
        raise node.under("seats").refusal("A locked table needs roles. Say who is Corp.")
    return LockedTable(table.number, corp.id, runner.id)
