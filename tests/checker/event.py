"""Check of a whole event: its final document, and all questions and answers of the engine."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from tests.checker import brackets, pods, ranking, scoring, shape, swiss
from tests.checker.faults import Fault
from tests.checker.optimum import least_cost
from tests.checker.reading import Document, Entry, couples_of, ids_of, is_bye, players_of
from tests.checker.swiss_costs import Costs

# {"command": "pair", "standings" or "bracket", "document", "answer"}.
Asked = dict[str, Any]


def check_pairing(document: Document, answer: dict[str, Any]) -> list[Fault]:
    by_system = {"pods": pods.pod_faults, "round_robin": pods.robin_faults}
    return list(by_system.get(document["system"], swiss.faults)(document, answer))


def check_standings(document: Document, answer: dict[str, Any]) -> list[Fault]:
    return list(ranking.faults(document, answer))


def check_bracket(document: Document, answer: dict[str, Any]) -> list[Fault]:
    return list(brackets.faults(document, answer))


SWISS = ("double", "single")
CHECKS = {"pair": check_pairing, "standings": check_standings, "bracket": check_bracket}


def check_event(document: Document, asked: Sequence[Asked] = ()) -> list[Fault]:
    """Return the faults of an event and of the answers it was made from."""
    faults = [] if "seeds" in document else list(_round_faults(document, asked))
    faults += [] if "seeds" in document else scoring.faults(document)
    for question in asked:
        faults += CHECKS[question["command"]](question["document"], question["answer"])
    cut = [(question["document"], question["answer"]) for question in asked if _is_cut(question)]
    return faults + (list(brackets.run_faults(cut)) if cut else [])


def _is_cut(question: Asked) -> bool:
    return bool(question["command"] == "bracket")


def _round_faults(document: Document, asked: Sequence[Asked]) -> Iterator[Fault]:
    """Check each round against its field and the rounds before it."""
    for number, round_ in enumerate(document["rounds"]):
        past_round = _Past(document, asked, number)
        path = f"$.rounds[{number}]"
        shape_faults = list(_shape_faults(past_round, path))
        yield from shape_faults
        if shape_faults:
            return
        if document["system"] in SWISS and not past_round.is_by_hand():
            yield from shape.bye_count_faults(
                round_, len(past_round.field()), past_round.given_byes(), path
            )
            yield from _bye_faults(past_round, path)
            yield from _rematch_faults(past_round, path)


def _shape_faults(past_round: "_Past", path: str) -> Iterator[Fault]:
    yield from shape.seating_faults(past_round.round, past_round.field(), path)
    yield from shape.table_faults(past_round.round, path)
    yield from shape.points_faults(past_round.round, path)
    if past_round.document["system"] != "pods":
        yield from shape.duel_faults(past_round.round, path, by_hand=True)


class _Past:
    """A round of an event, and the questions it was made from."""

    def __init__(self, document: Document, asked: Sequence[Asked], number: int) -> None:
        self.document, self.number = document, number
        self.round = document["rounds"][number]
        self.before = document["rounds"][:number]
        # A round that was paired again has several questions; the last answer counts.
        self.asked = [
            question
            for question in asked
            if question["command"] == "pair" and len(question["document"]["rounds"]) == number
        ]

    def field(self) -> list[Any]:
        if self.asked:
            players = self.asked[-1]["document"]["players"]
            return [row["id"] for row in players if row.get("active", True)]
        known_ids = {row["id"] for row in self.document["players"]}
        return [id_ for entry in self.round for id_ in ids_of(entry) if id_ in known_ids]

    def is_by_hand(self) -> bool:
        """Return True if the answer was changed, or the document is marked as made by hand."""
        if self.asked:
            answered = self.asked[-1]["answer"]["pairings"]
            return _who_meets(answered) != _who_meets(self.round)
        return self.number in self.document.get("x_by_hand", [])

    def locked(self) -> list[Entry]:
        return list(self.asked[-1]["document"].get("locked", [])) if self.asked else []

    def given_byes(self) -> set[Any]:
        """Return promised byes of round 1 and locked byes."""
        players = self.document["players"]
        promised = {row["id"] for row in players if row.get("first_round_bye")}
        locked = {entry["bye"] for entry in self.locked() if is_bye(entry)}
        byes = {entry["bye"] for entry in self.round if is_bye(entry)}
        return byes & (locked | (promised if self.number == 0 else set()))

    def chosen(self) -> list[Entry]:
        """Return the entries that the engine chose."""
        fixed_ids = {id_ for entry in self.locked() for id_ in ids_of(entry)} | self.given_byes()
        return [entry for entry in self.round if not fixed_ids.intersection(ids_of(entry))]


def _who_meets(entries: list[Entry]) -> set[frozenset[Any]]:
    return {frozenset(ids_of(entry)) for entry in entries}


def _bye_faults(past_round: _Past, path: str) -> Iterator[Fault]:
    """A player with more byes than a seated player may not have the bye."""
    byes = Counter(
        entry["bye"] for round_ in past_round.before for entry in round_ if is_bye(entry)
    )
    seated = [id_ for entry in past_round.chosen() if not is_bye(entry) for id_ in ids_of(entry)]
    for entry in past_round.chosen():
        if is_bye(entry) and any(byes[id_] < byes[entry["bye"]] for id_ in seated):
            text = f"{entry['bye']} has bye number {byes[entry['bye']] + 1} too early."
            yield Fault("second_bye", path, text)


def _rematch_faults(past_round: _Past, path: str) -> Iterator[Fault]:
    """A double-sided round may only have unavoidable rematches."""
    couples = couples_of(past_round.chosen())
    if past_round.document["system"] != "double" or past_round.asked or not couples:
        return
    seated = [id_ for couple in couples for id_ in couple if id_ is not None]
    players = players_of(past_round.document, past_round.before)
    # Without scores only the rules are left in the cost.
    costs = Costs({id_: {**players[id_], "points": 0} for id_ in seated}, "double")
    rules = slice(1, 4)
    if costs.total(couples)[rules] > least_cost(costs, seated)[rules]:
        yield Fault("rematch", path, "Players meet again, and the round can be made without.")
