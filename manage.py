#!/usr/bin/env python
"""Datafort's command line."""

from config.command_line import main

if __name__ == "__main__":
    main()
