"""An independent checker: naive code of its own that imports nothing from the engine.

It reads the documents of DESIGN section 5 and says what is wrong with an answer.
"""
