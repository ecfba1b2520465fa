"""The one big next thing at the desk, as data."""

from dataclasses import dataclass
from enum import StrEnum

from tournaments.models import Job, Pairing


class StepKind(StrEnum):
    ADD_PLAYERS = "add_players"
    CHECK_IN = "check_in"
    PAIR = "pair"
    PAIRING = "pairing"
    RETRY = "retry"
    DRAFT = "draft"
    START = "start"
    DECIDE = "decide"
    RESULTS = "results"
    CLOSE = "close"
    MAKE_CUT = "make_cut"
    SAY_WHO = "say_who"
    FINISH = "finish"
    FINISHED = "finished"


@dataclass(frozen=True)
class Step:
    """The one big next thing, and perhaps a second way on, which may have a third.

    `round_number` is the round it is about; `tables` are those it waits for.
    """

    kind: StepKind
    title: str
    text: str = ""
    round_number: int | None = None
    tables: tuple[Pairing, ...] = ()
    job: Job | None = None
    other: "Step | None" = None
