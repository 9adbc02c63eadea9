"""Bring memories in and out: the account of an import, its one admission loop, what it reads, and the exports."""
