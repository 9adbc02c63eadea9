"""Which messages object to what the agent has done, and which only sound like it."""

from __future__ import annotations

import pytest

from limpet.text.reactions import ReactionKind, find_reaction

CORRECTION, PROHIBITION = ReactionKind.CORRECTION, ReactionKind.PROHIBITION
REVERT, CURSE = ReactionKind.REVERT, ReactionKind.CURSE

OBJECTIONS = (
    ("no, use the other file", CORRECTION),
    ("No. Use the other file.", CORRECTION),
    ("no no that's the wrong table", CORRECTION),
    ("Nope, it has to stay synchronous", CORRECTION),
    ("wrong, the port is 5433", CORRECTION),
    ("that's not what I asked for", CORRECTION),
    ("That’s not right, look again", CORRECTION),
    ("it didn't work, same error", CORRECTION),
    ("still broken", CORRECTION),
    ("you deleted my migration!", CORRECTION),
    ("why did you touch the lock file?", CORRECTION),
    ("I told you to leave the tests alone", CORRECTION),
    ("we don't do that here", CORRECTION),
    ("nein, das ist die falsche Datei", CORRECTION),
    ("NO don't force-unlock!!", PROHIBITION),
    ("don't push to main", PROHIBITION),
    ("never run that against production", PROHIBITION),
    ("stop", PROHIBITION),
    ("stop editing generated files", PROHIBITION),
    ("revert that", REVERT),
    ("undo the last change", REVERT),
    ("no, revert it please", REVERT),
    ("ok, roll that back", REVERT),
    ("what the fuck are you doing", CURSE),
    ("ffs", CURSE),
    ("damn, wrong file", CORRECTION),
    ("you idiot, I said the other file", CURSE),
    ("what the hell, that is the production database", CORRECTION),
    ("what the hell are you doing", CURSE),
    ("argh, not that one", CORRECTION),
    ("god damn it, I said staging", CORRECTION),
    ("are you kidding me, that is the live config", CURSE),
    ("du Idiot, ich sagte die andere Datei", CURSE),
    ("putain, t'as effacé la base", CORRECTION),
    ("блин, не тот файл", CORRECTION),
    ("wtf why did you delete the tests", CORRECTION),
    ("undo that", REVERT),
    ("that's wrong, we don't do that here", CORRECTION),
    ("stop, I said never force-push", PROHIBITION),
)
OTHERS = (
    "no problem",
    "No worries, go ahead",
    "no, go ahead",
    "no that's fine, thanks",
    "no need to add tests",
    "no errors any more, nice",
    "no tests exist for the parser yet, please write some",
    "don't forget to run the tests",
    "don't worry about the style",
    "don't you think a queue would be simpler?",
    "stop the dev server and start it on port 3000",
    "notice how the cache is filled",
    "node 20 is required",
    "sorry, wrong repo, never mind",
    "my bad, the file is called config.toml",
    "what does /stash do?",
    "holy shit, that's amazing",
    "damn good work",
    "a damn cold place",
    "it was a damn cold place, so we put the server into the cellar",
    "damn, that was fast",
    "damn, I forgot the attachment",
    "fuck it, let's use sqlite",
    "the old cache was useless, you can remove it",
    "our mascot is the idiot in the logo",
    "what the hell of a ride, thanks for today",
    'translate "what the hell" into German',
    "the wrong file is opened when I click twice in the list; find out why",
    "it's not urgent, but the docs need a page on this",
    "this is not documented anywhere; write a page",
    "never seen this before, what is it?",
    "why do you use a queue here?",
    "please add a test for the case that the file is not found",
    "yes",
    "don't change a thing, it's perfect",
    "Undo button: make it blue on the settings page",
    "Incorrect passwords should lock the account after 5 tries",
    "No, wait, actually that is fine.",
    "revert the last commit of Bob in the other repo",
    "Why did you not undo that earlier migration?",
    "That is wrong in the README, please correct the typo there.",
    "Rollback support: add a rollback command to the CLI",
    "I asked Bob, he agrees, great fix",
    "You keep amazing me",
    "you missed nothing, great",
    "Never change, great work",
    "Do not disturb mode: add a toggle",
    "Wrong answers are shown on the quiz page; add a red border",
    "no!!! way, that's awesome",
    "Non, c'est parfait",
    "No. 3 please",
    "Do not apologise, the fix is right",
    "No - I mean yes, keep it",
    "This is not the end: next add the export page",
    "No-op migrations should be skipped",
    "Non-root users cannot write there, please document it",
    "incorrect: true should be shown as red in the table",
    "I said to Maria that we deliver on Monday, so let's plan the rest",
    "Don't we have a helper for this already?",
    "",
    "   \n ",
)


@pytest.mark.parametrize(("text", "kind"), OBJECTIONS)
def test_an_objection_is_recognised(text: str, kind: ReactionKind) -> None:
    found = find_reaction(text)
    assert found is not None and found.kind is kind


@pytest.mark.parametrize("text", OTHERS)
def test_what_only_sounds_like_it_is_none(text: str) -> None:
    assert find_reaction(text) is None


def test_a_no_to_a_question_is_an_answer() -> None:
    assert find_reaction("no", is_answer=True) is None
    assert find_reaction("no, use the other file", is_answer=True) is None
    found = find_reaction("no, don't delete it", is_answer=True)
    assert found is not None and found.kind is PROHIBITION


def test_a_correction_may_curse_too() -> None:
    found = find_reaction("no, damn it, the other file")
    assert found is not None and found.kind is CORRECTION and found.is_curse


def test_a_curse_in_a_long_message_is_meant_for_the_agent_only_beside_an_address() -> None:
    filler = "the customer wrote a long review of the shop and its delivery times, and he was unhappy with all of it"
    assert find_reaction(f"{filler}; he said the delivery was shit and everything came late") is None
    assert find_reaction(f"{filler}; and why do you keep writing this shit") is not None


def test_the_sentence_that_objects_is_quoted() -> None:
    found = find_reaction("No. Use the other file. And then run the tests.")
    assert found is not None and found.words == "No. Use the other file."
    found = find_reaction("don't touch cart.py! It is generated.")
    assert found is not None and found.words == "don't touch cart.py!"


@pytest.mark.parametrize(
    ("text", "points"),
    [("undo that", True), ("stop", True), ("never run that", True), ("don't push to main", False), ("no", False)],
)
def test_words_that_point_at_what_was_done_are_told_from_a_rule(text: str, *, points: bool) -> None:
    found = find_reaction(text)
    assert found is not None and found.points is points


def test_a_hostile_text_takes_no_time() -> None:
    for text in (
        "no" * 100_000,
        "ok " * 100_000,
        "don't " * 50_000,
        "no, " * 50_000,
        "a." * 50_000,
        "fuck " * 50_000,
        "\u202e" * 100_000,
    ):
        find_reaction(text)
