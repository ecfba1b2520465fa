"""The public bracket page."""

import re

import pytest

from engine.bracket.games import (
    LoserOf,
    PlayerSource,
    RemainingSeed,
    SeededPlayer,
    WinnerOf,
    bracket_for,
)
from engine.systems import ELIMINATION_SYSTEMS
from tests.factories.cuts import LEVEL, event_with_cut, play_cut_round, seed, stage_of
from tests.factories.tournaments import (
    close_round,
    draft_round,
    enter_result,
    fresh,
    make_event,
    owner_of,
    start_round,
    sweep,
    table,
)
from tests.tournaments.cast import desk_of
from tests.tournaments.pages import text_of, url
from tournaments.displays.pages import projector_state
from tournaments.models import Stage, Tournament
from tournaments.models.rounds import match_names, match_source
from tournaments.results import cuts
from tournaments.results.bracket_pages import bracket_drawing, match_length_in_words
from tournaments.rounds.cut import get_cut
from tournaments.settings import services as settings_services


def make_scene() -> Tournament:
    """Return an event of eight after one round, with a cut of the best four."""
    return event_with_cut(4)


def name(event: Tournament, number: int) -> str:
    return str(seed(event, number).player)


def test_bracket_page_without_a_cut_is_empty(client):
    answer = client.get(url("bracket", make_event(players=4)))

    assert answer.status_code == 200
    assert "No bracket yet" in text_of(answer)


def test_cut_is_hidden_before_its_first_games_are_published(event: Tournament, client):
    draft_round(event)

    assert "No bracket yet" in text_of(client.get(url("bracket", event)))
    assert url("bracket", event) not in client.get(url("event", event)).text


def test_system_and_sides_are_translated(event: Tournament, client):
    play_cut_round(event, [1, 2])
    start_round(event)

    page = client.get(url("bracket", event), headers={"Accept-Language": "fr"})

    assert "Double élimination" in text_of(page)
    assert re.search(r">Corpo</text>", page.text)
    assert not re.search(r">Corp</text>", page.text)


def test_bracket_shows_first_tables_and_later_games(event: Tournament, client):
    start_round(event)

    words = text_of(client.get(url("bracket", event)))

    first, last = name(event, 1), name(event, 4)
    assert f"{first} (seed 1) chooses which side to play first against {last} (seed 4)" in words
    assert f"{first} picks first side" in words
    assert "Playing at table 1 Winner to upper final. Loser to lower semifinal." in words
    assert "Winner of upper semifinal 1 against Winner of upper semifinal 2" in words
    assert "If the other player wins, the bracket reset decides." in words
    assert "Double elimination, 2 games a match." in words
    assert match_length_in_words(Stage(scoring_rule="anr_single")) == "best of 1"
    assert "Places so far" not in words
    assert client.get(url("projector", event)).context["show"] == "pairings"


def test_bracket_shows_sides_or_the_open_choice(event: Tournament, client):
    round_ = start_round(event)
    open_choice = sides(client, event)
    cuts.choose_corp(table(round_, 1), seed(event, 4), owner_of(event))

    chosen = sides(client, event)

    assert open_choice[:4] == ["chooses", "", "chooses", ""]
    assert chosen[:4] == ["runner", "corp", "chooses", ""]


def test_later_games_show_the_chosen_sides(event: Tournament, client):
    play_cut_round(event, [1, 2])

    shown = sides(client, event)

    assert shown[:4] == [""] * 4, "finished games show no side"
    assert {*shown[4:6]} == {"corp", "runner"}


def sides(client, event: Tournament) -> list[str]:
    """Return the side of each seat by game: a role, "chooses" or an empty string."""
    drawing = client.get(url("bracket", event)).context["bracket"]
    return [
        "chooses" if seat.chooses else str(seat.role or "")
        for game in drawing.games
        for seat in game.seats
    ]


def test_bracket_has_a_tab_for_each_round_without_scripts(event: Tournament, client):
    start_round(event)

    page = client.get(url("bracket", event))

    rounds = page.context["bracket"].rounds
    assert [round_.name for round_ in rounds] == [
        *("Upper bracket semifinals", "Upper bracket final"),
        *("Lower bracket semifinal", "Lower bracket final"),
        *("Final", "Bracket reset"),
    ]
    assert [round_.is_now for round_ in rounds] == [True, *[False] * 5]
    for round_ in rounds:
        assert f'href="#{round_.key}"' in page.text
        assert f'id="{round_.key}"' in page.text


def test_each_match_is_drawn_once_with_the_name_of_its_round(client):
    event = event_with_cut(8)
    start_round(event)

    page = client.get(url("bracket", event))

    games = page.context["bracket"].games
    names = [game.name for game in games]
    assert names[:5] == [*(f"Upper quarterfinal {n}" for n in (1, 2, 3, 4)), "Upper semifinal 1"]
    assert names[-3:] == ["Lower final", "Final", "Bracket reset"]
    assert {"Lower round 1, match 2", "Lower semifinal"} <= {*names}
    assert len({*names}) == 15
    # The heading of the column is the name if a round has one match.
    assert [game.label for game in games if game.name == "Final"] == [""]
    drawing = page.text[page.text.index("<svg") : page.text.index("</svg>")]
    assert drawing.count("bracket__box") == 15
    assert drawing.count("bracket__line") == 14
    assert "style=" not in drawing
    assert "Game 1" not in text_of(page)


@pytest.mark.parametrize(("size", "is_wide"), [(4, False), (8, False), (16, True)])
def test_double_elimination_of_8_fits_a_laptop(size: int, is_wide: bool):
    event = event_with_cut(size, players=16)

    assert bracket_drawing(get_cut(stage_of(event))).is_wide == is_wide


@pytest.mark.parametrize("size", [2, 3, 5, 8, 16])
@pytest.mark.parametrize("system", ELIMINATION_SYSTEMS)
def test_matches_of_a_bracket_have_different_names(system: str, size: int):
    bracket = bracket_for(system, size)

    assert len({*match_names(bracket).values()}) == len(bracket.games)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (SeededPlayer(3), "seed 3"),
        (WinnerOf(1), "winner of upper semifinal 1"),
        (LoserOf(3), "loser of upper final"),
        (RemainingSeed(1, 1), "best remaining seed"),
        (RemainingSeed(1, 2), "remaining seed 2"),
    ],
)
def test_origin_of_a_player_names_the_seed_or_match(source: PlayerSource, words: str):
    names = match_names(bracket_for("double_elimination", 4))

    assert match_source(source, names) == words


def test_tied_match_names_the_staff(event: Tournament, client):
    enter_result(table(start_round(event), 1), LEVEL)

    assert "Tied; the staff decide who advances" in text_of(client.get(url("bracket", event)))


def test_tied_match_is_won_by_decision(event: Tournament, client):
    pairing = table(start_round(event), 1)
    enter_result(pairing, LEVEL)
    cuts.set_advancing_player(pairing, seed(event, 4), owner_of(event))

    words = text_of(client.get(url("bracket", event)))

    assert "Upper semifinal 1, tied: staff decision" in words
    assert f"{name(event, 4)} advances after a tie, by staff decision, 1" in words


def test_sides_and_bracket_reset_are_explained_where_they_apply(event: Tournament):
    desk = desk_of(event)
    draft_round(event)
    first = text_of(desk.get(url("draft", event, 2)))
    event = event_with_cut(4)
    for winners in ([1, 2], [1, 3]):
        play_cut_round(event, winners)
    lower_final = start_round(event)
    later = text_of(desk_of(event).get(url("results", event, 4)))
    bracket = text_of(desk_of(event).get(url("bracket", event)))
    enter_result(table(lower_final, 1), sweep(1))
    close_round(lower_final)
    play_cut_round(event, [2, 3])
    step = text_of(desk_of(event).get(url("desk", event)))
    start_round(event)
    reset = text_of(desk_of(event).get(url("results", event, 6)))

    choice, balance = "the higher seed chooses one", "Sides are balanced within the cut"
    assert (choice in first, balance in first) == (True, False)
    assert (choice in later, balance in later) == (False, True)
    assert "the higher seed chooses a side" in bracket
    assert "One more match, the bracket reset, then decides the event." in bracket
    assert "so both have lost once. This last match decides the event." in step
    assert "The bracket reset swaps the sides of the final." in reset


def test_winner_and_unneeded_bracket_reset_are_shown(event: Tournament, client):
    for winners in ([1, 2], [1, 3], [2], [1]):
        play_cut_round(event, winners)

    words = text_of(client.get(url("bracket", event)))

    assert f"{name(event, 1)} won the event" in words
    assert "Bracket reset" in words
    assert "not needed" in words


def test_names_in_the_drawing_are_escaped(event: Tournament, client):
    player = seed(event, 1).player
    player.name = "<script>x</script>"
    player.save()
    start_round(event)

    page = client.get(url("bracket", event)).text

    assert "<script>x" not in page
    assert "&lt;script&gt;x" in page


def test_unchanged_bracket_is_a_304(event: Tournament, client):
    round_ = start_round(event)
    first = client.get(url("bracket", event))
    unchanged = client.get(url("bracket", event), headers={"If-None-Match": first["ETag"]})
    enter_result(table(round_, 1), LEVEL)
    changed = client.get(url("bracket", event), headers={"If-None-Match": first["ETag"]})

    assert (unchanged.status_code, changed.status_code) == (304, 200)


def test_standings_and_the_players_page_begin_with_the_places_of_the_cut(
    event: Tournament, client, phone_of
):
    order = [name(event, number) for number in (1, 2, 3, 4)]
    for winners in ([1, 2], [1, 3], [2], [2], [2]):
        play_cut_round(event, winners)
    second = seed(event, 1)
    page = url("player", event, second.number)
    assert "Place with the cut 2 Cut, seed 1" in text_of(client.get(page))
    settings_services.finish_event(event, owner_of(event))
    assert "Final place 2 Cut, seed 1" in text_of(client.get(page))
    assert "My final place 2nd" in text_of(phone_of(second).get(url("my_event", event)))

    answer = client.get(url("standings", fresh(event)))

    lines = answer.context["placings"]
    assert [line.name for line in lines[:4]] == [order[1], order[0], order[2], order[3]]
    assert [line.rank for line in lines] == list(range(1, 9))
    assert [line.why for line in lines[4:]] == [f"Swiss, place {rank}" for rank in range(5, 9)]
    assert "Final places" in text_of(answer)


def test_swiss_standings_are_still_available_during_the_cut(event: Tournament, client):
    play_cut_round(event, [1, 2])

    answer = client.get(url("standings", event), {"round": 1})

    assert "Standings after round 1" in text_of(answer)
    assert "placings" not in answer.context


def test_projector_shows_results_and_bracket_between_rounds_of_a_cut(event: Tournament):
    play_cut_round(event, [1, 2])

    views = projector_state(fresh(event), ()).views
    assert [view.name for view in views] == ["results", "bracket"]


def test_higher_seed_chooses_on_the_phone(event: Tournament, phone_of):
    round_ = start_round(event)
    phone = phone_of(seed(event, 1))

    question = phone.get(url("my_event", event))
    phone.post(url("choose_role", event, round_.number, 1), {"corp": seed(event, 4).number})

    assert "You choose: Corp or Runner first?" in text_of(question)
    assert table(round_, 1).match.seats.get(position=1).player == seed(event, 4).player
    assert "You have chosen" in text_of(phone.get(url("my_event", event)))


def test_lower_seed_cannot_choose(event: Tournament, phone_of):
    round_ = start_round(event)
    phone = phone_of(seed(event, 4))

    assert f"{name(event, 1)} is the higher seed" in text_of(phone.get(url("my_event", event)))
    place = url("choose_role", event, round_.number, 1)
    answer = phone.post(place, {"corp": seed(event, 4).number})

    assert answer.status_code == 403
    assert table(round_, 1).has_open_choice


def test_player_outside_the_cut_sees_the_final_place_and_the_bracket(event: Tournament, phone_of):
    in_cut = [seed(event, number) for number in (1, 2, 3, 4)]
    outside = next(player for player in event.registrations.all() if player not in in_cut)
    start_round(event)
    place = outside.current_standing().rank

    page = phone_of(outside).get(url("my_event", event))

    assert place > 4
    assert f"You finished {place}th" in text_of(page)
    assert f'href="{url("bracket", event)}"' in page.text
