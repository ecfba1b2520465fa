"""Find the tests that show a check or a goal, from their source."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
KINDS = ("check", "goal")


@dataclass(frozen=True)
class Shown:
    """A test, with the numbers of the checks and the names of the goals it shows."""

    path: str
    name: str
    shows: frozenset[int | str]


def marked_tests(folder: Path = TESTS) -> list[Shown]:
    """Every test with a mark, in the order of files and lines."""
    return [test for path in sorted(folder.rglob("test_*.py")) for test in _of_file(path)]


def _of_file(path: Path) -> Iterator[Shown]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    of_module = [
        mark
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark"
        for mark in (node.value.elts if isinstance(node.value, ast.List) else [node.value])
    ]
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            marks = [*of_module, *node.decorator_list]
            if shows := frozenset(value for mark in marks for value in _values(mark)):
                yield Shown(path.relative_to(TESTS).as_posix(), node.name, shows)


def _values(mark: ast.expr) -> list[int | str]:
    if isinstance(mark, ast.Call) and _kind(mark) in KINDS:
        return [ast.literal_eval(argument) for argument in mark.args]
    return []


def _kind(mark: ast.expr) -> str:
    target = mark.func if isinstance(mark, ast.Call) else mark
    prefix, _, kind = ast.unparse(target).rpartition(".")
    return kind if prefix == "pytest.mark" else ""
