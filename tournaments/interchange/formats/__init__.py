"""Tournament files of other programs, read into records and written from them.

Records contain only what the files contain; INTEROP describes the dialects. Plain Python, without
Django or a database.
"""
