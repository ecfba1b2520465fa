"""The version of Datafort, for the package, the command line and the pages."""

VERSION = "0.1.0"
