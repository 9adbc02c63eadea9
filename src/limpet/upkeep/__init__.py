"""Keep memories in order while nobody waits: jobs that let them fade, merge, move to the archive and be repaired.

`round` runs the jobs, each in a module of its name. A job reads the state and answers with a `plan`; it writes nothing.
"""
