"""Modules that let a hook start fast.

A host starts a hook program at every prompt and every tool call, and waits for it. Such a program runs for a few dozen
milliseconds, most of which are spent on loading modules. So the hook path, the code that a hook loads, avoids the
slowest standard modules and uses the modules here instead. Measured with Python 3.11 on Linux, `python -I -S -c` takes
10 ms if it imports nothing. With a single import, it takes:

    import dataclasses    31 ms    `record`: frozen records from a few shared functions
    import typing         24 ms    `record`: `Generic` and `Protocol`; other types are imported under `TYPE_CHECKING`
    import json           21 ms    `quickjson`: the interpreter's own C scanner
    import re             18 ms    `pattern`: patterns that are compiled, and `re` that is loaded, on first use
    import enum           17 ms    `enumeration`: simple enums, without the module
    import hashlib        13 ms    `digest`: the built-in SHA-256, without OpenSSL

`dataclasses` also compiles several functions for each class, which for the classes of this package takes as long again.

`bundle` loads the modules of the hook path from one file; `hook_path.modules` lists them.
`wiring/hook_code.py` compiles them for this file, without the parts that only type checkers read.

`limits` contains the time limits of hooks, which the hook program needs before it loads the settings.

Therefore everything that a hook may load follows three rules:

- `TYPE_CHECKING = False` followed by `if TYPE_CHECKING:` for imports that only annotations need. A type checker treats
  that name as true; at run time the block costs nothing. Every module has `from __future__ import annotations`.
- An import that only one branch needs is in that branch, with a comment that says why.
- A package imports its modules on first use, if at all, so that loading one of them does not load the others.

`tests/test_architecture.py` and `tests/cli/test_run_hook.py` check which modules the hook path loads. The decision
records are 7 (records instead of dataclasses), 34 (one file for the hook path) and 43 (how it is compiled).
"""
