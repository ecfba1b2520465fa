"""Write operations on results and cuts, each in one transaction."""
