#!/bin/sh
# Installs the Debian packages that some tests use, where that is possible; without them those tests say so.
command -v strace >/dev/null 2>&1 && command -v git >/dev/null 2>&1 && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  apt-get update -qq >/dev/null 2>&1
  apt-get install -y -qq --no-install-recommends strace git >/dev/null 2>&1 && exit 0
fi
echo "strace or git is missing and could not be installed: the tests that need it will be skipped" >&2
exit 0
