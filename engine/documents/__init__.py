"""The engine's JSON documents."""
