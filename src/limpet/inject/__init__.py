"""Choose the memories for a prompt, pass them through the governor, cut them to a budget, render and record them.

`start` and `prompt` serve the two occasions: a session that starts, and a prompt or an error within it. Both `select`
items, fill a `budget`, `render` the text and make a `receipt`.
"""
