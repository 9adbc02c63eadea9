"""Measure what went wrong between a person and an agent, from recorded sessions, without asking a model.

Each recorded session is replayed as events. `examine` turns the events into signals, `report` adds up the sessions, and
`encode`, `review` and `page` write the result as JSON, markdown and HTML.

What the person did (a correction, a curse, repeated interruptions) is evidence. What is inferred from the tools (a
failed command, a loop, a claim of success) only corroborates: alone it never makes a session BAD, and it never proposes
a rule.
"""
