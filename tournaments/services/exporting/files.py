"""What a file of an event is, and how one is asked for."""

from collections.abc import Callable
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.utils import timezone

from core.errors import Refusal
from core.time_zones import known_zones
from tournaments import visibility
from tournaments.actors import Actor
from tournaments.models import Tournament


class NothingToExport(Refusal):
    """The event has nothing of this kind, or nothing yet."""

    code = "nothing_to_export"


@dataclass(frozen=True)
class Asked:
    """Who wants which event. `page` is its address; `private` asks for what only organisers see."""

    tournament: Tournament
    actor: Actor
    page: str = ""
    private: bool = False


@dataclass(frozen=True)
class Format:
    """One file. `why_not` says in words why an event has none, or nothing."""

    id: str
    label: str
    words: str
    kind: tuple[str, str]
    make: Callable[[Asked], bytes]
    why_not: Callable[[Tournament], str] = lambda tournament: ""
    may: Callable[[Actor, Tournament], bool] = visibility.can_see
    for_whom: str = "Everybody who sees the event"
    file: str = ""

    @property
    def is_for_all(self) -> bool:
        """Whether everybody who sees the event may have it."""
        return self.may is visibility.can_see

    @property
    def media_type(self) -> str:
        """What kind of file it is, for programs."""
        return self.kind[0]

    @property
    def route(self) -> str:
        """The name of its address below the event."""
        return f"tournaments:export_{self.id.replace('-', '_')}"

    @property
    def extension(self) -> str:
        """How its name ends."""
        return self.kind[1]

    def file_name(self, tournament: Tournament) -> str:
        """As it is kept on a disk: letters, digits, hyphens and one point."""
        return f"{tournament.slug}-{self.file or self.id.removeprefix('csv-')}.{self.extension}"


def made(format_: Format, asked: Asked) -> bytes:
    """The file; raises NothingToExport where there is none. The caller has asked for leave."""
    if words := format_.why_not(asked.tournament):
        raise NothingToExport(words)
    name = asked.tournament.time_zone
    with timezone.override(ZoneInfo(name) if name in known_zones() else None):
        return format_.make(asked)
