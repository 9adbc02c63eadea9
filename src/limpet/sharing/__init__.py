"""Sync the shared folder of a project, in which its memories are files, with the journal."""
