"""Change the settings of hosts, undo the changes, and check them, for `setup`, `uninstall` and `doctor`."""
