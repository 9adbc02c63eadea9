"""Find recurring objections of the user to the same calls, and prove on recorded calls that they can be recognised.

Only what the user did starts an antigen. A conversation counts once, however often the user objected in it. Whether a
pattern recognises the calls that were meant is shown by `replay`, before a person can adopt the antigen.
"""
