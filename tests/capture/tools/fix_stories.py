"""Sessions in which something failed and later passed: true fixes with what a fix must name, and traps.

The stories were written before the rules. `events` are in the short form of `tests.capture.marked`; `names` are texts
that the memory of a true fix must hold, and is empty for a trap, which must leave no fix at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Story:
    """One story: its events, and what its fix must name."""

    name: str
    events: list[dict[str, Any]]
    names: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()


def fail(run: str, out: str) -> dict[str, Any]:
    return {"run": run, "out": f"Exit code 1\n{out}", "failed": True}


def ok(run: str, out: str = "done") -> dict[str, Any]:
    return {"run": run, "out": out}


def edit(path: str, old: str, new: str) -> dict[str, Any]:
    return {"edit": path, "old": old, "new": new}


CART_ERROR = (
    "Traceback (most recent call last):\n"
    '  File "/home/dev/shop/src/cart.py", line 12, in total\n'
    "    d = x['discount']\nKeyError: 'discount'\n1 failed"
)
CART_EDIT = edit("/home/dev/shop/src/cart.py", "d = x['discount']", "d = x.get('discount', 0)")

GO_ERROR = "--- FAIL: TestDue (0.00s)\n    due_test.go:12: got 3, want 2\nFAIL\nFAIL\texample.com/due\t0.002s"
JEST_ERROR = (
    "PASS src/menu.test.js\nFAIL src/cart.test.js\n  ● cart › adds the total\n\n"
    "    expect(received).toBe(expected) // Object.is equality\n\n    Expected: 3\n    Received: 2\n\n"
    "      at Object.<anonymous> (src/cart.test.js:5:17)\n\nTests:       1 failed, 4 passed, 5 total"
)
RUFF_ERROR = "src/app.py:3:1: F401 'os' imported but unused\nFound 1 error."

TRUE_FIXES = [
    Story(
        "the line of the traceback is mended",
        [fail("pytest tests/test_cart.py", CART_ERROR), CART_EDIT, ok("pytest tests/test_cart.py", "5 passed")],
        ("KeyError: 'discount'", "d = x.get('discount', 0)", "cart.py", "`pytest tests/test_cart.py`"),
    ),
    Story(
        "a missing package is installed",
        [
            fail("pytest tests/test_login.py", "E   ModuleNotFoundError: No module named 'freezegun'\n1 failed"),
            ok("pip install 'freezegun>=1.4'", "Successfully installed freezegun-1.5"),
            ok("pytest tests/test_login.py", "3 passed"),
        ],
        ("No module named 'freezegun'", "pip install 'freezegun>=1.4'"),
    ),
    Story(
        "the command needs its folder and a variable",
        [
            fail("pytest", "E   ModuleNotFoundError: No module named 'shop'"),
            ok("cd backend && PYTHONPATH=src pytest", "5 passed"),
        ],
        ("cd backend && PYTHONPATH=src pytest", "No module named 'shop'"),
    ),
    Story(
        "the environment is told where the key lies",
        [
            fail("node build.mjs", "Error: ENOENT: no such file or directory, open 'certs/dev.pem'"),
            ok("make certs/dev.pem", "written"),
            ok("node build.mjs", "built"),
        ],
        ("certs/dev.pem", "make certs/dev.pem"),
    ),
    Story(
        "a service is started",
        [
            fail("npm run migrate", "Error: connect ECONNREFUSED 127.0.0.1:5432"),
            ok("docker compose up -d db", "Started"),
            ok("npm run migrate", "migrated"),
        ],
        ("ECONNREFUSED", "docker compose up -d db"),
    ),
    Story(
        "a type is declared in another file",
        [
            fail("npx tsc --noEmit", "src/a.ts(4,7): error TS2304: Cannot find name 'BuildInfo'."),
            edit("/p/src/globals.d.ts", "", "declare const BuildInfo: { sha: string }"),
            ok("npx tsc --noEmit", ""),
        ],
        ("TS2304", "BuildInfo", "globals.d.ts", "declare const BuildInfo: { sha: string }"),
    ),
    Story(
        "several lines of one edit are all told",
        [
            fail("go test ./...", "--- FAIL: TestParse\n    parse.go:40: cannot use id (type int) as type string"),
            edit("/p/parse.go", "return id", "name := strconv.Itoa(id)\nreturn name"),
            ok("go test ./...", "ok"),
        ],
        ("name := strconv.Itoa(id)", "return name", "parse.go"),
    ),
    Story(
        "a setting that the error names",
        [
            fail("python manage.py check", "django.core.exceptions.ImproperlyConfigured: SECRET_SALT must be set"),
            edit("/p/settings.py", "DEBUG = True", "DEBUG = True\nSECRET_SALT = env('SECRET_SALT')"),
            ok("python manage.py check", "System check identified no issues"),
        ],
        ("SECRET_SALT must be set", "SECRET_SALT = env('SECRET_SALT')"),
    ),
    Story(
        "a borrow is mended where the compiler points",
        [
            fail("cargo build", "error[E0382]: borrow of moved value: `cfg`\n --> src/main.rs:14:20"),
            edit("/p/src/main.rs", "run(cfg)", "run(cfg.clone())"),
            ok("cargo build", "Finished"),
        ],
        ("E0382", "run(cfg.clone())", "main.rs"),
    ),
    Story(
        "the narrow run covers the test that failed",
        [
            fail("pytest", CART_ERROR.replace("1 failed", "FAILED tests/test_cart.py::test_total - KeyError")),
            CART_EDIT,
            ok("pytest tests/test_cart.py -q", "5 passed"),
        ],
        ("KeyError: 'discount'", "x.get('discount', 0)"),
    ),
    Story(
        "the second attempt helps, the first did not",
        [
            fail("pytest tests/test_cart.py", CART_ERROR),
            edit("/home/dev/shop/src/cart.py", "import os", "import os, json  # discount"),
            fail("pytest tests/test_cart.py", CART_ERROR),
            CART_EDIT,
            ok("pytest tests/test_cart.py", "5 passed"),
        ],
        ("x.get('discount', 0)",),
        ("import os, json",),
    ),
    Story(
        "an unrelated edit beside the true one is left out",
        [
            fail("pytest tests/test_cart.py", CART_ERROR),
            edit("/home/dev/shop/docs/intro.md", "Hello", "Hello, world"),
            CART_EDIT,
            ok("pytest tests/test_cart.py", "5 passed"),
        ],
        ("x.get('discount', 0)",),
        ("Hello, world",),
    ),
    Story(
        "a flag makes the difference",
        [
            fail("npm install", "npm ERR! code ERESOLVE\nnpm ERR! ERESOLVE could not resolve react@18"),
            ok("npm install --legacy-peer-deps", "added 312 packages"),
        ],
        ("ERESOLVE", "npm install --legacy-peer-deps", "`npm install`"),
    ),
    Story(
        "a permission is given",
        [
            fail("./deploy.sh", "bash: ./deploy.sh: Permission denied"),
            ok("chmod +x deploy.sh", ""),
            ok("./deploy.sh", "deployed"),
        ],
        ("Permission denied", "chmod +x deploy.sh"),
    ),
    Story(
        "the file is mended that the failed Go test is about",
        [fail("go test ./...", GO_ERROR), edit("/p/due.go", "return 3", "return 2"), ok("go test ./...", "ok")],
        ("due_test.go:12: got 3, want 2", "`return 3` became `return 2`"),
    ),
    Story(
        "the file is mended that the failed Jest test is about",
        [fail("npx jest", JEST_ERROR), edit("/p/src/cart.js", "return a", "return a + b"), ok("npx jest", "5 passed")],
        ("cart › adds the total", "`return a` became `return a + b`"),
    ),
    Story(
        "only the name of the failed Jest file is known",
        [
            fail("npm test", "FAIL src/cart.test.js"),
            edit("/p/src/cart.js", "return a", "return a + b"),
            ok("npm test", "5 passed"),
        ],
        ("FAIL src/cart.test.js", "`return a` became `return a + b`"),
    ),
    Story(
        "a linter names the file and the rule",
        [
            fail("ruff check", RUFF_ERROR),
            edit("/p/src/app.py", "import os, sys", "import sys"),
            ok("ruff check", "All checks passed!"),
        ],
        ("F401 'os' imported but unused", "`import os, sys` became `import sys`"),
    ),
    Story(
        "a linter prints the place below the rule",
        [
            fail("ruff check", "F401 [*] `os` imported but unused\n --> src/app.py:3:8\n  |\nFound 1 error."),
            edit("/p/src/app.py", "import os, sys", "import sys"),
            ok("ruff check", "All checks passed!"),
        ],
        ("F401 [*] `os` imported but unused", "`import os, sys` became `import sys`"),
    ),
]

TRAPS = [
    Story(
        "a bare assertion elsewhere and an edit of calc.py",
        [
            fail("pytest", "E   AssertionError\n1 failed"),
            edit("/p/calc.py", "a + b", "a - b"),
            ok("pytest", "5 passed"),
        ],
    ),
    Story(
        "two numbers that were compared",
        [
            fail(
                "pytest tests/test_calc.py", "E   AssertionError: assert 5 == 6\ntests/test_calc.py:3: AssertionError"
            ),
            edit("/p/tests/test_calc.py", "== 6", "== 5"),
            ok("pytest tests/test_calc.py", "5 passed"),
        ],
    ),
    Story(
        "the same command again",
        [fail("pytest tests/test_cart.py", CART_ERROR), ok("pytest tests/test_cart.py", "5 passed")],
    ),
    Story(
        "a flake that passes after a pause",
        [
            fail("npm test", "Error: socket hang up at TLSSocket.fetchUser"),
            ok("sleep 20", ""),
            ok("npm test", "12 passing"),
        ],
    ),
    Story(
        "a flake that passes after an edit that did not help",
        [
            fail("pytest tests/test_cart.py", CART_ERROR),
            CART_EDIT,
            fail("pytest tests/test_cart.py", CART_ERROR),
            ok("pytest tests/test_cart.py", "5 passed"),
        ],
    ),
    Story(
        "the build of a server fails, and the next edit is about something else",
        [
            fail("make ci", "Error: job lint-docs: cannot download archive mirror-7"),
            edit("/p/src/menu.tsx", "<Menu/>", "<Menu dense/>"),
            ok("make ci", "passed"),
        ],
    ),
    Story(
        "the README is edited before the test passes",
        [
            fail("pytest tests/test_cart.py", CART_ERROR),
            edit("/home/dev/shop/README.md", "Install", "Install with pip"),
            ok("pytest tests/test_cart.py", "5 passed"),
        ],
    ),
    Story(
        "the change log speaks of the error",
        [
            fail("pytest tests/test_cart.py", CART_ERROR),
            edit("/home/dev/shop/CHANGELOG.md", "", "- a missing discount is no longer a KeyError"),
            ok("pytest tests/test_cart.py", "5 passed"),
        ],
    ),
    Story(
        "a narrower run passes",
        [fail("pytest", CART_ERROR), ok("pytest tests/test_menu.py", "2 passed")],
    ),
    Story(
        "the failing test is left out",
        [fail("pytest tests/", CART_ERROR), ok("pytest tests/ -k 'not cart'", "20 passed")],
    ),
    Story(
        "the failing test is skipped",
        [
            fail("pytest tests/test_cart.py", CART_ERROR),
            edit("/p/tests/test_cart.py", "def test_total", "@pytest.mark.skip(reason='discount')\ndef test_total"),
            ok("pytest tests/test_cart.py", "4 passed, 1 skipped"),
        ],
    ),
    Story(
        "the hook of the commit is passed by",
        [
            fail(
                "git commit -m 'Add the menu of the shop'", "error: hook pre-commit failed: ruff found unused name x1"
            ),
            ok("git commit --no-verify -m 'Add the menu of the shop'", "[main 1234567] Add the menu of the shop"),
        ],
    ),
    Story(
        "only a print was added",
        [
            fail("pytest tests/test_cart.py", CART_ERROR),
            edit("/home/dev/shop/src/cart.py", "d = x['discount']", "print('discount', x)\nd = x['discount']"),
            ok("pytest tests/test_cart.py", "5 passed"),
        ],
    ),
    Story(
        "the edit was taken back before it passed",
        [
            fail("pytest tests/test_cart.py", CART_ERROR),
            CART_EDIT,
            ok("git checkout -- src/cart.py", ""),
            ok("pytest tests/test_cart.py", "5 passed"),
        ],
    ),
    Story(
        "the edit was undone by another edit",
        [
            fail("pytest tests/test_cart.py", CART_ERROR),
            CART_EDIT,
            edit(CART_EDIT["edit"], CART_EDIT["new"], CART_EDIT["old"]),
            ok("pytest tests/test_cart.py", "5 passed"),
        ],
    ),
    Story(
        "a command that only says that it failed",
        [fail("make deploy", "Command failed with exit code 1"), ok("make clean", ""), ok("make deploy", "ok")],
    ),
    Story(
        "the error is swallowed by the shell",
        [fail("npm run lint:css", "Error: unknown rule at-root in main.scss"), ok("npm run lint:css || true", "")],
    ),
    Story(
        "another file is edited than the one that the failed Go test is about",
        [fail("go test ./...", GO_ERROR), edit("/p/menu.go", "return 3", "return 2"), ok("go test ./...", "ok")],
    ),
    Story(
        "the file of a test is edited that had passed",
        [fail("npx jest", JEST_ERROR), edit("/p/src/menu.js", "return a", "return a + b"), ok("npx jest", "5 passed")],
    ),
    Story(
        "a file in another language with the name of the failed Go test is edited",
        [fail("go test ./...", GO_ERROR), edit("/p/due.css", "red", "blue"), ok("go test ./...", "ok")],
    ),
    Story(
        "a Go test fails once and passes again",
        [fail("go test ./...", GO_ERROR), ok("go test ./...", "ok")],
    ),
    Story(
        "the linter finds fault with another file than the one that is edited",
        [
            fail("ruff check", RUFF_ERROR),
            edit("/p/src/menu.py", "return a", "return b"),
            ok("ruff check", "All checks passed!"),
        ],
    ),
    Story(
        "the linter mends it itself",
        [fail("ruff check", RUFF_ERROR), ok("ruff check --fix", "Found 1 error (1 fixed, 0 remaining).")],
    ),
    Story(
        "the linter is told to be silent about it",
        [
            fail("ruff check", RUFF_ERROR),
            edit("/p/src/app.py", "import os", "import os  # noqa: F401"),
            ok("ruff check", "All checks passed!"),
        ],
    ),
    Story(
        "the formatter would change a file, which is edited then",
        [
            fail("ruff format --check", "Would reformat: src/app.py\n1 file would be reformatted"),
            edit("/p/src/app.py", "a=1", "a = 1"),
            ok("ruff format --check", "12 files already formatted"),
        ],
    ),
]
