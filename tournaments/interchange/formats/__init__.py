"""Tournament files of other programs: read into records, written from records.

A record says what a file of any dialect says, no more; INTEROP describes the dialects. Plain
Python: no framework, no database.
"""
