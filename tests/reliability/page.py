"""docs/reliability.md: every check and goal with its tests and its last figures."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from tests.reliability.checks import CHECKS, GOALS
from tests.reliability.figures import days_of_figures, kept_figures
from tests.reliability.marks import Shown, marked_tests

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "reliability.md"
HEAD = """# Reliability and security

What must hold, the tests that show it, and what was measured last ({days}). This page is written
by `python -m tests.reliability`; a test says what it shows with `@pytest.mark.check(26)` or
`@pytest.mark.goal("G3")` and tells its figure through the fixture `figure`. Tests in *italics*
are the long versions, run by `make slow`, which prints these tables anew; the others are part of
`make test`. `make slow WRITE=1` keeps the figures it measured. The speed of pages, polls and
pairing, also beside a stranger's forty connections (G18), is measured by `make bench` and
`make hall`: see [performance.md](performance.md).

"""


def page() -> str:
    """The whole page, as Markdown."""
    tests, figures = marked_tests(), kept_figures()
    goals = _table("Goals", "Goal", GOALS, tests, figures)
    checks = _table("Checks", "Check", CHECKS, tests, figures)
    head = HEAD.format(days=", ".join(days_of_figures()) or "nothing yet")
    return head + "\n\n".join([goals, checks]) + "\n"


def _table(
    title: str,
    column: str,
    wanted: Mapping[int, str] | Mapping[str, str],
    tests: list[Shown],
    figures: Mapping[str, list[str]],
) -> str:
    rows = [
        f"## {title}",
        "",
        f"| {column} | Must hold | Tests | Last figures |",
        "|---|---|---|---|",
    ]
    for key, sentence in wanted.items():
        shown = [test for test in tests if key in test.shows]
        cells = (str(key), sentence, _names(shown), _figures(shown, figures))
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows)


def _names(tests: Iterable[Shown]) -> str:
    """By file, so that a long table can be read."""
    by_file: dict[str, list[str]] = {}
    for test in tests:
        name = f"*{test.name}*" if test.is_slow else test.name
        by_file.setdefault(test.path, []).append(name)
    return "<br>".join(f"`{path}`: {', '.join(names)}" for path, names in by_file.items())


def _figures(tests: Iterable[Shown], figures: Mapping[str, list[str]]) -> str:
    def told() -> Iterator[str]:
        for test in tests:
            yield from figures.get(f"{test.path}::{test.name}", [])

    return "<br>".join(told())
