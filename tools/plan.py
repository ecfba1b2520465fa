"""Draw the plan of `tournaments` from its code: `python -m tools.plan` writes docs/dev/plan.svg.

Each slice has a row, in the order of the import contract, with the first line of its docstring. A
dot in a column means that the slice of the row imports the slice of the column.
"""

import ast
import tomllib
from html import escape

import grimp

from tests.live_site import ROOT

PICTURE = ROOT / "docs" / "dev" / "plan.svg"
CONTRACT = "Slices of tournaments import one way"
ROW, LEFT, NAME, CELL, TEXT = 26, 16, 110, 22, 560
HEAD = 112
"""Heights and widths in units of the picture; column names are vertical."""


def slices() -> list[str]:
    """Slices from the top down, in the order of the import contract."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contracts = project["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["name"] == CONTRACT)
    # The first layer has entry points such as the URLs, which are no slices.
    return [name for layer in layers[1:] for name in layer.split(" | ")]


def purpose(name: str) -> str:
    """The first line of the docstring of a slice."""
    module = ast.parse((ROOT / "tournaments" / name / "__init__.py").read_text())
    return (ast.get_docstring(module) or "").partition("\n")[0]


def imported(names: list[str]) -> dict[str, set[str]]:
    """The slices that each slice imports."""
    graph = grimp.build_graph("tournaments", cache_dir=None)
    for name in names:
        graph.squash_module(f"tournaments.{name}")
    imports = {
        name: graph.find_modules_directly_imported_by(f"tournaments.{name}") for name in names
    }
    return {
        name: {module.partition(".")[2] for module in modules} & set(names)
        for name, modules in imports.items()
    }


def picture() -> str:
    """The plan as SVG."""
    names = slices()
    arrows = imported(names)
    first_cell = LEFT + NAME + TEXT
    width, height = first_cell + CELL * len(names) + LEFT, HEAD + ROW * len(names) + LEFT
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="system-ui, sans-serif" font-size="13" role="img">',
        "<title>The slices of tournaments: each imports those below it</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for row, name in enumerate(names):
        top = HEAD + ROW * row
        middle = top + ROW / 2 + 4
        if row % 2 == 0:
            lines.append(f'<rect x="0" y="{top}" width="{width}" height="{ROW}" fill="#eef3f6"/>')
        column = first_cell + CELL * row + CELL / 2
        lines += [
            f'<text x="{LEFT}" y="{middle}" font-weight="600" fill="#10202b">{name}</text>',
            f'<text x="{LEFT + NAME}" y="{middle}" fill="#33434d">{escape(purpose(name))}</text>',
            f'<text transform="translate({column + 4} {HEAD - 8}) rotate(-90)" fill="#10202b">'
            f"{name}</text>",
        ]
        lines += [
            f'<circle cx="{first_cell + CELL * names.index(imported_name) + CELL / 2}" '
            f'cy="{top + ROW / 2}" r="5" fill="#0b6b8a"/>'
            for imported_name in names
            if imported_name in arrows[name]
        ]
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(picture())
