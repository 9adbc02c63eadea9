"""Inject memories: choose the memories that are shown to a model although it has not asked for any, and format them.

There is a module for each occasion: `start` for a session start, `prompt` for a prompt or an error, and `call` for a
tool call. Each selects memories that may be shown (`select`), takes as many as fit into a `budget`, formats them
(`render`), and creates a `receipt`, the record of what was shown.
"""
