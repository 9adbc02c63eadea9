"""Modules that let a hook start fast.

A host starts a hook program at every prompt and every tool call, and waits for it. Such a program lives for a few dozen
milliseconds, and most of that is spent on loading modules. So the hook path, the code that a hook
loads, avoids the slowest standard modules, and the modules here replace them. Measured in Python 3.11 on Linux,
`python -I -S -c` takes 10 ms when it imports nothing, and with one import:

    import dataclasses    31 ms    `record`: frozen records from a few shared functions
    import typing         24 ms    `record`: `Generic` and `Protocol`; other types are imported under `TYPE_CHECKING`
    import json           21 ms    `quickjson`: the interpreter's own C scanner
    import re             18 ms    `pattern`: patterns that are compiled, and `re` that is loaded, on first use
    import enum           17 ms    `enumeration`: simple enums, without the module
    import hashlib        13 ms    `digest`: the built-in SHA-256, without OpenSSL

`dataclasses` also compiles several functions for each class, which takes as long again for the classes of this package.

`bundle` loads the modules of the hook path from one file; `hook_path.modules` lists them. They are compiled for it by
`operations/wiring/hook_code.py`, without the parts that only type checkers read.

`limits` has the time limits of hooks, which the hook program needs before it loads the settings.

Three habits follow for everything that a hook may load:

- `TYPE_CHECKING = False` followed by `if TYPE_CHECKING:` for imports that only annotations need. A type checker treats
  that name as true; at run time the block costs nothing. Every module has `from __future__ import annotations`.
- An import that only one branch needs is in that branch, with a comment that says why.
- A package imports its modules on first use, if at all, so that loading one of them does not load the others.

`tests/test_architecture.py` and `tests/cli/test_run_hook.py` check which modules the hook path loads. The decision
records are 7 (records instead of dataclasses), 34 (one file for the hook path) and 43 (how it is compiled).
"""
