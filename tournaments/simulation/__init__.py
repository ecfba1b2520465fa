"""A make-believe field: names, strength, games and manners, all from one random.Random."""

from tournaments.simulation.names import player_names
from tournaments.simulation.tables import Telling, play, play_match, strength, telling
