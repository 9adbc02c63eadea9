"""Split a command line into simple commands, and find the program of each, without running a shell.

Agents write command lines such as `cd x && ENV=1 timeout 60 uv run pytest -q 2>&1 | tail`. A wrapper such as `timeout`,
an assignment or a redirection does not tell what a command does, so these are removed. The word lists are in code and
not in a table file, because hooks load this module and would have to read the file too.
"""

from __future__ import annotations

from limpet.lean.pattern import lazy
from limpet.text.words import word_set

MOST = 25
"""The maximum number of commands that are taken from one command line."""

_WRAPPERS = word_set(
    "sudo time timeout nice nohup env command exec npx bunx pnpx uvx dlx stdbuf unbuffer xvfb-run watch doas caffeinate"
)
_RUNNERS = {
    "uv": {"run"}, "poetry": {"run"}, "pipenv": {"run"}, "pdm": {"run"}, "hatch": {"run"}, "rye": {"run"},
    "bundle": {"exec"}, "pnpm": {"exec", "dlx"}, "yarn": {"exec", "dlx"}, "npm": {"exec"}, "mise": {"exec"},
    "conda": {"run"}, "direnv": {"exec"}, "docker": {"exec"}, "podman": {"exec"}, "docker-compose": {"exec", "run"},
}  # fmt: skip
INTERPRETERS = word_set(
    "python python3 python2 node ruby php perl deno bun tsx ts-node bash sh zsh pwsh powershell java go"
)
_TOOLS_WITH_PARTS = word_set(
    "git npm pnpm yarn bun cargo go make just task mvn mvnw gradle gradlew docker podman docker-compose "
    "kubectl helm terraform pulumi dotnet mix rails rake bundle composer artisan alembic flask django-admin "
    "pip pip3 uv poetry pdm pipenv conda gh glab az aws gcloud heroku fly vercel netlify systemctl service apt "
    "apt-get brew swift flutter dart ruff nx turbo lerna ansible vagrant prisma knex sequelize hatch tox nox "
    "sbt lein stack cabal zig bazel deno supabase wrangler"
)

FAMILIES = tuple(
    map(
        word_set,
        (
            "npm pnpm yarn bun",
            "pip pip3 uv poetry pipenv pdm conda",
            "pytest unittest nose tox nox",
            "jest vitest mocha",
            "make just task",
            "docker podman",
            "grep rg ag",
            "black ruff yapf",
            "mvn gradle",
            "curl wget",
        ),
    )
)
"""Groups of programs that do the same job. A person who asks for one of them does not want another of its group."""

_CUT = lazy(r"&&|\|\||;|\n|(?<!\|)\|(?!\|)")
# An unclosed quote extends to the end. Otherwise a text with many of them would take quadratic time.
_QUOTED = lazy(r"\"(?:[^\"\\]|\\.)*+(?:\"|\Z|\\\Z)|'[^']*+(?:'|\Z)", 16)  # re.DOTALL
_HEREDOC = lazy(r"<<-?\s*+['\"]?(\w++)['\"]?")
_ASSIGNED = lazy(r"[A-Za-z_]\w*+=\S*+")


def is_program(word: str) -> bool:
    """Tell whether a word is the name of a program that has subcommands or rivals."""
    return word in _TOOLS_WITH_PARTS or any(word in family for family in FAMILIES)


def split_commands(command: str) -> list[list[str]]:
    """Return the words of each simple command in a command line: first the program, then its arguments."""
    pieces = split_chain(remove_quotes(command))[:MOST]
    return [words for words in (strip_wrappers(piece) for piece, _ in pieces) if words]


def remove_quotes(command: str) -> str:
    """Remove here-documents from a command line, and replace each quoted text with one word.

    The word is the quoted text itself, or `_` if it is long or has spaces or operators.
    """
    begins = _HEREDOC.search(command)
    if begins is not None:
        end = command.find(f"\n{begins.group(1)}", begins.end())
        # A here-document inside `$(…)` is the text of a message, such as that of a commit.
        command = command[: begins.start()] + (command[end + len(begins.group(1)) + 1 :] if end >= 0 else "")
        command = command.replace('"$(cat ', " ").replace("$(cat ", " ")
    return _QUOTED.sub(_join_quoted, command)


def _join_quoted(found: object) -> str:
    text = str(found.group())[1:-1]  # type: ignore[attr-defined]
    return text if text and len(text) < 120 and not any(char in " ;|&\n" for char in text) else "_"


def split_chain(command: str) -> list[tuple[str, bool]]:
    """Split a command line at `&&`, `||`, `;`, `|` and line ends, and return its commands.

    The second item of each pair tells whether the command reads the output of the previous one through a pipe.
    """
    pieces = []
    start, piped = 0, False
    for found in _CUT.finditer(command):
        pieces.append((command[start : found.start()], piped))
        start, piped = found.end(), found.group() == "|"
    pieces.append((command[start:], piped))
    return pieces


def strip_wrappers(piece: str) -> list[str]:
    """Return the words of a simple command without redirections, assignments, wrappers, and the path of the program.

    For `python -m pytest`, the program is `pytest`. The list is empty for `cd`, and if no program is left.
    """
    words = [word for word in piece.split() if not word.startswith((">", "2>", "<", "&>"))]
    words = _skip_wrappers(words)
    if not words:
        return []
    program, rest = _program_name(words[0]), words[1:]
    if program in INTERPRETERS and len(rest) > 1 and rest[0] == "-m":
        return rest[1:]
    if program in ("python", "python3") and rest and rest[0].endswith("manage.py"):
        return ["manage.py", *rest[1:]]
    return [program, *rest]


def name_subcommand(words: list[str]) -> str:
    """Return the subcommand of a simple command, such as "push" for `git push`.

    Return an empty string if the program has no subcommands.
    """
    program, plain = words[0], [word for word in words[1:] if not word.startswith(("-", "+"))]
    if not plain or (program not in _TOOLS_WITH_PARTS and program != "manage.py"):
        return ""
    if program == "git":
        return next((word for word in plain if word.isalpha() and word.islower()), plain[0])
    return plain[1] if plain[0] in ("run", "run-script", "compose") and len(plain) > 1 else plain[0]


def _skip_wrappers(words: list[str]) -> list[str]:
    while words:
        first = _program_name(words[0])
        if _ASSIGNED.fullmatch(words[0]) or words[0] in ("(", "{", "!"):
            words = words[1:]
        elif first in _WRAPPERS and len(words) > 1:
            words = words[1:]
            while len(words) > 1 and (words[0].startswith("-") or words[0].rstrip("smh").isdigit()):
                words = words[1:]
        elif first in _RUNNERS and _subcommand(words) in _RUNNERS[first]:
            words = words[words.index(_subcommand(words)) + 1 :]
            while len(words) > 1 and words[0].startswith("-"):
                words = words[2:] if "=" not in words[0] and len(words[0]) == 2 and words[0] != "-T" else words[1:]
            if first in ("docker", "podman", "docker-compose") and len(words) > 1:
                words = words[1:]
        elif first in ("docker", "podman") and words[1:2] == ["compose"] and words[2:3] in (["exec"], ["run"]):
            words = [word for word in words[3:] if not word.startswith("-")][1:]
        elif first == "cd" or words == ["("]:
            return []
        else:
            return words
    return words


def _subcommand(words: list[str]) -> str:
    return next((word for word in words[1:] if not word.startswith("-")), "")


def _program_name(word: str) -> str:
    name = word.strip("'\"`()").replace("\\", "/").rsplit("/", 1)[-1]
    return name.removesuffix(".exe").removesuffix(".cmd")
