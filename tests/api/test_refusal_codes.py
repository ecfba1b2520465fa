"""The code of a refusal is a promise to programs, whatever its class is called."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

from core.errors import Refusal

APPS = ("core", "players", "decks", "matches", "rulings", "tournaments")
KNOWN = Path(__file__).with_name("refusal_codes.txt")


def kinds_of(refusal: type[Refusal]) -> Iterator[type[Refusal]]:
    for kind in refusal.__subclasses__():
        yield kind
        yield from kinds_of(kind)


def test_every_refusal_has_the_code_that_programs_know():
    for app in APPS:
        for module in walk_packages(import_module(app).__path__, f"{app}."):
            if ".migrations." not in module.name:
                import_module(module.name)
    ours = (kind for kind in kinds_of(Refusal) if kind.__module__.partition(".")[0] in APPS)
    assert sorted({kind.code for kind in ours}) == KNOWN.read_text().split()
