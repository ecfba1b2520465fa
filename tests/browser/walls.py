"""A projector view of any size; the test renders the page and answers its requests."""

import random
from datetime import datetime
from itertools import cycle
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.finders import find
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation
from playwright.sync_api import Page, Route

from engine.simulation.tables import draw_player_names
from engine.timing import ClockState
from matches.scoring.results import Role
from tournaments.displays.pages import (
    ProjectorPanel,
    ProjectorState,
    ProjectorView,
    WallStanding,
    view_choices,
)
from tournaments.models import Round, Tournament
from tournaments.rounds.pages import NameLine, SeatLine, TableLine
from tournaments.rounds.timing_pages import ClockFace, TableTime

SITE = "http://wall.test"
TEMPLATE = "tournaments/displays/projector.html"
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>'
LONG = (
    "Wolfeschlegelsteinhausenbergerdorff Hubert Blaine",
    "W" * 60,
    "محمد عبد الرحمن بن عبد الله آل سعود الطويل",
    "山田太郎左衛門尉藤原朝臣義信",
)


def seats(players: int) -> list[SeatLine]:
    """Seats of this many players; from 16 players on, some names are too long for their row."""
    names = list(draw_player_names(players, random.Random(players)))
    names[: len(LONG)] = LONG if players >= 16 else names[: len(LONG)]
    return [
        SeatLine(name, "", number, role, 7 * (number % 3), number % 2 == 1, False)
        for number, (name, role) in enumerate(zip(names, cycle(Role)), 1)
    ]


def tables(players: int) -> list[TableLine]:
    all_ = seats(players)
    return [
        TableLine(index // 2 + 1, tuple(all_[index : index + 2]), True, "confirmed")
        for index in range(0, players, 2)
    ]


def face(table: int | None = None) -> ClockFace:
    end = datetime.fromisoformat("2026-05-02T13:00:00+00:00")
    return ClockFace(3, ClockState.RUNNING, end, 0, 300, table, 3 if table else 0)


def wall(players: int, *, first_until: datetime | None = None) -> ProjectorState:
    """Pairings, clock, standings and results of an event."""
    lines = tables(players)
    names = [NameLine(seat, line, line.seats) for line in lines for seat in line.seats]
    ranks = [
        WallStanding(
            str(seat.number),
            seat.name,
            points=100 - seat.number,
            clinch_mark="in" if seat.number < 3 else "",
        )
        for seat in seats(players)
    ]
    extra = tuple(TableTime(number, 3, face(number)) for number in (7, 12, 113))
    views = (
        ProjectorPanel(ProjectorView.PAIRINGS, "Round 3: find your table", names),
        ProjectorPanel(ProjectorView.CLOCK, "Round 3", {"tables": extra, "open": players // 2}),
        ProjectorPanel(ProjectorView.STANDINGS, "Standings after round 2", ranks),
        ProjectorPanel(ProjectorView.RESULTS, "Round 3: newest results", lines[:60]),
        ProjectorPanel(ProjectorView.TABLES, "Round 3: by table", lines),
    )
    return ProjectorState(views, Round(number=3), face(), False, first_until)


class Screen:
    """The projector view in a browser, and its site, which is silent without `answers`."""

    def __init__(self, page: Page, state: ProjectorState) -> None:
        self.page, self.state = page, state
        self.answers = True
        self.language = "en-gb"
        self.polls: list[str] = []
        self.now = "2026-05-02T12:00:00+00:00"
        page.route(f"{SITE}/**", self._answer)

    def open(self) -> None:
        self.page.goto(f"{SITE}/events/hall/projector/")

    def _answer(self, route: Route) -> None:
        path = route.request.url.removeprefix(SITE)
        header = {
            "Datafort-Now": str(round(datetime.fromisoformat(self.now).timestamp() * 1000)),
            "Content-Language": self.language,
        }
        if path.startswith("/static/"):
            kind = "text/css" if path.endswith(".css") else "text/javascript"
            route.fulfill(body=Path(str(find(path[8:]))).read_text(), content_type=kind)
        elif not self.answers:
            route.abort()
        elif path == "/time/":
            route.fulfill(status=204, headers=header)
        elif "qr.svg" in path:
            route.fulfill(body=PICTURE, content_type="image/svg+xml")
        elif route.request.headers.get("x-fragment") == "1":
            self.polls.append(path)
            body = self._rendered(f"{TEMPLATE}#live", path)
            route.fulfill(body=body, content_type="text/html", headers={**header, "ETag": '"new"'})
        else:
            route.fulfill(body=self._rendered(TEMPLATE, path), content_type="text/html")

    def _rendered(self, template: str, path: str) -> str:
        request = RequestFactory().get(path, headers={"host": "wall.test"})
        chosen_views = request.GET.getlist("show")
        views = tuple(
            view for view in self.state.views if not chosen_views or view.name in chosen_views
        )
        state = ProjectorState(
            views, self.state.round, self.state.clock, False, self.state.first_until
        )
        context: dict[str, Any] = {
            "request": request,
            "tournament": Tournament(name="The great hall", slug="hall", join_code="ABC234"),
            "wall": state,
            "show": state.views[0].name,
            "choices": view_choices(chosen_views),
            "next_turn": "turn=1",
            "poll_url": path,
            "poll_etag": '"old"',
        }
        with translation.override(self.language):
            return render_to_string(template, context)

    def title(self) -> str:
        return self.page.locator("h1:visible").inner_text()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
