"""What organisers do to a draft by hand: lock and pair anew, swap, leave roles out."""

from collections.abc import Iterator

from engine.documents import Json
from engine.simulation.events.running import Running
from engine.systems import SystemKind

Place = tuple[Json, str]
"""Where an id stands: the object and its key."""


def by_hand(running: Running, pairings: list[Json]) -> list[Json]:
    """The draft as the organiser leaves it; a fixed table is left as it is."""
    if running.plan.plays_by.kind is SystemKind.ROUND_ROBIN:
        return pairings
    if running.happens("tables_locked"):
        pairings = _paired_anew(running, pairings)
    if running.happens("swap_by_hand"):
        _swap(running, pairings)
    if running.happens("without_roles"):
        _leave_roles_out(running, pairings)
    return pairings


def _paired_anew(running: Running, pairings: list[Json]) -> list[Json]:
    """Some entries are locked, and the rest is paired with another seed."""
    kept = [_bare(entry) for entry in pairings if running.chance.randrange(3) == 0]
    running.tell(f"{len(kept)} of {len(pairings)} entries are locked, the rest is paired anew.")
    answer = running.ask("pair", locked=kept, seed=running.chance.randrange(10**6))
    paired: list[Json] = answer["pairings"]
    return paired


def _bare(entry: Json) -> Json:
    if "bye" in entry:
        return {"bye": entry["bye"]}
    return {"table": entry["table"], "seats": [dict(seat) for seat in entry["seats"]]}


def _swap(running: Running, pairings: list[Json]) -> None:
    """Two players of different tables change places, one of them perhaps with the bye."""
    if len(pairings) < 2:
        return
    one, other = (
        running.chance.choice(list(_places(entry))) for entry in running.chance.sample(pairings, 2)
    )
    (first, here), (second, there) = one, other
    first[here], second[there] = second[there], first[here]
    running.tell(f"Swapped by hand: {first[here]} and {second[there]}.")


def _places(entry: Json) -> Iterator[Place]:
    if "bye" in entry:
        yield entry, "bye"
    for seat in entry.get("seats", ()):
        yield seat, "id"


def _leave_roles_out(running: Running, pairings: list[Json]) -> None:
    tables = [entry for entry in pairings if "seats" in entry]
    for entry in running.chance.sample(tables, min(2, len(tables))):
        for seat in entry["seats"]:
            seat["role"] = None
        running.tell(f"Made by hand without roles: table {entry['table']}.")
