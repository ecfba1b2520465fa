"""The marks `check` and `goal`, the fixture `figure`, and the summary at the end of a run."""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from tests.reliability.checks import CHECKS, GOALS
from tests.reliability.figures import keep_figures

FIGURE, SHOWS = "figure", "shows"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of `make slow`."""
    group = parser.getgroup("reliability")
    group.addoption("--checks", action="store_true", help="print what was shown and measured")
    group.addoption("--keep-figures", action="store_true", help="and keep the figures")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "check(*numbers): shows checks of docs/dev/reliability.csv")
    config.addinivalue_line("markers", "goal(*names): shows goals of docs/dev/reliability.csv")
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Reports(config))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Attach checks and goals to each test's report; workers return nothing else."""
    for item in items:
        marks = (mark for kind in ("check", "goal") for mark in item.iter_markers(kind))
        if shows := [value for mark in marks for value in mark.args]:
            item.user_properties.append((SHOWS, shows))


@pytest.fixture
def figure(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Record a measurement in one sentence, with its unit."""
    return lambda text: request.node.user_properties.append((FIGURE, text))


class Reports:
    """Checks shown and figures measured in a run."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.outcomes: dict[int | str, list[bool]] = defaultdict(list)
        self.figures: dict[str, list[str]] = defaultdict(list)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count the result of a test."""
        if report.when != "call" and not report.failed:
            return
        properties = report.user_properties
        recorded: list[tuple[str, Any]] = list(properties)
        shows = {value for kind, values in recorded if kind == SHOWS for value in values}
        for value in shows:
            self.outcomes[value].append(report.passed)
        name = report.nodeid.removeprefix("tests/").partition("[")[0]
        self.figures[name] += [str(text) for kind, text in properties if kind == FIGURE]
        if self.figures[name] and self.config.getoption("--keep-figures"):
            # Store immediately, so that an interrupted run keeps its figures.
            keep_figures(name, connection.display_name, sorted(self.figures[name]))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the summary, if requested."""
        if not self.config.getoption("--checks"):
            return
        terminalreporter.section("checks and goals")
        rows: list[tuple[int | str, str]] = [*GOALS.items(), *CHECKS.items()]
        for value, sentence in rows:
            outcomes = self.outcomes.get(value, [])
            outcome = f"{sum(outcomes)} of {len(outcomes)} tests passed" if outcomes else "not run"
            terminalreporter.write_line(f"{value!s:>4}  {outcome:<24} {sentence}")
        for name, figures in sorted(self.figures.items()):
            for text in sorted(figures):
                terminalreporter.write_line(f"      {name.rpartition('::')[2]}: {text}")
