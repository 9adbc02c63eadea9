"""Manage apps: applications that keep a few memories of their conversations with people.

An app is registered, and its conversations are recorded message by message. After a conversation has ended, one memory
is made from it. An app keeps ten memories unless the settings say otherwise. The store records which conversations have
not been processed yet, so if a process dies, the next one continues its work.
"""
