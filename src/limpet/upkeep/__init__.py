"""Keep memories in order while no caller waits: jobs that shorten, merge, archive and repair them.

`round` runs the jobs, each in the module of its name. A job reads the state and returns a `plan`; it writes nothing.
"""
