"""What the help pages tell, from the definitions the engine itself reads."""

from dataclasses import dataclass

from tournaments.pairing import PROFILES
from tournaments.pairing.pods.costs import RULES as POD_RULES
from tournaments.systems import SYSTEMS, System, SystemKind


@dataclass(frozen=True)
class SystemHelp:
    """One way to run a stage. `avoided` is what it avoids, the gravest first; `aim` the rest."""

    system: System
    avoided: tuple[str, ...] = ()
    aim: str = ""


def system_helps() -> list[SystemHelp]:
    """All systems in their usual order."""
    return [_help(system) for system in SYSTEMS.values()]


def _help(system: System) -> SystemHelp:
    if system.id in PROFILES:
        profile = PROFILES[system.id]
        return SystemHelp(system, tuple(rule.name for rule in profile.rules), profile.explanation)
    if system.kind is SystemKind.PODS:
        return SystemHelp(system, tuple(rule.name for rule in POD_RULES))
    return SystemHelp(system)
