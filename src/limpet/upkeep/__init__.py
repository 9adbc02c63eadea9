"""Maintain the memories in the background: jobs that shorten, merge, archive and repair them.

Each job has a module, and `round` runs all jobs. A job writes nothing: it reads the store and yields plans (`plan`),
which `round` writes.
"""
