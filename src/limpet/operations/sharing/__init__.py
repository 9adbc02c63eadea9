"""Compare the shared folder of a project with the journal, and bring both up to date."""
