"""Projector, overlay, embed, streams and paper."""
