"""Three rounds, from the first sign-up to the final standings, by hand."""

import random

import pytest
from playwright.sync_api import Page, expect

from tests.browser import organiser, phone
from tests.browser.conftest import NewPage
from tests.browser.table_talk import Ledger
from tests.factories.decks import legal_corp_list, legal_runner_list

pytestmark = pytest.mark.browser

PLAYERS = ["Ada", "Björn", "Émile", "北斗", "Chidi", "Dana", "Fatima", "Grażyna"]
ROUNDS = 3
PHONE = {"width": 390, "height": 800}


@pytest.mark.parametrize("count", [4, pytest.param(8, marks=pytest.mark.slow)])
def test_a_local_event_from_the_first_sign_up_to_the_final_standings(
    site: str, new_page: NewPage, count: int
) -> None:
    players = PLAYERS[:count]
    desk = new_page(viewport={"width": 1280, "height": 900})
    organiser.sign_up(desk, site, "shopkeeper")
    path = organiser.create_event(desk, site, "Autumn Run")
    address = f"{site}{path}"
    organiser.paste_names(desk, players)
    organiser.check_in_all(desk, address, count)
    phones = {name: new_page(viewport=PHONE, has_touch=True) for name in players}
    for name, page in phones.items():
        phone.claim(page, organiser.claim_link(desk, address, name), name)

    submit_decks(phones, address)
    ledger = Ledger(random.Random(1996))
    for number in range(1, ROUNDS + 1):
        organiser.publish_and_start(desk, address, number)
        play_round(desk, phones, address, number, ledger)
        organiser.close_round(desk, address, number)
    organiser.next_step(desk, address, "Finish the event")
    desk.get_by_role("button", name="Finish the event").click()
    desk.wait_for_url("**/desk/")

    check_standings(new_page(viewport=PHONE), address, players, ledger)
    check_finding(new_page(viewport=PHONE), address, count)
    check_grid(new_page(viewport={"width": 1280, "height": 900}), address, players)


def submit_decks(phones: dict[str, Page], address: str) -> None:
    """Everybody hands in two decks; Ada's first Runner deck is one card short."""
    runner = legal_runner_list(1)
    page = phones["Ada"]
    phone.submit_deck(page, address, "runner", one_card_less(runner))
    expect(page.locator("main")).to_contain_text("44")
    expect(page.locator("main")).to_contain_text("at least 45")
    expect(page.get_by_role("button", name="Lock this deck")).to_have_count(0)
    for number, page in enumerate(phones.values(), start=1):
        phone.submit_deck(page, address, "runner", legal_runner_list(number))
        phone.lock_deck(page)
        phone.submit_deck(page, address, "corp", legal_corp_list(number))
        phone.lock_deck(page)


def one_card_less(deck: str) -> str:
    """The list with one copy less of its first card."""
    lines = deck.splitlines()
    place = next(place for place, line in enumerate(lines) if line[:1].isdigit())
    quantity, title = lines[place].split(" ", 1)
    fewer = int(quantity.rstrip("x")) - 1
    lines[place : place + 1] = [f"{fewer} {title}"] if fewer else []
    return "\n".join(lines)


def play_round(
    desk: Page, phones: dict[str, Page], address: str, number: int, ledger: Ledger
) -> None:
    """Table 1 by two phones, table 2 in round 2 disputed and decided, the others at the desk."""
    tables = organiser.tables_of(desk, address, number)
    assert sorted(name for table in tables for name in table) == sorted(phones)
    played = [(table, ledger.play(table)) for table in tables]
    ledger.keep(played)
    for place, (table, games) in enumerate(played, start=1):
        first, second = (phones[name] for name in table)
        if place == 1:
            phone.report(first, address, games)
            phone.confirm(second, address)
        elif place == 2 and number == 2:
            phone.report(second, address, (games[0], ledger.play(table)[1]))
            phone.dispute(first, address, "Game 2 went the other way.")
            decide_with_a_ruling(desk, address, number, place)
            organiser.enter_result(desk, address, number, place, games)
        else:
            organiser.enter_result(desk, address, number, place, games)
    for place, (table, _games) in enumerate(played, start=1):
        desk.goto(f"{address}rounds/{number}/tables/{place}/")
        for points in ledger.points_of(table):
            expect(desk.locator("main")).to_contain_text(str(points))


def decide_with_a_ruling(desk: Page, address: str, number: int, table: int) -> None:
    """The judge opens the dispute, finds a ruling and cites it in a note."""
    organiser.next_step(desk, address, f"Resolve the dispute at table {table}")
    expect(desk.get_by_text("Game 2 went the other way.").first).to_be_visible()
    notes = desk.locator("#notes")
    notes.get_by_text("Add a note without a result").click()
    notes.get_by_label("Find a ruling").fill("Lockjaw Joan of Arc")
    notes.get_by_role("checkbox", name="Lockjaw").first.check()
    notes.get_by_role("button", name="Save note").click()
    expect(notes.get_by_role("link", name="R-0372 Lockjaw")).to_be_visible()


def check_standings(page: Page, address: str, players: list[str], ledger: Ledger) -> None:
    """Every figure of the last page against the ledger."""
    page.goto(f"{address}standings/")
    shown = []
    for row in page.locator("table.standings tbody tr[id]").all():
        name = row.locator("bdi").first.inner_text()
        row.locator("summary").click()
        place, *_moved = row.locator(".standings__rank").inner_text().split()
        cells = [".standings__points", "[data-label=SoS]", "[data-label=ESoS]"]
        figures = [place, *(row.locator(cell).inner_text().strip() for cell in cells)]
        shown.append(name)
        points, sos, esos = ledger.figures(name)
        assert figures == [str(len(shown)), str(points), sos, esos], name
    assert sorted(shown) == sorted(players)
    keys = [ledger.order_key(name) for name in shown]
    assert keys == sorted(keys)


def check_finding(page: Page, address: str, count: int) -> None:
    """What is typed narrows the pairings, without an accent too."""
    page.goto(f"{address}pairings/")
    rows = page.locator(".pairings tbody tr:visible")
    expect(rows).to_have_count(count)
    page.get_by_label("Find a player").fill("emile")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Émile")
    page.get_by_label("Find a player").fill("nobody")
    expect(page.get_by_text("No player found")).to_be_visible()


def check_grid(page: Page, address: str, players: list[str]) -> None:
    """Each cell of the grid names the opponent, who names this player in the same round."""
    page.goto(f"{address}standings/")
    rows = page.locator(".grid-table tbody tr[id]")
    names = [row.locator(".player-name").inner_text() for row in rows.all()]
    met = {
        name: [cell.get_attribute("title") for cell in row.locator(".cell").all()]
        for name, row in zip(names, rows.all(), strict=True)
    }
    assert sorted(met) == sorted(players)
    for name, opponents in met.items():
        assert len(opponents) == ROUNDS
        assert [met[str(one)][number] for number, one in enumerate(opponents)] == [name] * ROUNDS
