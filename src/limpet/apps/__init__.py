"""Conversations of applications, and the few memories that each app keeps of them.

An app is registered, its conversations are recorded message by message, and when one has ended a memory is made of it.
An app keeps ten memories at most. The work is derived from the state, a conversation that has ended and is not settled
yet, so a process that dies leaves it to the next one.
"""
