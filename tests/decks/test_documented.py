"""docs/reference/decks.md agrees with the code."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from decks import services
from decks.management.commands.check_deck import Command
from tests.decks.lists import RESTORING_TEXT

ROOT = Path(settings.BASE_DIR)
NOT_JUDGED = (
    services.SideUnclear,
    services.NothingRead,
    services.NoCards,
    services.GameNotJudged,
    services.UnknownFormat,
    services.RuleOfAnotherGame,
)
PAGE = (ROOT / "docs" / "reference" / "decks.md").read_text(encoding="utf-8")


def codes_in_code() -> set[str]:
    """The first argument of every breach and notice in the code."""
    codes: set[str] = set()
    for path in (ROOT / "decks").rglob("*.py"):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef):
                codes.update(codes_of(function))
    return codes


def codes_of(function: ast.FunctionDef) -> Iterator[str]:
    for call in ast.walk(function):
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") in {"Breach", "DeckNotice"}:
            code = call.args[0]
            yield from words_in(code) if isinstance(code, ast.Constant) else assigned(function)


def assigned(function: ast.FunctionDef) -> Iterator[str]:
    """Possible values of the local `code`."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            names = [name for target in node.targets for name in ast.walk(target)]
            if getattr(names[0], "id", "") == "code":
                yield from (
                    words_in(node.value.body, node.value.orelse)
                    if isinstance(node.value, ast.IfExp)
                    else words_in(node.value)
                )
            elif isinstance(node.value, ast.Tuple) and getattr(names[1], "id", "") == "code":
                yield from words_in(node.value.elts[0])


def words_in(*nodes: ast.expr) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def codes_in_page() -> set[str]:
    """The first cell of every row below "Breaches"."""
    section = PAGE.split("\n## Breaches\n")[1].split("\n## ")[0]
    return set(re.findall(r"^\| `([a-z_]+)` \|", section, re.MULTILINE))


def test_documented_codes_are_those_of_the_code():
    assert codes_in_page() == codes_in_code()
    assert len(codes_in_page()) > 25


def test_every_refusal_of_the_check_is_documented():
    listed = PAGE.split("Not judged at all")[1].split("\n## ")[0]
    codes = {kind.code for kind in NOT_JUDGED}

    assert codes == set(re.findall(r"`([a-z_]+)`", listed))


def test_keys_of_the_document_are_documented_in_their_order(anr_cards):
    section = PAGE.split("\n## The document\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`[^|]+`) \|", section, re.MULTILINE)
    keys = [key for row in rows for key in re.findall(r"`(\w+)`", row)]

    assert keys == list(services.check_deck(RESTORING_TEXT, game="anr").as_document())


def test_command_has_the_documented_options():
    parser = Command().create_parser("manage.py", "check_deck")
    own_options = {option for action in parser._actions for option in action.option_strings}
    section = PAGE.split("\n| Option |")[1].split("\n\n")[0]
    documented = set(re.findall(r"--[a-z][a-z-]+", section))

    common = {"--version", "--verbosity", "--settings", "--pythonpath", "--traceback", "--help"}
    common |= {"--no-color", "--force-color", "--skip-checks"}
    assert documented == {option for option in own_options if option.startswith("--")} - common
