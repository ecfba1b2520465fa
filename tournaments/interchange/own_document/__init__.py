"""The Datafort document: a whole event as JSON, which the engine also reads.

The top level is an event as in docs/engine.md; "event" holds everything needed to recreate it.
docs/tournament-files.md describes every key.
"""
