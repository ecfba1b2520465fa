"""Mainframe: one game per match, decks of ten cards, and card types of its own."""

from pathlib import Path

from core.text import Message
from decks.games import CardTables, GameDefinition, GameTerms
from matches.scoring.results import Flag, GameEnd
from matches.scoring.rules import WinDrawLossRule

ONE_GAME = WinDrawLossRule(
    id="mainframe_one_game",
    games_per_match=1,
    bye_points=3,
    takes_totals=True,
    ends=(GameEnd.NOT_RECORDED, GameEnd.CONCESSION, GameEnd.TIME, GameEnd.NO_SHOW, GameEnd.JUDGE),
    flags=(Flag.TIMED,),
    name=Message("3 for a shutdown, 1 for a draw"),
    explanation=Message(
        "Each match is one game. A shutdown is 3 points, a draw 1 point for each player."
    ),
)

MAINFRAME = GameDefinition(
    id="mainframe",
    name="Mainframe",
    scoring_rules=(ONE_GAME.id,),
    systems=("single", "round_robin", "manual"),
    questions="wins",
    round_minutes=40,
    sides=("corp", "runner"),
    deck_rules="sizes",
    deck_forms=("plain_text",),
    card_tables=CardTables("plain", (Path(__file__).with_name("cards.csv"),)),
    card_types={"corp": ("agenda", "firewall", "trap"), "runner": ("gear", "exploit")},
    words=GameTerms(difficulty="Cycles"),
)
