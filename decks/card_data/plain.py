"""Read a plain CSV table of cards and one of alternative titles."""

from collections.abc import Iterator
from pathlib import Path

from core.text import comparison_key
from decks.card_data.fields import Fields, damage, slug_of
from decks.card_data.files import rows
from decks.card_data.records import AliasRecord, CardData, CardRecord
from decks.games import Game

CARD_COLUMNS = ["title", "side", "type", "set", "rarity", "difficulty", "agenda_points"]
CARD_COLUMNS += ["cost", "strength", "memory", "trash_cost", "subtypes"]
ALIAS_COLUMNS = ["alias", "title"]
SOURCE = "tables of the founders"


def read(game: Game, cards_file: Path, aliases_file: Path | None = None) -> CardData:
    """Read the cards and aliases of a game. Raises DamagedSource."""
    aliases = tuple(_aliases(aliases_file)) if aliases_file else ()
    cards = tuple(_cards(game, cards_file))
    return CardData(game=game.id, source=SOURCE, cards=cards, aliases=aliases)


def _cards(game: Game, path: Path) -> list[CardRecord]:
    """Read all cards of the file; an empty file is an error."""
    cards = [_card(game, fields) for fields in rows(path, CARD_COLUMNS)]
    if not cards:
        raise damage(f"{path.name}, line 1", "the file holds no cards")
    return cards


def _aliases(path: Path) -> Iterator[AliasRecord]:
    known: dict[str, str] = {}
    for fields in rows(path, ALIAS_COLUMNS):
        alias, title = fields.text("alias", 120), fields.text("title", 120)
        key = comparison_key(alias)
        if key not in known:
            known[key] = title
            yield AliasRecord(alias, comparison_key(title), where=fields.where)
        elif comparison_key(known[key]) != comparison_key(title):
            raise fields.damage(f"{alias} already means {known[key]}")


def _card(game: Game, fields: Fields) -> CardRecord:
    title = fields.text("title", 120)
    side, type_ = fields.raw("side"), fields.raw("type")
    if type_ not in game.types_of(side):
        raise fields.damage(f'no card has the side "{side}" and the type "{type_}"')
    for column in ("difficulty", "agenda_points"):
        if bool(fields.raw(column)) != (type_ == "agenda"):
            raise fields.damage(f"{column} belongs to agendas, and to every agenda")
    return CardRecord(
        title=title,
        slug=slug_of(fields, title),
        side=side,
        type=type_,
        set_name=fields.text("set", 40),
        rarity=fields.text("rarity", 20, required=False),
        subtypes=fields.text("subtypes", 120, required=False),
        difficulty=str(fields.number("difficulty", 100) or ""),
        agenda_points=fields.number("agenda_points", 100),
        cost=fields.figure("cost"),
        strength=fields.figure("strength"),
        memory=fields.figure("memory"),
        trash_cost=fields.figure("trash_cost"),
        where=fields.where,
    )
