"""Changing the settings of hosts, undoing that, and checking it: what `setup`, `uninstall` and `doctor` share."""
