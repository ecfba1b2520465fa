"""The table of roles in the docs is the one the code goes by."""

from pathlib import Path

from tournaments.models import StaffRole
from tournaments.permissions import ABILITIES, by_role

PAGE = Path(__file__).parents[2] / "docs" / "roles.md"


def table() -> list[list[str]]:
    """The cells of the page's table, its ruler left out."""
    lines = [line for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_the_docs_say_what_the_code_allows():
    head, *rows = table()

    assert head[1:] == [role.label.capitalize() for role in StaffRole]
    assert rows == [
        [ability.words, *("yes" if role in ability.roles else "" for role in StaffRole)]
        for ability in ABILITIES
    ]


def test_a_role_is_told_what_it_may_do():
    told = by_role()

    assert told["streamer"] == [ABILITIES[-1].words]
    assert len(told["owner"]) == len(ABILITIES)
