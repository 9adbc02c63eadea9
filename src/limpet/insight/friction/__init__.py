"""Measure friction: what went wrong between a person and an agent in recorded sessions. No language model is used.

Each recorded session is replayed as events. `examine` turns the events into signals, `report` aggregates the sessions,
and `encode`, `review` and `page` format the result as JSON, markdown and HTML.

A reaction of the person (a correction, a curse, repeated interruptions) is evidence. Signals that are inferred from
tools (a failed command, a loop, a false claim of success) only support it. Alone they never make a session BAD, and
never lead to a rule.
"""
