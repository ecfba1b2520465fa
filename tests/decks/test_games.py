"""Game definitions; no other code distinguishes games."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from decks.formats.writers import ExportForm
from decks.games import DEFAULT, GAMES, GameDefinition, abr_game
from decks.legality.records import DECK_RULE_KINDS
from engine.systems import first_stage_systems
from matches.scoring.rules import SCORING_RULES, scoring_rules_of
from tournaments.results.result_reader import READERS_BY_KIND

ROOT = Path(__file__).parents[2]
APPS = ("config", "core", "decks", "engine", "matches", "players", "rulings", "tournaments")
OWN = "decks/games.py"
ASKS = {"get", "pop", "setdefault", "startswith", "endswith", "count", "index"}
QUOTED = re.compile(rf"""["'`]({"|".join(GAMES)})["'`]""")
RECORDS = [pytest.param(game, id=game.id) for game in GAMES.values()]


def names_a_game(node: ast.AST | None) -> bool:
    """Match the id of a game, or a group that contains one."""
    if isinstance(node, ast.Constant):
        return node.value in GAMES
    if isinstance(node, ast.Name):
        return node.id.lower() in GAMES
    if isinstance(node, ast.Attribute):
        return node.attr.lower() in GAMES or (node.attr == "id" and names_a_game(node.value))
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return any(map(names_a_game, node.elts))
    return False


def asks_for_the_game(node: ast.AST) -> bool:
    """Match a comparison with a game, or a mapping or list by game."""
    match node:
        case ast.Compare(left, _, others):
            return any(map(names_a_game, (left, *others)))
        case ast.Dict(keys, _):
            return any(map(names_a_game, keys))
        case ast.Subscript(_, key):
            return names_a_game(key)
        case ast.MatchValue(value):
            return names_a_game(value)
        case ast.Call(ast.Attribute(_, name), arguments):
            return name in ASKS and any(map(names_a_game, arguments))
        case ast.Tuple(parts) | ast.List(parts) | ast.Set(parts):
            return sum(map(names_a_game, parts)) > 1
    return False


def lines_of(source: str) -> list[int]:
    """The lines of Python that distinguish games."""
    nodes = (node for node in ast.walk(ast.parse(source)) if asks_for_the_game(node))
    return sorted({getattr(node, "lineno", 0) for node in nodes})


def faults_in_python() -> Iterator[str]:
    for app in APPS:
        for file in sorted((ROOT / app).rglob("*.py")):
            name = file.relative_to(ROOT).as_posix()
            if not name.startswith(OWN) and "/migrations/" not in name:
                yield from (f"{name}:{line}" for line in lines_of(file.read_text("utf-8")))


def faults_on_pages() -> Iterator[str]:
    """Templates and scripts must not contain the id of a game."""
    for folder in ("templates", "static"):
        for file in sorted((ROOT / folder).rglob("*")):
            if file.suffix in (".html", ".txt", ".js", ".css", ".svg"):
                lines = enumerate(file.read_text("utf-8").splitlines(), start=1)
                name = file.relative_to(ROOT).as_posix()
                yield from (f"{name}:{number}" for number, line in lines if QUOTED.search(line))


def test_only_the_records_distinguish_games():
    faults = [*faults_in_python(), *faults_on_pages()]

    assert not faults, "Ask the record of the game (decks.games) instead:\n" + "\n".join(faults)


@pytest.mark.parametrize(
    "source",
    [
        'if game == "anr": pass',
        'is_other = "onr" != tournament.game',
        'known = game in ("anr", "onr")',
        "board = game == games.FREE_RADICALS.id",
        "same = tournament.game_played is ONR",
        'FIELDS = {"onr": 1}',
        'RULES = {("anr", "double"): 1}',
        'TYPES["free_radicals"]',
        'forms = FORMS.get("anr")',
        'GAMES = ("onr", "anr")',
        'match game:\n    case "anr":\n        pass',
    ],
)
def test_special_cases_for_games_are_found(source: str):
    assert lines_of(source) != []


@pytest.mark.parametrize(
    "source",
    ['create(game="anr")', "create(game=games.ANR.id)", "if game == DEFAULT.id: pass"],
)
def test_choosing_a_game_is_no_special_case(source: str):
    assert lines_of(source) == []


@pytest.mark.parametrize("game", RECORDS)
def test_everything_named_by_a_record_exists(game: GameDefinition):
    assert set(game.scoring_rules) <= set(SCORING_RULES)
    assert game.questions in READERS_BY_KIND
    assert game.deck_rules in {"", *DECK_RULE_KINDS}
    assert set(game.deck_forms) <= {form.value for form in ExportForm}
    assert game.has_decks is bool(game.sides) is bool(game.card_tables) is bool(game.deck_forms)
    assert set(game.card_types) <= {"", *game.sides}


@pytest.mark.parametrize("game", RECORDS)
def test_game_is_paired_as_its_scoring_allows(game: GameDefinition):
    systems_ = {
        system_.id
        for rule in scoring_rules_of(game.scoring_rules)
        for system_ in first_stage_systems(rule)
    }

    assert set(game.systems) == systems_
    assert game.systems[0] == first_stage_systems(scoring_rules_of(game.scoring_rules)[0])[0].id


def test_each_scoring_rule_belongs_to_a_single_game():
    rules = [rule for game in GAMES.values() for rule in game.scoring_rules]

    assert sorted(rules) == sorted(SCORING_RULES)
    assert GAMES["free_radicals"].is_scored_by("free_radicals:6-4-2-1-0")
    assert not GAMES["anr"].is_scored_by("onr_runner_only")


def test_default_games_of_the_site_and_of_abr_are_unique():
    assert [game.id for game in GAMES.values() if game.is_default] == [DEFAULT.id] == ["onr"]
    assert [game.id for game in GAMES.values() if game.is_on_abr] == [abr_game().id] == ["anr"]
