"""An event while it is played, and what it leaves: its document, and what the engine was asked."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from engine import documents
from engine.documents import Json
from engine.documents.json_text import copied
from engine.simulation.events.plans import Plan
from engine.standings import PlayerId
from matches.scoring import ScoringRule, scoring_rule


@dataclass(frozen=True)
class Answer:
    """A question to the engine: a command, the document it was given, and what it said."""

    command: str
    document: Json
    answer: Json


@dataclass(frozen=True)
class SimulatedEvent:
    """A whole event. `told` has one sentence for each thing out of the ordinary."""

    document: Json
    answers: tuple[Answer, ...]
    cut: Json = None
    told: tuple[str, ...] = ()

    def answers_to(self, command: str) -> list[Json]:
        """What was answered to one command, in order."""
        return [asked.answer for asked in self.answers if asked.command == command]


COMMANDS: Mapping[str, documents.Answering] = {
    "pair": documents.pair,
    "standings": documents.rank,
    "bracket": documents.bracket,
}


@dataclass
class Mending:
    """Seats with a wrong result, what is right, and before which round somebody notices."""

    seats: list[Json]
    points: list[int]
    before_round: int


@dataclass
class Running:
    """What the organiser of a simulated event has on the desk."""

    plan: Plan
    chance: random.Random
    rule: ScoringRule
    document: Json
    strength: dict[PlayerId, int] = field(default_factory=dict)
    mending: list[Mending] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    @classmethod
    def begun(cls, plan: Plan) -> "Running":
        """An event that nobody has entered yet."""
        return cls(
            plan=plan,
            chance=random.Random(plan.seed),  # noqa: S311 - a story to be told again
            rule=scoring_rule(plan.scoring_rule),
            document={
                "datafort": 1,
                "system": plan.system,
                "seed": plan.seed,
                "planned_rounds": plan.rounds,
                "point_unit": plan.point_unit,
                "x_scoring": plan.scoring_rule,
                "players": [],
                "rounds": [],
            },
        )

    @property
    def players(self) -> list[Json]:
        """Everybody in the document."""
        players: list[Json] = self.document["players"]
        return players

    def ask(self, command: str, **more: Json) -> Json:
        """What the engine says to the document as it stands, with these keys changed."""
        document = {**copied(self.document), **more}
        answer = COMMANDS[command](document)
        self.answers.append(Answer(command, document, answer))
        # The organiser writes into the draft; what the engine said stays as it was.
        return copied(answer)

    def happens(self, incident: str) -> bool:
        """Whether this happens now."""
        often: int = getattr(self.plan.incidents, incident)
        return self.chance.randrange(1000) < often

    def tell(self, sentence: str) -> None:
        """Keep a sentence for whoever reads a failure."""
        self.told.append(sentence)
