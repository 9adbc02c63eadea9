#!/bin/sh
# Runs the tests under every Python that Limpet supports and that is found here, each in its own environment.
#
# LIMPET_PYTHONS names the versions; what follows the script's name is handed to pytest instead of the usual folders.
set -u
cd "$(dirname "$0")/.."
wanted=${LIMPET_PYTHONS:-3.11 3.12 3.13 3.14}
passed=""
failed=""
missing=""

# Prints the path of an interpreter of a version: on the path, or one that pyenv has installed.
find_python() {
  for candidate in "python$1" "${PYENV_ROOT:-$HOME/.pyenv}/versions/$1"[.-]*/bin/python; do
    command -v "$candidate" >/dev/null 2>&1 || continue
    "$candidate" -c "import sys; sys.exit('%d.%d' % sys.version_info[:2] != '$1')" >/dev/null 2>&1 || continue
    "$candidate" -c "import sys; print(sys.executable)"
    return 0
  done
  return 1
}

# Makes or renews the environment of a version, if the lock has changed since.
prepare() {
  folder=.venv/pythons/$2
  lock=$(cksum <requirements/dev.txt)
  [ "$(cat "$folder/installed" 2>/dev/null)" = "$lock" ] && return 0
  rm -rf "$folder"
  pip="$folder/bin/python -m pip --disable-pip-version-check --quiet"
  "$1" -m venv "$folder" && $pip install --require-hashes -r requirements/dev.txt &&
    $pip install --no-deps --no-build-isolation --editable . && echo "$lock" >"$folder/installed"
}

[ $# -gt 0 ] || set -- tests --ignore tests/faults --ignore tests/clients -n 2 --dist worksteal
for version in $wanted; do
  if ! python=$(find_python "$version"); then
    missing="$missing $version"
    continue
  fi
  echo "Python $version: $python" >&2
  if prepare "$python" "$version" && ".venv/pythons/$version/bin/python" -m pytest "$@"; then
    passed="$passed $version"
  else
    failed="$failed $version"
  fi
done
[ -z "$passed" ] || echo "passed under Python$passed"
[ -z "$missing" ] || echo "NOT RUN, because it was not found: Python$missing"
[ -z "$failed" ] || echo "FAILED under Python$failed"
[ -z "$failed" ]
