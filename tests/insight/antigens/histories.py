"""Made-up conversations with known reactions: ten themes of six that were looked at, and six that were kept back.

The themes that were kept back were written after the last change of a rule, and no rule was changed after them.

A theme is what the agent does again and again, and how six people object to it, or go on. A decoy is no antigen: the
user states a rule, praises, answers, or means something that no call shows.
"""

from __future__ import annotations

from typing import NamedTuple

Step = tuple[str, str]


class Theme(NamedTuple):
    name: str
    did: Step
    said: tuple[str, ...]
    about: str | None
    """What an antigen must be about; None for a decoy."""
    is_kept_back: bool


THEMES = (
    Theme(
        "pip",
        ("runs", "pip install requests"),
        (
            "no, don't use pip here",
            "no, use uv",
            "I told you to use uv, not pip",
            "stop using pip",
            "don't use pip, this project has uv",
            "no, we use uv instead of pip",
        ),
        "`pip`",
        False,
    ),
    Theme(
        "force push",
        ("runs", "git push --force origin feature"),
        (
            "no, never force push",
            "don't force push!",
            "stop, no force push please",
            "why did you force push? never do that",
            "I said no force push",
            "no, don't push with force",
        ),
        "`git push --force`",
        False,
    ),
    Theme(
        "generated",
        ("edits", "src/generated/client.ts"),
        (
            "no, don't touch the generated folder",
            "stop editing generated code",
            "no, generated files are overwritten",
            "don't edit anything in generated",
            "wrong, generated is built from the schema",
            "undo that, generated is not yours",
        ),
        "edits of `generated/`",
        False,
    ),
    Theme(
        "a rule that is only stated",
        ("runs", "make build"),
        (
            "don't use pip in this repo",
            "never commit secrets",
            "from now on always run the linter",
            "do not add dependencies without asking",
            "please never edit the lock file",
            "don't forget to update the changelog",
        ),
        None,
        False,
    ),
    Theme(
        "praise and answers",
        ("runs", "make check"),
        (
            "no, that is fine, go on",
            "not bad!",
            "perfect, don't change a thing",
            "no worries, next one",
            "great, no more questions",
            "nice, never seen it that fast",
        ),
        None,
        False,
    ),
    Theme(
        "npm",
        ("runs", "cd web && npm install left-pad"),
        (
            "no, we use pnpm here",
            "don't use npm",
            "wrong, it's pnpm in this repo",
            "no! pnpm, not npm",
            "I asked you to use pnpm",
            "stop using npm in web",
        ),
        "`npm`",
        False,
    ),
    Theme(
        "terraform apply",
        ("runs", "terraform apply -auto-approve"),
        (
            "NO. never run terraform apply",
            "stop! don't run terraform apply",
            "I told you not to run terraform apply",
            "no, only plan, never terraform apply",
            "don't ever run terraform apply yourself",
            "why did you run terraform apply?! don't",
        ),
        "`terraform apply`",
        False,
    ),
    Theme(
        "web search",
        ("uses", "WebSearch"),
        (
            "no, don't use WebSearch",
            "stop using WebSearch, read the docs folder",
            "don't use the WebSearch tool here",
            "no WebSearch please, it's all local",
            "I said no WebSearch",
            "wrong, WebSearch finds old versions",
        ),
        "the tool `WebSearch`",
        False,
    ),
    Theme(
        "steering of the work at hand",
        ("edits", "src/button.tsx"),
        (
            "make the button blue",
            "now add a test for it",
            "can you move it to the left?",
            "use a dict there",
            "rename it to SubmitButton",
            "and remove the comment above",
        ),
        None,
        False,
    ),
    Theme(
        "objections that name no call",
        ("runs", "make deploy"),
        (
            "no, that is wrong",
            "that's not what I meant",
            "still broken",
            "hm, it doesn't work",
            "no, the other one",
            "that looks odd",
        ),
        None,
        False,
    ),
    Theme(
        "docker compose down",
        ("runs", "docker compose down -v"),
        (
            "no, never run docker compose down -v",
            "don't run docker compose down, the data is gone",
            "stop, not docker compose down",
            "I told you not to run docker compose down",
            "undo that, docker compose down deletes my database",
            "no docker compose down please",
        ),
        "`docker`",
        True,
    ),
    Theme(
        "amend",
        ("runs", "git commit --amend --no-edit"),
        (
            "no, don't amend commits",
            "never amend",
            "stop amending, I said new commits",
            "don't amend that",
            "wrong, never amend a pushed commit",
            "I asked you not to amend",
        ),
        "`git commit --amend`",
        True,
    ),
    Theme(
        "migrations",
        ("edits", "db/migrations/0007_users.sql"),
        (
            "no, don't change old migrations",
            "stop editing migrations",
            "never edit migrations that ran",
            "revert that, migrations are final",
            "don't touch migrations",
            "no, write a new one, migrations stay as they are",
        ),
        "edits of `migrations/`",
        True,
    ),
    Theme(
        "yarn",
        ("runs", "yarn add zod"),
        (
            "no, bun",
            "don't use yarn, we are on bun",
            "no, use bun add",
            "that's wrong, bun not yarn",
            "stop using yarn",
            "no yarn here!",
        ),
        "`yarn`",
        True,
    ),
    Theme(
        "new wishes",
        ("runs", "cargo build"),
        (
            "now do the same for the client",
            "don't you think it is slow?",
            "what does the warning mean?",
            "no idea, what do you suggest?",
            "ok, write that down in the readme",
            "never mind the warning",
        ),
        None,
        True,
    ),
    Theme(
        "bugs in the product",
        ("edits", "src/login.py"),
        (
            "the login page shows the wrong user",
            "users can't stop a running job",
            "delete the old column too",
            "there is no error message when it fails",
            "the undo button does nothing",
            "it should not be possible to save twice",
        ),
        None,
        True,
    ),
)
ORDINARY: tuple[tuple[Step, ...], ...] = (
    (("user", "show me the status"), ("runs", "git status && git log -3")),
    (("user", "run the tests"), ("runs", "make test")),
    (("user", "push it"), ("runs", "git push origin feature")),
    (("user", "fix the parser"), ("edits", "src/parser.py")),
    (("user", "plan the change"), ("runs", "terraform plan")),
    (("user", "install it"), ("runs", "pnpm install")),
)
"""What users accept: each conversation begins with one of these, and the user goes on without an objection."""


def make_history(theme: Theme, number: int) -> tuple[Step, ...]:
    """Return one conversation of a theme."""
    ordinary = ORDINARY[number % len(ORDINARY)]
    return (*ordinary, ("user", f"thanks, next task {number}"), theme.did, ("user", theme.said[number]))
