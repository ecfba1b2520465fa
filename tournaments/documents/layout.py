"""How a paired round is written, whatever the system."""

from collections.abc import Iterable
from dataclasses import asdict

from matches.scoring import Role
from tournaments.documents.json_text import Json
from tournaments.pairing import Certificate, PairedBye, PairedTable, Reason
from tournaments.pairing.pods import Pod
from tournaments.pairing.records import Cost


def answer(
    pairings: list[Json],
    cost: Cost,
    relaxations: Iterable[Reason],
    certificate: Certificate,
    notes: Iterable[Reason] = (),
) -> Json:
    """What `pair` says of a round; tables come by number, then byes."""
    return {
        "pairings": pairings,
        "cost": dict(cost),
        "relaxations": reasons(relaxations),
        "notes": reasons(notes),
        "certificate": asdict(certificate),
    }


def table(entry: PairedTable) -> Json:
    """The Corp of game 1 first."""
    seats = [
        {"id": entry.corp, "role": Role.CORP.value},
        {"id": entry.runner, "role": Role.RUNNER.value},
    ]
    return {"table": entry.number, "seats": seats, **account(entry)}


def bye(entry: PairedBye) -> Json:
    """{"bye": id} and why."""
    return {"bye": entry.player, **account(entry)}


def account(entry: PairedTable | PairedBye | Pod) -> Json:
    """What an entry costs, and why it is as it is."""
    return {
        "cost": dict(entry.cost),
        "reasons": reasons(entry.reasons),
        "locked": entry.locked,
    }


def reasons(told: Iterable[Reason]) -> list[Json]:
    """Each with the players it speaks of, and as a sentence."""
    return [
        {"kind": reason.kind, "players": list(reason.players), "text": reason.sentence()}
        for reason in told
    ]
