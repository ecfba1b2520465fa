"""Play an event through the documents, as an organiser does who has the engine alone."""

import copy
import random
from typing import Any

from matches.scoring import scoring_rule
from tournaments import documents
from tournaments.documents import Json
from tournaments.simulation.events import results
from tournaments.simulation.events.plans import Plan
from tournaments.simulation.events.records import Answer, SimulatedEvent
from tournaments.simulation.names import player_names
from tournaments.simulation.tables import strength

LATE_ENTRY_BEFORE = 4
"""Nobody joins from this round on."""


def simulate_event(plan: Plan) -> SimulatedEvent:
    """The event of this plan, from the first pairing to the final standings."""
    event = _Event(plan)
    for number in range(1, plan.rounds + 1):
        if number > 1:
            event.come_and_go(number)
        event.play_round(number)
    return event.told_so_far()


class _Event:
    """An event while it is played: its document, and everything asked so far."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.rule = scoring_rule(plan.scoring_rule)
        self.chance = random.Random(plan.seed)  # noqa: S311 - a story to be told again
        self.strength: dict[Any, int] = {}
        self.answers: list[Answer] = []
        self.told: list[str] = []
        self.document: Json = {
            "datafort": 1,
            "system": plan.system,
            "seed": plan.seed,
            "planned_rounds": plan.rounds,
            "players": [],
            "rounds": [],
        }
        for _ in range(plan.players):
            self.enter()

    # --- Players -------------------------------------------------------------------------

    def enter(self) -> Any:
        """One more player; the id is a number, or a name where the plan says so."""
        number = len(self.document["players"]) + 1
        names = player_names(number, random.Random(self.plan.seed))  # noqa: S311
        id_ = names[-1] if self.plan.named else number
        self.strength[id_] = strength(self.chance)
        player: Json = {"id": id_, "active": True}
        player["first_round_bye"] = self.happens("first_round_bye")
        player["seed"] = number if self.plan.seeded else None
        player["group"] = self.chance.choice("xyz") if self.plan.grouped else None
        self.document["players"].append(player)
        return id_

    def come_and_go(self, number: int) -> None:
        """Between two rounds players leave, return and join; two at least stay."""
        for player in self.document["players"]:
            active = sum(other["active"] for other in self.document["players"])
            if not player["active"] and self.happens("return_"):
                player["active"] = True
                self.tell(f"Round {number}: player {player['id']} returns.")
            elif player["active"] and active > 2 and self.happens("drop"):
                player["active"] = False
                self.tell(f"Round {number}: player {player['id']} has dropped.")
        if number < LATE_ENTRY_BEFORE and self.happens("late_entry"):
            self.tell(f"Round {number}: player {self.enter()} joins.")

    # --- Rounds --------------------------------------------------------------------------

    def play_round(self, number: int) -> None:
        """Pair, play, and ask for the standings."""
        answer = self.ask("pair", documents.pair)
        round_ = [self.played(entry) for entry in answer["pairings"]]
        self.document["rounds"].append(round_)
        self.ask("standings", documents.rank)

    def played(self, entry: Json) -> Json:
        """A table or bye with its points."""
        if "bye" in entry:
            return {"bye": entry["bye"], "points": self.rule.bye_points}
        strengths = [self.strength[seat["id"]] for seat in entry["seats"]]
        points, what = results.points(self.rule, strengths, self.plan.incidents, self.chance)
        if what:
            self.tell(f"Table {entry['table']}: {what}.")
        seats = [{**seat, "points": won} for seat, won in zip(entry["seats"], points, strict=True)]
        return {"table": entry["table"], "seats": seats}

    # --- Asking and telling --------------------------------------------------------------

    def ask(self, command: str, answering: documents.Answering) -> Json:
        """What the engine says to the document as it stands."""
        document = copy.deepcopy(self.document)
        answer = answering(document)
        self.answers.append(Answer(command, document, answer))
        return answer

    def happens(self, incident: str) -> bool:
        """Whether this goes wrong now."""
        often: int = getattr(self.plan.incidents, incident)
        return self.chance.randrange(1000) < often

    def tell(self, sentence: str) -> None:
        """Keep a sentence for whoever reads a failure."""
        self.told.append(sentence)

    def told_so_far(self) -> SimulatedEvent:
        """Everything there is."""
        return SimulatedEvent(
            copy.deepcopy(self.document), tuple(self.answers), told=tuple(self.told)
        )
