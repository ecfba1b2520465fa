"""What a simulated event leaves: its document, and what the engine was asked on the way."""

from dataclasses import dataclass

from tournaments.documents import Json


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
