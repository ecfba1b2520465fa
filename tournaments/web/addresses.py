"""Beginnings of addresses that several slices share."""

EVENT = "events/<slug:slug>/"
DESK = f"{EVENT}desk/"
MINE = f"{EVENT}me/"
ROUND = f"{EVENT}rounds/<int:number>/"
TABLE = f"{ROUND}tables/<int:table>/"
