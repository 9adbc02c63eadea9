"""Find out which statements a diff makes false: paths, commands, versions, symbols and cited lines."""
