"""Exports of events. They are read-only and omit everything hidden from the reader."""
