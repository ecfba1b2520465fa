"""The version of Datafort; the package, the command line and the pages read it here."""

VERSION = "0.1.0"
