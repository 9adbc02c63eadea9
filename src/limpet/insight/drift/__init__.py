"""Find statements in instruction files and memories that a diff makes false.

A statement is checked by what it names: paths, commands, versions and symbols, and the lines that a memory cites.
"""
