"""Check of a Swiss answer: seats, byes, roles, the optimum and the stated cost."""

from collections.abc import Iterator
from typing import Any

from tests.checker import shape
from tests.checker.ahead import Goal, goals
from tests.checker.faults import Fault
from tests.checker.optimum import SMALL, cheapest_by_networkx, every_round, least_cost
from tests.checker.reading import (
    Couple,
    Document,
    Entry,
    Player,
    couples_of,
    field_of,
    ids_of,
    is_bye,
)
from tests.checker.swiss_costs import LEVELS, Cost, Costs, corps_by_rule, way_of

PATH = "$.pairings"
# Number of levels about byes and rematches, which weigh more than later rounds.
RULES = {"double": 4, "single": 3, "single_once": 4}


def faults(document: Document, answer: dict[str, Any]) -> Iterator[Fault]:
    """Return the faults of a Swiss round; costs come last, because they need valid seats."""
    seated = list(_seat_faults(document, answer))
    yield from seated
    if not seated:
        yield from _role_faults(document, answer)
        yield from _order_faults(document, answer)
        yield from _fold_faults(document, answer)
        yield from _cost_faults(document, answer)


def _seat_faults(document: Document, answer: dict[str, Any]) -> Iterator[Fault]:
    field, entries = field_of(document), answer["pairings"]
    byes_given = _given_byes(document, field)
    yield from shape.seating_faults(entries, list(field), PATH)
    yield from shape.table_faults(entries, PATH)
    yield from shape.duel_faults(entries, PATH)
    yield from shape.bye_count_faults(entries, len(field), byes_given, PATH)
    sitting = {entry["bye"] for entry in entries if is_bye(entry)}
    for id_ in sorted(byes_given - sitting, key=repr):
        yield Fault("given_bye", PATH, f"Player {id_} was to have a bye.")
    entries_kept = [_likeness(entry) for entry in entries]
    for index, entry in enumerate(_locked_tables(document)):
        if _likeness(entry) not in entries_kept:
            yield Fault("lock_moved", f"$.locked[{index}]", f"Table {entry['table']} has changed.")


def _given_byes(document: Document, field: dict[Any, Player]) -> set[Any]:
    """Return byes that were not chosen: promised for round 1, or locked."""
    locked_tables = {id_ for entry in _locked_tables(document) for id_ in ids_of(entry)}
    promised = {
        id_
        for id_, player in field.items()
        if player["promised"] and not document["rounds"] and id_ not in locked_tables
    }
    return promised | {entry["bye"] for entry in document.get("locked", []) if is_bye(entry)}


def _locked_tables(document: Document) -> list[Entry]:
    return [entry for entry in document.get("locked", []) if not is_bye(entry)]


def _likeness(entry: Entry) -> Any:
    if is_bye(entry):
        return entry["bye"]
    roles = {(repr(seat["id"]), seat.get("role")) for seat in entry["seats"]}
    return entry["table"], frozenset(roles)


def _chosen(document: Document, answer: dict[str, Any]) -> list[Entry]:
    """Return the entries that the engine chose, without locked tables and given byes."""
    byes_given = _given_byes(document, field_of(document))
    locked = {id_ for entry in _locked_tables(document) for id_ in ids_of(entry)}
    return [
        entry
        for entry in answer["pairings"]
        if not (byes_given | locked).intersection(ids_of(entry))
    ]


def _role_faults(document: Document, answer: dict[str, Any]) -> Iterator[Fault]:
    field = field_of(document)
    for entry in _chosen(document, answer):
        if is_bye(entry):
            continue
        corp, runner = (field[id_] for id_ in couples_of([entry])[0])
        if corp["id"] in corps_by_rule(corp, runner, document["system"]):
            continue
        is_rematch = any(opponent == runner["id"] for opponent, _ in corp["meetings"])
        code = "roles_not_swapped" if is_rematch else "roles_not_balanced"
        path = f"{PATH}[{answer['pairings'].index(entry)}]"
        yield Fault(code, path, f"By the rules {runner['id']} is Corp and {corp['id']} is not.")


def _order_faults(document: Document, answer: dict[str, Any]) -> Iterator[Fault]:
    """The best scores have the lowest table numbers."""
    field = field_of(document)
    tables = [entry for entry in _chosen(document, answer) if not is_bye(entry)]
    best_scores = [
        max(field[id_]["points"] for id_ in ids_of(entry))
        for entry in sorted(tables, key=lambda entry: entry["table"])
    ]
    if best_scores != sorted(best_scores, reverse=True):
        yield Fault("table_order", PATH, f"The best scores from table 1 on are {best_scores}.")


def _fold_faults(document: Document, answer: dict[str, Any]) -> Iterator[Fault]:
    """If all players have a seed, round 1 pairs the top half with the bottom half."""
    field = field_of(document)
    couples = [couple for couple in couples_of(_chosen(document, answer)) if None not in couple]
    players = [field[id_] for couple in couples for id_ in couple]
    seeds = [player["seed"] for player in players]
    grouped = any(player["group"] is not None for player in field.values())
    if grouped or not is_folded(document, players) or len(set(seeds)) < len(seeds):
        return
    order = [player["id"] for player in sorted(players, key=lambda player: player["seed"])]
    half = len(order) // 2
    expected = {frozenset(pair) for pair in zip(order[:half], order[half:], strict=True)}
    if {frozenset(couple) for couple in couples} != expected:
        yield Fault("fold", PATH, "The top half of the seeds does not meet the bottom half.")


def is_folded(document: Document, players: list[Player]) -> bool:
    """Return True if seeds decide round 1; the last cost level is then that of the fold."""
    return not document["rounds"] and all(player["seed"] is not None for player in players)


def _cost_faults(document: Document, answer: dict[str, Any]) -> Iterator[Fault]:
    field = field_of(document)
    couples = couples_of(_chosen(document, answer))
    ids = [id_ for couple in couples for id_ in couple if id_ is not None]
    players = {id_: field[id_] for id_ in ids}
    folded = is_folded(document, list(players.values()))
    costs = Costs(players, way_of(document), without_aim=folded)
    yield from _stated_cost_faults(costs.total(couples), answer, document)
    yield from _account_faults(costs, document, answer)
    fixed = [couple for couple in couples_of(answer["pairings"]) if couple not in couples]
    yield from _choice_faults(document, costs, couples, fixed)


def _stated_cost_faults(cost: Cost, answer: dict[str, Any], document: Document) -> Iterator[Fault]:
    """The stated cost must be correct, and each broken rule must be a relaxation."""
    names = LEVELS[way_of(document)]
    counted = dict(zip(names, cost, strict=False))
    for name, value in counted.items():
        if answer["cost"].get(name, 0) != value:
            stated = answer["cost"].get(name)
            yield Fault("cost", f"$.cost.{name}", f"{stated} is stated, {value} is counted.")
    stated_rules = {row["kind"] for row in answer["relaxations"]}
    for name in names[:-1]:
        if bool(counted[name]) != (name in stated_rules):
            yield Fault("relaxation", "$.relaxations", f"{name} is {counted[name]}.")


def _account_faults(costs: Costs, document: Document, answer: dict[str, Any]) -> Iterator[Fault]:
    """Each table must have its part of the cost, and the certificate must fit the answer."""
    entries_ = _chosen(document, answer)
    for index, entry in enumerate(answer["pairings"]):
        if entry not in entries_ or "cost" not in entry:
            continue
        counted = dict(zip(costs.levels, costs.of(*couples_of([entry])[0]), strict=True))
        wrong = {name: value for name, value in counted.items() if entry["cost"][name] != value}
        if wrong:
            yield Fault("cost_part", f"{PATH}[{index}].cost", f"{wrong} is counted here.")
    certificate = answer.get("certificate", {})
    expected = {"seed": document.get("seed", 0), "cost": answer["cost"]}
    for name, value in expected.items():
        if certificate and certificate[name] != value:
            yield Fault("certificate", f"$.certificate.{name}", f"The answer has {value}.")


def looks_ahead(document: Document, size: int) -> bool:
    """Return True if the remaining rounds limit the choice."""
    planned = document.get("planned_rounds")
    number = len(document["rounds"]) + 1
    return planned is not None and number < planned and (size <= SMALL or size <= 2 * planned)


def _choice_faults(
    document: Document, costs: Costs, couples: list[Couple], fixed: list[Couple]
) -> Iterator[Fault]:
    """No round may be cheaper, unless it spoils later rounds and this round does not."""
    if not couples:
        return
    cost, cheapest = costs.total(couples), least_cost(costs, list(costs.players))
    field = field_of(document)
    if not looks_ahead(document, len(field)):
        if cost != cheapest:
            yield _dearer(costs, cost, cheapest)
        return
    walls = _Walls(document, field, fixed, exact=len(field) <= SMALL)
    if len(field) <= SMALL:
        yield from _exact_faults(costs, couples, walls)
    elif cost != cheapest and (
        _breaks(costs, cost, cheapest) or not _is_needed(costs, couples, walls)
    ):
        yield _dearer(costs, cost, cheapest)


class _Walls:
    """Goals for the rounds after a choice, with cached searches."""

    def __init__(
        self, document: Document, field: dict[Any, Player], fixed: list[Couple], *, exact: bool
    ) -> None:
        self.field, self.fixed = field, fixed
        rounds_left = document["planned_rounds"] - len(document["rounds"]) - 1
        self.goals = goals(rounds_left, way_of(document))
        self.steps = 10**9 if exact else 3_000

    def leads_on(self, couples: list[Couple], goal: Goal) -> bool | None:
        """Return True if the goal stays possible; None if the search was too long."""
        return goal.is_reached(self.field, [*self.fixed, *couples], self.steps)


def _exact_faults(costs: Costs, couples_chosen: list[Couple], walls: _Walls) -> Iterator[Fault]:
    cost = costs.total(couples_chosen)
    rounds = [(costs.total(couples), couples) for couples in every_round(list(costs.players))]
    lowest = min(total for total, _ in rounds)
    allowed = [row for row in rounds if not _breaks(costs, row[0], lowest)]
    allowed.sort(key=lambda row: row[0])
    for goal in walls.goals:
        leads_on = not _breaks(costs, cost, lowest) and walls.leads_on(couples_chosen, goal)
        for total, couples in allowed:
            if leads_on and total >= cost:
                break
            if walls.leads_on(couples, goal):
                code = "dearer" if leads_on else "dead_end"
                text = f"{couples} costs {total}, keeps the plan; this costs {cost}."
                yield Fault(code, PATH, text)
                return
        if leads_on:
            return
    if cost != lowest:
        yield _dearer(costs, cost, lowest)


def _is_needed(costs: Costs, couples: list[Couple], walls: _Walls) -> bool:
    """Return True if a larger field may need a more expensive round to keep a plan."""
    cheapest = cheapest_by_networkx(costs, list(costs.players))
    return any(
        walls.leads_on(couples, goal) is not False and walls.leads_on(cheapest, goal) is not True
        for goal in walls.goals
    )


def _breaks(costs: Costs, cost: Cost, lowest: Cost) -> bool:
    """Return True if a round breaks bye or rematch rules more than the cheapest round."""
    rules = RULES[costs.system]
    return cost[:rules] > lowest[:rules]


def _dearer(costs: Costs, cost: Cost, lowest: Cost) -> Fault:
    names = LEVELS[costs.system]
    level = next(index for index, value in enumerate(cost) if value != lowest[index])
    code = "dearer" if level == len(names) - 1 else f"avoidable_{names[level]}"
    return Fault(code, PATH, f"{names[level]}: {cost[level]}, and {lowest[level]} is possible.")
