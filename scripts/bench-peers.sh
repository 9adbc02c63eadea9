#!/bin/sh
# Put other memories into a folder, from the npm registry. Usage: scripts/bench-peers.sh FOLDER
set -eu
mkdir -p "$1/claude-mem"
npm install --prefix "$1" --no-audit --no-fund --silent bun @modelcontextprotocol/server-memory
# The hooks of claude-mem are bundled in its package; installing it whole brings hundreds of packages that they do not use.
archive=$(cd "$1" && npm pack --silent claude-mem)
tar xzf "$1/$archive" -C "$1/claude-mem" --strip-components=1
rm "$1/$archive"
(cd "$1/claude-mem/plugin" && npm install --no-audit --no-fund --no-save --no-package-lock --silent --ignore-scripts --omit=dev zod)
