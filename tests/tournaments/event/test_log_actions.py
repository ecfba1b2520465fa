"""Log actions: one enumeration, used by all code that records."""

import ast
from collections.abc import Iterator
from pathlib import Path

import tournaments
from tournaments.models import LogAction, LogTopic, event_log
from tournaments.models.event_log import MAX_ACTION_LETTERS, action_label, imported_action
from tournaments.undo import services as undo_services

ROOT = Path(tournaments.__file__).parent
ENUM = Path(event_log.__file__)
# Functions that record an action or pass it on; functions whose name begins with `log` do so too.
RECORDERS = {
    "record",
    "record_all",
    "record_correction",
    "_apply_and_log",
    "_record_at_events",
    "_close",
    "StateChange",
}


def sources() -> Iterator[ast.Module]:
    for path in ROOT.rglob("*.py"):
        if path != ENUM and "migrations" not in path.parts:
            yield ast.parse(path.read_text())


def recorded_actions(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield arguments of recorders and values assigned to `action`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _records(_name(node.func)):
            yield from node.args
            yield from (keyword.value for keyword in node.keywords)
        elif isinstance(node, ast.Assign) and _name(node.targets[0]) == "action":
            yield node.value


def _records(name: str) -> bool:
    return name in RECORDERS or name.lstrip("_").startswith("log")


def _name(node: ast.expr) -> str:
    return str(getattr(node, "attr", getattr(node, "id", "")))


def members_in(node: ast.expr) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and _name(part.value) == LogAction.__name__:
            yield part.attr


def test_every_action_is_recorded_by_the_code():
    written = {
        name for tree in sources() for node in recorded_actions(tree) for name in members_in(node)
    }

    assert written == set(LogAction.__members__)


def test_no_action_is_written_as_a_string_outside_the_enumeration():
    strings = {
        part.value
        for tree in sources()
        for node in recorded_actions(tree)
        for part in ast.walk(node)
        if isinstance(part, ast.Constant)
    }
    # A single word is also a word of the language.
    spoken = {action.value for action in LogAction if " " in action}
    everywhere = {
        part.value
        for tree in sources()
        for part in ast.walk(tree)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    }

    assert not strings & set(LogAction)
    assert not everywhere & spoken


def test_every_action_fits_its_column_and_has_a_label():
    for action in LogAction:
        assert len(action) <= MAX_ACTION_LETTERS
        assert action_label(action.value) == action.words
        assert action.words[0].isupper()


def test_imported_action_keeps_its_label():
    assert action_label(imported_action("round published")) == "Imported: round published"


def test_undo_rules_are_for_known_actions():
    assert set(undo_services.UNDO_RULES) <= set(LogAction)


def test_every_action_is_found_under_a_topic():
    assert {action.topic for action in LogAction} == set(LogTopic)
    assert LogAction.ROLE_CHOSEN.topic is LogTopic.ROUNDS, (
        "the side of a player in a cut is not a staff role"
    )
