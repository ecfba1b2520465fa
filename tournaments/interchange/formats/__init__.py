"""Tournament files of other programs: read into records, written from records.

A record says what a file of any dialect says, no more; INTEROP tells the dialects apart. Plain
Python: no framework, no database.
"""
