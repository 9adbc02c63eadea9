"""Conversations of applications, and the few memories that each app keeps of them.

An app is registered, its conversations are recorded message by message, and when one has ended a memory is made of it.
An app keeps ten memories at most. The store shows which conversations have ended and are not settled yet, so if a
process dies, the next one does its work.
"""
