#!/bin/sh
# Installs the real clients into .clients, each on its own, and runs Limpet inside those that could be installed.
#
# LIMPET_CLIENTS names those that are wanted; what follows the script's name is handed to pytest.
set -u
cd "$(dirname "$0")/.."
wanted=${LIMPET_CLIENTS:-claude-code codex gemini-cli inspector}
there=""
missing=""

# The versions are the ones the tests were written against: a client's hooks change from one to the next.
package_of() {
  case $1 in
    claude-code) echo "@anthropic-ai/claude-code@2.1.325" ;;
    codex) echo "@openai/codex@0.166.0" ;;
    gemini-cli) echo "@google/gemini-cli@0.61.0" ;;
    inspector) echo "@modelcontextprotocol/inspector@0.15.0" ;;
  esac
}

# A registry that does not answer must not hold up everything else.
within() {
  if command -v timeout >/dev/null 2>&1; then timeout "$@"; else shift && "$@"; fi
}

install_client() {
  folder=.clients/$1
  [ "$(cat "$folder/installed" 2>/dev/null)" = "$2" ] && return 0
  command -v npm >/dev/null 2>&1 || return 1
  rm -rf "$folder" && mkdir -p "$folder" || return 1
  echo "installing $2 into $folder" >&2
  # With --prefix, npm would not read the configuration of the machine, which may name the certificates it needs.
  echo '{"private": true}' >"$folder/package.json"
  (cd "$folder" && within 200 npm install --no-audit --no-fund --no-update-notifier --loglevel=error \
    --fetch-retries=1 "$2") >"$folder/install.log" 2>&1 || return 1
  echo "$2" >"$folder/installed"
}

for client in $wanted; do
  package=$(package_of "$client")
  if [ -z "$package" ]; then
    echo "no such client: $client; there are claude-code, codex, gemini-cli and inspector" >&2
    exit 2
  elif install_client "$client" "$package"; then
    there="$there $client"
  else
    missing="$missing $client"
  fi
done

for client in $missing; do
  echo "NOT RUN: the tests with $client, which could not be installed" >&2
  if command -v npm >/dev/null 2>&1; then
    tail -n 3 ".clients/$client/install.log" >&2
  else
    echo "  npm is not here" >&2
  fi
done
[ -n "$there" ] || exit 0

# In a network of its own a client can reach the scripted model and nothing else, whatever it tries.
alone=""
for way in "unshare --net" "unshare --map-root-user --net"; do
  $way sh -c 'ip link set lo up' >/dev/null 2>&1 && alone=$way && break
done
export LIMPET_TEST_CLIENTS="$there"
# Whoever is root in a namespace may not use the test folders of the real one. The path of a socket must be short.
PYTEST_DEBUG_TEMPROOT=$(mktemp -d "${TMPDIR:-/tmp}/c.XXXXXX") || exit 1
export PYTEST_DEBUG_TEMPROOT
trap 'rm -rf "$PYTEST_DEBUG_TEMPROOT"' EXIT
set -- "${PYTHON:-.venv/bin/python}" -m pytest tests/clients -rfEsx "$@"
if [ -n "$alone" ]; then
  $alone sh -c 'ip link set lo up && exec "$@"' sh "$@"
else
  echo "no network namespaces here: the clients are told to stay offline, but nothing holds them to it" >&2
  "$@"
fi
