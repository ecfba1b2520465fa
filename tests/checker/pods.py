"""Check of pods and round robin: seats, sizes, short pods and meetings."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

from tests.checker import pod_costs, shape
from tests.checker.faults import Fault
from tests.checker.pod_costs import pods_of, repeats_of, short_in, times_short
from tests.checker.reading import Document, Entry, field_of, ids_of, is_bye

PATH = "$.pairings"


def expected_sizes(players: int) -> list[int]:
    """Return pod sizes, largest first: a single pod up to five players, then fours and threes."""
    if players < 6:
        return [players]
    threes = next(count for count in range(players) if (players - 3 * count) % 4 == 0)
    return [4] * ((players - 3 * threes) // 4) + [3] * threes


def pod_faults(document: Document, answer: dict[str, Any]) -> Iterator[Fault]:
    """Return the faults of a round in pods; with locked tables only the seats are checked."""
    entries = answer["pairings"]
    seated = list(shape.seating_faults(entries, list(field_of(document)), PATH))
    yield from seated
    yield from shape.table_faults(entries, PATH)
    if not seated and not document.get("locked"):
        yield from _bye_faults(document, entries)
        yield from _size_faults(entries)
        yield from short_faults(document, entries)
        yield from pod_costs.faults(document, answer, PATH)


def _bye_faults(document: Document, entries: list[Entry]) -> Iterator[Fault]:
    """Only promised byes of round 1, and a single remaining player, may sit out."""
    byes = {entry["bye"] for entry in entries if is_bye(entry)}
    promised = {row["id"] for row in document["players"] if row.get("first_round_bye")}
    unasked = byes if document["rounds"] else byes - promised
    if len(unasked) > 1 or (unasked and pods_of(entries)):
        yield Fault("bye_in_pods", PATH, f"{unasked} have a bye, and pods need none.")


def _size_faults(entries: list[Entry]) -> Iterator[Fault]:
    sizes = sorted((len(ids_of(entry)) for entry in entries if not is_bye(entry)), reverse=True)
    if sizes and sizes != expected_sizes(sum(sizes)):
        yield Fault("pod_sizes", PATH, f"The pods are of {sizes}.")


def short_faults(document: Document, entries: list[Entry]) -> Iterator[Fault]:
    """Yield players who sit short again although a better exchange was possible."""
    pods, before = pods_of(entries), times_short(document["rounds"])
    short, repeats = short_in(pods), repeats_of(document, pods)
    full = {id_ for pod in pods for id_ in pod} - short
    for short_player, full_player in product(sorted(short, key=repr), sorted(full, key=repr)):
        if before[short_player] <= before[full_player]:
            continue
        seats = {short_player: full_player, full_player: short_player}
        changed = [tuple(seats.get(id_, id_) for id_ in pod) for pod in pods]
        if repeats_of(document, changed) <= repeats:
            text = f"{short_player} sits short again, and could change seats with {full_player}."
            yield Fault("short_again", PATH, text)
            return


def robin_faults(document: Document, answer: dict[str, Any]) -> Iterator[Fault]:
    """Return the faults of a round robin; opponents of dropped players sit out."""
    field, entries = field_of(document), answer["pairings"]
    dropped_count = len(document["players"]) - len(field)
    yield from shape.seating_faults(entries, list(field), PATH)
    yield from shape.table_faults(entries, PATH)
    yield from shape.duel_faults(entries, PATH)
    byes = sum(map(is_bye, entries))
    if byes > dropped_count + len(document["players"]) % 2:
        yield Fault("bye_many", PATH, f"{byes} byes, and {dropped_count} players have gone.")
    rounds = [*document["rounds"], entries]
    absences = sum(
        row["id"] not in {id_ for entry in round_ for id_ in ids_of(entry)}
        for round_ in rounds
        for row in document["players"]
    )
    yield from meeting_faults(rounds, byes=1 + absences)


def meeting_faults(rounds: list[list[Entry]], byes: int = 1) -> Iterator[Fault]:
    """In a cycle players meet at most once and sit out at most `byes` times."""
    tables = [entry for round_ in rounds for entry in round_ if not is_bye(entry)]
    meetings = Counter(
        frozenset(couple) for entry in tables for couple in combinations(ids_of(entry), 2)
    )
    sat_out = Counter(entry["bye"] for round_ in rounds for entry in round_ if is_bye(entry))
    if meetings and max(meetings.values()) > 1:
        yield Fault("met_twice", "$.rounds", f"{set(meetings.most_common(1)[0][0])} meet twice.")
    if sat_out and max(sat_out.values()) > byes:
        yield Fault("second_bye", "$.rounds", f"{sat_out.most_common(1)[0][0]} sits out again.")
