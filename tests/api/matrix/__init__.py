"""Who is answered what at every address of the API: one file of rows for each topic."""
