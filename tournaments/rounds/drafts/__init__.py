"""Make the draft of a round from the closed rounds."""
