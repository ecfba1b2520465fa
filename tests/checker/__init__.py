"""An independent checker: naive code of its own that imports nothing from the engine.

It reads plain documents (dicts and lists) and says what is wrong with an answer.
"""
