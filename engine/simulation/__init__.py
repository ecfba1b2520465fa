"""Whole events at random, as documents of docs/engine.md, with every answer of the engine.

    event = simulate_event(random_plan(seed))

The same plan gives the same event, byte for byte, anywhere. A `SimulatedEvent` has

- `document`: the whole event at its end, a document for `engine standings`; of an elimination
  the document for `engine bracket`;
- `answers`: everything the engine was asked on the way, in order, each an
  `Answer(command, document, answer)` with `command` "pair", "standings" or "bracket": what stood
  in the document at that moment, and what was answered. Results mended later and players who came
  or left later differ between these documents, as they did in the event. What was played is not
  always what was paired: the organiser swaps players and makes tables by hand. A table has
  under "x_result" what was played at it, and the document under "x_scoring" by which rule, so
  that the points can be reckoned again;
- `cut`: the document for `engine bracket` at the end of the cut, or None without one;
- `notes`: one sentence for each thing out of the ordinary, for whoever reads a failure.

A `Plan` says what kind of event it is: system, scoring rule, players, rounds, cut, and how many
in a thousand of each incident happen. `random_plan(seed, system)` draws all of them, of one
system or of any.

A make-believe field of names, strength and games comes from one random.Random as well.
"""

from engine.simulation.answering import simulate
from engine.simulation.plans import Cut, Plan, random_plan
from engine.simulation.playing import simulate_event
from engine.simulation.running import SimulatedEvent
from engine.simulation.tables import Reporting, play, play_match, player_names, reporting, strength
