"""A make-believe field: names, strength, games and manners, all from one random.Random."""

from engine.simulation.names import player_names
from engine.simulation.tables import Telling, play, play_match, strength, telling
