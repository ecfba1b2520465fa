"""docs/dev/reliability.md: goals and checks with the number of their tests and the last figures."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.reliability.checks import CHECKS, GOALS
from tests.reliability.figures import days_of_figures, kept_figures
from tests.reliability.marks import Shown, marked_tests

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "dev" / "reliability.md"
HEAD = """# Reliability and security

What must hold, how many tests show it, and what they measured last ({days}).
`python -m tests.reliability` writes this page. A test names what it shows with
`@pytest.mark.check(26)` or `@pytest.mark.goal("G3")` and gives its figure through the fixture
`figure`; `grep -rn "check(26" tests` finds the tests of check 26. A figure stands once, at the
first row it belongs to. `make test` runs the quick tests, `make slow` the slow ones;
`make slow WRITE=1` keeps the new figures. Speed is in [performance.md](performance.md).

"""


def page() -> str:
    tests, figures = marked_tests(), kept_figures()
    head = HEAD.format(days=", ".join(days_of_figures()) or "nothing yet")
    tables = (("Goals", "Goal", GOALS), ("Checks", "Check", CHECKS))
    parts = [
        _table(title, column, requirements, tests, figures)
        for title, column, requirements in tables
    ]
    return head + "\n\n".join(parts) + "\n"


def _table(
    title: str,
    column: str,
    requirements: Mapping[int, str] | Mapping[str, str],
    tests: list[Shown],
    figures: dict[str, list[str]],
) -> str:
    """A table with a row for each goal or check; its figures are removed from `figures`."""
    rows = [
        f"## {title}",
        "",
        f"| {column} | Must hold | Tests | Figures |",
        "|---|---|---|---|",
    ]
    for key, sentence in requirements.items():
        matching = [test for test in tests if key in test.shows]
        cells = (str(key), sentence, str(len(matching)), "<br>".join(_take(matching, figures)))
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows)


def _take(tests: list[Shown], figures: dict[str, list[str]]) -> Iterator[str]:
    for test in tests:
        yield from figures.pop(f"{test.path}::{test.name}", [])
