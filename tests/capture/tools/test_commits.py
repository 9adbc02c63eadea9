"""What is kept of a commit."""

from __future__ import annotations

import pytest

from limpet.capture.candidate import Candidate
from limpet.capture.tables import load_table
from limpet.capture.tools.commits import commit_candidate
from limpet.capture.tools.observe import observe
from limpet.model.memory import Type
from tests.capture.marked import make_event


def find_commit(command: str, output: str = "[main 1a2b3c4] x") -> Candidate | None:
    seen = observe(make_event({"run": command, "out": output}))
    assert seen is not None
    return commit_candidate(seen)


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("fix(cart): ignore lines without a price", Type.BUGFIX),
        ("feat: add passkeys via WebAuthn", Type.FEATURE),
        ("refactor: extract PriceCalculator from OrderService", Type.REFACTOR),
        ("Prevent negative stock when two orders race", Type.BUGFIX),
        ("Add retry with backoff to uploads", Type.FEATURE),
        ("Move pricing rules into their own package", Type.REFACTOR),
        ("Raise the upload limit to 50 MB", Type.CHANGE),
        ("build: pin openssl because 3.2 breaks FIPS", Type.CHANGE),
    ],
)
def test_a_commit_is_called_by_its_message(message: str, kind: Type) -> None:
    one = find_commit(f"git commit -m '{message}'")
    assert one is not None
    assert one.type is kind
    assert one.commit == "1a2b3c4"
    assert one.text == message


@pytest.mark.parametrize(
    "message", ["wip", "fix typo", "update", "Merge branch main", "chore: bump version to 2", "address review comments"]
)
def test_a_commit_that_says_nothing_leaves_nothing(message: str) -> None:
    assert find_commit(f"git commit -m '{message}'") is None


def test_a_message_in_a_here_document_is_read_without_its_trailers() -> None:
    command = (
        "git commit -m \"$(cat <<'EOF'\nFix double charge on retry\n\nThe key was built from the attempt.\n\n"
        'Co-Authored-By: Claude <x@y>\nEOF\n)"'
    )
    one = find_commit(command, "")
    assert one is not None
    assert one.title == "Fix double charge on retry"
    assert "attempt" in one.text
    assert "Co-Authored" not in one.text


@pytest.mark.parametrize("kind", [Type.BUGFIX, Type.FEATURE, Type.REFACTOR])
def test_the_first_word_of_an_example_gives_its_type(kind: Type) -> None:
    row = load_table("tools/commits")[kind.value]
    assert row.applies_to and row.ignores
    for message in (*row.applies_to, *row.ignores):
        one = find_commit(f"git commit -m '{message}'")
        assert one is not None
        assert (one.type is kind) is (message in row.applies_to)


def test_only_an_example_of_empty_words_says_nothing() -> None:
    row = load_table("tools/commits")["empty words"]
    assert all(find_commit(f"git commit -m '{message}'") is None for message in row.applies_to)
    assert all(find_commit(f"git commit -m '{message}'") is not None for message in row.ignores)
