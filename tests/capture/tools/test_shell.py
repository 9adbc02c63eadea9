"""The part of a command line that names it."""

from __future__ import annotations

import pytest

from limpet.capture.tools.shell import parse_command


@pytest.mark.parametrize(
    ("command", "name", "kind"),
    [
        ("pytest -q", "pytest", "test"),
        ("cd /w && PYTHONPATH=src timeout 60 uv run pytest -x 2>&1 | tail -20", "pytest", "test"),
        ("python -m pytest tests", "pytest", "test"),
        ("npm test", "npm test", "test"),
        ("npm run test:unit -- cart", "npm test:unit", "test"),
        ("docker compose exec web bundle exec rspec", "rspec", "test"),
        ("go test ./...", "go test", "test"),
        ("./gradlew test", "gradlew test", "test"),
        ("npx tsc --noEmit", "tsc", "build"),
        ("make", "make", "build"),
        ("cargo clippy -- -D warnings", "cargo clippy", "lint"),
        ("npm ci", "npm ci", "install"),
        ("ls -la | grep x", "ls", "look"),
        ("grep -rn 'npm test' .", "grep", "look"),
        ("git status && git diff", "git status", "look"),
        ("git add -A && git commit -m 'run pytest; fix'", "git commit", "commit"),
        ("git commit --amend --no-edit", "git commit", "other"),
        ("gh pr create --title x --body y", "gh pr", "share"),
        ("curl -s localhost", "curl", "fetch"),
        ("python manage.py migrate", "manage.py migrate", "run"),
        ("node --version", "node", "look"),
        ("", "", "look"),
    ],
)
def test_a_command_is_called_by_its_weightiest_part(command: str, name: str, kind: str) -> None:
    run = parse_command(command)
    assert (run.name, run.kind) == (name, kind)


def test_a_message_in_a_here_document_is_no_command() -> None:
    run = parse_command("git commit -m \"$(cat <<'EOF'\nfix\n\npytest && rm -rf x\nEOF\n)\"")
    assert run.name == "git commit"
    assert "rm" not in run.programs


def test_a_quote_that_is_never_closed_is_no_trouble() -> None:
    assert parse_command('echo "a \'b \\" ' * 50).program == "echo"


def test_files_and_tests_are_the_targets() -> None:
    assert parse_command("pytest tests/test_a.py::test_b -q").targets == ("tests/test_a.py::test_b",)
    assert parse_command("go test ./cart").targets == ("./cart",)
