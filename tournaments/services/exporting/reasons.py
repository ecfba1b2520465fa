"""Why an event has nothing of a kind, or nothing yet: in words, or "" where it has."""

from matches.scoring import scoring_rule
from tournaments import queries
from tournaments.models import Tournament


def _has_pods(tournament: Tournament) -> bool:
    return not scoring_rule(tournament.scoring_rule).has_roles


def no_nrtm(tournament: Tournament) -> str:
    """No tournament file of other programs."""
    if not _has_pods(tournament):
        return ""
    return (
        "Other programs know no tables of three and more. "
        "Take Datafort's own document, or the tables as CSV."
    )


def no_trf(tournament: Tournament) -> str:
    """No report for chess programs."""
    rule = scoring_rule(tournament.scoring_rule)
    if rule.has_roles and rule.games_per_match == 1:
        return ""
    return "Chess programs know one game a round. This event has more, or pods."


def no_standings(tournament: Tournament) -> str:
    """No standings."""
    return "" if queries.newest_snapshot(tournament) else "No round is closed yet."


def no_cut(tournament: Tournament) -> str:
    """No cut."""
    return "" if queries.has_public_bracket(tournament) else "There is no cut, or none yet."


def no_games(tournament: Tournament) -> str:
    """No games of Corp and Runner."""
    return "The games of pods have no roles." if _has_pods(tournament) else ""


def no_rounds(tournament: Tournament) -> str:
    """No published rounds."""
    return "" if queries.visible_rounds(tournament).exists() else "No round is published yet."
