"""Random whole events, as documents of docs/engine.md, with all answers of the engine.

    event = simulate_event(random_plan(seed))

The same plan gives the same event on every machine, byte for byte. A `SimulatedEvent` has

- `document`: the final event, a document for `engine standings`; for an elimination the document
  for `engine bracket`;
- `answers`: all calls of the engine in order, each an `Answer(command, document, answer)` with
  `command` "pair", "standings" or "bracket". `document` is the input at that moment. Corrected
  results, late entries and drops differ between these documents. The played rounds may differ
  from the paired rounds, because the organiser swaps players and makes tables by hand. A table
  has its played match under "x_result", and the document has its scoring rule under "x_scoring",
  so that points can be computed again;
- `cut`: the document for `engine bracket` at the end of the cut, or None without a cut;
- `notes`: a sentence for each incident, to explain a failure.

A `Plan` sets the kind of event: system, scoring rule, players, rounds, cut, and the frequency of
each incident per thousand. `random_plan(seed, system)` draws all of them, for a given system or
for any.

Names, strengths and games of the made-up players are drawn from the same random.Random.
"""

from engine.simulation.answering import simulate
from engine.simulation.plans import Cut, Plan, random_plan
from engine.simulation.playing import simulate_event
from engine.simulation.running import SimulatedEvent
from engine.simulation.tables import Reporting, play, play_match, player_names, reporting, strength
