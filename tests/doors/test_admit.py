"""What admission does with a draft: it finds duplicates, infers fields, cites files, counts tokens and signs."""

from __future__ import annotations

import pytest

from limpet.curating.writing import run_many
from limpet.model.change import ChangeKind
from limpet.model.memory import Concept, Draft, Impact, Kind, Memory, Origin, Region, Sensitivity, Tier, Type
from limpet.model.outcome import Admitted, Duplicate, Rejected
from limpet.model.signature import Verdict
from limpet.runtime import Caller
from limpet.text.tokens import count_tokens
from tests.operations.sandbox import DAY, MODEL, PROGRAM, USER, Sandbox, files_with, git_folder, without_ids
from tests.store.homes import remove_index

TEXT = "Migrations run with alembic"
# Put together at run time, so that nothing here looks like a secret to a scanner.
TOKEN = "ghp" + "_" + "x7Kq9Zr2LmW4tB8vNcD3sF6hJ1pQ5yUaEoGi"


# Known already


def test_an_exact_duplicate_is_the_older_memory(sandbox: Sandbox) -> None:
    first = sandbox.remember(TEXT)
    outcome = sandbox.ask("remember", text=TEXT)
    assert isinstance(outcome, Duplicate)
    assert outcome.memory.id == first.id
    assert sandbox.texts() == [TEXT]


@pytest.mark.parametrize("text", [f"  {TEXT}\n", TEXT.replace(" ", "\n"), TEXT.replace(" ", "  \t")])
def test_the_same_words_wrapped_differently_are_a_duplicate(sandbox: Sandbox, text: str) -> None:
    sandbox.remember(TEXT)
    assert isinstance(sandbox.ask("remember", text=text), Duplicate)


def test_another_letter_case_is_another_memory(sandbox: Sandbox) -> None:
    sandbox.remember("use FOO")
    assert isinstance(sandbox.ask("remember", text="use foo"), Admitted)


def test_a_duplicate_adds_what_the_older_memory_did_not_know_about_itself(sandbox: Sandbox) -> None:
    first = sandbox.remember(TEXT, tags=["db"], files=["a.py"], concepts=["gotcha"])
    again = sandbox.ask("remember", text=TEXT, tags=["db", "alembic"], files=["b.py"], concepts=["pattern"])
    shown = sandbox.ask("show", id=first.id).stored.memory
    assert again.memory == shown
    assert shown.tags == ("db", "alembic")
    assert shown.files_read == ("a.py", "b.py")
    assert shown.concepts == (Concept.GOTCHA, Concept.PATTERN)
    assert shown.updated_at == first.updated_at


def test_a_duplicate_that_brings_nothing_new_writes_nothing(sandbox: Sandbox) -> None:
    sandbox.remember(TEXT)
    before = sandbox.journal()
    sandbox.ask("remember", text=TEXT)
    assert sandbox.journal() == before


def test_duplicates_never_make_the_tags_endless(sandbox: Sandbox) -> None:
    first = sandbox.remember(TEXT, tags=["t"])
    for round in range(3):
        sandbox.ask("remember", text=TEXT, tags=[f"t{round}-{number}" for number in range(20)])
    assert len(sandbox.ask("show", id=first.id).stored.memory.tags) == 32


@pytest.mark.parametrize("as_", [USER, MODEL])
def test_a_duplicate_gives_the_older_memory_what_it_states(sandbox: Sandbox, as_: Caller) -> None:
    sandbox.ask("sign")
    first = sandbox.remember(TEXT, impact="LOW", as_=as_)
    outcome = sandbox.ask("remember", text=TEXT, impact="HIGH", confidence=0.4, sensitivity="secret", as_=as_)
    assert isinstance(outcome, Duplicate) and outcome.memory.id == first.id
    assert outcome.notes == ("it now has sensitivity secret, impact HIGH, importance 0.7, confidence 0.4",)
    shown = sandbox.ask("show", id=first.id).stored.memory
    assert (shown.impact, shown.importance, shown.confidence) == (Impact.HIGH, 0.7, 0.4)
    assert shown.sensitivity is Sensitivity.SECRET
    assert sandbox.texts() == [] and sandbox.texts(sensitivity="secret") == [TEXT]
    assert sandbox.json("verify")["ok"]
    remove_index(sandbox.home)
    assert sandbox.texts(sensitivity="secret") == [TEXT]


def test_an_importance_is_taken_without_an_impact(sandbox: Sandbox) -> None:
    sandbox.remember(TEXT, impact="LOW")
    again = sandbox.ask("remember", text=TEXT, importance=0.8).memory
    assert (again.impact, again.importance) == (Impact.LOW, 0.8)
    assert sandbox.ask("remember", text=TEXT).memory.importance == 0.8


def test_a_duplicate_says_what_was_asked_for_and_not_taken(sandbox: Sandbox) -> None:
    first = sandbox.remember(TEXT, sensitivity="private")
    outcome = sandbox.ask("remember", text=TEXT, sensitivity="public", kind="EMOTIONAL", pinned=True)
    assert outcome.notes == (
        f"it keeps its kind, sensitivity; to change that: limpet correct {first.id} …",
        f"it is not pinned; to pin it: limpet pin {first.id}",
    )
    assert outcome.memory.sensitivity is Sensitivity.PRIVATE


def test_less_trusted_words_change_only_who_may_see_a_memory(sandbox: Sandbox) -> None:
    first = sandbox.remember(TEXT, impact="HIGH")
    by_model = sandbox.ask("remember", text=TEXT, impact="LOW", confidence=0.1, as_=MODEL)
    assert by_model.memory == first
    assert by_model.notes == (f"it keeps its impact, confidence; to change that: limpet correct {first.id} …",)
    from_outside = sandbox.ask("remember", text=TEXT, sensitivity="secret", origin="external")
    assert from_outside.memory == first, "a page cannot hide what the user has said"
    hidden = sandbox.ask("remember", text=TEXT, sensitivity="secret", as_=MODEL)
    assert hidden.memory.sensitivity is Sensitivity.SECRET


def test_the_users_own_words_do_not_make_a_private_memory_public(sandbox: Sandbox) -> None:
    sandbox.remember(TEXT, sensitivity="private", as_=MODEL)
    assert sandbox.remember(TEXT).sensitivity is Sensitivity.PRIVATE
    assert sandbox.texts() == []


def test_what_is_known_in_one_scope_is_new_in_another(sandbox: Sandbox) -> None:
    here = sandbox.remember(TEXT)
    everywhere = sandbox.ask("remember", text=TEXT, region="AGENT")
    other = sandbox.ask("remember", text=TEXT, by="Other")
    assert isinstance(everywhere, Admitted) and isinstance(other, Admitted)
    assert len({here.id, everywhere.memory.id, other.memory.id}) == 3


def test_a_text_that_has_expired_may_be_stored_again(sandbox: Sandbox) -> None:
    sandbox.remember(TEXT, ttl_days=1)
    sandbox.ms += 2 * DAY
    assert isinstance(sandbox.ask("remember", text=TEXT), Admitted)
    assert sandbox.texts() == [TEXT]


def admit_captured(sandbox: Sandbox, draft: Draft) -> Memory:
    """Admit a draft as the worker does that learns from hooks, and return the memory."""
    with sandbox.open() as runtime:
        door = runtime.admission(actor="capture:Anima")
        outcome = door.admit(draft)
        runtime.write(door.changes)
    assert isinstance(outcome, Admitted), outcome
    return outcome.memory


def test_what_is_stored_on_purpose_is_kept_and_what_is_captured_is_noted(sandbox: Sandbox) -> None:
    stored = sandbox.remember(TEXT)
    assert (stored.tier, stored.earned) == (Tier.KEPT, "stored on purpose")
    captured = admit_captured(sandbox, Draft(text="The queue has 12 workers", origin=Origin.USER))
    assert (captured.tier, captured.earned) == (Tier.NOTED, "")


def test_storing_on_purpose_what_was_noted_keeps_it(sandbox: Sandbox) -> None:
    noted = admit_captured(sandbox, Draft(text=TEXT, origin=Origin.USER))
    outcome = sandbox.ask("remember", text=TEXT)
    assert isinstance(outcome, Duplicate)
    assert outcome.memory.id == noted.id
    shown = sandbox.ask("show", id=noted.id).stored.memory
    assert (shown.tier, shown.earned) == (Tier.KEPT, "stored on purpose")


def test_what_is_made_of_several_memories_is_kept_only_if_all_of_them_are(sandbox: Sandbox) -> None:
    kept, noted = sandbox.remember(TEXT), admit_captured(sandbox, Draft(text="Workers: 12", origin=Origin.USER))
    mixed = admit_captured(sandbox, Draft(text="Both of them", origin=Origin.USER, sources=(kept, noted)))
    assert mixed.tier is Tier.NOTED
    pure = admit_captured(sandbox, Draft(text="One of them", origin=Origin.USER, sources=(kept,)))
    assert pure.tier is Tier.KEPT


def test_a_batch_is_compared_with_itself(sandbox: Sandbox) -> None:
    with sandbox.open() as runtime:
        draft = Draft(text=TEXT, origin=Origin.USER)
        first, second = run_many(runtime, [draft, draft])
    assert isinstance(first, Admitted) and isinstance(second, Duplicate)
    assert second.memory.id == first.memory.id


# Forgotten before


@pytest.mark.parametrize("caller", [MODEL, PROGRAM], ids=["model", "program"])
def test_forgotten_text_is_refused_to_an_agent_and_told_how_to_bring_it_back(sandbox: Sandbox, caller: object) -> None:
    first = sandbox.remember(TEXT)
    sandbox.ask("forget", ids=[first.id])
    before = sandbox.journal()
    outcome = sandbox.ask("remember", text=TEXT, as_=caller)
    assert outcome == Rejected(
        reason=f"this was forgotten and only the user can bring it back: limpet restore {first.id}"
    )
    assert sandbox.journal() == before


def test_dropped_text_is_said_to_be_dropped(sandbox: Sandbox) -> None:
    first = sandbox.remember(TEXT, origin="tool")
    with sandbox.open() as runtime:
        runtime.write([runtime.change(ChangeKind.DROP, first)])
    outcome = sandbox.ask("remember", text=TEXT, as_=MODEL)
    assert outcome == Rejected(
        reason=f"this was dropped and only the user can bring it back: limpet restore {first.id}"
    )


def test_forgotten_text_may_be_stored_again_by_the_user(sandbox: Sandbox) -> None:
    first = sandbox.remember(TEXT)
    sandbox.ask("forget", ids=[first.id])
    again = sandbox.remember(TEXT)
    assert again.id != first.id
    assert sandbox.texts() == [TEXT]


def test_forgotten_text_does_not_come_back_by_another_region(sandbox: Sandbox) -> None:
    first = sandbox.remember(TEXT, region="PROJECT")
    sandbox.ask("forget", ids=[first.id])
    assert isinstance(sandbox.ask("remember", text=TEXT, region="AGENT", as_=MODEL), Rejected)
    agent_wide = sandbox.remember("Short answers, please", region="AGENT")
    sandbox.ask("forget", ids=[agent_wide.id])
    assert isinstance(sandbox.ask("remember", text="Short answers, please", region="PROJECT", as_=MODEL), Rejected)


def test_forgotten_text_does_not_come_back_as_a_correction(sandbox: Sandbox) -> None:
    first, other = sandbox.remember(TEXT), sandbox.remember("The office plant needs water")
    sandbox.ask("forget", ids=[first.id])
    assert isinstance(sandbox.ask("correct", id=other.id, text=TEXT, as_=MODEL), Rejected)
    assert sandbox.texts() == ["The office plant needs water"]


def test_an_older_version_of_something_forgotten_does_not_come_back_either(sandbox: Sandbox) -> None:
    first = sandbox.remember("The default port is 8080")
    second = sandbox.ask("correct", id=first.id, text="The default port is 9090").memory
    sandbox.ask("forget", ids=[second.id])
    assert isinstance(sandbox.ask("remember", text="The default port is 8080", as_=MODEL), Rejected)
    assert sandbox.json("graph")["nodes"] == []


def hide(sandbox: Sandbox, memory: Memory, kind: ChangeKind) -> None:
    with sandbox.open() as runtime:
        runtime.write([runtime.change(kind, memory, {"proof": "terminal"})])


def test_what_the_user_dropped_is_not_noted_again(sandbox: Sandbox) -> None:
    hide(sandbox, admit_captured(sandbox, Draft(text=TEXT, origin=Origin.USER)), ChangeKind.DROP)
    with sandbox.open() as runtime:
        outcome = runtime.admission(actor="capture:Anima").admit(Draft(text=TEXT, origin=Origin.USER))
    assert isinstance(outcome, Rejected)
    assert sandbox.texts() == []


def test_what_the_user_dropped_may_be_stored_on_purpose(sandbox: Sandbox) -> None:
    hide(sandbox, admit_captured(sandbox, Draft(text=TEXT, origin=Origin.USER)), ChangeKind.DROP)
    asked = admit_captured(sandbox, Draft(text=TEXT, origin=Origin.USER, on_purpose=True))
    assert asked.tier is Tier.KEPT


def test_what_was_forgotten_is_noted_again_if_the_user_says_it_again(sandbox: Sandbox) -> None:
    hide(sandbox, admit_captured(sandbox, Draft(text=TEXT, origin=Origin.USER)), ChangeKind.FORGET)
    assert admit_captured(sandbox, Draft(text=TEXT, origin=Origin.USER)).tier is Tier.NOTED


def test_dropping_a_note_does_not_hide_the_summary_and_forgetting_it_does(sandbox: Sandbox) -> None:
    note = admit_captured(sandbox, Draft(text="Workers: 12", origin=Origin.USER))
    admit_captured(sandbox, Draft(text="The session counted workers", origin=Origin.TOOL, sources=(note,)))
    hide(sandbox, note, ChangeKind.DROP)
    assert sandbox.texts() == ["The session counted workers"]
    hide(sandbox, note, ChangeKind.FORGET)
    assert sandbox.texts() == []


# Inferred


@pytest.mark.parametrize(
    ("text", "kind", "impact", "type"),
    [
        ("Never run migrations by hand", Kind.ARCHITECTURAL, Impact.CRITICAL, Type.DECISION),
        ("Matt prefers short answers", Kind.EMOTIONAL, Impact.MEDIUM, None),
        ("We shipped version 2 of the importer", Kind.ACHIEVEMENTS, Impact.MEDIUM, None),
        ("The monkey likes its mustache", None, Impact.MEDIUM, None),
    ],
)
def test_what_is_not_given_is_inferred(
    sandbox: Sandbox, text: str, kind: Kind, impact: Impact, type: Type | None
) -> None:
    memory = sandbox.remember(text)
    assert kind is None or memory.kind is kind
    assert memory.impact is impact
    assert memory.importance == impact.importance
    assert type is None or memory.type is type
    assert memory.title == text


def test_what_is_given_wins(sandbox: Sandbox) -> None:
    memory = sandbox.remember(
        "Never run migrations by hand",
        kind="emotional",
        impact="low",
        type="bugfix",
        region="agent",
        title="By hand",
        subtitle="ever",
        tags=["db"],
        concepts=["trade-off"],
        importance=0.45,
        difficulty=0.9,
        confidence=0.8,
    )
    assert (memory.kind, memory.impact, memory.type) == (Kind.EMOTIONAL, Impact.LOW, Type.BUGFIX)
    assert (memory.region, memory.project) == (Region.AGENT, None)
    assert (memory.title, memory.subtitle, memory.tags) == ("By hand", "ever", ("db",))
    assert memory.concepts == (Concept.TRADE_OFF,)
    assert (memory.importance, memory.difficulty, memory.confidence) == (0.45, 0.9, 0.8)


def test_a_given_title_is_not_repeated_below_itself(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The gate is blue. Paint it on Friday.", title="Gate: paint it on Friday, at noon")
    assert memory.subtitle == ""
    assert sandbox.remember("The gate is red. Paint it on Monday.", title="Gate").subtitle == "Paint it on Monday."


# Cited, counted, chained


def test_files_named_in_the_text_are_cited_if_they_exist(sandbox: Sandbox) -> None:
    git_folder(sandbox.project)
    (sandbox.project / "src").mkdir()
    (sandbox.project / "src" / "app.py").write_text("one\ntwo\nthree\n")
    memory = sandbox.remember("The cause is in src/app.py:2-3, not in src/gone.py, nor in /etc/passwd or ../x.py")
    assert [(each.path, each.start, each.end) for each in memory.citations] == [("src/app.py", 2, 3)]
    assert memory.citations[0].span_hash and memory.citations[0].commit == memory.commit


def test_files_of_a_tool_call_are_cited_too(sandbox: Sandbox) -> None:
    (sandbox.project / "app.py").write_text("one\n")
    memory = sandbox.remember("Something about the application", files=["app.py", "gone.py"])
    assert [each.path for each in memory.citations] == ["app.py"]
    assert memory.files_read == ("app.py", "gone.py")


def test_nothing_of_this_folder_is_cited_for_another_project(sandbox: Sandbox) -> None:
    sandbox.remember("Here already")
    (sandbox.folder / "app.py").write_text("one\n")
    memory = sandbox.remember("About app.py", cwd=sandbox.folder, within="shop")
    assert (memory.citations, memory.branch, memory.commit) == ((), None, None)
    assert sandbox.texts() == ["About app.py", "Here already"]


def test_citing_can_be_switched_off(sandbox: Sandbox) -> None:
    (sandbox.project / "app.py").write_text("one\n")
    assert sandbox.remember("About app.py", flags={"admit.cite": False}).citations == ()


def test_tokens_are_counted_once_for_the_shown_text(sandbox: Sandbox) -> None:
    assert sandbox.remember(TEXT).token_count == count_tokens(TEXT)


def test_each_memory_names_the_newest_live_one_of_its_kind_and_region(sandbox: Sandbox) -> None:
    first = sandbox.remember("Learnt one thing", kind="LEARNINGS")
    second = sandbox.remember("Learnt another thing", kind="LEARNINGS")
    other = sandbox.remember("Drew a line between layers", kind="ARCHITECTURAL")
    everywhere = sandbox.remember("Learnt it everywhere", kind="LEARNINGS", region="AGENT")
    third = sandbox.remember("Learnt a third thing", kind="LEARNINGS")
    assert first.previous_memory_id is None
    assert second.previous_memory_id == first.id
    assert other.previous_memory_id is None
    assert everywhere.previous_memory_id is None
    assert third.previous_memory_id == second.id
    sandbox.ask("forget", ids=[third.id])
    assert sandbox.remember("Learnt a fourth thing", kind="LEARNINGS").previous_memory_id == second.id
    assert sandbox.remember("Not mine", kind="LEARNINGS", by="Other").previous_memory_id is None


def test_where_and_when_it_was_said_is_kept(sandbox: Sandbox) -> None:
    git_folder(sandbox.project, branch="tide", born="first")
    memory = sandbox.remember(TEXT, session="s-1")
    assert memory.session == "s-1"
    assert memory.branch == "tide" and memory.commit
    assert memory.created_at == memory.updated_at == sandbox.now


# Signed


def test_an_agent_without_a_key_signs_nothing(sandbox: Sandbox) -> None:
    assert sandbox.remember(TEXT).signature is None


def test_an_agent_with_a_key_signs_whatever_comes_in(sandbox: Sandbox) -> None:
    sandbox.ask("sign")
    first = sandbox.remember(TEXT, as_=MODEL)
    second = sandbox.ask("correct", id=first.id, text=f"{TEXT} 1.13", as_=MODEL).memory
    assert first.signature and second.signature
    verdicts = [sandbox.ask("show", id=each.id).stored.verdict for each in (first, second)]
    assert verdicts == [Verdict.GOOD, Verdict.GOOD]


def test_a_key_made_by_another_process_is_used_at_once(sandbox: Sandbox) -> None:
    from limpet.operations.remember import run

    with sandbox.open() as runtime:
        before = run(runtime, text="Stored before there was a key")
        sandbox.ask("sign")
        after = run(runtime, text="Stored after there was one")
    assert isinstance(before, Admitted) and isinstance(after, Admitted)
    assert after.memory.signature
    assert sandbox.ask("verify").problems == ()


# How private it is


def test_ordinary_text_is_public(sandbox: Sandbox) -> None:
    assert sandbox.remember("Migrations run with alembic").sensitivity is Sensitivity.PUBLIC


def test_text_that_held_a_secret_is_private(sandbox: Sandbox) -> None:
    assert sandbox.remember(f"The deploy token is {TOKEN}").sensitivity is Sensitivity.PRIVATE


def test_personal_text_is_private(sandbox: Sandbox) -> None:
    text = "Matt's home address is 12 Elm Street, Springfield; his phone number is +1 415 555 2671"
    assert sandbox.remember(text).sensitivity is Sensitivity.PRIVATE


@pytest.mark.parametrize("asked", list(Sensitivity))
def test_an_explicit_sensitivity_wins(sandbox: Sandbox, asked: Sensitivity) -> None:
    assert sandbox.remember(f"The deploy token is {TOKEN}", sensitivity=asked).sensitivity is asked


def test_without_classification_the_sensitivity_is_unknown_and_nothing_returns_it_unasked(sandbox: Sandbox) -> None:
    memory = sandbox.remember("Migrations run with alembic", flags={"admit.classify": False})
    assert memory.sensitivity is Sensitivity.UNKNOWN
    assert sandbox.texts() == []
    assert sandbox.texts(private=True) == []
    assert sandbox.texts("recall", query="alembic migrations", private=True) == []
    assert sandbox.texts(all=True, private=True) == []
    assert sandbox.json("graph", private=True)["nodes"] == []
    assert sandbox.ask("export", private=True).memories == 0
    assert sandbox.texts(sensitivity="unknown") == ["Migrations run with alembic"]
    assert sandbox.texts("recall", query="alembic migrations", sensitivity="unknown") == ["Migrations run with alembic"]


def test_without_classification_an_explicit_sensitivity_still_counts(sandbox: Sandbox) -> None:
    memory = sandbox.remember("Migrations", sensitivity="public", flags={"admit.classify": False})
    assert memory.sensitivity is Sensitivity.PUBLIC


@pytest.mark.parametrize("level", ["private", "secret"])
def test_private_memories_are_shown_only_when_asked_for(sandbox: Sandbox, level: str) -> None:
    sandbox.remember("The gate is green", sensitivity=level)
    assert sandbox.texts() == []
    assert sandbox.texts("recall", query="gate green") == []
    assert sandbox.texts(private=True) == ["The gate is green"]
    assert sandbox.texts("recall", query="gate green", private=True) == ["The gate is green"]


def test_a_correction_stays_as_private_as_what_it_corrects(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The gate is green", sensitivity="private")
    assert sandbox.ask("correct", id=memory.id, text="The gate is blue").memory.sensitivity is Sensitivity.PRIVATE


def test_a_model_that_says_a_private_text_again_learns_nothing_about_it(sandbox: Sandbox) -> None:
    sandbox.remember(
        "The gate is green", sensitivity="private", title="Where Louisa lives", tags=["louisa"], session="s-louisa"
    )
    outcome = sandbox.ask("remember", text="The gate is green", as_=MODEL)
    assert isinstance(outcome, Admitted)
    assert "louisa" not in str(outcome).lower()
    # The model finds its own words again, as if the private memory were not there.
    assert [each.memory.id for each in sandbox.ask("list", as_=MODEL).items] == [outcome.memory.id]


def test_the_words_of_a_private_memory_are_not_in_the_note_about_a_contradiction(sandbox: Sandbox) -> None:
    sandbox.remember("The default port of the vault is 8080", sensitivity="private")
    outcome = sandbox.ask("remember", text="The default port of the vault is 9090", as_=PROGRAM)
    assert any("contradicts mem_" in note for note in outcome.notes)
    assert "8080" not in without_ids(" ".join(outcome.notes))


def test_a_secret_is_known_by_the_title_above_it(sandbox: Sandbox) -> None:
    outcome = sandbox.ask("remember", text="Zq7Xv2Lm9Rt4Vb8Nc3Wd6KpTy1Ua5", title="db password")
    assert outcome.redacted == ("password",)
    assert "Zq7" not in outcome.memory.content


def test_a_secret_of_the_text_is_hidden_in_every_other_field(sandbox: Sandbox) -> None:
    fields = {"title": "hunter2hunter opens staging", "cues": "staging hunter2hunter", "subtitle": "Try hunter2hunter"}
    more = {"tags": ["hunter2hunter"], "files": ["conf/hunter2hunter.yml"]}
    outcome = sandbox.ask("remember", text="The staging password is hunter2hunter", **fields, **more)
    assert "password" in outcome.redacted
    assert files_with("hunter2hunter", sandbox.home) == []


# Withdrawn


def test_a_withdrawn_draft_leaves_no_trace(sandbox: Sandbox) -> None:
    older = sandbox.remember(TEXT)
    with sandbox.open() as runtime:
        door = runtime.admission()
        first = door.admit(Draft(text="The gateway listens on port 8080"))
        assert isinstance(first, Admitted) and first.memory.previous_memory_id == older.id
        door.withdraw(first, start=0)
        assert door.changes == []
        again = door.admit(Draft(text="The gateway listens on port 8080"))
        assert isinstance(again, Admitted) and again.memory.previous_memory_id == older.id
        assert len(door.changes) == 1


def test_a_title_gives_tags_too(sandbox: Sandbox) -> None:
    memory = sandbox.remember("The checks take ten minutes there", title="Docker and pytest on the runner")
    assert {"docker", "pytest"} <= set(memory.tags)
    assert sandbox.remember("It takes an hour", title="Docker", tags=["slow"]).tags == ("slow",)
