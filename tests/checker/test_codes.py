"""Every check is tested, and the checker is independent of the product."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.checker.damages import (
    DAMAGED_CUTS,
    DAMAGED_EVENTS,
    DAMAGED_ROUNDS,
    DAMAGED_RUNS,
    DAMAGED_STANDINGS,
)
from tests.checker.swiss_costs import LEVELS


def test_every_fault_code_has_a_damage() -> None:
    caught = {damage[0] for damage in DAMAGED_ROUNDS}
    caught |= {damage[0] for damage in DAMAGED_STANDINGS}
    caught |= {damage[0] for damage in DAMAGED_CUTS} | {damage[0] for damage in DAMAGED_RUNS}
    caught |= {damage[0] for damage in DAMAGED_EVENTS}

    assert known_codes() <= caught


def known_codes() -> set[str]:
    """Return all codes in the checker's modules, and one for each rule."""
    codes_ = {f"avoidable_{level}" for names in LEVELS.values() for level in names[:-1]}
    for path in Path(__file__).parent.glob("*.py"):
        if path.name.startswith("test_"):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Fault":
                codes_ |= set(words_in(node.args[0]))
    return codes_ | {"roles_not_swapped", "roles_not_balanced", "dearer", "dead_end"}


def words_in(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


def test_checker_imports_nothing_from_the_product() -> None:
    allowed = {
        "ast",
        "collections",
        "copy",
        "dataclasses",
        "fractions",
        "functools",
        "itertools",
        "math",
        "pathlib",
    }
    allowed |= {"typing", "random", "networkx", "pytest", "tests"}
    for path in Path(__file__).parent.glob("*.py"):
        for name in imports_of(path):
            assert name.partition(".")[0] in allowed, f"{path.name} imports {name}"
            assert not name.startswith("tests.") or name.startswith("tests.checker")


def imports_of(path: Path) -> list[str]:
    names = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names.append(node.module or "a relative import")
    return names
