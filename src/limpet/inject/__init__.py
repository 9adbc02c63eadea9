"""Choose what enters a prompt, pass it through the governor, cut it to a budget, render it and record it.

`start` and `prompt` answer the two occasions, a session that starts and a prompt or an error within it. Both `select`
items, fill a `budget`, `render` the text and make a `receipt`.
"""
