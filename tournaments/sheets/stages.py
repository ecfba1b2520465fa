"""The stages of an event with their rounds."""

from dataclasses import dataclass

from matches.scoring import scoring_rule
from tournaments.models import Round, Stage, Tournament
from tournaments.pairing import PROFILES


@dataclass(frozen=True)
class StageLine:
    """One stage; `profile` says in words how Swiss weighs what it wants, else it is empty."""

    stage: Stage
    scoring: str
    profile: str
    rounds: tuple[Round, ...]

    @property
    def has_begun(self) -> bool:
        return bool(self.rounds)


def stage_lines(tournament: Tournament) -> list[StageLine]:
    """All stages, first to last; two queries."""
    stages = tournament.stages.prefetch_related("rounds")
    return [
        StageLine(
            stage=stage,
            scoring=scoring_rule(stage.scoring_rule).name,
            profile=PROFILES[stage.system].explanation if stage.system in PROFILES else "",
            rounds=tuple(stage.rounds.all()),
        )
        for stage in stages
    ]
