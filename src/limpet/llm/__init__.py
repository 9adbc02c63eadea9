"""Use language models: requests, replies, and the tasks that a model can be asked to do.

The default implementation of these tasks needs neither a model nor network access.
"""
