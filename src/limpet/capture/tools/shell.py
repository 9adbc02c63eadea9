"""Parse a shell command into its program, its subcommand and its kind.

Agents chain commands (`cd x && ENV=1 timeout 60 uv run pytest -q 2>&1 | tail`). The kind decides which command of the
chain matters most. Wrappers, assignments, `cd` and filters after a pipe are skipped. The word lists are in the code
instead of a table file, because a hook loads this module and must not read another file.
"""

from __future__ import annotations

from limpet.lean.pattern import lazy
from limpet.lean.record import record
from limpet.text.commands import INTERPRETERS, MOST, name_subcommand, remove_quotes, split_chain, strip_wrappers
from limpet.text.words import word_set

# Which part of a chain names it, the last first: a commit says more than a test, a test more than an install.
_RANK = ("look", "other", "install", "fetch", "lint", "run", "build", "test", "share", "commit")

_LOOK = word_set(
    "ls cat head tail less more grep rg ag ack find fd tree wc pwd cd echo printf which whereis type stat file "
    "du df ps top env printenv date whoami hostname uname id history sort uniq cut awk sed jq yq diff cmp test "
    "true false sleep xxd md5sum sha256sum basename dirname realpath readlink locate bat eza exa nl tee column "
    "pgrep lsof jobs dir gci select-string get-content get-childitem set export source . [ [[ : for if while "
    "do done then fi mkdir touch chmod ln cp mv rm kill man help xargs"
)
_SHOWS = word_set("cat head tail less more bat sed awk nl grep rg ag ack get-content select-string")
_TEST = word_set(
    "pytest py.test tox nox unittest jest vitest mocha ava jasmine karma cypress playwright rspec minitest "
    "phpunit pest ctest gotestsum nextest behave bats busted prove nosetests test tests check e2e test:unit "
    "test:e2e test:ci integration-test test-unit integration spec verify"
)
_BUILD = word_set(
    "build compile tsc webpack vite rollup esbuild cmake ninja msbuild javac gcc g++ clang clang++ cc rustc "
    "swiftc package assemble bundle bootjar typecheck type-check next docs sphinx-build mkdocs all bazel buck "
    "xcodebuild"
)
_LINT = word_set(
    "lint ruff flake8 pylint eslint prettier black isort gofmt goimports rustfmt fmt format clippy vet "
    "golangci-lint mypy pyright biome stylelint shellcheck hadolint rubocop standard ktlint checkstyle "
    "spotless pre-commit lint:fix"
)
_COSMETIC = word_set("prettier black isort gofmt goimports rustfmt fmt format stylelint spotless lint:fix")
_INSTALL = word_set(
    "install i ci add sync get download restore update upgrade require apt apt-get brew apk yum dnf pacman pip3"
)
_FETCH = word_set("curl wget http https xh httpie lynx")
_GIT_LOOKS = word_set(
    "status log diff show branch blame remote rev-parse describe ls-files reflog shortlog config fetch stash "
    "grep worktree cat-file ls-tree rev-list checkout switch add restore pull"
)
_FILE = lazy(r"[\w@./\\-]*\w\.[A-Za-z]\w{0,5}(?:::[\w\[\]:.-]++)?")

_FOLDER = lazy(r"(?=[^/]*+/)(?:\.{1,2}/)?[\w@][\w@./-]*+")


@record
class Run:
    """A parsed command line: its program, subcommand and kind, and the files and tests that it names."""

    program: str
    part: str = ""
    kind: str = "other"
    targets: tuple[str, ...] = ()
    """The files and tests among the arguments."""
    programs: frozenset[str] = frozenset()
    """Every program in the chain of commands."""
    shows_files: bool = False
    text: str = ""

    @property
    def name(self) -> str:
        return f"{self.program} {self.part}".strip()


def parse_command(command: str) -> Run:
    """Return the most important command of a command line, which may be a chain of commands."""
    bare = remove_quotes(command)
    found: Run | None = None
    programs: set[str] = set()
    shows = True
    for piece, piped in split_chain(bare)[:MOST]:
        run = _parse_part(piece)
        if run is None:
            continue
        programs.add(run.program)
        if piped and run.kind == "look":
            continue
        shows = shows and (run.program in _SHOWS or run.program in ("cd", "echo"))
        if found is None or _RANK.index(run.kind) > _RANK.index(found.kind):
            found = run
    if found is None:
        return Run(program="", kind="look", programs=frozenset(programs))
    return Run(
        program=found.program,
        part=found.part,
        kind=found.kind,
        targets=found.targets,
        programs=frozenset(programs),
        shows_files=shows and bool(programs & _SHOWS),
        text=found.text,
    )


def is_cosmetic(run: Run) -> bool:
    """Tell whether a command only checks or changes the layout of code. A linter may find an error too."""
    return run.kind == "lint" and (run.program in _COSMETIC or run.part in _COSMETIC)


def _parse_part(piece: str) -> Run | None:
    words = strip_wrappers(piece)
    if not words:
        return None
    program, rest, part = words[0], words[1:], name_subcommand(words)
    kind = _choose_kind(program, part, rest)
    named = (word.strip("'\"") for word in rest if not word.startswith(("-", "+")))
    targets = tuple(dict.fromkeys(word for word in named if _FILE.fullmatch(word) or _FOLDER.fullmatch(word)))[:4]
    return Run(program=program, part=part, kind=kind, targets=targets, text=" ".join(words)[:200])


def _choose_kind(program: str, part: str, rest: list[str]) -> str:
    if program == "git":
        return _git_kind(part, rest)
    if program in ("gh", "glab"):
        return "share" if part in ("pr", "mr", "release") and "create" in rest else "look"
    if program in _FETCH:
        return "fetch"
    word = part or program
    bare = word.split(":", 1)[0]
    if program in ("kubectl", "docker", "podman", "systemctl", "aws", "gcloud", "az", "helm"):
        shows = part in ("get", "describe", "logs", "ps", "images", "inspect", "status", "top", "list", "ls")
        return "look" if shows else "build" if part == "build" else "run"
    if program in _LINT:
        return "lint"
    if program in _TEST or (part and (part in _TEST or bare in ("test", "e2e", "spec"))):
        return "test"
    if part and (part in _LINT or bare in ("lint", "format")):
        return "lint"
    if program in _INSTALL or (part in _INSTALL and program not in ("make", "just", "task")):
        return "install"
    if program in _BUILD or (part and (part in _BUILD or bare == "build")):
        return "build"
    if program in ("make", "ninja", "mvn", "gradle", "gradlew", "cmake") and not part:
        return "build"
    if program in _LOOK:
        return "look"
    if program in INTERPRETERS and rest[:1] in (["-V"], ["--version"], ["-v"]):
        return "look"
    return "look" if rest and rest[0] in ("--version", "-V", "--help", "-h", "version") else "run"


def _git_kind(part: str, rest: list[str]) -> str:
    if part == "commit":
        return "commit" if "--no-edit" not in rest and "--dry-run" not in rest else "other"
    if part in _GIT_LOOKS:
        return "look"
    return "run" if part in ("push", "merge", "rebase", "cherry-pick", "apply", "am", "bisect", "revert") else "other"
