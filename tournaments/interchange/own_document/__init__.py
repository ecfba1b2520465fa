"""Our own document: a whole event as JSON, which the engine reads as well.

On top it is an event as docs/engine.md describes it; under "event" stands all that makes the same
event again. docs/tournament-files.md names every key.
"""
