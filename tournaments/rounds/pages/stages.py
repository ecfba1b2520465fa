"""Stages of an event with their rounds, and the pairing systems."""

from dataclasses import dataclass

from engine.pairing import PROFILES, SINGLE, SINGLE_ONCE
from engine.pairing.pods.costs import RULES as POD_RULES
from engine.systems import SYSTEMS, System, SystemKind
from matches.scoring import scoring_rule
from tournaments.models import Round, Stage, Tournament


@dataclass(frozen=True)
class StageLine:
    """A stage with its rounds; `profile` explains the aims of a Swiss stage, else it is empty."""

    stage: Stage
    scoring: str
    profile: str
    rounds: tuple[Round, ...]

    @property
    def has_begun(self) -> bool:
        return bool(self.rounds)


def stage_lines(tournament: Tournament) -> list[StageLine]:
    """Return all stages in order; two queries."""
    stages = tournament.stages.prefetch_related("rounds")
    return [
        StageLine(
            stage=stage,
            scoring=scoring_rule(stage.scoring_rule).name,
            profile=_profile(stage.system, tournament.avoid_second_meetings),
            rounds=tuple(stage.rounds.all()),
        )
        for stage in stages
    ]


AUTOMATIC = (
    "Second meetings are avoided where the planned rounds fit a round robin, unless the settings "
    "of the event say otherwise."
)


def _profile(system: str, avoid_second_meetings: bool | None) -> str:
    if system not in PROFILES:
        return ""
    if system != SINGLE.id:
        return PROFILES[system].explanation
    if avoid_second_meetings is None:
        return f"{SINGLE.explanation} {AUTOMATIC}"
    return (SINGLE_ONCE if avoid_second_meetings else SINGLE).explanation


@dataclass(frozen=True)
class SystemHelp:
    """Help on a pairing system.

    `avoided` lists what it avoids, most serious first; `aim` explains the rest.
    """

    system: System
    avoided: tuple[str, ...] = ()
    aim: str = ""


def system_helps() -> list[SystemHelp]:
    return [_help(system) for system in SYSTEMS.values()]


def _help(system: System) -> SystemHelp:
    if system.id in PROFILES:
        profile = SINGLE_ONCE if system.id == SINGLE.id else PROFILES[system.id]
        avoided = tuple(rule.name for rule in profile.rules)
        return SystemHelp(system, avoided, _profile(system.id, avoid_second_meetings=None))
    if system.kind is SystemKind.PODS:
        return SystemHelp(system, tuple(rule.name for rule in POD_RULES))
    return SystemHelp(system)
