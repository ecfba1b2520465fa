"""A sandbox: an event copied to rehearse with, played by lot, thrown away."""

from tournaments.services.practice.copying import TooManyPractices, copy
from tournaments.services.practice.playing import NotAPractice, NothingToPlay, play, play_round
from tournaments.services.practice.throwing import throw_away
