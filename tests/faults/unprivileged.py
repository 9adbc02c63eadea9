"""Run one Limpet command as a user who owns nothing; run as a script, by root.

The interpreter may lie where that user cannot read, so the command is rehearsed first in a separate home: that loads
every module it needs.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile

from limpet.cli.program import run


def main(uid: str, *arguments: str) -> int:
    with (
        tempfile.TemporaryDirectory() as rehearsal,
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        run(["remember", "--home", rehearsal, "only a rehearsal"])
        run([*arguments, "--home", rehearsal])
    os.setgroups([])
    os.setgid(int(uid))
    os.setuid(int(uid))
    return run(arguments)


if __name__ == "__main__":
    code = main(*sys.argv[1:])
    sys.stdout.flush()
    os._exit(code)
