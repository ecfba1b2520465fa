"""English descriptions of a game's sources and of the reasons for its roles."""

from engine.bracket.records import LoserOf, RolesBy, Seeded, Source, WinnerOf

ROLES_BY = {
    RolesBy.CHOICE: "the higher seed chose",
    RolesBy.COUNT: "fewer games as Corp than as Runner in this cut, compared with the opponent",
    RolesBy.LOT: "by lot, both are level in this cut",
    RolesBy.FINAL: "the roles of the final are swapped",
}


def source_in_words(source: Source) -> str:
    """Describe a source, such as "winner of game 5"."""
    match source:
        case Seeded(seed):
            return f"seed {seed}"
        case WinnerOf(game):
            return f"winner of game {game}"
        case LoserOf(game):
            return f"loser of game {game}"
    return "best seed left" if source.place == 1 else f"number {source.place} of the seeds left"
